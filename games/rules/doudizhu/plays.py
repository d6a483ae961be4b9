"""Every play that a hand can make, and splitting it into as few leads as possible.

Results that depend on one mask alone are cached by that mask, so that most of a hand's plays are
looked up. The cards carried along are all that is put together anew.

Chains are tried in every way that leaves the rest playable; what remains is taken rank by rank, and
trios carry the cards that cost most when played alone.
"""

from collections.abc import Callable
from functools import cache, lru_cache
from itertools import combinations
from operator import attrgetter
from typing import Final, NamedTuple

from games.rules.doudizhu.combinations import (
    EQUALS,
    PLAY_SIZE_MAX,
    SHAPES,
    Kind,
    Reading,
    Wings,
    carries,
    strictness,
)
from games.rules.doudizhu.ranks import (
    CHAINABLE,
    ROCKET,
    Mask,
    RankSet,
    above,
    digits,
    holds,
    masks,
    pairs_in,
    runs,
)

FOUR: Final = 4


def leads(hand: RankSet, wings: Wings = "literal") -> list[RankSet]:
    """Everything the hand can lead."""
    ones, twos, threes, fours = masks(hand)
    plays = [*_equals(ones, 1), *_equals(twos, 2)]
    if hand & ROCKET == ROCKET:
        plays.append(ROCKET)
    if not threes:
        return plays
    plays += _equals(threes, 3)
    singles, pairs = digits(ones), digits(twos)
    for trio in digits(threes):
        bare = 3 * trio
        plays += [bare + single for single in singles if single != trio]
        plays += [bare + 2 * pair for pair in pairs if pair != trio]
    airplanes = runs(threes & CHAINABLE, 2)
    if fours or airplanes:
        plays += _carriers(hand, fours, airplanes, wings)
    return plays


def _carriers(
    hand: RankSet, fours: Mask, airplanes: tuple[Mask, ...], wings: Wings
) -> list[RankSet]:
    """Bombs, fours and airplanes with what they carry; these alone may come up several times."""
    plays = [FOUR * four for four in digits(fours)]
    for four in digits(fours):
        plays += carrying(hand, four, FOUR, 1, wings)
        plays += carrying(hand, four, FOUR, 2, wings)
    for chain in airplanes:
        plays += carrying(hand, chain, 3, 1, wings)
        plays += carrying(hand, chain, 3, 2, wings)
    if fours.bit_count() + len(airplanes) == 1:
        return plays
    bare = {3 * chain for chain in airplanes}
    return [play for play in dict.fromkeys(plays) if play not in bare]


def follows(hand: RankSet, other: Reading, wings: Wings = "literal") -> list[RankSet]:
    """Everything the hand can play upon a combination, without passing."""
    if other.kind == Kind.ROCKET:
        return []
    held = masks(hand)
    higher = above(other.place)
    bombs = held[3]
    if other.kind == Kind.BOMB:
        plays = []
        bombs &= higher
    else:
        plays = _same_kind(hand, held, other, wings)
    plays += [FOUR * four for four in digits(bombs)]
    if hand & ROCKET == ROCKET:
        plays.append(ROCKET)
    return plays


def _same_kind(
    hand: RankSet, held: tuple[Mask, ...], other: Reading, wings: Wings
) -> list[RankSet]:
    copies, wing_size = SHAPES[other.kind]
    enough = held[copies - 1]
    if other.length == 1:
        mains = digits(enough & above(other.place))
    else:
        higher = 1 << 4 * (other.place + 1)
        mains = tuple(
            run
            for run in runs(enough & CHAINABLE, other.length)
            if run >= higher and run.bit_count() == other.length
        )
    if not wing_size:
        return [copies * main for main in mains]
    plays: list[RankSet] = []
    for main in mains:
        plays += carrying(hand, main, copies, wing_size, wings)
    return plays if len(mains) < 2 else list(dict.fromkeys(plays))


def carrying(hand: RankSet, main: Mask, copies: int, wing_size: int, wings: Wings) -> list[RankSet]:
    """These ranks this many times, with everything that the rest of the hand lets them carry."""
    length = main.bit_count()
    wing_count = length if copies == 3 else 2
    if copies * length + wing_count * wing_size > PLAY_SIZE_MAX:
        return []
    rest = hand & ~(15 * main)
    bare = copies * main
    carried = (
        choose(rest, wing_count)
        if wing_size == 1
        else [2 * pairs for pairs in choose(pairs_in(rest), wing_count)]
    )
    if wings == "strict":
        carried = [wing for wing in carried if strictness(wing, main) is None]
    return [bare + wing for wing in carried]


def choose(ranks: RankSet, number: int) -> list[RankSet]:
    """Every choice of this many cards, each once."""
    ones, twos, _, _ = masks(ranks)
    if number == 1:
        return list(digits(ones))
    if number == 2:
        return [
            *[single + other for single, other in combinations(digits(ones), 2)],
            *[2 * pair for pair in digits(twos)],
        ]
    # The choices of each size among the ranks so far; the larger sizes grow first, so that no rank
    # is taken twice.
    choices: list[list[RankSet]] = [[0]] + [[] for _ in range(number)]
    for digit in digits(ones):
        held = ranks // digit & 7
        for size in range(number, 0, -1):
            for taken in range(1, min(held, size) + 1):
                more = taken * digit
                choices[size] += [smaller + more for smaller in choices[size - taken]]
    return choices[number]


@lru_cache(1 << 13)
def _equals(mask: Mask, copies: int) -> tuple[RankSet, ...]:
    """So many of each rank, and the chains of them."""
    _, _, least = EQUALS[copies]
    return tuple(
        copies * main
        for main in (*digits(mask), *runs(mask & CHAINABLE, least))
        if copies * main.bit_count() <= PLAY_SIZE_MAX
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
                    split = self._without_chains(rest - chain.ranks, way)
                    tries += 1
                    if split.cost < best.cost:
                        best = split
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
