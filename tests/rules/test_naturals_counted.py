"""Naturals against exact counts over all deals."""

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from itertools import product
from math import comb, factorial, prod
from typing import Any

import pytest

from games.rules.cards import DECK, RANKS, SUITS, Card
from games.rules.thirteen.naturals import Natural, holds
from tests.rules.cases import each
from tests.rules.conftest import Share
from tests.rules.naturals import Hand, of_rank, of_suits, straight_flush_hands, straight_ranks

ALL_DEALS = comb(52, 13)


# Exact counts over all deals, for what depends on how many of each rank there are. Which ranks
# they are matters to no set, so one hand in thirteen places stands for a shape.


def rank_shapes(left: int = 13, largest: int = 4) -> Iterator[tuple[int, ...]]:
    if not left:
        yield ()
    for count in range(min(left, largest), 0, -1):
        for others in rank_shapes(left - count, count):
            yield (count, *others)


def deals_of_shape(shape: Sequence[int]) -> int:
    """How many hands have these numbers of cards of a rank, whichever the ranks are."""
    repeats = Counter((*shape, *(0,) * (13 - len(shape)))).values()
    return factorial(13) // prod(map(factorial, repeats)) * deals_of_counts(shape)


def deals_of_counts(counts: Iterable[int]) -> int:
    return prod(comb(4, count) for count in counts)


def of_counts(counts: Sequence[int]) -> Hand:
    texts = [
        rank + SUITS[(place + index) % 4]
        for place, (rank, count) in enumerate(zip(RANKS, counts, strict=True))
        for index in range(count)
    ]
    return tuple(map(Card, texts))


def turns(shape: Sequence[int]) -> Iterator[tuple[int, ...]]:
    counts = (*shape, *(0,) * (13 - len(shape)))
    return (counts[turn:] + counts[:turn] for turn in range(13))


def count_by_shape(natural: Natural) -> int:
    count = 0
    for shape in rank_shapes():
        answers = {holds(natural, of_counts(counts)) for counts in turns(shape)}
        assert len(answers) == 1
        count += deals_of_shape(shape) * answers.pop()
    return count


def ways_of_pairs(pairs: int) -> int:
    """How many ways twelve ranks hold so many pairs, a four being two, and nothing else."""
    return sum(
        comb(12, fours) * comb(12 - fours, pairs - 2 * fours) * 6 ** (pairs - 2 * fours)
        for fours in range(pairs // 2 + 1)
    )


def test_shapes_are_all_deals() -> None:
    assert sum(map(deals_of_shape, rank_shapes())) == ALL_DEALS == 635_013_559_600


def test_count_of_dragons() -> None:
    assert count_by_shape(Natural.DRAGON) == 4**13 == 67_108_864


def test_count_of_six_pairs() -> None:
    expected = 13 * 4 * (ways_of_pairs(6) + ways_of_pairs(5))
    assert count_by_shape(Natural.SIX_PAIRS) == expected == 2_856_863_152


def test_count_of_trips_and_five_pairs() -> None:
    expected = 13 * 4 * ways_of_pairs(5)
    assert count_by_shape(Natural.TRIPS_FIVE_PAIRS) == expected == 342_692_064


def test_count_of_four_trips() -> None:
    expected = comb(13, 4) * 4**4 * 36 + 13 * comb(12, 3) * 4**3
    assert count_by_shape(Natural.FOUR_TRIPS) == expected == 6_772_480


def test_count_of_three_fours() -> None:
    assert count_by_shape(Natural.THREE_FOURS) == comb(13, 3) * 40 == 11_440


def test_count_of_double_full_houses() -> None:
    shapes = [
        (3, 3, 2, 2, 2, 1),
        (3, 3, 3, 2, 2),
        (4, 3, 3, 2, 1),
        (4, 3, 3, 3),
        (4, 3, 2, 2, 2),
        (4, 4, 3, 2),
    ]
    expected = sum(map(deals_of_shape, shapes))
    assert count_by_shape(Natural.DOUBLE_FULL_HOUSE) == expected == 1_505_252_320


# Exact counts for what depends on how many of each suit there are


def count_by_suits(natural: Natural, **reading: Any) -> int:
    count = 0
    for clubs, diamonds, hearts in product(range(14), repeat=3):
        spades = 13 - clubs - diamonds - hearts
        if spades >= 0:
            counts = (clubs, diamonds, hearts, spades)
            hand = of_suits("".join(map(str.__mul__, SUITS, counts)))
            if holds(natural, hand, **reading):
                count += prod(comb(13, number) for number in counts)
    return count


def test_count_of_thirteen_suited() -> None:
    assert count_by_suits(Natural.THIRTEEN_SUITED) == 4


def test_count_of_pure_dragons() -> None:
    # A hand of two suits or more is no pure dragon, whatever its ranks; of one suit there are four.
    assert count_by_suits(Natural.PURE_DRAGON) == 4


def test_count_of_one_colour() -> None:
    assert count_by_suits(Natural.ONE_COLOUR) == 2 * comb(26, 13) == 20_801_200


def test_count_of_twelve_of_one_colour() -> None:
    expected = 2 * (comb(26, 12) * 26 + comb(26, 13))
    assert count_by_suits(Natural.TWELVE_ONE) == expected == 523_001_600


def test_count_of_twelve_of_one_suit() -> None:
    expected = 4 * (comb(13, 12) * 39 + 1)
    assert count_by_suits(Natural.TWELVE_ONE, twelve_by="suit") == expected == 2_032


def test_count_of_three_flushes() -> None:
    expected = (
        4 * 3 * comb(13, 5) ** 2 * comb(13, 3)
        + 4 * 3 * comb(13, 8) * comb(13, 5)
        + 4 * 3 * comb(13, 10) * comb(13, 3)
        + 4
    )
    assert count_by_suits(Natural.THREE_FLUSHES) == expected == 5_705_516_392


# Exact counts for what depends on where the ranks lie


def count_by_bands(natural: Natural) -> int:
    """Over how many cards are from 2-7, eights, from 9-T and from J-A."""
    bands = [of_rank(*ranks) for ranks in ("234567", "8", "9T", "JQKA")]
    count = 0
    for numbers in product(*(range(min(13, len(band)) + 1) for band in bands)):
        if sum(numbers) == 13:
            parts = zip(bands, numbers, strict=True)
            if holds(natural, [card for band, number in parts for card in band[:number]]):
                count += prod(map(comb, map(len, bands), numbers))
    return count


def test_count_of_twelve_royals() -> None:
    assert count_by_bands(Natural.TWELVE_ROYALS) == comb(16, 13) == 560


def test_count_of_all_big_and_all_small() -> None:
    assert count_by_bands(Natural.ALL_BIG) == comb(28, 13) == 37_442_160
    assert count_by_bands(Natural.ALL_SMALL) == comb(28, 13)


def counts_of(ranks: str) -> tuple[int, ...]:
    return tuple(map(ranks.count, RANKS))


def neighbours(counts: Sequence[int]) -> Iterator[tuple[int, ...]]:
    """The rank counts that differ by one card."""
    for lost, gained in product(range(13), repeat=2):
        if lost != gained and counts[lost] and counts[gained] < 4:
            changed = list(counts)
            changed[lost] -= 1
            changed[gained] += 1
            yield tuple(changed)


@pytest.mark.long
@each((True, 2_029_579_776), (False, 1_799_936_256))
def test_count_of_three_straights(
    high_front: bool, count: int, share: Share[tuple[int, ...]]
) -> None:
    straights = set(map(counts_of, straight_ranks(high_front)))
    candidates = straights.union(*map(neighbours, straights))
    for counts in share(sorted(candidates)):
        is_held = holds(Natural.THREE_STRAIGHTS, of_counts(counts), high_front=high_front)
        assert is_held == (counts in straights), counts
    assert sum(map(deals_of_counts, straights)) == count


@pytest.mark.slow
@each((True, 22_060), (False, 20_092))
def test_count_of_three_straight_flushes(high_front: bool, count: int, share: Share[Hand]) -> None:
    deals = [hand for hand in straight_flush_hands(high_front=high_front) if len(hand) == 13]
    known = set(map(frozenset, deals))
    natural = Natural.THREE_STRAIGHT_FLUSHES
    assert len(deals) == count
    assert all(holds(natural, hand, high_front=high_front) for hand in share(deals))
    for hand in share(deals[::800]):
        for lost, gained in product(hand, set(DECK) - set(hand)):
            other = [gained if card is lost else card for card in hand]
            assert holds(natural, other, high_front=high_front) == (frozenset(other) in known)
