"""The naturals: the special hands of the thirteen-card games, which win without comparing rows.

The condition of a natural on the thirteen cards, by kind:

Suits. Thirteen of one suit. Twelve of one colour (in some rooms: of one suit) and any card;
a thirteenth like the twelve does no harm. All of one colour: thirteen red or thirteen black
cards. Three flushes: the cards can be laid so that each row, the front too, is of one suit.

Ranks. A dragon has every rank once, a pure dragon in one suit. Twelve royals are, in spite of
their name, thirteen cards from jack to ace. All big is nothing below the eight, all small
nothing above it, and there the ace is no small card.

Sets. Six pairs and any card; five pairs and three of a kind; four threes of a kind and any
card; three fours of a kind and any card; two full houses, a pair and any card. A four may
always be split into two pairs, and the odd card may be the fourth of a three of a kind.

Rows. Three straights: each row, the front too, is a run of neighbouring ranks. Three straight
flushes: each of those runs is of one suit. The ace is below the two or above the king and
never between them, so K-A-2 is no run. Whether Q-K-A may stand in front is for the game to say.

A joker is whichever card helps, one that the hand holds already included; so five cards of a rank
can be two pairs and one over, and two rows can share a card that is there only once. Which
naturals count in a game, what they are worth and how they rank is not decided here. A hand may
hold several at once.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from enum import StrEnum
from functools import cache, partial
from types import MappingProxyType
from typing import Final, Literal, TypeAlias

from games.rules.cards import ACE, DECK, JACK, RANKS, SUITS, Card

Predicate: TypeAlias = Callable[[Sequence[Card]], bool]
TwelveBy: TypeAlias = Literal["colour", "suit"]


class Natural(StrEnum):
    """The naturals by the names that hand records use."""

    THIRTEEN_SUITED = "thirteen_suited"
    DRAGON = "dragon"
    PURE_DRAGON = "pure_dragon"
    TWELVE_ONE = "twelve_one"
    TRIPS_FIVE_PAIRS = "trips_five_pairs"
    THREE_STRAIGHTS = "three_straights"
    THREE_FLUSHES = "three_flushes"
    SIX_PAIRS = "six_pairs"
    FOUR_TRIPS = "four_trips"
    THREE_FOURS = "three_fours"
    THREE_STRAIGHT_FLUSHES = "three_straight_flushes"
    TWELVE_ROYALS = "twelve_royals"
    ALL_BIG = "all_big"
    ALL_SMALL = "all_small"
    ONE_COLOUR = "one_colour"
    DOUBLE_FULL_HOUSE = "double_full_house"


def holds(
    natural: Natural,
    cards: Sequence[Card],
    *,
    high_front: bool = True,
    twelve_by: TwelveBy = "colour",
) -> bool:
    return predicates(high_front=high_front, twelve_by=twelve_by)[natural](cards)


@cache
def predicates(
    *, high_front: bool = True, twelve_by: TwelveBy = "colour"
) -> Mapping[Natural, Predicate]:
    """The test for each natural in a game with these two readings."""
    return MappingProxyType(
        {
            Natural.THIRTEEN_SUITED: thirteen_suited,
            Natural.DRAGON: dragon,
            Natural.PURE_DRAGON: pure_dragon,
            Natural.TWELVE_ONE: partial(twelve_one, by=twelve_by),
            Natural.TRIPS_FIVE_PAIRS: trips_five_pairs,
            Natural.THREE_STRAIGHTS: partial(three_straights, high_front=high_front),
            Natural.THREE_FLUSHES: three_flushes,
            Natural.SIX_PAIRS: six_pairs,
            Natural.FOUR_TRIPS: four_trips,
            Natural.THREE_FOURS: three_fours,
            Natural.THREE_STRAIGHT_FLUSHES: partial(three_straight_flushes, high_front=high_front),
            Natural.TWELVE_ROYALS: twelve_royals,
            Natural.ALL_BIG: all_big,
            Natural.ALL_SMALL: all_small,
            Natural.ONE_COLOUR: one_colour,
            Natural.DOUBLE_FULL_HOUSE: double_full_house,
        }
    )


# Suits


def thirteen_suited(cards: Sequence[Card]) -> bool:
    return max(_suit_counts(cards)) + _jokers(cards) == 13


def twelve_one(cards: Sequence[Card], *, by: TwelveBy = "colour") -> bool:
    counts = _colour_counts(cards) if by == "colour" else _suit_counts(cards)
    return max(counts) + _jokers(cards) >= 12


def one_colour(cards: Sequence[Card]) -> bool:
    return max(_colour_counts(cards)) + _jokers(cards) == 13


def three_flushes(cards: Sequence[Card]) -> bool:
    # The rows take up all thirteen cards, so no card of a suit can be left over.
    return _can_part(_suit_counts(cards), _jokers(cards), (5, 5, 3))


# Ranks


def dragon(cards: Sequence[Card]) -> bool:
    return max(_rank_counts(cards)) == 1


def pure_dragon(cards: Sequence[Card]) -> bool:
    return dragon(cards) and thirteen_suited(cards)


def twelve_royals(cards: Sequence[Card]) -> bool:
    return all(card.rank >= JACK for card in cards)


def all_big(cards: Sequence[Card]) -> bool:
    return all(card.rank >= 8 for card in cards)


def all_small(cards: Sequence[Card]) -> bool:
    return all(card.rank <= 8 or card.is_joker for card in cards)


# Sets


def six_pairs(cards: Sequence[Card]) -> bool:
    return _has_sets(cards, (2, 2, 2, 2, 2, 2))


def trips_five_pairs(cards: Sequence[Card]) -> bool:
    return _has_sets(cards, (3, 2, 2, 2, 2, 2))


def double_full_house(cards: Sequence[Card]) -> bool:
    return _has_sets(cards, (3, 3, 2, 2, 2))


def four_trips(cards: Sequence[Card]) -> bool:
    return _has_sets(cards, (3, 3, 3, 3))


def three_fours(cards: Sequence[Card]) -> bool:
    return _has_sets(cards, (4, 4, 4))


def _has_sets(cards: Sequence[Card], sizes: tuple[int, ...]) -> bool:
    return _can_part(_rank_counts(cards), _jokers(cards), sizes)


def _can_part(counts: Iterable[int], jokers: int, sizes: tuple[int, ...]) -> bool:
    """Whether groups of these sizes, each of one rank (or suit), can be made of so many cards of
    each and the jokers. Two groups may be of the same rank; cards may be left over."""
    # Which rank has how many does not matter, and sorted there are but a few dozen cases.
    return _can_part_sorted(tuple(sorted(counts)), jokers, sizes)


@cache
def _can_part_sorted(counts: tuple[int, ...], jokers: int, sizes: tuple[int, ...]) -> bool:
    if not sizes:
        return True
    size, other_sizes = sizes[0], sizes[1:]
    for place, count in enumerate(counts):
        taken = min(size, count)
        missing = size - taken
        left = (*counts[:place], count - taken, *counts[place + 1 :])
        if missing <= jokers and _can_part(left, jokers - missing, other_sizes):
            return True
    return False


# Rows


def three_straights(cards: Sequence[Card], *, high_front: bool = True) -> bool:
    hand = sum(_at(card.rank) for card in cards if not card.is_joker)
    return _can_lay(hand, _jokers(cards), _straight_rows(1, high_front))


def three_straight_flushes(cards: Sequence[Card], *, high_front: bool = True) -> bool:
    # Quick to tell, and few hands pass it; the rows alone would decide the same.
    if not three_flushes(cards):
        return False
    hand = sum(_at(card.rank, card.suit) for card in cards if not card.is_joker)
    return _can_lay(hand, _jokers(cards), _straight_rows(len(SUITS), high_front))


# Hands and rows are numbers here, in which every place (a rank, or a rank of a suit) has four bits
# that count its cards: a row is removed from a hand by subtraction.
_PLACE_BITS: Final = 4


def _at(rank: int, suit: int = 0) -> int:
    """The bit of one card."""
    return 1 << _PLACE_BITS * (len(RANKS) * suit + rank - 2)


_EVERY_PLACE: Final = sum(_at(card.rank, card.suit) for card in DECK)


def _can_lay(hand: int, jokers: int, piles: tuple[tuple[int, ...], ...]) -> bool:
    """Whether the hand can be laid out with one row of each pile, jokers standing where it has no
    card. The rows together are as long as the hand, so nothing can be left over."""
    if not piles:
        return True
    # One at each place that has any card; three bits are enough to count the four of a rank.
    present = (hand | hand >> 1 | hand >> 2) & _EVERY_PLACE
    for row in piles[0]:
        missing = (row & ~present).bit_count()
        if missing <= jokers and _can_lay(hand - (row & present), jokers - missing, piles[1:]):
            return True
    return False


@cache
def _straight_rows(suits: int, high_front: bool) -> tuple[tuple[int, ...], ...]:
    """Every straight for the back, the middle and the front, in each of so many suits."""
    fives = _straights(5, suits, highest=ACE)
    return fives, fives, _straights(3, suits, highest=ACE if high_front else ACE - 1)


def _straights(length: int, suits: int, highest: int) -> tuple[int, ...]:
    rows = []
    for suit in range(suits):
        for top in range(length, highest + 1):
            # The lowest straight begins at 1, which is the ace.
            ranks = (ACE if rank == 1 else rank for rank in range(top - length + 1, top + 1))
            rows.append(sum(_at(rank, suit) for rank in ranks))
    return tuple(rows)


# Counts


def _jokers(cards: Sequence[Card]) -> int:
    return sum(card.is_joker for card in cards)


def _rank_counts(cards: Sequence[Card]) -> list[int]:
    counts = [0] * len(RANKS)
    for card in cards:
        if not card.is_joker:
            counts[card.rank - 2] += 1
    return counts


def _suit_counts(cards: Sequence[Card]) -> list[int]:
    counts = [0] * len(SUITS)
    for card in cards:
        if not card.is_joker:
            counts[card.suit] += 1
    return counts


def _colour_counts(cards: Sequence[Card]) -> tuple[int, int]:
    clubs, diamonds, hearts, spades = _suit_counts(cards)
    return clubs + spades, diamonds + hearts
