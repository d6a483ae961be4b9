"""The readings of a set of cards, and which plays beat which.

A set may have several readings: 333 444 555 666 is four bare trios, or three with a single card
each. `readings` gives them all, in the order in which a leader's cards are understood.
"""

from collections.abc import Iterable
from enum import StrEnum
from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct

from games.rules.doudizhu.ranks import (
    CHAINABLE,
    EACH_RANK,
    ROCKET,
    Mask,
    RankSet,
    digits,
    masks,
    place,
    runs,
)

PLAY_SIZE_MAX: Final = 20

# How the cards carried along are judged; the package says what strict wings refuse.
Wings = Literal["literal", "strict"]


class Kind(StrEnum):
    SINGLE = "single"
    PAIR = "pair"
    TRIO = "trio"
    TRIO_SINGLE = "trio_single"
    TRIO_PAIR = "trio_pair"
    STRAIGHT = "straight"
    PAIRS = "pairs"
    AIRPLANE = "airplane"
    AIRPLANE_SINGLES = "airplane_singles"
    AIRPLANE_PAIRS = "airplane_pairs"
    FOUR_SINGLES = "four_singles"
    FOUR_PAIRS = "four_pairs"
    BOMB = "bomb"
    ROCKET = "rocket"


# For each number of equal cards: the kind of one rank, the kind of a chain, the shortest chain.
EQUALS: Final = {
    1: (Kind.SINGLE, Kind.STRAIGHT, 5),
    2: (Kind.PAIR, Kind.PAIRS, 3),
    3: (Kind.TRIO, Kind.AIRPLANE, 2),
}
# For each size of wing, in cards: the kind of one trio, of a chain of trios, and of a four.
WINGED: Final = {
    1: (Kind.TRIO_SINGLE, Kind.AIRPLANE_SINGLES, Kind.FOUR_SINGLES),
    2: (Kind.TRIO_PAIR, Kind.AIRPLANE_PAIRS, Kind.FOUR_PAIRS),
}
# How many of each rank the deciding cards of a kind are, and how many cards each wing has.
SHAPES: Final[dict[Kind, tuple[int, int]]] = {
    Kind.SINGLE: (1, 0),
    Kind.PAIR: (2, 0),
    Kind.TRIO: (3, 0),
    Kind.TRIO_SINGLE: (3, 1),
    Kind.TRIO_PAIR: (3, 2),
    Kind.STRAIGHT: (1, 0),
    Kind.PAIRS: (2, 0),
    Kind.AIRPLANE: (3, 0),
    Kind.AIRPLANE_SINGLES: (3, 1),
    Kind.AIRPLANE_PAIRS: (3, 2),
    Kind.FOUR_SINGLES: (4, 1),
    Kind.FOUR_PAIRS: (4, 2),
    Kind.BOMB: (4, 0),
    Kind.ROCKET: (1, 0),
}


class Reading(Struct, frozen=True):
    """One way to understand a set: its kind, the place of its highest deciding rank, its chain."""

    kind: Kind
    place: int
    length: int = 1

    @property
    def main(self) -> Mask:
        """The ranks that decide."""
        return (EACH_RANK & (1 << 4 * self.length) - 1) << 4 * (self.place + 1 - self.length)

    @property
    def size(self) -> int:
        """Return how many cards it has."""
        copies, wing_size = SHAPES[self.kind]
        return copies * self.length + wing_size * (2 if copies == 4 else self.length)

    def beats(self, other: "Reading") -> bool:
        if self.kind == other.kind:
            return self.length == other.length and self.place > other.place
        if self.kind == Kind.BOMB:
            return other.kind != Kind.ROCKET
        return self.kind == Kind.ROCKET


def first_beating(found: Iterable[Reading], other: Reading) -> Reading | None:
    """The reading of a follower's cards: the first that beats the other play."""
    return next((reading for reading in found if reading.beats(other)), None)


@lru_cache(1 << 13)
def readings(ranks: RankSet, wings: Wings = "literal") -> tuple[Reading, ...]:
    """Everything a set can be played as: bare before winged, longest first, then highest."""
    if ranks == ROCKET:
        return (Reading(Kind.ROCKET, place(ROCKET), 2),)
    held = masks(ranks)
    size = sum(mask.bit_count() for mask in held)
    if size > PLAY_SIZE_MAX:
        return ()
    winged = [*_winged_trios(ranks, held, size, wings), *_winged_fours(ranks, held, size, wings)]
    winged.sort(key=lambda reading: (reading.length, reading.place), reverse=True)
    return (*_bare(held, size), *winged)


def _bare(held: tuple[Mask, ...], size: int) -> tuple[Reading, ...]:
    """Equal numbers of each rank, in one rank or in a chain."""
    each = held[0]
    length = each.bit_count()
    equal = next((n for n in (1, 2, 3, 4) if size == n * length and held[n - 1] == each), 0)
    if not equal:
        return ()
    if length == 1:
        return (Reading(Kind.BOMB if equal == 4 else EQUALS[equal][0], place(each)),)
    if equal < 4:
        _, kind, least = EQUALS[equal]
        if each & CHAINABLE == each and each in runs(each, least):
            return (Reading(kind, place(each), length),)
    return ()


def _winged_trios(
    ranks: RankSet, held: tuple[Mask, ...], size: int, wings: Wings
) -> Iterable[Reading]:
    trios = held[2] & ~held[3]
    for wing_size, (alone, chain, _) in WINGED.items():
        length, rest = divmod(size, 3 + wing_size)
        if rest or not length:
            continue
        mains = digits(trios) if length == 1 else runs(trios & CHAINABLE, length)
        for main in mains:
            if main.bit_count() == length and carries(ranks - 3 * main, main, wing_size, wings):
                yield Reading(alone if length == 1 else chain, place(main), length)


def _winged_fours(
    ranks: RankSet, held: tuple[Mask, ...], size: int, wings: Wings
) -> Iterable[Reading]:
    for wing_size, (_, _, kind) in WINGED.items():
        if size == 4 + 2 * wing_size:
            for main in digits(held[3]):
                if carries(ranks - 4 * main, main, wing_size, wings):
                    yield Reading(kind, place(main))


def carries(carried: RankSet, main: Mask, wing_size: int, wings: Wings) -> bool:
    """Whether these cards, as many as there must be, may go along with the deciding ones."""
    if wing_size == 2 and carried & EACH_RANK:
        return False  # A rank is there once or three times, which makes no pairs.
    return wings == "literal" or strictness(carried, main) is None


Strictness = Literal["both_jokers", "four_equal", "trio_beside"]


def strictness(carried: RankSet, main: Mask) -> Strictness | None:
    """The refusal of these cards under strict wings, if any."""
    if carried & ROCKET == ROCKET:
        return "both_jokers"
    _, _, threes, fours = masks(carried)
    if fours:
        return "four_equal"
    if threes & (main << 4 | main >> 4) & CHAINABLE:
        return "trio_beside"
    return None
