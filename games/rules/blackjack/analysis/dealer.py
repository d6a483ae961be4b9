"""The exact odds of the dealer's hand, out of any cards left in the shoe.

Which cards the dealer can draw to an up card does not depend on the shoe, so they are found once:
every set of cards with which the dealer ends, and in how many orders. Sets that begin alike share
their beginning, and so each shoe is only walked through in one line of products.
"""

from collections import Counter, defaultdict
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from games.rules.blackjack.analysis.strategy import (
    BLACKJACK,
    BUST,
    VALUES,
    BasicHand,
    dealer_draws,
    start,
    with_card,
)

# How the dealer's hand can end, in the order of the chances.
ENDS: Final = (17, 18, 19, 20, 21, BUST, BLACKJACK)
CARDS_MOST: Final = 17

# How many cards of each value, from nothing for the value 0.
Cards = tuple[int, ...]
NOTHING: Final[Cards] = (0,) * 11


class _Step(NamedTuple):
    """So many cards of one value more than an earlier set: its place, and that of the cards."""

    before: int
    cards: int


class _End(NamedTuple):
    """Sets with which the dealer ends in one way and with so many cards: the steps, the orders."""

    end: int
    cards: int
    sets: list[tuple[int, int, int]]


class Draws:
    """Everything that the dealer can draw to one up card."""

    def __init__(self, up: int, hits_soft_17: bool) -> None:
        orders: Counter[tuple[int, Cards]] = Counter()

        def draw(held: BasicHand, drawn: Cards) -> None:
            if dealer_draws(held, hits_soft_17):
                for value in VALUES:
                    more = (*drawn[:value], drawn[value] + 1, *drawn[value + 1 :])
                    draw(with_card(held, value), more)
            elif sum(drawn) == 1 and held.points == 21:
                orders[ENDS.index(BLACKJACK), drawn] += 1
            else:
                orders[ENDS.index(min(held.points, BUST)), drawn] += 1

        draw(start(up), NOTHING)
        self._steps: list[_Step] = []
        places: dict[Cards, int] = {NOTHING: 0}
        sets: dict[tuple[int, int], list[tuple[int, int, int]]] = defaultdict(list)
        for (end, drawn), count in orders.items():
            before, cards = self._step(places, drawn)
            sets[end, sum(drawn)].append((before, cards, count))
        self._ends = [_End(end, cards, one) for (end, cards), one in sets.items()]

    def _step(self, places: dict[Cards, int], drawn: Cards) -> _Step:
        """The last step to this set: from the same set without the cards of its highest value.

        All that it begins with is put in its place among the products before.
        """
        value = max(value for value in VALUES if drawn[value])
        without = (*drawn[:value], 0, *drawn[value + 1 :])
        if without not in places:
            self._steps.append(self._step(places, without))
            places[without] = len(places)
        return _Step(places[without], CARDS_MOST * value + drawn[value])

    def chances(self, left: Sequence[int]) -> list[float]:
        """Return how likely each end is, with so many cards of each value left in the shoe."""
        # In how many orders so many cards of one value can be taken, by the place of both.
        taken: list[float] = []
        for count in left:
            ways = 1.0
            for already in range(CARDS_MOST):
                taken.append(ways)
                ways *= count - already
        products = [1.0]
        for before, cards in self._steps:
            products.append(products[before] * taken[cards])
        shares, size = [1.0], sum(left)
        for already in range(CARDS_MOST):
            # There is no way to take more cards than are left, for any share.
            shares.append(shares[-1] / max(size - already, 1))
        found = [0.0] * len(ENDS)
        for end, cards, sets in self._ends:
            ways = sum([products[before] * taken[of] * orders for before, of, orders in sets])
            found[end] += ways * shares[cards]
        return found


@cache
def draws(up: int, hits_soft_17: bool) -> Draws:
    return Draws(up, hits_soft_17)
