"""Dou Dizhu needs three at every table: whoever is left over rests, in each hand somebody else."""

import pytest

from tests.tournaments.events import Event, sit_and_go, structure
from tournaments import audit
from tournaments.models import Bye, Entry, HandEnded, Move

pytestmark = pytest.mark.django_db(transaction=True)

QUICK = [{"point": 500}]
EVENTS = {
    "sit-and-go of nine": (sit_and_go("doudizhu", 9, levels=QUICK), 9),
    "freeze-out of four": (
        structure(game="doudizhu", table_size=3, field_min=3, levels=QUICK),
        4,
    ),
}


@pytest.mark.parametrize("name", EVENTS)
def test_everybody_rests_equally_often(event: Event, name: str) -> None:
    played, players = EVENTS[name]
    event.open(played, players)
    event.until(event.is_running)
    assert Bye.objects.count() == players % 3
    while not event.is_over():
        event.step()
        left = list(Entry.objects.filter(state__in=Entry.LEFT))
        byes = [entry.byes for entry in left]
        assert max(byes, default=0) - min(byes, default=0) <= 1
        if event.is_running() and not event.row.moves_due:
            assert sum(entry.seat is None for entry in left) == len(left) % 3
    event.check()
    assert list(audit.audit([event.number])) == []
    # More than one round of byes, and each of them for a single hand.
    rested = Bye.objects.order_by("step")
    assert len({bye.step for bye in rested}) > 2
    assert len({bye.entry_id for bye in rested}) > 2
    whys = set(Move.objects.values_list("why", flat=True))
    assert "bye" in whys
    assert "late" not in whys
    for bye in rested:
        hands = HandEnded.objects.filter(
            hand__started_at__gte=bye.at, hand__seats__player=bye.entry.player
        )
        later = rested.filter(step__gt=bye.step).first()
        if later is not None:
            assert not hands.filter(hand__started_at__lt=later.at).exists()
