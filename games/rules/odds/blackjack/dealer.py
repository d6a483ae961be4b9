"""The exact odds of the dealer's hand, out of any cards left in the shoe.

Which cards the dealer can draw to an up card does not depend on the shoe, so they are found once:
every set of cards with which the dealer ends, and in how many orders. Sets that begin alike share
their beginning, and so each shoe is only walked through in one line of products.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from typing import Final, NamedTuple

from games.rules.odds.blackjack.strategy import (
    BLACKJACK,
    BUST,
    POINTS,
    Held,
    dealer_draws,
    start,
    with_card,
)

# How the dealer's hand can end, in the order in which the chances are told.
ENDS: Final = (17, 18, 19, 20, 21, BUST, BLACKJACK)
CARDS_MOST: Final = 17

# How many cards of each value, from nothing for the value 0.
Cards = tuple[int, ...]


class _Step(NamedTuple):
    """One card more than an earlier set: its place, the card, how many of it that set holds."""

    before: int
    value: int
    held: int


class _End(NamedTuple):
    """A set with which the dealer ends: its place, cards, orders, and the place of its end."""

    place: int
    cards: int
    orders: int
    end: int


class Draws:
    """Everything that the dealer can draw to one up card."""

    def __init__(self, up: int, hits_soft_17: bool) -> None:
        orders: Counter[tuple[Cards, int]] = Counter()

        def draw(held: Held, drawn: Cards) -> None:
            if dealer_draws(held, hits_soft_17):
                for value in POINTS:
                    more = (*drawn[:value], drawn[value] + 1, *drawn[value + 1 :])
                    draw(with_card(held, value), more)
            elif sum(drawn) == 1 and held.points == 21:
                orders[drawn, BLACKJACK] += 1
            else:
                orders[drawn, min(held.points, BUST)] += 1

        draw(start(up), (0,) * 11)
        places: dict[Cards, int] = {(0,) * 11: 0}
        self._steps: list[_Step] = []
        self._ends = [
            _End(self._place(places, drawn), sum(drawn), count, ENDS.index(end))
            for (drawn, end), count in sorted(orders.items())
        ]

    def _place(self, places: dict[Cards, int], drawn: Cards) -> int:
        """Where this set stands among the products, put there with all that it begins with."""
        if drawn not in places:
            value = max(value for value in POINTS if drawn[value])
            before = (*drawn[:value], drawn[value] - 1, *drawn[value + 1 :])
            self._steps.append(_Step(self._place(places, before), value, drawn[value] - 1))
            places[drawn] = len(places)
        return places[drawn]

    def chances(self, left: Sequence[int]) -> list[float]:
        """How likely each end is, with so many cards of each value left in the shoe."""
        ways = [1.0]
        for before, value, held in self._steps:
            ways.append(ways[before] * (left[value] - held))
        size = sum(left)
        shares = [1.0]
        for taken in range(CARDS_MOST):
            shares.append(shares[-1] / (size - taken))
        found = [0.0] * len(ENDS)
        for place, cards, orders, end in self._ends:
            found[end] += ways[place] * orders * shares[cards]
        return found


@cache
def draws(up: int, hits_soft_17: bool) -> Draws:
    return Draws(up, hits_soft_17)
