"""Splitting a hand into combinations that together take as few leads as possible.

Chains are tried in every way that leaves the rest playable; what remains is taken rank by rank, and
trios carry off whatever is dearest to play alone.
"""

from collections.abc import Callable
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

# What a combination costs: copies of each rank, the ranks, and the cards in all.
Price = Callable[[int, Mask, int], float]

# Beyond so many ways to take chains out of a hand the better ones have been tried: long ones first.
TRIES_MAX: Final = 150


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


def split(hand: RankSet, price: Price, wings: Wings = "literal") -> Split:
    """The cheapest way to split a hand that was found."""
    chains = sorted(_chains(hand, price), key=lambda group: -group.size)
    best = _without_chains(hand, (), price, wings)
    open_ways: list[tuple[RankSet, int, tuple[Group, ...]]] = [(hand, 0, ())]
    tries = 0
    while open_ways and tries < TRIES_MAX:
        rest, start, taken = open_ways.pop()
        for number in range(len(chains) - 1, start - 1, -1):
            chain = chains[number]
            if holds(rest, chain.ranks):
                way = (*taken, chain)
                open_ways.append((rest - chain.ranks, number, way))
                found = _without_chains(rest - chain.ranks, way, price, wings)
                tries += 1
                if found.cost < best.cost:
                    best = found
    return best


def _chains(hand: RankSet, price: Price) -> list[Group]:
    found = []
    for copies, (_, _, least) in EQUALS.items():
        for main in runs(masks(hand)[copies - 1] & CHAINABLE, least):
            size = copies * main.bit_count()
            found.append(Group(copies * main, copies, main, size, price(copies, main, size)))
    return found


def _without_chains(rest: RankSet, chains: tuple[Group, ...], price: Price, wings: Wings) -> Split:
    """Take what is left of a hand rank by rank, and let the trios carry."""
    ones, twos, threes, fours = masks(rest)
    groups = [_group(4, main, price) for main in digits(fours)]
    if rest & ROCKET == ROCKET:
        groups.append(Group(ROCKET, 1, ROCKET, 2, price(1, ROCKET, 2)))
        ones &= ~ROCKET
    singles = [_group(1, main, price) for main in digits(ones & ~twos)]
    pairs = [_group(2, main, price) for main in digits(twos & ~threes)]
    carriers = [_group(3, main, price) for main in digits(threes & ~fours)]
    for chain in chains:
        (carriers if chain.copies == 3 else groups).append(chain)
    carriers.sort(key=lambda group: -group.size)
    for wing_groups in (singles, pairs):
        wing_groups.sort(key=lambda group: -group.price)
    groups += [_load(carrier, singles, pairs, price, wings) for carrier in carriers]
    groups += singles
    groups += pairs
    return Split(sum(group.price for group in groups), tuple(groups))


def _group(copies: int, main: Mask, price: Price) -> Group:
    return Group(copies * main, copies, main, copies, price(copies, main, copies))


def _load(
    carrier: Group, singles: list[Group], pairs: list[Group], price: Price, wings: Wings
) -> Group:
    """Let a trio, or a chain of trios, carry the dearest singles or pairs, if that saves any."""
    length = carrier.main.bit_count()
    best, chosen = carrier, None
    saved = 0.0
    for wing_size, offered in ((1, singles), (2, pairs)):
        loads = [group for group in offered if not group.main & carrier.main][:length]
        carried = sum(group.ranks for group in loads)
        if len(loads) < length or not carries(carried, carrier.main, wing_size, wings):
            continue
        size = carrier.size + length * wing_size
        cost = price(3, carrier.main, size)
        saving = carrier.price + sum(group.price for group in loads) - cost
        if saving > saved:
            saved, chosen = saving, (offered, loads)
            best = Group(carrier.ranks + carried, 3, carrier.main, size, cost)
    if chosen is not None:
        offered, loads = chosen
        offered[:] = [group for group in offered if group not in loads]
    return best
