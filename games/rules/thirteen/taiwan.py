"""Thirteen cards in the Taiwanese manner.

Four players, everyone against everyone, or one of them the banker. Rows rank and order as in Hong
Kong. A row won is one unit; three of a kind in front earns three; in the middle a full house two;
fours and straight flushes by the table's price list: high (back four 4, middle 8, back straight
flush 5, middle 10) or low (3, 4, 4, 5).

A player who wins all three rows from an opponent scoops them (打槍): the three base units are
doubled, what rows earn above one unit counts once. A player who does so to all three opponents,
none of whom reported, makes a sweep (全壘打): the base units are doubled once more. With a banker
only the banker can. Rows out of order (翻船), and a false report, lose all three rows and are
scooped.

Naturals are reported and win without a comparison; nothing doubles them. Between two naturals the
bigger value wins in full, at equal value the one higher in the list; the same type is a tie. With
a banker, when both report, the banker pays the punter's natural. Six and a half pairs is nothing
here.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from games.rules.cards import Card
from games.rules.contract import Action, Amount, Points
from games.rules.poker import Category
from games.rules.thirteen.banking import (
    ROW_PRICES,
    BankerKind,
    check_bet_limits,
    punters_bet,
    row_comparison,
    score_reports,
)
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural, holds
from games.rules.thirteen.showdown import (
    BACK,
    MIDDLE,
    Prices,
    Score,
    Shown,
    home_run,
    rows_won,
    score_fouls,
    score_natural,
    score_rows,
)
from games.rules.thirteen.state import Arrange, Bet, ThirteenState

LOW_ROW_PRICES: Prices = {
    **ROW_PRICES,
    (MIDDLE, Category.FOUR): 4,
    (MIDDLE, Category.STRAIGHT_FLUSH): 5,
    (BACK, Category.FOUR): 3,
    (BACK, Category.STRAIGHT_FLUSH): 4,
}
BASE_UNITS = 3


class ThirteenTaiwan(ThirteenGame, frozen=True, kw_only=True):
    """The options of a Taiwanese table."""

    key: ClassVar[str] = "thirteen_taiwan"
    name: ClassVar[str] = "Taiwanese thirteen cards"
    actions: ClassVar[tuple[type[Action], ...]] = (Bet, Arrange)

    banker: Literal["none"] | BankerKind = "none"
    # The unit where everyone plays everyone; with a banker the punters' bets stand in its place.
    point: Amount = 100
    bet_min: Amount = 100
    bet_max: Amount = 10_000
    # Only a banker can eat ties; without one, equal rows are a tie.
    banker_eats_ties: bool = False
    prices: Literal["high", "low"] = "high"
    pure_dragon: Points = 108

    def __post_init__(self) -> None:
        check_bet_limits(self.bet_min, self.bet_max)

    @property
    def row_prices(self) -> Prices:
        return ROW_PRICES if self.prices == "high" else LOW_ROW_PRICES

    @property
    def naturals(self) -> Mapping[Natural, int]:
        return {
            Natural.PURE_DRAGON: self.pure_dragon,
            Natural.DRAGON: 36,
            Natural.TWELVE_ROYALS: 32,
            Natural.THREE_STRAIGHT_FLUSHES: 24,
            Natural.THREE_FOURS: 20,
            Natural.ALL_BIG: 12,
            Natural.ALL_SMALL: 12,
            Natural.ONE_COLOUR: 10,
            Natural.FOUR_TRIPS: 8,
            Natural.THREE_STRAIGHTS: 4,
            Natural.THREE_FLUSHES: 3,
        }

    @property
    def bet_limits(self) -> tuple[int, int] | None:
        return None if self.banker == "none" else (self.bet_min, self.bet_max)

    def holds_natural(self, natural: Natural, hand: Sequence[Card]) -> bool:
        return holds(natural, hand, high_front=False)

    @property
    def least_stake(self) -> int:
        return self.point

    def unit(self, state: ThirteenState, first: int, second: int) -> int:
        return self.point if self.banker == "none" else punters_bet(state, first, second)

    def compare(self, first: Shown, second: Shown, table: Sequence[Shown]) -> list[Score]:
        if first.natural or second.natural:
            return self._compare_specials(first, second)
        scores = self._compare_rows(first, second)
        mine, theirs = rows_won(scores)
        if 3 not in (mine, theirs):
            return scores
        sign = 1 if mine == 3 else -1
        shot = Score("gun", sign * BASE_UNITS, {"points": BASE_UNITS})
        runner = first if sign > 0 else second
        # Punters are compared with the banker only, so no punter wins nine rows.
        if (self.banker == "none" or sign > 0) and home_run(runner, table, self._wins_all):
            again = 2 * BASE_UNITS
            return [*scores, shot, Score("home_run", sign * again, {"points": again})]
        return [*scores, shot]

    def _compare_rows(self, first: Shown, second: Shown) -> list[Score]:
        if first.foul or second.foul:
            return score_fouls(first, second, self.row_prices)
        ties_eaten = self.banker_eats_ties and self.banker != "none"
        return score_rows(first, second, self.row_prices, row_comparison(ties_eaten))

    def _wins_all(self, first: Shown, second: Shown) -> bool:
        return rows_won(self._compare_rows(first, second))[0] == 3

    def _compare_specials(self, first: Shown, second: Shown) -> list[Score]:
        if self.banker != "none":
            return score_reports(first, second, self.naturals)
        if first.natural == second.natural:
            return []
        # The list is ordered by value already, except where an option has moved the pure dragon.
        held = [
            item for item in self.naturals.items() if item[0] in (first.natural, second.natural)
        ]
        winner, points = max(held, key=lambda item: item[1])
        return [score_natural(1 if winner == first.natural else -1, winner, points)]
