"""Chinese poker.

Two to four players, everyone against everyone, thirteen cards each in rows of three, five and five.
The back must beat the middle and the middle the front. Suits break ties: all ranks first, then the
suit of the deciding card, spades over hearts over clubs over diamonds. A-2-3-4-5 is the lowest
straight; the royal flush is a separate category.

Two players compare row by row, and a row won is a point. At a plain table the winner of the
comparison, who won more rows, gets one point more. At a bonus table there is no such point, but
a row won with a premium earns the premium instead of its one point.

A natural wins without comparing, if it is declared; undeclared it plays as an ordinary hand. The
higher natural takes its points whole, and naturals of the same type tie. A foul, which is rows out
of order or a natural declared and not held, pays each opponent that player's natural, or three
points and at a bonus table the sum of that player's premiums. Two fouls exchange nothing.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from games.rules.cards import Card
from games.rules.contract import Amount
from games.rules.poker import Category, Ranking, category, deciding_suit, ranking
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural, TwelveBy, holds
from games.rules.thirteen.showdown import (
    BACK,
    FRONT,
    MIDDLE,
    Prices,
    Score,
    Shown,
    premiums,
    rows_won,
    score_natural,
    score_rows,
)
from games.rules.thirteen.state import ThirteenState

PREMIUMS: Prices = {
    (FRONT, Category.THREE): 3,
    (MIDDLE, Category.FULL_HOUSE): 2,
    (MIDDLE, Category.FOUR): 8,
    (MIDDLE, Category.STRAIGHT_FLUSH): 10,
    (MIDDLE, Category.ROYAL_FLUSH): 14,
    (BACK, Category.FOUR): 4,
    (BACK, Category.STRAIGHT_FLUSH): 5,
    (BACK, Category.ROYAL_FLUSH): 7,
}
NATURALS: Mapping[Natural, int] = {
    Natural.THIRTEEN_SUITED: 13,
    Natural.DRAGON: 13,
    Natural.TWELVE_ONE: 8,
    Natural.TRIPS_FIVE_PAIRS: 4,
    Natural.THREE_STRAIGHTS: 4,
    Natural.THREE_FLUSHES: 3,
    Natural.SIX_PAIRS: 3,
}
FOUL_POINTS = 3
# Clubs, diamonds, hearts, spades: in this game clubs stand above diamonds.
SUIT_ORDER = (1, 0, 2, 3)
STRAIGHTS_AND_FLUSHES = (
    Category.STRAIGHT,
    Category.FLUSH,
    Category.STRAIGHT_FLUSH,
    Category.ROYAL_FLUSH,
)
# The stakes that card rooms offer: a point, the smallest buy-in, the smallest stack to play on.
STAKES_TABLE = (
    (50, 1_500, 250),
    (75, 2_200, 375),
    (100, 3_000, 500),
    (150, 4_500, 750),
    (200, 6_000, 1_000),
    (250, 7_500, 1_250),
    (300, 9_000, 1_500),
    (500, 15_000, 2_500),
    (750, 22_500, 3_750),
    (1_000, 30_000, 5_000),
    (1_500, 45_000, 7_500),
    (2_000, 60_000, 10_000),
    (2_500, 75_000, 12_500),
    (5_000, 250_000, 25_000),
)


class ChinesePoker(ThirteenGame, frozen=True, kw_only=True):
    """The options of a Chinese poker table."""

    key: ClassVar[str] = "chinese_poker"
    name: ClassVar[str] = "Chinese poker"
    seats: ClassVar[range] = range(2, 5)

    point: Amount = 100
    table: Literal["plain", "bonus"] = "plain"
    extra_point: Literal["plain_tables", "no_premium"] = "plain_tables"
    twelve: TwelveBy = "colour"
    # Suits decide only where the printed rules say so, in straights and flushes; other rows of
    # equal ranks tie.
    residual_tie: bool = False

    @property
    def stack_to_sit(self) -> int | None:
        """The smallest buy-in in card rooms that offer this point; None if none do."""
        return next((sit for point, sit, _go_on in STAKES_TABLE if point == self.point), None)

    @property
    def stack_to_continue(self) -> int | None:
        return next((go_on for point, _sit, go_on in STAKES_TABLE if point == self.point), None)

    @property
    def ranks(self) -> Ranking:
        return ranking(wheel="low", royal=True)

    @property
    def row_prices(self) -> Prices:
        return PREMIUMS if self.table == "bonus" else {}

    @property
    def naturals(self) -> Mapping[Natural, int]:
        return NATURALS

    @property
    def equal_rows_foul(self) -> bool:
        return True

    def holds_natural(self, natural: Natural, hand: Sequence[Card]) -> bool:
        return holds(natural, hand, twelve_by=self.twelve)

    def row_order(self, value: int, cards: Sequence[Card]) -> int:
        if self.residual_tie and category(value) not in STRAIGHTS_AND_FLUSHES:
            return value << 2
        return value << 2 | SUIT_ORDER[deciding_suit(value, cards)]

    def suit_height(self, card: Card) -> int:
        return SUIT_ORDER[card.suit]

    @property
    def least_stake(self) -> int:
        return self.point

    def unit(self, _state: ThirteenState, _first: int, _second: int) -> int:
        return self.point

    def compare(self, first: Shown, second: Shown, _table: Sequence[Shown]) -> list[Score]:
        if first.foul or second.foul:
            return self._compare_foul(first, second)
        if first.natural or second.natural:
            return _compare_naturals(first, second)
        scores = score_rows(first, second, self.row_prices)
        mine, theirs = rows_won(scores)
        if mine != theirs and self._earns_extra_point(scores):
            scores.append(Score("extra_point", 1 if mine > theirs else -1, {}))
        return scores

    def _earns_extra_point(self, scores: Sequence[Score]) -> bool:
        if self.table == "plain":
            return True
        return self.extra_point == "no_premium" and all(score.key == "row" for score in scores)

    def _compare_foul(self, first: Shown, second: Shown) -> list[Score]:
        if first.foul and second.foul:
            return []
        sign, winner = (-1, second) if first.foul else (1, first)
        if winner.natural:
            return [score_natural(sign, winner.natural, NATURALS[winner.natural])]
        owed = [Score("foul", sign * FOUL_POINTS, {"points": FOUL_POINTS})]
        for row, points, name in premiums(winner, self.row_prices):
            values: dict[str, int | str] = {"row": row, "points": points, "winner": name}
            owed.append(Score("foul_royalty", sign * points, values))
        return owed


def _compare_naturals(first: Shown, second: Shown) -> list[Score]:
    """The higher type takes its points in full; the same type ties."""
    if first.natural == second.natural:
        return []
    higher = next(name for name in NATURALS if name in (first.natural, second.natural))
    return [score_natural(1 if first.natural == higher else -1, higher, NATURALS[higher])]
