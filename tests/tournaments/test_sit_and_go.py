"""A sit-and-go from registering to the prizes: every game at one table, and several tables."""

from typing import Any

import pytest

from tests.tournaments.events import Event, sit_and_go
from tournaments.models import Entry, Payout, Tournament
from tournaments.structure import GAMES

pytestmark = pytest.mark.django_db(transaction=True)

POINTS: dict[str, Any] = {"levels": [{"point": 100}]}
# As high as the chips of a player, so that a few hands decide.
HIGH: dict[str, Any] = {"levels": [{"point": 1_000}]}
BETS: dict[str, Any] = {"levels": [{"bet_min": 300, "bet_max": 500}]}
# The game, how many play, and for what.
CASES = {
    "chinese_poker": ("chinese_poker", 2, POINTS),
    "thirteen_hongkong": ("thirteen_hongkong", 2, BETS),
    "thirteen_taiwan": ("thirteen_taiwan", 4, POINTS),
    "thirteen_philippine": ("thirteen_philippine", 4, BETS),
    "thirteen_fujian": ("thirteen_fujian", 4, POINTS),
    "doudizhu": ("doudizhu", 3, HIGH),
    "two tables of chinese_poker": ("chinese_poker", 8, HIGH),
    "three tables of doudizhu": ("doudizhu", 9, HIGH),
}


@pytest.mark.parametrize("case", CASES)
def test_it_is_played_to_its_prizes(event: Event, case: str) -> None:
    game, seats, levels = CASES[case]
    played = sit_and_go(game, seats, **levels)
    players = event.open(played, seats)
    assert event.row.state != Tournament.State.ANNOUNCED
    event.until(event.is_running)
    assert event.row.tables.count() == seats // played.table_size
    event.play_closely()
    row = event.row
    assert row.state == Tournament.State.FINISHED
    (payout,) = Payout.objects.filter(tournament=row)
    assert payout.amount == 1_000 * len(players)
    winner = Entry.objects.get(tournament=row, place=1)
    assert (payout.entry, winner.prize) == (winner, payout.amount)
    assert event.house.wallet(winner.player).balance == 10_000_000 - 1_100 + payout.amount


def test_every_game_is_played() -> None:
    assert {game for game, _seats, _levels in CASES.values()} == set(GAMES)
