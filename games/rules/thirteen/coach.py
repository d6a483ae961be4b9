"""Looking back on a hand: what would have been best against the arrangements that were shown.

Every arrangement of the hand is held against the table by the game's own comparison, so guns, home
runs and fouls come out as they would have. The rules are not repeated here, except for one
observation, which makes it quick: a comparison sees of a row only its category and how it compares
with each row on the table. Rows alike in that are alike altogether, and of the 72,072 arrangements
there are but some hundreds that differ.
"""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Final

from msgspec import Struct

from games.rules.cards import Card
from games.rules.poker import MAIN_RANK_SHIFT, holds_joker
from games.rules.thirteen.actions import Arrange
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.showdown import BACK, FRONT, MIDDLE, ROW_NAMES, RowValue, Shown
from games.rules.thirteen.solver import rest_of, rows_at
from games.rules.thirteen.suggest import check_hand

# The verdicts of a comparison about a row.
Kind = tuple[int, ...]

NO_UNITS: Final[Mapping[int, int]] = {}


class Hindsight(Struct, frozen=True, kw_only=True):
    """The best that could have been done, and the points that it would have made.

    Points from a seat count as often as its unit says; units unsaid, each is worth one.
    """

    arranged: Arrange
    points: int


def best_against(
    game: ThirteenGame,
    hand: Sequence[Card],
    others: Sequence[Shown],
    *,
    seat: int = 0,
    banker: int | None = None,
    units: Mapping[int, int] = NO_UNITS,
) -> Hindsight:
    """The best arrangement or natural against what the other seats have shown.

    `banker` names the banker's seat, this one or another, at a table that has one. `units` says
    what a point with each opponent is worth, where that differs.
    """
    check_hand(game, hand)
    table = _Table(game, others, seat, banker, units)
    best: Hindsight | None = None
    for natural in game.held_naturals(hand):
        mine = Shown(seat, (), False, natural, holds_joker(hand))
        best = _better(best, Arrange(declare=natural), table.points(mine))
    ranked = RankedRows(game, hand, others)
    for indexes in ranked.different():
        mine = Shown(seat, ranked.values(indexes), False, None, False)
        points = table.points(mine)
        if best is None or points > best.points:
            best = Hindsight(arranged=Arrange(*rows_at(hand, *indexes)), points=points)
    assert best is not None
    return best


def points_against(
    game: ThirteenGame,
    mine: Shown,
    others: Sequence[Shown],
    *,
    banker: int | None = None,
    units: Mapping[int, int] = NO_UNITS,
) -> int:
    """Return the points of a seat's own arrangement against the others, as `best_against` has."""
    return _Table(game, others, mine.seat, banker, units).points(mine)


def _better(best: Hindsight | None, arranged: Arrange, points: int) -> Hindsight:
    if best is not None and best.points >= points:
        return best
    return Hindsight(arranged=arranged, points=points)


class _Table:
    """The other seats, and which of them this one is compared with."""

    def __init__(
        self,
        game: ThirteenGame,
        others: Sequence[Shown],
        seat: int,
        banker: int | None,
        units: Mapping[int, int],
    ) -> None:
        self.game = game
        self.others = tuple(others)
        self.comes_second = banker is not None and banker != seat
        self.opponents = [
            (shown, units.get(shown.seat, 1))
            for shown in others
            if banker in (None, seat, shown.seat)
        ]

    def points(self, mine: Shown) -> int:
        table = (mine, *self.others)
        total = 0
        for theirs, unit in self.opponents:
            if self.comes_second:
                scores = self.game.compare(theirs, mine, table)
                total -= unit * sum(score.points for score in scores)
            else:
                scores = self.game.compare(mine, theirs, table)
                total += unit * sum(score.points for score in scores)
        return total


class RankedRows:
    """Every row that a hand can make, and what a comparison with the table can tell of it."""

    def __init__(self, game: ThirteenGame, hand: Sequence[Card], others: Sequence[Shown]) -> None:
        self.game = game
        self.fives = [game.rank_row(cards) for cards in combinations(hand, 5)]
        self.threes = [game.rank_row(cards) for cards in combinations(hand, 3)]
        self.kinds = [
            _kinds(self.threes if row == FRONT else self.fives, others, row)
            for row in range(len(ROW_NAMES))
        ]

    def values(self, indexes: tuple[int, int, int]) -> tuple[RowValue, ...]:
        front, middle, back = indexes
        return self.threes[front], self.fives[middle], self.fives[back]

    def different(self) -> Iterator[tuple[int, int, int]]:
        """One of each sort of legal arrangement, by the indexes of its rows."""
        middle_kinds, front_kinds = self.kinds[MIDDLE], self.kinds[FRONT]
        orders = [row.order for row in self.fives]
        front_orders = [row.order for row in self.threes]
        seen: set[tuple[int, int, int]] = set()
        for back, back_kind in enumerate(self.kinds[BACK]):
            order, rest = orders[back], rest_of(back)
            for middle, front in zip(rest.middles, rest.fronts, strict=True):
                if orders[middle] > order or front_orders[front] >= orders[middle]:
                    continue
                kinds = (front_kinds[front], middle_kinds[middle], back_kind)
                if kinds in seen or self.game.out_of_order(self.values((front, middle, back))):
                    continue
                seen.add(kinds)
                yield front, middle, back


def _kinds(rows: Sequence[RowValue], others: Sequence[Shown], row: int) -> list[int]:
    """A number for each row, equal for rows that no comparison with the table tells apart."""
    theirs = [shown.rows[row].order for shown in others if shown.rows]
    numbers: dict[Kind, int] = {}
    return [numbers.setdefault(_kind(value, theirs), len(numbers)) for value in rows]


def _kind(value: RowValue, theirs: Sequence[int]) -> Kind:
    order, biggest_point = value.order, value.order >> MAIN_RANK_SHIFT
    kind = [int(value.category)]
    for other in theirs:
        kind.append((order > other) - (order < other))
        # A banker who eats ties looks at no more than the category and the biggest point.
        other_point = other >> MAIN_RANK_SHIFT
        kind.append((biggest_point > other_point) - (biggest_point < other_point))
    return tuple(kind)
