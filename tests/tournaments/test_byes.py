"""Dou Dizhu needs three at every table: whoever is left over rests, in each hand somebody else."""

import pytest

from casino.players.models import Player
from casino.players.staff import appoint
from tests.tournaments.events import Event, sit_and_go, structure
from tournaments import control
from tournaments.auditing import byes
from tournaments.auditing.rows import Rows
from tournaments.models import Bye, Entry, Move

pytestmark = pytest.mark.django_db(transaction=True)

# So low at first that nobody goes out by chips.
LOW = [{"point": 1, "seconds": 3_600}, {"point": 400}]
FREEZE_OUT = structure(game="doudizhu", table_size=3, field_min=3, levels=LOW)
# With how many players each event starts.
EVENTS = {
    "sit-and-go of nine": (sit_and_go("doudizhu", 9, levels=LOW), 9),
    "freeze-out of four": (FREEZE_OUT, 4),
    "freeze-out of five": (FREEZE_OUT, 5),
    "freeze-out of seven": (FREEZE_OUT, 7),
}


def take_one_out(event: Event, player: Player) -> None:
    event.house.player("staff", money=0)
    appoint(Player.objects.get(username="staff"), "managers")
    staff = Player.objects.get(username="staff")
    control.disqualify(staff, event.number, player.pk, "a test", event.house.now)


@pytest.mark.parametrize("name", EVENTS)
def test_everybody_rests_equally_often(event: Event, name: str) -> None:
    played, count = EVENTS[name]
    players = event.open(played, count)
    event.until(event.is_running)
    assert Bye.objects.count() == count % 3
    if not count % 3:
        take_one_out(event, players[0])
    while Bye.objects.filter(step=4).count() == 0:
        event.step()
        left = list(Entry.objects.filter(state__in=Entry.LEFT))
        had = [entry.byes for entry in left]
        assert max(had) - min(had) <= 1
        if not event.row.moves_due:
            assert sum(entry.seat_id is None for entry in left) == len(left) % 3
    event.check()
    rested = Bye.objects.order_by("step", "entry")
    # Nobody rests again before everybody has rested.
    assert len({bye.entry_id for bye in rested}) == min(len(left), len(rested))
    # Nobody enters late here: whoever gets a seat comes back from a bye.
    back = Move.objects.filter(from_table=None).exclude(why="start")
    assert set(back.values_list("why", flat=True)) == {"bye"}
    rows = Rows(event.row)
    assert [found for check in byes.CHECKS for found in check(rows)] == []
