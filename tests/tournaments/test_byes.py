"""Where every table has as many seats, the others rest, in each hand a different one."""

import pytest

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from tests.tournaments.events import Event, sit_and_go, structure
from tournaments.audit.rows import Rows
from tournaments.audit.seats import CHECKS
from tournaments.models import Bye, Entry, TableChange
from tournaments.running import control

pytestmark = pytest.mark.django_db

# So low at first that no player goes out by chips.
LOW = [{"point": 1, "seconds": 3_600}, {"point": 400}]


def take_one_out(event: Event, player: Player) -> None:
    event.house.player("staff", money=0)
    appoint(Player.objects.get(username="staff"), "managers")
    staff = Player.objects.get(username="staff")
    control.disqualify(staff, event.number, player.pk, "a test", event.house.now)


@pytest.mark.parametrize(
    ("played", "seats", "count"),
    [
        ("thirteen_taiwan", 4, 6),
        ("sit-and-go", 2, 4),
        *(
            pytest.param(*case, marks=pytest.mark.release)
            for case in (
                ("sit-and-go", 3, 9),
                ("doudizhu", 3, 4),
                ("doudizhu", 3, 5),
                ("doudizhu", 3, 7),
            )
        ),
    ],
)
def test_everybody_rests_equally_often(event: Event, played: str, seats: int, count: int) -> None:
    game = {2: "chinese_poker", 3: "doudizhu", 4: "thirteen_taiwan"}[seats]
    freeze_out = structure(game=game, table_size=seats, field_min=seats, levels=LOW)
    several = sit_and_go(game, count, levels=LOW, table_size=seats)
    players = event.open(several if played == "sit-and-go" else freeze_out, count)
    event.until(event.is_running)
    assert Bye.objects.count() == count % seats
    if not count % seats:
        take_one_out(event, players[0])
    while Bye.objects.filter(step=4).count() == 0:
        event.step()
        left = list(Entry.objects.filter(state__in=Entry.LEFT))
        had = [entry.byes for entry in left]
        assert max(had) - min(had) <= 1
        if not event.row.moves_due:
            assert sum(entry.seat_id is None for entry in left) == len(left) % seats
    event.check()
    rested = Bye.objects.order_by("step", "entry")
    # No player rests again before all have rested.
    assert len({bye.entry_id for bye in rested}) == min(len(left), len(rested))
    # No player enters late here: a seat is given to one who comes back from a bye.
    back = TableChange.objects.filter(from_table=None).exclude(why="start")
    assert set(back.values_list("why", flat=True)) == {"bye"}
    rows = Rows(event.number)
    assert [finding for check in CHECKS for finding in check(rows)] == []
