"""Duplicate rounds (复式): the same deals at every table, compared across tables.

**What is compared.** At every table of a round, the same seat holds the same cards in the same
deal. Each deal is begun with the starting chips, so that no table's earlier deals limit what it can
win. The result of a seat is the chips it won or lost. It is compared with that of the same seat at
every other table: 2 match points for each table whose result is lower, 1 for each with the same
result, 0 for each with a higher one. The value of the cards does not count, because all held them.

The points of one seat in one deal sum to n(n - 1) at n tables, for any results. The
average is n - 1; the difference to it sums to zero.

**No result.** A seat whose deal was not finished (its table voided it, a player was disqualified)
is level with every other table: it gets the average, and no player gains or loses by it. A player
with a bye gets the average of every deal of the round. So all have been compared equally often.

**Ranking.** Players rank by their match points; if these are equal, by the chips they won in all
deals. Those who are equal in both finish level.

**Seats.** Tables are full: those who are left over have a bye. The first round is drawn. After that
either every round is drawn (`fixed`), or the ranking is cut into tables (`swiss`): the first of it
at table 1, the next at table 2. Seats rotate from table to table, so that each seat is held by high
and low ranks alike (`rounds.rotated`).
"""

from bisect import bisect_left, bisect_right
from collections.abc import Mapping, Sequence
from itertools import groupby
from typing import Annotated, Literal, NamedTuple

from msgspec import Meta, Struct


class Duplicate(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """So many rounds of so many deals; who meets whom is drawn anew, or by Swiss ranking."""

    rounds: Annotated[int, Meta(ge=1, le=100)]
    deals: Annotated[int, Meta(ge=1, le=100)]
    manner: Literal["fixed", "swiss"] = "swiss"


class Score(NamedTuple):
    """A player's score in a duplicate: match points, then chips won."""

    points: int
    chips: int


def compared(results: Sequence[int | None]) -> list[int]:
    """The match points of one seat in one deal, by table; None is no result."""
    known = sorted(result for result in results if result is not None)
    missing = len(results) - len(known)
    return [
        len(results) - 1
        if result is None
        # Each lower result counts 2, each equal one (but not one's own) 1, each missing one 1.
        else bisect_left(known, result) + bisect_right(known, result) - 1 + missing
        for result in results
    ]


def deal_points(
    results: Mapping[int, Mapping[int, int] | None], seats: Sequence[int]
) -> dict[tuple[int, int], int]:
    """The match points by table and seat, from the chips by table and by seat in one deal."""
    tables = sorted(results)
    scores: dict[tuple[int, int], int] = {}
    for seat in seats:
        line = [(results[table] or {}).get(seat) for table in tables]
        for table, points in zip(tables, compared(line), strict=True):
            scores[table, seat] = points
    return scores


def bye_points(tables: int, deals: int) -> int:
    """The match points of a round for a player with a bye: the average of every deal."""
    return (tables - 1) * deals


def share_bp(points: int, average: int) -> int:
    """Match points as basis points of the most that could be had, rounded down.

    The most is twice the `average` of the same deals; before the first deal all have half.
    """
    return points * 5_000 // average if average else 5_000


def ranking(scores: Mapping[int, Score], drawn: Mapping[int, int]) -> list[list[int]]:
    """Groups of players who are level, the best first; in a group the lower number drawn leads."""
    ordered = sorted(
        scores, key=lambda entry: (-scores[entry].points, -scores[entry].chips, drawn[entry])
    )
    return [list(group) for _, group in groupby(ordered, key=lambda entry: scores[entry])]
