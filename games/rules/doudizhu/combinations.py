"""The readings of a set of cards, and which plays beat which.

A set may have several readings: 333 444 555 666 is four bare trios, or three with a single card
each. `readings` gives them all, in the order in which a leader's cards are understood.
"""

from collections.abc import Iterable, Iterator, Sequence
from enum import StrEnum
from functools import lru_cache
from typing import Final, Literal

from msgspec import Struct

from games.rules.cards import Card
from games.rules.declaration import marked as _n
from games.rules.doudizhu.ranks import (
    CHAINABLE,
    EACH_RANK,
    ROCKET,
    TWO_PLACE,
    Mask,
    RankSet,
    digits,
    masks,
    place,
    runs,
)
from games.rules.errors import Illegal

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


TWO: Final[Mask] = 1 << 4 * TWO_PLACE
JOKERS: Final[Mask] = EACH_RANK >> 4 * (TWO_PLACE + 1) << 4 * (TWO_PLACE + 1)

# By code: the sentence said of cards that are no combination.
SENTENCES: Final = {
    "straight_two": _n("A straight cannot hold a 2."),
    "straight_joker": _n("A straight cannot hold a joker."),
    "straight_gap": _n("A straight cannot leave out a rank."),
    "straight_short": _n("A straight needs at least five cards."),
    "pairs_two": _n("Consecutive pairs cannot hold a 2."),
    "pairs_gap": _n("Consecutive pairs cannot leave out a rank."),
    "pairs_short": _n("Consecutive pairs need at least three pairs."),
    "airplane_two": _n("The trios of an airplane cannot be 2s."),
    "airplane_gap": _n("The trios of an airplane cannot leave out a rank."),
    "airplane_carries": _n("Each trio carries nothing, a single card of another rank, or a pair."),
    "trio_carries": _n("A trio carries nothing, a single card of another rank, or a pair."),
    "four_carries": _n("Four of a kind carry two single cards, or two pairs."),
    "both_jokers": _n("Both jokers together cannot be carried at this table."),
    "four_equal": _n("Four equal cards cannot be carried at this table."),
    "trio_beside": _n("A trio next to the chain cannot be carried at this table."),
    "pair_joker": _n("A joker makes a pair with nothing."),
    "no_combination": _n("These cards are no combination."),
}


def check_held(cards: Sequence[Card], hand: Sequence[Card]) -> None:
    held = set(hand)
    if len(set(cards)) == len(cards) and held.issuperset(cards):
        return
    seen: set[Card] = set()
    for card in cards:
        if card in seen:
            raise Illegal("card_twice", "{card} appears twice.", card=card.text)
        if card not in held:
            raise Illegal("not_held", "You do not hold {card}.", card=card.text)
        seen.add(card)


def no_combination(ranks: RankSet, wings: Wings) -> Illegal:
    """The likeliest mistake in cards that have no reading."""
    code = next(_mistakes(ranks, wings), "no_combination")
    return Illegal(code, SENTENCES[code])


def _mistakes(ranks: RankSet, wings: Wings) -> Iterator[str]:
    held = masks(ranks)
    ones, twos, threes, fours = held
    size = sum(mask.bit_count() for mask in held)
    if wings == "strict":
        yield from _too_strict(ranks)
    if ones == ranks:
        yield from _broken_straight(ones)
    elif 2 * twos == ranks:
        yield from _broken_chain(twos, "pairs")
    elif threes.bit_count() > 1:
        yield from _broken_chain(threes, "airplane")
        yield "airplane_carries"
    elif fours:
        yield "four_carries"
    elif threes:
        yield "trio_carries"
    elif size <= 3 and ones & JOKERS:
        yield "pair_joker"


def _too_strict(ranks: RankSet) -> Iterator[Strictness]:
    """The refusal of a set that only literal wings allow."""
    for reading in readings(ranks, "literal"):
        copies, _ = SHAPES[reading.kind]
        broken = strictness(ranks - copies * reading.main, reading.main)
        if broken:
            yield broken


def _broken_straight(ones: Mask) -> Iterator[str]:
    size = ones.bit_count()
    if size == 2 and ones & JOKERS:
        yield "pair_joker"
    elif size >= 5:
        if ones & JOKERS:
            yield "straight_joker"
        yield "straight_two" if ones & TWO else "straight_gap"
    elif size > 2 and ones in runs(ones, 1):
        yield "straight_short"


def _broken_chain(links: Mask, name: str) -> Iterator[str]:
    if links & TWO:
        yield f"{name}_two"
    elif links not in runs(links, 1):
        yield f"{name}_gap"
    elif name == "pairs":
        yield "pairs_short"
