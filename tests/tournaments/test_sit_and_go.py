"""A sit-and-go from registering to the prizes: every game at one table, and several tables."""

from typing import Any

import pytest

from tests.tournaments.events import Event, sit_and_go
from tournaments.audit import whole as audit
from tournaments.mathematics.structure import GAMES
from tournaments.models import Entry, Payout, Tournament

pytestmark = pytest.mark.django_db(transaction=True)

# As high as the chips of a player, so that a few hands decide.
HIGH: dict[str, Any] = {"levels": [{"point": 1_000}]}
BETS: dict[str, Any] = {"levels": [{"bet_min": 500, "bet_max": 1_000}]}
# The game, how many play, and for what.
CASES = {
    "thirteen_hongkong": ("thirteen_hongkong", 2, BETS),
    "thirteen_taiwan": ("thirteen_taiwan", 4, HIGH),
    "thirteen_philippine": ("thirteen_philippine", 4, BETS),
    "thirteen_fujian": ("thirteen_fujian", 4, HIGH),
    "doudizhu": ("doudizhu", 3, HIGH),
    "two tables": ("chinese_poker", 4, HIGH | {"table_size": 2}),
    "three tables": ("doudizhu", 9, HIGH),
}


@pytest.mark.parametrize(
    "case", [*list(CASES)[:-1], pytest.param("three tables", marks=pytest.mark.release)]
)
def test_it_is_played_to_its_prizes(event: Event, case: str) -> None:
    game, seats, given = CASES[case]
    played = sit_and_go(game, seats, **given)
    players = event.open(played, seats)
    assert event.row.state != Tournament.State.ANNOUNCED
    event.until(event.is_running)
    assert event.row.tables.count() == seats // played.table_size
    event.play_closely()
    row = event.row
    assert row.state == Tournament.State.FINISHED
    # Those who finish level share.
    payouts = list(Payout.objects.filter(tournament=row).select_related("entry__player"))
    assert sum(payout.amount for payout in payouts) == 1_000 * len(players)
    assert Entry.objects.get(tournament=row, place=1) in [payout.entry for payout in payouts]
    for payout in payouts:
        assert payout.entry.prize == payout.amount
        balance = event.house.wallet(payout.entry.player).balance
        assert balance == 10_000_000 - 1_100 + payout.amount
    assert [str(finding) for finding in audit.since()] == []


def test_every_game_is_played() -> None:
    assert {game for game, _seats, _given in CASES.values()} == set(GAMES)
