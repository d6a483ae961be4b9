"""Thirteen cards in the Fujian manner.

Four players, everyone against everyone, with two jokers or without. A joker is any card, also one
already held, and always makes the highest row it can. Five of a kind is the top row. Of two rows
the main rank decides first, then a real row beats one with a joker, then kickers; in straights and
flushes all points come first. Suits do not count, and A-2-3-4-5 is the second-highest straight.
Rows out of order cannot be submitted, unless the table allows fouls.

A row won is one water (水). Three of a kind in front earns three; in the middle a full house two,
four of a kind eight, a straight flush ten, five of a kind twenty; in the back four of a kind four,
a straight flush five, five of a kind ten. Winning all three rows (打枪) doubles what passes between
the two, and so does losing none and winning one or two (辗过). Winning all nine rows from three
opponents (全垒打) doubles once more.

A natural may be declared or not, and takes no part in comparing rows. The higher value wins; at
equal value the earlier one of the list. A natural with a joker is below the real one of
its kind, and two alike draw. A dragon that beats all three opponents is doubled. A foul, where
allowed, pays the sum of the opponent's rows.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar, Literal

from games.rules.contract import Amount, Points
from games.rules.poker import Category, Ranking, ranking
from games.rules.thirteen.banking import ROW_PRICES
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural
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
from games.rules.thirteen.state import ThirteenState

PRICES: Prices = {**ROW_PRICES, (MIDDLE, Category.FIVE): 20, (BACK, Category.FIVE): 10}
DRAGONS = (Natural.PURE_DRAGON, Natural.DRAGON)


class ThirteenFujian(ThirteenGame, frozen=True, kw_only=True):
    """The options of a Fujian table."""

    key: ClassVar[str] = "thirteen_fujian"
    name: ClassVar[str] = "Fujian thirteen cards"

    point: Amount = 100
    jokers: Literal[0, 2] = 2
    allow_foul: bool = False
    # The waters of the naturals for which the source names no figure.
    all_big: Points = 10
    all_small: Points = 10
    one_colour: Points = 10
    double_full_house: Points = 8
    four_trips: Points = 6
    trips_five_pairs: Points = 5

    @property
    def ranks(self) -> Ranking:
        return ranking(wheel="second", royal=False, jokers=self.jokers)

    @property
    def row_prices(self) -> Prices:
        return PRICES

    @property
    def naturals(self) -> Mapping[Natural, int]:
        return {
            Natural.PURE_DRAGON: 52,
            Natural.DRAGON: 26,
            Natural.TWELVE_ROYALS: 24,
            Natural.THREE_STRAIGHT_FLUSHES: 18,
            Natural.THREE_FOURS: 16,
            Natural.ALL_BIG: self.all_big,
            Natural.ALL_SMALL: self.all_small,
            Natural.ONE_COLOUR: self.one_colour,
            Natural.DOUBLE_FULL_HOUSE: self.double_full_house,
            Natural.FOUR_TRIPS: self.four_trips,
            Natural.TRIPS_FIVE_PAIRS: self.trips_five_pairs,
            Natural.SIX_PAIRS: 3,
            Natural.THREE_STRAIGHTS: 3,
            Natural.THREE_FLUSHES: 3,
        }

    @property
    def has_jokers(self) -> bool:
        return self.jokers > 0

    @property
    def has_fouls(self) -> bool:
        return self.allow_foul

    @property
    def least_stake(self) -> int:
        return self.point

    def unit(self, _state: ThirteenState, _first: int, _second: int) -> int:
        return self.point

    def compare(self, first: Shown, second: Shown, table: Sequence[Shown]) -> list[Score]:
        if first.natural or second.natural:
            return self._compare_specials(first, second, table)
        if first.foul or second.foul:
            return score_fouls(first, second, self.row_prices)
        scores = score_rows(first, second, self.row_prices)
        return [*scores, *_doublings(first, second, scores, table)]

    def _compare_specials(self, first: Shown, second: Shown, table: Sequence[Shown]) -> list[Score]:
        sign = self._special_sign(first, second)
        if not sign:
            return []
        winner = first if sign > 0 else second
        assert winner.natural is not None
        points = self.naturals[winner.natural]
        scores = [score_natural(sign, winner.natural, points, wild=winner.wild)]
        others = [shown for shown in table if shown.seat != winner.seat]
        if winner.natural in DRAGONS and all(self._special_sign(winner, o) > 0 for o in others):
            scores.append(Score("dragon_over_all", sign * points, {"points": points}))
        return scores

    def _special_sign(self, first: Shown, second: Shown) -> int:
        """1 when the first seat's natural wins, -1 when the second's does, 0 when they tie."""
        mine, theirs = self._special_order(first), self._special_order(second)
        return (mine > theirs) - (mine < theirs)

    def _special_order(self, shown: Shown) -> tuple[int, int, bool]:
        """Value, then place in the list, then real above wild; nothing held is below them all."""
        if shown.natural is None:
            return 0, 0, False
        place = list(self.naturals).index(shown.natural)
        return self.naturals[shown.natural], -place, not shown.wild


def _doublings(
    first: Shown, second: Shown, scores: Sequence[Score], table: Sequence[Shown]
) -> list[Score]:
    """The addition for a gun, a roll-over or a home run: each doubles the whole win."""
    mine, theirs = rows_won(scores)
    if (mine > 0) == (theirs > 0):
        return []
    won = sum(score.points for score in scores)
    if mine + theirs < 3:
        return [Score("roll_over", won, {"points": abs(won)})]
    doubled = [Score("gun", won, {"points": abs(won)})]
    if home_run(first if mine else second, table, _wins_all):
        doubled.append(Score("home_run", 2 * won, {"points": 2 * abs(won)}))
    return doubled


def _wins_all(first: Shown, second: Shown) -> bool:
    if first.foul or second.foul:
        return False
    return rows_won(score_rows(first, second, PRICES))[0] == 3
