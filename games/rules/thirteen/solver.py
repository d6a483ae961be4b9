"""The best arrangement of thirteen cards, found exactly among all 72,072 ways to lay them out.

An `Objective` decides which arrangement is best: points for each row, and points for what the rows
are worth together (a shot, a majority of rows). The search asks one thing of it: a higher row must
never make an arrangement worth less. Then the backs can be tried from the highest down, and none
needs a look once even the best front and the best middle that could stand above this back would not
make it better than what has been found; nor does a front with which no back could do so any more.
Of the 1,287 backs some forty are looked at closely.

In a game where suits break ties, ranking every row by its suits would cost more than the search.
So the search ranks without them and takes every row at the worth of its highest suit; only what
would still beat the best so far is ranked by the game itself, and weighed as it is.
"""

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from functools import cache
from itertools import combinations, groupby
from operator import itemgetter
from typing import Final, NamedTuple, Protocol

from games.rules.cards import Card
from games.rules.poker import CATEGORY_SHIFT, CODE, MAIN_RANK_SHIFT, Category, category
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.model import Orders, RowWorth, expected_points, worth
from games.rules.thirteen.showdown import BACK, FRONT, MIDDLE, RowValue
from games.rules.thirteen.state import HAND_SIZE

Rows = tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
# Of each row its category and main rank: arrangements of one outline differ in small cards only.
Outline = tuple[int, int, int]

# Sums of the same numbers in another order differ by less than this.
ROUNDING: Final = 1e-9
# Forbidden rows, and the worth that every arrangement without one is above.
NOTHING: Final = float("-inf")
LOWEST: Final = -1e9
BOUND_EVERY: Final = 8
TWO_PAIR: Final = Category.TWO_PAIR << CATEGORY_SHIFT


class Objective(Protocol):
    """The worth of an arrangement: the points of its rows and the points they earn together."""

    def terms(self, row: int, order: int) -> RowWorth:
        """A row's worth by its place in the game's order."""
        ...

    def highest_terms(self, row: int) -> Mapping[int, RowWorth]:
        """By a row's value without suits: its worth with the best suits it could have."""
        ...

    def highest_points(self, row: int) -> Mapping[int, float]:
        """The same, only the points."""
        ...

    def together(self, front: RowWorth, middle: RowWorth, back: RowWorth) -> float:
        """Return what the rows earn beyond their own points."""
        ...

    def together_at_most(self, front: RowWorth, middle: RowWorth, back: RowWorth) -> float:
        """No less than what rows not above these can earn together."""
        ...


class Split(NamedTuple):
    """An arrangement with its rows' places in the game's order, and its worth."""

    rows: Rows
    orders: Orders
    points: float
    outline: Outline


class RankedHand(NamedTuple):
    """Thirteen cards with the values of every row that they can make, without suits."""

    game: ThirteenGame
    cards: tuple[Card, ...]
    fives: list[int]
    threes: list[int]
    # Two pairs and better from the highest down, as indexes: hardly ever is a lower back the best.
    high_fives: list[int]
    # The fronts from the lowest up, as indexes.
    fronts: list[int]


class _Rest(NamedTuple):
    """The rest after a back: the 56 middles, each with its front."""

    middles: tuple[int, ...]
    fronts: tuple[int, ...]
    pick_middles: Callable[[Sequence[int]], tuple[int, ...]]


def rank_hand(game: ThirteenGame, cards: Sequence[Card]) -> RankedHand:
    """Rank every row once; all searches of the hand use it."""
    threes, fives = game.ranks.rows([CODE[card] for card in cards])
    high = [index for index, value in enumerate(fives) if value >= TWO_PAIR]
    high.sort(key=fives.__getitem__, reverse=True)
    fronts = sorted(range(len(threes)), key=threes.__getitem__)
    return RankedHand(game, tuple(cards), fives, threes, high, fronts)


def best_arrangement(
    game: ThirteenGame, cards: Sequence[Card], *, is_banker: bool = False
) -> Split:
    best = best_split(rank_hand(game, cards), expected_points(game, is_banker))
    assert best is not None
    return best


def best_split(
    hand: RankedHand, objective: Objective, without: Collection[Outline] = ()
) -> Split | None:
    """The legal arrangement worth most, but none of an excluded outline; None if none is left.

    An arrangement worth minus infinity is no arrangement, so an objective can forbid rows too.
    """
    return _Search(hand, objective, without).run()


def rows_at(cards: Sequence[Card], front: int, middle: int, back: int) -> Rows:
    """The cards of three rows by the indexes of their subsets."""
    triple, fives = _places(3)[front], _places(5)
    in_front = (cards[triple[0]], cards[triple[1]], cards[triple[2]])
    in_middle, in_back = (tuple(cards[at] for at in fives[row]) for row in (middle, back))
    return in_front, in_middle, in_back


@cache
def rest_of(back: int) -> _Rest:
    """The splits under a back, by the indexes of their middles and fronts."""
    five_indexes, three_indexes = _indexes(5), _indexes(3)
    rest = [place for place in range(HAND_SIZE) if place not in _places(5)[back]]
    # The first five chosen leave the last three, and so on: the lists run against each other.
    chosen, left = combinations(rest, 5), list(combinations(rest, 3))[::-1]
    middles = tuple(map(five_indexes.__getitem__, chosen))
    return _Rest(middles, tuple(map(three_indexes.__getitem__, left)), itemgetter(*middles))


@cache
def _places(size: int) -> tuple[tuple[int, ...], ...]:
    """The places of the cards in each row of this size, in the order of all indexes."""
    return tuple(combinations(range(HAND_SIZE), size))


@cache
def _indexes(size: int) -> dict[tuple[int, ...], int]:
    return {places: index for index, places in enumerate(_places(size))}


@cache
def _masks(size: int) -> tuple[int, ...]:
    """The places of the cards in each row of this size, as bits."""
    return tuple(sum(1 << place for place in places) for places in _places(size))


@cache
def _fronts_by_mask() -> dict[int, int]:
    return {mask: index for index, mask in enumerate(_masks(3))}


class _Search:
    """One search: the best so far, and what is needed to tell whether something beats it."""

    def __init__(
        self, hand: RankedHand, objective: Objective, without: Collection[Outline]
    ) -> None:
        self.hand = hand
        self.objective = objective
        self.without = without
        self.front_terms = objective.highest_terms(FRONT)
        self.middle_terms = objective.highest_terms(MIDDLE)
        self.back_terms = objective.highest_terms(BACK)
        self.middle_points = objective.highest_points(MIDDLE)
        self.points_of_fronts = objective.highest_points(FRONT)
        self.front_points = list(map(self.points_of_fronts.__getitem__, hand.threes))
        self.at_most = objective.together_at_most
        # The middles and fronts that are not above the backs being tried; fronts from the lowest
        # up, by their values and by their cards' places as bits.
        self.middles = hand.fives.copy()
        self.fronts = list(map(hand.threes.__getitem__, hand.fronts))
        self.masks_of_fronts = list(map(_masks(3).__getitem__, hand.fronts))
        self.best: Split | None = None
        self.best_points = LOWEST
        # A value below this is not better than the best.
        self.floor = LOWEST

    def run(self) -> Split | None:
        fronts, masks_of_fronts = self.fronts, self.masks_of_fronts
        masks, at, threes = _masks(5), _fronts_by_mask(), self.hand.threes
        groups = groupby(self._backs(), self.hand.fives.__getitem__)
        # The most that a back not above these, with the rows under it, can earn: together, and with
        # the points of middle and back.
        together = most = 0.0
        for number, (value, group) in enumerate(groups):
            while fronts and fronts[-1] >= value:
                fronts.pop()
                masks_of_fronts.pop()
            if not fronts:
                break
            own = self.back_terms[value]
            # A bound taken at a higher back holds for lower ones; so it is not taken at each.
            if number % BOUND_EVERY == 0:
                middle = self.middle_terms[value]
                together = self.at_most(self.front_terms[fronts[-1]], middle, own)
                most = middle.points + own.points + together
                self._drop_fronts(most)
            equal_backs = list(group)
            for back in equal_backs:
                mask = masks[back]
                for front in reversed(masks_of_fronts):
                    if not front & mask:
                        if self._look(back, threes[at[front]], own, together):
                            self._drop_fronts(most)
                        break
            # Rows above the backs that follow can be no middles any more.
            for back in equal_backs:
                self.middles[back] = 0
        return self.best

    def _drop_fronts(self, most: float) -> None:
        """Forget the fronts with which not even `most` would beat the best so far."""
        points = self.points_of_fronts.__getitem__
        low = bisect_left(self.fronts, self.floor - most, key=points)
        del self.fronts[:low], self.masks_of_fronts[:low]

    def _look(self, back: int, front: int, own: RowWorth, together: float) -> bool:
        """Weigh the splits under a back if the best rows that it leaves might beat the best."""
        floor = self.floor
        rest = rest_of(back)
        middles = rest.pick_middles(self.middles)
        middle = max(middles)
        rows = self.points_of_fronts[front] + self.middle_points[middle] + own.points
        if rows + together < floor:
            return False
        together = self.at_most(self.front_terms[front], self.middle_terms[middle], own)
        if rows + together >= floor:
            self._weigh(back, rest, middles, middle, own.points + together)
        return self.floor > floor

    def _backs(self) -> Iterator[int]:
        """All fives from the highest down; the lower ones are put in order when it comes to it."""
        fives = self.hand.fives
        yield from self.hand.high_fives
        low = [index for index, value in enumerate(fives) if value < TWO_PAIR]
        yield from sorted(low, key=fives.__getitem__, reverse=True)

    def _weigh(
        self, back: int, rest: _Rest, middles: Sequence[int], highest: int, most: float
    ) -> None:
        """Look closer at the splits under a back; `most` is what it can add to the other rows."""
        fives, threes = self.hand.fives, self.hand.threes
        front_points, middle_points = self.front_points, self.middle_points
        cut, own = self.floor - most, self.back_terms[fives[back]]
        front_cut = cut - middle_points[highest]
        splits = [
            (points, middle, front)
            for value, middle, front in zip(middles, rest.middles, rest.fronts, strict=True)
            if (of_front := front_points[front]) >= front_cut
            and threes[front] < value
            and (points := middle_points[value] + of_front) >= cut
        ]
        high_front = high_middle = 0
        for points, middle, front in sorted(splits, reverse=True):
            if points + most < self.floor:
                break
            low, high = threes[front], fives[middle]
            # Both rows of one that was allowed are higher, so this one is worth no more.
            if low < high_front and high < high_middle:
                continue
            if not high_front and high < fives[back] and not self.without:
                high_front, high_middle = low, high
            together = self.objective.together(self.front_terms[low], self.middle_terms[high], own)
            if points + own[0] + together >= self.floor:
                self._try(front, middle, back)

    def _try(self, front: int, middle: int, back: int) -> None:
        """Weigh one split as the game itself orders it, and keep it when it is the best."""
        game, hand = self.hand.game, self.hand
        values = hand.threes[front], hand.fives[middle], hand.fives[back]
        outline = (
            values[FRONT] >> MAIN_RANK_SHIFT,
            values[MIDDLE] >> MAIN_RANK_SHIFT,
            values[BACK] >> MAIN_RANK_SHIFT,
        )
        if outline in self.without:
            return
        rows = rows_at(hand.cards, front, middle, back)
        orders = (
            game.row_order(values[FRONT], rows[FRONT]),
            game.row_order(values[MIDDLE], rows[MIDDLE]),
            game.row_order(values[BACK], rows[BACK]),
        )
        points = worth(self.objective, orders)
        if points <= self.best_points:
            return
        ranked = [
            RowValue(order, category(value)) for order, value in zip(orders, values, strict=True)
        ]
        if not game.out_of_order(ranked):
            self.best = Split(rows, orders, points, outline)
            self.best_points = points
            self.floor = points - ROUNDING
