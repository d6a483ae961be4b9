"""Cards without their suits, as one whole number: how many there are of each rank.

A rank set is a number in base sixteen. Its digit at a rank's place counts the cards of that rank;
places ascend from 0 for the 3 to 12 for the 2, 13 for the black and 14 for the red joker. Adding
two rank sets puts their cards together, and a few shifts tell for all ranks together which of them
are held at least so often. A mask is a rank set that counts no rank more than once.
"""

from collections.abc import Iterable, Sequence
from functools import cache, lru_cache
from typing import Final

from games.rules.cards import Card

RankSet = int
Mask = int

RANK_NAMES: Final = (*"3456789TJQKA2", "BJ", "RJ")
TWO_PLACE: Final = 12
EACH_RANK: Final[Mask] = 0x111_1111_1111_1111
# The ranks of a chain: 3 to ace.
CHAINABLE: Final[Mask] = 0x1111_1111_1111
ROCKET: Final[RankSet] = 0x11 << 4 * (TWO_PLACE + 1)


@cache
def place_of(card: Card) -> int:
    """The place of the card's rank in the order of this game."""
    return RANK_NAMES.index(card.text if card.is_joker else card.text[0])


@cache
def digit_of(card: Card) -> RankSet:
    """The card alone as a rank set."""
    return 1 << 4 * place_of(card)


def rank_set(cards: Iterable[Card]) -> RankSet:
    return sum(map(digit_of, cards))


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards from low to high, and by suit within a rank."""
    return tuple(sorted(cards, key=_order))


@cache
def _order(card: Card) -> int:
    return 4 * place_of(card) + max(card.suit, 0)


def masks(ranks: RankSet) -> tuple[Mask, Mask, Mask, Mask]:
    """The ranks held at least once, twice, three times and four times."""
    halved, quartered = ranks >> 1, ranks >> 2
    return (
        (ranks | halved | quartered) & EACH_RANK,
        (halved | quartered) & EACH_RANK,
        (ranks & halved | quartered) & EACH_RANK,
        quartered & EACH_RANK,
    )


def pairs_in(ranks: RankSet) -> RankSet:
    """Return how many pairs there are of each rank; jokers are never two of a rank."""
    return ranks >> 1 & 0x333_3333_3333_3333


def count(ranks: RankSet) -> int:
    """Return how many cards there are."""
    return sum(mask.bit_count() for mask in masks(ranks))


def holds(ranks: RankSet, part: RankSet) -> bool:
    """Whether a part is contained: no digit of the difference is negative."""
    guard = EACH_RANK << 3
    return (ranks | guard) - part & guard == guard


@lru_cache(1 << 13)
def digits(mask: Mask) -> tuple[RankSet, ...]:
    """The ranks of a mask, one by one, from low to high."""
    digits = []
    while mask:
        digit = mask & -mask
        digits.append(digit)
        mask ^= digit
    return tuple(digits)


def place(digit: RankSet) -> int:
    """The place of the highest rank."""
    return (digit.bit_length() - 1) >> 2


def above(at: int) -> Mask:
    """Every rank above a place."""
    return EACH_RANK >> 4 * (at + 1) << 4 * (at + 1)


@lru_cache(1 << 13)
def runs(mask: Mask, least: int) -> tuple[Mask, ...]:
    """Every row of neighbouring ranks in a mask, if it is long enough: shorter before longer."""
    runs: list[Mask] = []
    starts, length, row = mask, 1, 1
    while starts:
        if length >= least:
            runs.extend(start * row for start in digits(starts))
        starts &= mask >> 4 * length
        row |= 1 << 4 * length
        length += 1
    return tuple(runs)


def pick(hand: Sequence[Card], ranks: RankSet) -> tuple[Card, ...]:
    """Cards of these ranks from a hand that holds them: of each rank the first ones."""
    picked = []
    for card in hand:
        digit = digit_of(card)
        if ranks & 7 * digit:
            picked.append(card)
            ranks -= digit
            if not ranks:
                break
    return tuple(picked)


def names(ranks: RankSet) -> str:
    """The ranks from low to high, one behind the other."""
    return "".join(name * (ranks >> 4 * at & 7) for at, name in enumerate(RANK_NAMES))
