"""Statistics of deals: what is counted of each, and how odd the counts are.

A statistic returns a chance: how often a sound shuffle would give counts at least as odd as these.
"""

from array import array
from collections.abc import Callable, Mapping, Sequence
from functools import cache
from hashlib import blake2b
from math import erfc, exp, factorial, sqrt
from typing import Final

# From so many kept cards on, deals are counted together.
KEPT_MAX: Final = 5
# Outcomes that are rarer are counted together with their neighbours.
EXPECTED_MIN: Final = 10


class Tally:
    """What is counted of the deals of n cards; tallies of parts are merged."""

    def __init__(self, n: int) -> None:
        self.n = n
        self.deals = 0
        self.places = [0] * (n * n)
        self.next = [0] * n
        self.far = [0] * n
        self.rises = [0] * n
        self.kept = [0] * (KEPT_MAX + 2)
        self.products = 0
        self.products_squared = 0
        self.seen = set[int]()
        self._last: Sequence[int] = ()

    def add(self, deal: Sequence[int]) -> None:
        n, places, following, far = self.n, self.places, self.next, self.far
        half, rises, product, base = n // 2, 0, 0, 0
        before = deal[-1]
        for place, card in enumerate(deal):
            places[base + card] += 1
            base += n
            if place:
                following[card - before] += 1
                rises += card > before
                product += card * before
            if place >= half:
                far[card - deal[place - half]] += 1
            before = card
        self.deals += 1
        self.rises[rises] += 1
        self.products += product
        self.products_squared += product * product
        whole = blake2b(array("H", deal).tobytes(), digest_size=8).digest()
        self.seen.add(int.from_bytes(whole, "big"))
        if self._last:
            same = sum(map(int.__eq__, deal, self._last))
            self.kept[min(same, KEPT_MAX + 1)] += 1
        self._last = deal

    def merge(self, other: "Tally") -> None:
        for name in ("places", "next", "far", "rises", "kept"):
            mine, theirs = getattr(self, name), getattr(other, name)
            setattr(self, name, [count + more for count, more in zip(mine, theirs, strict=True)])
        for name in ("deals", "products", "products_squared"):
            setattr(self, name, getattr(self, name) + getattr(other, name))
        self.seen |= other.seen


# From counts to chances.


def chance_of_deviates(deviates: float) -> float:
    """Both tails of the normal distribution."""
    return erfc(abs(deviates) / sqrt(2))


def chance_of_chi_square(found: float, freedom: int) -> float:
    """The upper tail, by Wilson and Hilferty."""
    part = 2 / (9 * freedom)
    return erfc(((found / freedom) ** (1 / 3) - (1 - part)) / sqrt(part) / sqrt(2)) / 2


def fitted(counts: Sequence[int], chances: Sequence[float]) -> float:
    """Chi-square of counts against chances; neighbours that are rare are put together."""
    total = sum(counts)
    cells: list[list[float]] = [[0, 0]]
    for count, chance in zip(counts, chances, strict=True):
        if cells[-1][1] >= EXPECTED_MIN:
            cells.append([0, 0])
        cells[-1][0] += count
        cells[-1][1] += chance * total
    if cells[-1][1] < EXPECTED_MIN:
        rest = cells.pop()
        cells[-1] = [part + more for part, more in zip(cells[-1], rest, strict=True)]
    chi_square = sum((count - expected) ** 2 / expected for count, expected in cells)
    return chance_of_chi_square(chi_square, len(cells) - 1)


@cache
def rises_of(n: int) -> tuple[float, ...]:
    """The chance of each number of rises in an order of n: Eulerian numbers over n!."""
    chances = [1.0]
    for size in range(2, n + 1):
        lower = [0.0, *chances]
        chances = [
            ((rises + 1) * same + (size - rises) * less) / size
            for rises, (same, less) in enumerate(zip([*chances, 0.0], lower, strict=True))
        ]
    return tuple(chances)


# The statistics.


def places(tally: Tally) -> float:
    # Each row and each column sums to the number of deals.
    n, expected = tally.n, tally.deals / tally.n
    chi_square = sum((count - expected) ** 2 for count in tally.places) / expected * (n - 1) / n
    return chance_of_chi_square(chi_square, (n - 1) ** 2)


def neighbours(tally: Tally) -> float:
    return _differences(tally.next)


def far(tally: Tally) -> float:
    return _differences(tally.far)


def _differences(counts: list[int]) -> float:
    """No card differs from another by nothing; all other differences are equally likely."""
    differing = counts[1:]
    return fitted(differing, [1 / len(differing)] * len(differing))


def rises(tally: Tally) -> float:
    return fitted(tally.rises, rises_of(tally.n))


def serial(tally: Tally) -> float:
    n = tally.n
    total, squares = n * (n - 1) // 2, (n - 1) * n * (2 * n - 1) // 6
    expected = (total * total - squares) / n
    mean = tally.products / tally.deals
    variance = (tally.products_squared - tally.products * mean) / (tally.deals - 1)
    return chance_of_deviates((mean - expected) / sqrt(variance / tally.deals))


def kept(tally: Tally) -> float:
    """How many cards stay: Poisson's distribution to more digits than are counted."""
    chances = [exp(-1) / factorial(number) for number in range(KEPT_MAX + 1)]
    return fitted(tally.kept, [*chances, 1 - sum(chances)])


def repeated(tally: Tally) -> float:
    return float(len(tally.seen) == tally.deals)


STATISTICS: Final[Mapping[str, Callable[[Tally], float]]] = {
    "places": places,
    "neighbours": neighbours,
    "far": far,
    "rises": rises,
    "serial": serial,
    "kept": kept,
    "repeated": repeated,
}
