"""Tables with a banker: the Hong Kong and the Philippine manner, and what Taiwan shares.

The banker is compared with each punter and the punters not with one another; one point is worth
the punter's bet. In the Hong Kong manner, which the Philippines play too, nothing is doubled.

**Hong Kong.** Two to four players, one of them the banker. The punters bet before the deal, and
each is compared with the banker only. Suits do not count. A-2-3-4-5 is the second-highest straight.
The front must be lower than the middle; the middle may equal the back.

A row won is one bet. Three of a kind in front earns three; in the middle a full house two, four of
a kind eight, a straight flush ten; in the back four of a kind four and a straight flush five. Equal
rows are a tie; or the banker eats ties (食夾棍): then only the category and the biggest point are
compared, and what is equal by these is the banker's.

Naturals are reported (報到) and win without a comparison. When both report, the banker pays the
punter the punter's natural. Rows out of order (倒水), and reporting what one does not hold, lose
every row at the price of the opponent's row. When both foul, nothing moves.

**The Philippines.** Four players, one of them the banker; rows, prices and naturals are those of
Hong Kong. After the
deal, and before anyone arranges, the banker may order one or two exchanges, or none: all players
give three cards at once and then receive three, clockwise, anticlockwise or with the opposite seat.
One direction serves both rounds, and the second gifts are chosen after the first have come.

A banker out of time orders no exchange; a seat that does not choose gives its three lowest cards.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from games.rules.contract import Action, Amount, Points
from games.rules.poker import Category
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.showdown import (
    BACK,
    FRONT,
    MIDDLE,
    Prices,
    RowComparison,
    Score,
    Shown,
    compare_rows,
    compare_rows_for_banker,
    score_fouls,
    score_natural,
    score_rows,
)
from games.rules.thirteen.state import Arrange, Bet, Exchange, Give, ThirteenState

BankerKind = Literal["fixed", "rotating"]

ROW_PRICES: Prices = {
    (FRONT, Category.THREE): 3,
    (MIDDLE, Category.FULL_HOUSE): 2,
    (MIDDLE, Category.FOUR): 8,
    (MIDDLE, Category.STRAIGHT_FLUSH): 10,
    (BACK, Category.FOUR): 4,
    (BACK, Category.STRAIGHT_FLUSH): 5,
}


class HongkongManner(ThirteenGame, frozen=True, kw_only=True):
    """The options and the comparison of the Hong Kong manner."""

    bet_min: Amount = 100
    bet_max: Amount = 10_000
    # The house follows who names the banker: one seat, or the holder of the button.
    banker: BankerKind = "rotating"
    banker_eats_ties: bool = False
    # The points of a dragon in one suit, the green dragon (青龍), which the sources dispute.
    pure_dragon: Points = 13

    def __post_init__(self) -> None:
        check_bet_limits(self.bet_min, self.bet_max)

    @property
    def row_prices(self) -> Prices:
        return ROW_PRICES

    @property
    def naturals(self) -> Mapping[Natural, int]:
        return {
            Natural.PURE_DRAGON: self.pure_dragon,
            Natural.DRAGON: 13,
            Natural.THREE_STRAIGHTS: 3,
            Natural.THREE_FLUSHES: 3,
            Natural.SIX_PAIRS: 3,
        }

    @property
    def least_stake(self) -> int:
        return self.bet_min

    @property
    def bet_limits(self) -> tuple[int, int]:
        return self.bet_min, self.bet_max

    def unit(self, state: ThirteenState, first: int, second: int) -> int:
        return punters_bet(state, first, second)

    def compare(self, first: Shown, second: Shown, _table: Sequence[Shown]) -> list[Score]:
        if first.natural or second.natural:
            return score_reports(first, second, self.naturals)
        if first.foul or second.foul:
            return score_fouls(first, second, self.row_prices)
        comparison = row_comparison(self.banker_eats_ties)
        return score_rows(first, second, self.row_prices, comparison)


def check_bet_limits(bet_min: int, bet_max: int) -> None:
    """Refuse limits that leave no bet between them."""
    if bet_min > bet_max:
        raise ValueError("the smallest bet is above the largest")


def punters_bet(state: ThirteenState, first: int, second: int) -> int:
    """The bet between the banker and a punter: the banker's own place holds none."""
    return state.bets[state.place(first)] or state.bets[state.place(second)]


def row_comparison(banker_eats_ties: bool) -> RowComparison:
    return compare_rows_for_banker if banker_eats_ties else compare_rows


def score_reports(banker: Shown, punter: Shown, naturals: Mapping[Natural, int]) -> list[Score]:
    """A special wins at its points; when both report, the banker pays the punter's."""
    if punter.natural:
        return [score_natural(-1, punter.natural, naturals[punter.natural])]
    assert banker.natural is not None
    return [score_natural(1, banker.natural, naturals[banker.natural])]


class ThirteenHongkong(HongkongManner, frozen=True, kw_only=True):
    """A Hong Kong table: the manner as it is, for two to four."""

    key: ClassVar[str] = "thirteen_hongkong"
    name: ClassVar[str] = "Hong Kong thirteen cards"
    seats: ClassVar[range] = range(2, 5)
    actions: ClassVar[tuple[type[Action], ...]] = (Bet, Arrange)


class ThirteenPhilippine(HongkongManner, frozen=True, kw_only=True):
    """A Philippine table: the Hong Kong manner with exchanges, always for four."""

    key: ClassVar[str] = "thirteen_philippine"
    name: ClassVar[str] = "Philippine thirteen cards"
    actions: ClassVar[tuple[type[Action], ...]] = (Bet, Exchange, Give, Arrange)

    @property
    def has_exchanges(self) -> bool:
        return True
