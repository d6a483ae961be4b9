"""Baccarat tables side by side: their roads, last results, and the bets placed now.

All tables are read together, so that many cost as few queries as two. Bets are public from the
moment they are placed, and no card is dealt before the betting is closed.
"""

from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from typing import NamedTuple

from django.utils.safestring import SafeString

from games.families.baccarat.road_maps import draw
from games.families.baccarat.roads import Mark, marks_of_results, results_at
from games.models import Move, Table
from games.rules.baccarat.game import SPOTS
from games.rules.baccarat.roads import Counts
from games.words.naming import term
from wallets.values.amounts import show_amount

BET = "bet"


class SpotBets(NamedTuple):
    """The bets of all players on a spot."""

    spot: str
    name: str
    amount: str


class BaccaratTableBeside(NamedTuple):
    big_road: SafeString
    marks: tuple[Mark, ...]
    counts: Counts
    # In the round whose bets are placed; none between two rounds.
    bets: tuple[SpotBets, ...]
    is_betting: bool


def tables_beside(tables: Sequence[Table], now: datetime) -> list[BaccaratTableBeside]:
    """Describe these baccarat tables, in their order."""
    results, bets = results_at(tables, now), _bets_at(tables)
    besides = []
    for table in tables:
        drawn = draw(results.get(table.pk, ()))
        besides.append(
            BaccaratTableBeside(
                drawn.big_road,
                marks_of_results(results.get(table.pk, ())),
                drawn.counts,
                _shown(table, bets.get(table.hand_id, {})),
                table.hand_id is not None,
            )
        )
    return besides


def _bets_at(tables: Iterable[Table]) -> Mapping[int | None, Mapping[str, int]]:
    """The sums on each spot by hand, in one query."""
    running = [table.hand_id for table in tables if table.hand_id is not None]
    moves = Move.objects.filter(hand__in=running, seat__gt=0, action__do=BET)
    sums: dict[int | None, dict[str, int]] = {}
    for hand, action in moves.values_list("hand", "action"):
        spots = sums.setdefault(hand, {})
        spots[action["on"]] = spots.get(action["on"], 0) + action["amount"]
    return sums


def _shown(table: Table, sums: Mapping[str, int]) -> tuple[SpotBets, ...]:
    return tuple(
        SpotBets(spot, term(spot), show_amount(sums[spot], table.currency))
        for spot in SPOTS
        if spot in sums
    )
