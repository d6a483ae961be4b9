"""Splitting a hand into combinations that together take as few leads as possible.

Chains are tried in every way that leaves the rest playable; what remains is taken rank by rank, and
trios carry the cards that cost most when played alone.
"""

from collections.abc import Callable
from functools import cache
from operator import attrgetter
from typing import Final, NamedTuple

from games.rules.doudizhu.combinations import EQUALS, Wings, carries
from games.rules.doudizhu.ranks import (
    CHAINABLE,
    ROCKET,
    Mask,
    RankSet,
    digits,
    holds,
    masks,
    runs,
)

# The cost of a combination: copies of each rank, the ranks, and the cards in all.
Price = Callable[[int, Mask, int], float]

# Beyond so many ways to take chains out of a hand the better ones have been tried: long ones first.
TRIES_MAX: Final = 60


class Group(NamedTuple):
    """One combination of a split, without or with what it carries."""

    ranks: RankSet
    copies: int
    main: Mask
    size: int
    price: float


class Split(NamedTuple):
    """A whole hand in combinations, and what they cost together."""

    cost: float
    groups: tuple[Group, ...]


_size = attrgetter("size")
_price = attrgetter("price")


class Splitter:
    """Splits hands by one list of prices."""

    def __init__(self, price: Price, wings: Wings = "literal") -> None:
        self._price = price
        self._wings = wings
        self._group = cache(self._bare_group)
        self.split = cache(self.split_anew)

    def split_anew(self, hand: RankSet) -> Split:
        """The cheapest way to split a hand that was found; `split` remembers it."""
        chains = sorted(self._chains(hand), key=lambda group: -group.size)
        best = self._without_chains(hand, ())
        open_ways: list[tuple[RankSet, int, tuple[Group, ...]]] = [(hand, 0, ())]
        tries = 0
        while open_ways and tries < TRIES_MAX:
            rest, start, taken = open_ways.pop()
            for number in range(len(chains) - 1, start - 1, -1):
                chain = chains[number]
                if holds(rest, chain.ranks):
                    way = (*taken, chain)
                    open_ways.append((rest - chain.ranks, number, way))
                    found = self._without_chains(rest - chain.ranks, way)
                    tries += 1
                    if found.cost < best.cost:
                        best = found
        return best

    def _bare_group(self, copies: int, main: Mask) -> Group:
        size = copies * main.bit_count()
        return Group(copies * main, copies, main, size, self._price(copies, main, size))

    def _chains(self, hand: RankSet) -> list[Group]:
        held = masks(hand)
        return [
            self._group(copies, main)
            for copies, (_, _, least) in EQUALS.items()
            for main in runs(held[copies - 1] & CHAINABLE, least)
        ]

    def _without_chains(self, rest: RankSet, chains: tuple[Group, ...]) -> Split:
        """Take what is left of a hand rank by rank, and let the trios carry."""
        ones, twos, threes, fours = masks(rest)
        group = self._group
        groups = [group(4, main) for main in digits(fours)]
        if rest & ROCKET == ROCKET:
            groups.append(group(1, ROCKET))
            ones &= ~ROCKET
        singles = [group(1, main) for main in digits(ones & ~twos)]
        pairs = [group(2, main) for main in digits(twos & ~threes)]
        carriers = [group(3, main) for main in digits(threes & ~fours)]
        for chain in chains:
            (carriers if chain.copies == 3 else groups).append(chain)
        if carriers:
            carriers.sort(key=_size, reverse=True)
            singles.sort(key=_price, reverse=True)
            pairs.sort(key=_price, reverse=True)
            groups += [self._load(carrier, singles, pairs) for carrier in carriers]
        groups += singles
        groups += pairs
        return Split(sum(map(_price, groups)), tuple(groups))

    def _load(self, carrier: Group, singles: list[Group], pairs: list[Group]) -> Group:
        """Let a trio, or a chain of them, carry the dearest singles or pairs, if that saves any."""
        length = carrier.main.bit_count()
        best, chosen = carrier, None
        saved = 0.0
        for wing_size, offered in ((1, singles), (2, pairs)):
            loads = [group for group in offered if not group.main & carrier.main][:length]
            carried = sum(group.ranks for group in loads)
            if len(loads) < length or not carries(carried, carrier.main, wing_size, self._wings):
                continue
            size = carrier.size + length * wing_size
            cost = self._price(3, carrier.main, size)
            saving = carrier.price + sum(map(_price, loads)) - cost
            if saving > saved:
                saved, chosen = saving, (offered, loads)
                best = Group(carrier.ranks + carried, 3, carrier.main, size, cost)
        if chosen is not None:
            offered, loads = chosen
            offered[:] = [group for group in offered if group not in loads]
        return best
