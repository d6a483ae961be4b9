"""Suggesting arrangements, and looking back on a hand: what would have been best.

`suggest` answers with arrangements of different character, and with every natural the hand holds,
ordered by the points they can expect from an opponent (`analysis/thirteen_model.py` says how these
are reckoned):

- `best_expected`: the most points of all arrangements, exactly, as far as the model is right;
- `safe`: the smallest chance to lose all three rows;
- `strong_front` and `strong_back`: the most points when that row counts several times, and so the
  arrangement one would choose who wants to win that row; never one whose row is lower than in the
  best arrangement.

Where two characters agree on all but small cards, the later one takes its next choice, so that
there are always different ones to choose from; often the best arrangement is the safest as well,
and `safe` is the safest of the others. A row that gets stronger is never worth less, which is all
that the solver asks of these objectives.

Every arrangement of the hand is held against the table by the game's own comparison, so guns, home
runs and fouls come out as they would have. The rules are not repeated here, except for one
observation, which makes it quick: a comparison sees of a row only its category and how it compares
with each row on the table. Rows alike in that are alike altogether, and of the 72,072 arrangements
there are but some hundreds that differ.
"""

from collections.abc import Iterator, Mapping, Sequence
from functools import lru_cache
from itertools import combinations
from typing import Final, Literal

from msgspec import Struct

from games.rules.cards import Card
from games.rules.contract import check_cards
from games.rules.errors import Unreadable
from games.rules.poker import CATEGORY_NAMES, MAIN_RANK_SHIFT, holds_joker
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.model import (
    ExpectedPoints,
    HighestPoints,
    HighestTerms,
    RowWorth,
    expected_points,
)
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.showdown import BACK, FRONT, MIDDLE, ROW_NAMES, RowValue, Shown
from games.rules.thirteen.solver import (
    NOTHING,
    Objective,
    Split,
    best_arrangement,
    best_split,
    rank_hand,
    rest_of,
    rows_at,
)
from games.rules.thirteen.state import HAND_SIZE, Arrange

Character = Literal["best_expected", "strong_front", "strong_back", "safe", "natural"]

# How often the strong row counts, and what an expected point weighs against safety.
STRONG_ROW_WEIGHT: Final = 3.0
SAFE_POINT_WEIGHT: Final = 1e-6
FORBIDDEN: Final = RowWorth(NOTHING, 0.0, 1.0, 0.0, 0.0, 1, 0.0, 1.0, 0.0, 1.0)


class Suggestion(Struct, frozen=True, kw_only=True):
    """One thing to do with a hand; of a natural to declare the rows are left empty."""

    character: Character
    expected: float
    front: tuple[Card, ...] = ()
    middle: tuple[Card, ...] = ()
    back: tuple[Card, ...] = ()
    categories: tuple[str, ...] = ()
    declare: Natural | None = None
    # The chance to lose all three rows; a declared natural has no rows to lose.
    lose_all: float = 0.0

    @property
    def action(self) -> Arrange:
        return Arrange(self.front, self.middle, self.back, self.declare)


def suggest(
    game: ThirteenGame, hand: Sequence[Card], *, is_banker: bool = False
) -> tuple[Suggestion, ...]:
    """The best arrangements and the naturals held, by expected points."""
    check_hand(game, hand)
    model = expected_points(game, is_banker)
    suggestions = [*_arrangements(game, model, hand), *_naturals(game, model, hand)]
    return tuple(sorted(suggestions, key=lambda suggestion: suggestion.expected, reverse=True))


def suggest_best(
    game: ThirteenGame, hand: Sequence[Card], *, is_banker: bool = False
) -> Suggestion:
    """Only the first of the suggestions: what a bot plays, in a fraction of the time."""
    model = expected_points(game, is_banker)
    suggestions = [
        suggest_rows(game, hand, is_banker=is_banker),
        *_naturals(game, model, hand),
    ]
    return max(suggestions, key=lambda suggestion: suggestion.expected)


def suggest_rows(
    game: ThirteenGame, hand: Sequence[Card], *, is_banker: bool = False
) -> Suggestion:
    """Only the best arrangement, in the same time."""
    model = expected_points(game, is_banker)
    best = best_arrangement(game, hand, is_banker=is_banker)
    return _suggestion(game, model, "best_expected", best)


def expected(
    game: ThirteenGame, hand: Sequence[Card], arranged: Arrange, *, is_banker: bool = False
) -> float:
    """The expected points per opponent of a legal arrangement, or of a natural that is held."""
    model = expected_points(game, is_banker)
    if arranged.declare is not None:
        return model.of_natural(arranged.declare, holds_joker(hand))
    front, middle, back = (game.rank_row(row).order for row in arranged.rows)
    return model.of_rows((front, middle, back))


def check_hand(game: ThirteenGame, hand: Sequence[Card]) -> None:
    """Refuse what is not thirteen different cards of this game."""
    if len(hand) != HAND_SIZE:
        raise Unreadable("card_count", "A hand has thirteen cards, not {count}.", count=len(hand))
    check_cards(hand, game.composition(), HAND_SIZE)


def _arrangements(
    game: ThirteenGame, model: ExpectedPoints, cards: Sequence[Card]
) -> Iterator[Suggestion]:
    hand = rank_hand(game, cards)
    best = best_split(hand, model)
    assert best is not None
    yield _suggestion(game, model, "best_expected", best)
    taken = [best.outline]
    searches: list[tuple[Character, Objective]] = [
        ("safe", _safe(model)),
        ("strong_front", _StrongRow(model, FRONT, best.orders[FRONT])),
        ("strong_back", _StrongRow(model, BACK, best.orders[BACK])),
    ]
    for character, objective in searches:
        split = best_split(hand, objective, taken)
        if split is not None:
            taken.append(split.outline)
            yield _suggestion(game, model, character, split)


def _naturals(
    game: ThirteenGame, model: ExpectedPoints, hand: Sequence[Card]
) -> Iterator[Suggestion]:
    wild = holds_joker(hand)
    for natural in game.held_naturals(hand):
        points = model.of_natural(natural, wild)
        yield Suggestion(character="natural", expected=points, declare=natural)


def _suggestion(
    game: ThirteenGame, model: ExpectedPoints, character: Character, split: Split
) -> Suggestion:
    front, middle, back = split.rows
    lose = [model.terms(row, order).lose for row, order in enumerate(split.orders)]
    return Suggestion(
        character=character,
        expected=model.of_rows(split.orders),
        front=front,
        middle=middle,
        back=back,
        categories=tuple(CATEGORY_NAMES[game.rank_row(row).category] for row in split.rows),
        lose_all=lose[FRONT] * lose[MIDDLE] * lose[BACK],
    )


class _StrongRow:
    """Expected points where one row counts several times, and may not be lower than it was."""

    def __init__(self, model: ExpectedPoints, row: int, lowest: int) -> None:
        self.model = model
        self.together = model.together
        self.together_at_most = model.together_at_most
        self._strong = row
        self._lowest = lowest
        self._highest = HighestTerms(self.terms, row, model.suit_bits)
        self._highest_points = HighestPoints(self._highest)

    def terms(self, row: int, order: int) -> RowWorth:
        terms = self.model.terms(row, order)
        if row != self._strong:
            return terms
        if order < self._lowest:
            return FORBIDDEN
        return terms._replace(points=STRONG_ROW_WEIGHT * terms.points)

    def highest_terms(self, row: int) -> Mapping[int, RowWorth]:
        return self._highest if row == self._strong else self.model.highest_terms(row)

    def highest_points(self, row: int) -> Mapping[int, float]:
        return self._highest_points if row == self._strong else self.model.highest_points(row)


class _Safe:
    """The chance not to lose all three rows; expected points only between equals."""

    def __init__(self, model: ExpectedPoints) -> None:
        self.model = model
        self._highest = tuple(HighestTerms(self.terms, row, model.suit_bits) for row in range(3))
        self._highest_points = tuple(HighestPoints(terms) for terms in self._highest)

    def terms(self, row: int, order: int) -> RowWorth:
        terms = self.model.terms(row, order)
        return terms._replace(points=SAFE_POINT_WEIGHT * terms.points)

    def highest_terms(self, row: int) -> Mapping[int, RowWorth]:
        return self._highest[row]

    def highest_points(self, row: int) -> Mapping[int, float]:
        return self._highest_points[row]

    def together(self, front: RowWorth, middle: RowWorth, back: RowWorth) -> float:
        return -front.lose * middle.lose * back.lose

    together_at_most = together


@lru_cache(maxsize=16)
def _safe(model: ExpectedPoints) -> _Safe:
    """The objective of a table; like the model's, its rows come again with other hands."""
    return _Safe(model)


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
