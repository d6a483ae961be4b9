"""Poker ranks of rows of three and five cards, shared by every game that compares them.

A row's **value** is one whole number: the greater value wins, rows of three and of five compare
with each other, and equal values are equal rows. From the left its hexadecimal digits are the
category, then the ranks in the order in which the category compares them, a missing kicker being 0.
One digit among them says how few jokers the row holds, from 2 for a real one down to 0 for both: it
comes after the main ranks and before the kickers, and in straights and flushes behind all points.

Games differ in two things that a `Ranking` fixes. A-2-3-4-5 is the lowest straight, or the second
highest, between K-Q-J-10-9 and A-K-Q-J-10. The royal flush is a separate category, or the highest
straight flush. A joker is any card, also one already held, and always makes the highest row it can.

Cards are **prepared** once a hand: `CODE[card]` is a small number, and the sum of five says which
ranks they are and whether they share a suit, so that ranking a row is a sum and two lookups.

Of seven cards the best five count; `best_of_seven` gives their value in the same way, from sums of
seven other numbers.
"""

from collections.abc import Callable, Iterable, Sequence
from enum import IntEnum
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final, Literal, NamedTuple

from games.rules.cards import ACE, DECK, JOKERS, Card

Wheel = Literal["low", "second"]


class Category(IntEnum):
    """The categories of rows, from low to high."""

    HIGH_CARD = 0
    PAIR = 1
    TWO_PAIR = 2
    THREE = 3
    STRAIGHT = 4
    FLUSH = 5
    FULL_HOUSE = 6
    FOUR = 7
    STRAIGHT_FLUSH = 8
    ROYAL_FLUSH = 9
    FIVE = 10


CATEGORIES: Final = tuple(Category)
CATEGORY_NAMES: Final = tuple(category.name.lower() for category in Category)
CATEGORY_SHIFT: Final = 24
LOWEST_STRAIGHT: Final = frozenset((ACE, 2, 3, 4, 5))
MAIN_RANK_SHIFT: Final = 20

# One number a rank (2 to ace, then the joker) such that no two different sets of five have the same
# sum. Four such numbers for the suits; a joker's place in the suit sum is above all of theirs.
RANK_CODES: Final = (
    *(0, 1, 6, 31, 108, 366, 926, 2286, 5733, 12905, 27316, 44676, 94545),
    147031,
)
SUIT_CODES: Final = (0, 1, 6, 31)
JOKER_SUIT_CODE: Final = 156
SUIT_BITS: Final = 9
SUIT_MASK: Final = (1 << SUIT_BITS) - 1


def _code(card: Card) -> int:
    if card.is_joker:
        return RANK_CODES[13] << SUIT_BITS | JOKER_SUIT_CODE
    return RANK_CODES[card.rank - 2] << SUIT_BITS | SUIT_CODES[card.suit]


CODE: Final[dict[Card, int]] = {card: _code(card) for card in Card}

# The same for seven cards: no two different sets of up to seven ranks of the same size have the
# same sum, and the sum of the suits says which suit, if any, at least five of the cards are of.
SEVEN_RANK_CODES: Final = (
    *(0, 1, 5, 22, 98, 453, 2031, 8698, 22854, 83661, 262349, 636345, 1479181),
)
SEVEN_SUIT_CODES: Final = (0, 1, 29, 37)
SEVEN_CODE: Final[dict[Card, int]] = {
    card: SEVEN_RANK_CODES[card.rank - 2] << SUIT_BITS | SEVEN_SUIT_CODES[card.suit]
    for card in DECK
}
_SEVEN_CODE_OF: Final = SEVEN_CODE.__getitem__


class Ranking(NamedTuple):
    """The order of rows at a table: the values of five and of three prepared cards.

    `rows` gives the values of all rows of three and of all rows of five among prepared cards, in
    the order of `combinations`.
    """

    five: Callable[[int, int, int, int, int], int]
    three: Callable[[int, int, int], int]
    rows: Callable[[Sequence[int]], tuple[list[int], list[int]]]


@cache
def ranking(wheel: Wheel = "low", royal: bool = True, jokers: int = 0) -> Ranking:
    """The ranking of games that put A-2-3-4-5, royal flush and jokers so; tables on first use."""
    by_suits, threes = _tables(wheel, royal, jokers)

    def five(a: int, b: int, c: int, d: int, e: int) -> int:
        total = a + b + c + d + e
        return by_suits[total & SUIT_MASK][total >> SUIT_BITS]

    def three(a: int, b: int, c: int) -> int:
        return threes[(a + b + c) >> SUIT_BITS]

    def rows(codes: Sequence[int]) -> tuple[list[int], list[int]]:
        count = len(codes)
        triples = list(map(sum, combinations(codes, 3)))
        fives: list[int] = []
        for first, second in combinations(range(count - 3), 2):
            pair = codes[first] + codes[second]
            # The triples of the cards behind both stand last.
            fives += [
                by_suits[(total := pair + triple) & SUIT_MASK][total >> SUIT_BITS]
                for triple in triples[-comb(count - 1 - second, 3) :]
            ]
        return [threes[total >> SUIT_BITS] for total in triples], fives

    return Ranking(five, three, rows)


def _tables(wheel: Wheel, royal: bool, jokers: int) -> tuple[list[dict[int, int]], dict[int, int]]:
    """By the sum of their suits, where rows of five are looked up; and where rows of three are."""
    plain: dict[int, int] = {}
    suited: dict[int, int] = {}
    threes: dict[int, int] = {}
    for joker_count in range(jokers + 1):
        wild = joker_count * RANK_CODES[13]
        for reals in combinations_with_replacement(range(ACE, 1, -1), 5 - joker_count):
            key = wild + sum(RANK_CODES[rank - 2] for rank in reals)
            plain[key] = max(
                _value_of_a_kind(reals, joker_count),
                _value_straight(reals, joker_count, wheel, Category.STRAIGHT),
            )
        for reals in combinations(range(ACE, 1, -1), 5 - joker_count):
            key = wild + sum(RANK_CODES[rank - 2] for rank in reals)
            suited[key] = _value_suited(reals, joker_count, wheel, royal)
        for reals in combinations_with_replacement(range(ACE, 1, -1), 3 - joker_count):
            key = wild + sum(RANK_CODES[rank - 2] for rank in reals)
            threes[key] = _value_of_a_kind(reals, joker_count)
    by_suits = [plain] * (SUIT_MASK + 1)
    for joker_count in range(jokers + 1):
        for suit_code in SUIT_CODES:
            by_suits[joker_count * JOKER_SUIT_CODE + (5 - joker_count) * suit_code] = suited
    return by_suits, threes


def best_of_seven(cards: Sequence[Card]) -> int:
    """The value of the best five of seven cards without jokers, A-2-3-4-5 being the lowest."""
    total = sum(map(_SEVEN_CODE_OF, cards))
    suit = flush_suits().get(total & SUIT_MASK)
    if suit is None:
        return values_of_seven_ranks()[total >> SUIT_BITS]
    suited = [SEVEN_RANK_CODES[card.rank - 2] for card in cards if card.suit == suit]
    return values_of_suited_ranks(len(suited))[sum(suited)]


@cache
def flush_suits() -> dict[int, int]:
    """The suit of at least five of seven cards, by the sum of their suits; others are missing."""
    suits: dict[int, int] = {}
    for suit, code in enumerate(SEVEN_SUIT_CODES):
        for others in combinations_with_replacement(SEVEN_SUIT_CODES, 2):
            suits[5 * code + sum(others)] = suit
    return suits


@cache
def values_of_seven_ranks() -> dict[int, int]:
    """The value of the best five of seven cards that make no flush, by the sum of their ranks."""
    values: dict[int, int] = {}
    for size in (5, 6, 7):
        smaller, values = values, {}
        for ranks in combinations_with_replacement(range(13), size):
            if any(ranks[at] == ranks[at + 4] for at in range(size - 4)):
                continue
            codes = [SEVEN_RANK_CODES[rank] for rank in ranks]
            total = sum(codes)
            if size == 5:
                values[total] = _value_of_ranks(ranks)
            else:
                # The best five leave one out at least.
                values[total] = max([smaller[total - code] for code in set(codes)])
    return values


def _value_of_ranks(ranks: Sequence[int]) -> int:
    """The value of five cards that are not of one suit; ranks count from 0."""
    first, *others = [RANK_CODES[rank] << SUIT_BITS for rank in ranks]
    return ranking().five(first | SUIT_CODES[1], *others)


@cache
def values_of_suited_ranks(size: int) -> dict[int, int]:
    """The value of the best five of so many cards of one suit, by the sum of their ranks."""
    values: dict[int, int] = {}
    for ranks in combinations(range(13), size):
        codes = [RANK_CODES[rank] << SUIT_BITS for rank in ranks]
        total = sum([SEVEN_RANK_CODES[rank] for rank in ranks])
        values[total] = max([ranking().five(*row) for row in combinations(codes, 5)])
    return values


def category(value: int) -> Category:
    return CATEGORIES[value >> CATEGORY_SHIFT]


def main_rank(value: int) -> int:
    """The rank that the category compares first; a straight's is its point, not always a rank."""
    return value >> MAIN_RANK_SHIFT & 15


def holds_joker(cards: Sequence[Card]) -> bool:
    return JOKERS[0] in cards or JOKERS[1] in cards


def deciding_suit(value: int, cards: Sequence[Card]) -> int:
    """The suit that breaks a tie of all ranks where A-2-3-4-5 is low; 0 where no tie is possible.

    It is the suit of the highest card, of the third card besides a pair, of the fifth besides two
    pairs, and of the five in A-2-3-4-5.
    """
    kind = category(value)
    if kind in (Category.STRAIGHT, Category.STRAIGHT_FLUSH):
        decider = main_rank(value)
    elif kind in (Category.HIGH_CARD, Category.FLUSH, Category.ROYAL_FLUSH):
        decider = max(card.rank for card in cards)
    elif kind in (Category.PAIR, Category.TWO_PAIR):
        ranks = [card.rank for card in cards]
        decider = max(rank for rank in ranks if ranks.count(rank) == 1)
    else:
        return 0
    return next(card.suit for card in cards if card.rank == decider)


def standing_for(value: int, cards: Sequence[Card]) -> dict[Card, Card]:
    """Return the card that each joker of a row represents; `value` is the row's own value.

    Where any suit would do, it is the highest of those that the row does not show yet.
    """
    jokers = [card for card in cards if card.is_joker]
    reals = [card for card in cards if not card.is_joker]
    kind = category(value)
    suits = [3] * len(jokers)
    if kind in (Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        suits = [reals[0].suit] * len(jokers)
    if kind in (Category.STRAIGHT, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH):
        held = {card.rank for card in reals}
        ranks = [rank for rank in _straight_ranks(value, held) if rank not in held]
    elif kind == Category.FLUSH:
        ranks = [ACE] * len(jokers)
    else:
        ranks = [main_rank(value)] * len(jokers)
        shown = {card.suit for card in reals if card.rank == main_rank(value)}
        suits = ([suit for suit in (3, 2, 1, 0) if suit not in shown] + suits)[: len(jokers)]
    by_place = {(card.rank, card.suit): card for card in DECK}
    return {
        joker: by_place[rank, suit] for joker, rank, suit in zip(jokers, ranks, suits, strict=True)
    }


def _straight_ranks(value: int, held: Iterable[int]) -> list[int]:
    """The ranks of a straight, the highest first: its point says which, but for the top two.

    Where A-2-3-4-5 is the second highest it has the ace's point, so its cards must tell.
    """
    top = main_rank(value)
    if top >= ACE:
        top = ACE if all(rank >= 10 for rank in held) else 5
    return [ACE if rank == 1 else rank for rank in range(top, top - 5, -1)]


def _pack(kind: Category, digits: Sequence[int]) -> int:
    value = int(kind)
    for digit in digits:
        value = value << 4 | digit
    return value << 4 * (6 - len(digits))


def _real(jokers: int) -> int:
    """The digit by which 3-3-3-3 is above 3-3-3-joker, and that above 3-3-joker-joker."""
    return 2 - jokers


def _value_of_a_kind(reals: Sequence[int], jokers: int) -> int:
    """The value by equal ranks alone; ranks descend. Jokers always join the largest group."""
    groups = sorted(((reals.count(rank), rank) for rank in set(reals)), reverse=True)
    counts = [count for count, _ in groups] + [0]
    ranks = [rank for _, rank in groups]
    counts[0] += jokers
    real = _real(jokers)
    if counts[0] == 1:
        padded = (*ranks, 0, 0)[:5]
        return _pack(Category.HIGH_CARD, [*padded, real])
    if counts[:2] == [2, 2]:
        return _pack(Category.TWO_PAIR, [*ranks[:2], real, *ranks[2:]])
    if counts[:2] == [3, 2]:
        kind = Category.FULL_HOUSE
    else:
        kind = {2: Category.PAIR, 3: Category.THREE, 4: Category.FOUR, 5: Category.FIVE}[counts[0]]
    return _pack(kind, [ranks[0], real, *ranks[1:]])


def _value_suited(reals: Sequence[int], jokers: int, wheel: Wheel, royal: bool) -> int:
    """The value of five cards of one suit; a joker that completes no straight is an ace."""
    straight = _value_straight(reals, jokers, wheel, Category.STRAIGHT_FLUSH)
    if straight and royal and min(reals) >= 10:
        return _pack(Category.ROYAL_FLUSH, [ACE, _real(jokers)])
    flush = [*[ACE] * jokers, *reals, _real(jokers)]
    return straight or _pack(Category.FLUSH, flush)


def _value_straight(reals: Sequence[int], jokers: int, wheel: Wheel, kind: Category) -> int:
    """The value of the highest straight of these ranks and jokers, or 0; ranks descend."""
    if len(set(reals)) < len(reals):
        return 0
    # A straight ends at the highest rank or above, and at most four above the lowest.
    tops = [*range(max(reals[0], 6), min(reals[-1] + 4, ACE) + 1)]
    if LOWEST_STRAIGHT.issuperset(reals):
        tops.append(5)
    points = [_straight_point(top, wheel) for top in tops]
    return _pack(kind, [max(points), _real(jokers)]) if points else 0


def _straight_point(top: int, wheel: Wheel) -> int:
    if wheel == "second" and top in (5, ACE):
        return ACE if top == 5 else ACE + 1
    return top
