"""Naturals: tables of hands, exact counts over all deals, and jokers against trying every card."""

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import cache, partial
from itertools import combinations_with_replacement, product
from math import comb, factorial, prod
from random import Random
from typing import Any, TypeAlias

import msgspec
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.cards import DECK, JOKERS, RANKS, SUITS, Card, cards_text, parse_cards
from games.rules.thirteen import naturals
from games.rules.thirteen.naturals import Natural, holds

ALL_DEALS = comb(52, 13)

Hand: TypeAlias = tuple[Card, ...]
Reading: TypeAlias = dict[str, Any]


def held(
    cards: Sequence[Card], naturals: Sequence[Natural], **variants: Any
) -> tuple[Natural, ...]:
    return tuple(natural for natural in naturals if holds(natural, cards, **variants))


def of_cards(text: str) -> Hand:
    """A hand as its cards; a star is a joker."""
    return checked(parse_cards(with_jokers(text)))


def of_ranks(text: str) -> Hand:
    """A hand of these ranks, whose suits begin anew at every rank."""
    counts = Counter(text.replace(" ", ""))
    jokers = counts.pop("*", 0)
    texts = [rank + SUITS[index] for rank, count in counts.items() for index in range(count)]
    return checked((*(Card(card) for card in texts), *JOKERS[:jokers]))


def of_suits(text: str) -> Hand:
    """A hand of these suits, whose ranks begin anew at every suit."""
    counts = Counter(text.replace(" ", ""))
    jokers = counts.pop("*", 0)
    texts = [RANKS[index] + suit for suit, count in counts.items() for index in range(count)]
    return checked((*(Card(card) for card in texts), *JOKERS[:jokers]))


def with_jokers(text: str) -> str:
    return text.replace("*", "BJ", 1).replace("*", "RJ", 1)


def checked(hand: Hand) -> Hand:
    assert len(set(hand)) == len(hand) == 13
    return hand


def of_rank(*ranks: str) -> list[Card]:
    return [card for card in DECK if card.text[0] in ranks]


def of_suit(*suits: str) -> list[Card]:
    return [card for card in DECK if card.text[1] in suits]


# Tables of hands

NO_HIGH_FRONT: Reading = {"high_front": False}
BY_SUIT: Reading = {"twelve_by": "suit"}

HELD: list[tuple[Natural, Reading, Hand]] = [
    (Natural.THIRTEEN_SUITED, {}, of_suits("c" * 13)),
    (Natural.THIRTEEN_SUITED, {}, of_suits("s" * 13)),
    (Natural.THIRTEEN_SUITED, {}, of_suits("h" * 11 + "**")),
    (Natural.DRAGON, {}, of_ranks("23456789TJQKA")),
    (Natural.DRAGON, {}, of_cards("2c3d4h5s6c7d8h9sTcJdQhKsAc")),
    (Natural.DRAGON, {}, of_ranks("3456789TJQKA *")),
    (Natural.DRAGON, {}, of_ranks("3456789TJQK **")),
    (Natural.PURE_DRAGON, {}, of_suits("d" * 13)),
    (Natural.PURE_DRAGON, {}, of_suits("d" * 12 + "*")),
    (Natural.PURE_DRAGON, {}, of_cards("3h4h5h6h7h8h9hJhQhKhAh**")),
    (Natural.TWELVE_ONE, {}, of_suits("cccccc ssssss d")),
    (Natural.TWELVE_ONE, {}, of_suits("dddddd hhhhhhh")),
    (Natural.TWELVE_ONE, {}, of_suits("ddddd hhhhhh c *")),
    (Natural.TWELVE_ONE, {}, of_suits("ddddd hhhhh c **")),
    (Natural.TWELVE_ONE, BY_SUIT, of_suits("c" * 12 + "d")),
    (Natural.TWELVE_ONE, BY_SUIT, of_suits("c" * 12 + "s")),
    (Natural.TWELVE_ONE, BY_SUIT, of_suits("s" * 13)),
    (Natural.TWELVE_ONE, BY_SUIT, of_suits("h" * 10 + "c**")),
    (Natural.TRIPS_FIVE_PAIRS, {}, of_ranks("222 33 44 55 66 77")),
    (Natural.TRIPS_FIVE_PAIRS, {}, of_ranks("AAA KKKK QQQQ 22")),
    (Natural.TRIPS_FIVE_PAIRS, {}, of_ranks("22 33 44 55 66 77 *")),
    (Natural.TRIPS_FIVE_PAIRS, {}, of_ranks("22 33 44 55 66 7 **")),
    (Natural.TRIPS_FIVE_PAIRS, {}, of_ranks("22 33 44 55 666 **")),
    # Five eights: three and two of them.
    (Natural.TRIPS_FIVE_PAIRS, {}, of_ranks("8888 22 33 44 55 *")),
    # The jokers are a pair of their own.
    (Natural.TRIPS_FIVE_PAIRS, {}, of_ranks("8888 222 33 44 **")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("A23 45678 9TJQK")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("A23 A2345 TJQKA")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("QKA A2345 23456")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("345 34567 34567")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("3*5 34567 34*67")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("QK* A2345 A2345")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("5 34567 34567 **")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("A23 A234* TJ*KA")),
    (Natural.THREE_STRAIGHTS, NO_HIGH_FRONT, of_ranks("A23 45678 9TJQK")),
    (Natural.THREE_STRAIGHTS, NO_HIGH_FRONT, of_ranks("JQK A2345 TJQKA")),
    # A dragon needs Q-K-A in no row of three.
    (Natural.THREE_STRAIGHTS, NO_HIGH_FRONT, of_ranks("QKA 23456 789TJ")),
    (Natural.THREE_STRAIGHTS, NO_HIGH_FRONT, of_ranks("*QK A2345 6789T")),
    (Natural.THREE_FLUSHES, {}, of_suits("ccc ddddd hhhhh")),
    (Natural.THREE_FLUSHES, {}, of_suits("cccccccc sssss")),
    (Natural.THREE_FLUSHES, {}, of_suits("cccccccccc hhh")),
    (Natural.THREE_FLUSHES, {}, of_suits("ccccccccccccc")),
    (Natural.THREE_FLUSHES, {}, of_suits("cc ddddd hhhh **")),
    (Natural.THREE_FLUSHES, {}, of_suits("ccccccc sssss *")),
    (Natural.THREE_FLUSHES, {}, of_suits("c ddddd hhhhh **")),
    (Natural.SIX_PAIRS, {}, of_ranks("22 33 44 55 66 77 8")),
    (Natural.SIX_PAIRS, {}, of_ranks("22 33 44 55 66 777")),
    (Natural.SIX_PAIRS, {}, of_ranks("2222 3333 4444 5")),
    (Natural.SIX_PAIRS, {}, of_ranks("2222 333 4444 55")),
    (Natural.SIX_PAIRS, {}, of_ranks("22 33 44 55 66 7 8*")),
    (Natural.SIX_PAIRS, {}, of_ranks("22 33 44 55 6 7 8 **")),
    (Natural.SIX_PAIRS, {}, of_ranks("22 33 44 55 66 7 **")),
    (Natural.FOUR_TRIPS, {}, of_ranks("222 333 444 555 6")),
    (Natural.FOUR_TRIPS, {}, of_ranks("2222 333 444 555")),
    (Natural.FOUR_TRIPS, {}, of_ranks("222 333 444 55 6 *")),
    (Natural.FOUR_TRIPS, {}, of_ranks("222 333 44 55 6 **")),
    (Natural.FOUR_TRIPS, {}, of_ranks("222 333 444 5 6 **")),
    # Six twos: three and three of them.
    (Natural.FOUR_TRIPS, {}, of_ranks("2222 333 444 5 **")),
    (Natural.THREE_FOURS, {}, of_ranks("2222 3333 4444 5")),
    (Natural.THREE_FOURS, {}, of_ranks("2222 3333 444 5 *")),
    (Natural.THREE_FOURS, {}, of_ranks("2222 3333 44 5 **")),
    (Natural.THREE_FOURS, {}, of_ranks("2222 333 444 5 **")),
    (Natural.THREE_STRAIGHT_FLUSHES, {}, of_cards("2c3c4c 5d6d7d8d9d ThJhQhKhAh")),
    (Natural.THREE_STRAIGHT_FLUSHES, {}, of_cards("QcKcAc Ad2d3d4d5d 6c7c8c9cTc")),
    (Natural.THREE_STRAIGHT_FLUSHES, {}, of_suits("s" * 13)),
    (Natural.THREE_STRAIGHT_FLUSHES, {}, of_cards("2c*4c 5d6d7d8d9d ThJhQhKhAh")),
    (Natural.THREE_STRAIGHT_FLUSHES, {}, of_cards("2c3c4c 5d6d*8d9d ThJhQh*Ah")),
    # A joker is the five of diamonds a second time.
    (Natural.THREE_STRAIGHT_FLUSHES, {}, of_cards("3d4d5d *6d7d8d9d ThJhQhKhAh")),
    (Natural.THREE_STRAIGHT_FLUSHES, NO_HIGH_FRONT, of_suits("s" * 13)),
    (Natural.THREE_STRAIGHT_FLUSHES, NO_HIGH_FRONT, of_cards("JcQcKc Ad2d3d4d5d 6c7c8c9cTc")),
    (Natural.THREE_STRAIGHT_FLUSHES, NO_HIGH_FRONT, of_cards("*QcKc Ad2d3d4d5d 6h7h8h9hTh")),
    (Natural.TWELVE_ROYALS, {}, of_ranks("JJJJ QQQQ KKKK A")),
    (Natural.TWELVE_ROYALS, {}, of_ranks("JJJ QQQ KKK AAAA")),
    (Natural.TWELVE_ROYALS, {}, of_ranks("JJJ QQQ KK AAA **")),
    (Natural.ALL_BIG, {}, of_ranks("8899TTJJQQKKA")),
    (Natural.ALL_BIG, {}, of_ranks("8888 9999 TTTT *")),
    (Natural.ALL_SMALL, {}, of_ranks("2233445566778")),
    (Natural.ALL_SMALL, {}, of_ranks("8888 7777 666 **")),
    (Natural.ONE_COLOUR, {}, of_suits("ccccccc ssssss")),
    (Natural.ONE_COLOUR, {}, of_suits("d hhhhhhhhhhhh")),
    (Natural.ONE_COLOUR, {}, of_suits("ddddd hhhhhh **")),
    (Natural.DOUBLE_FULL_HOUSE, {}, of_ranks("222 333 44 55 66 7")),
    (Natural.DOUBLE_FULL_HOUSE, {}, of_ranks("2222 333 44 55 66")),
    (Natural.DOUBLE_FULL_HOUSE, {}, of_ranks("222 333 4444 55 6")),
    (Natural.DOUBLE_FULL_HOUSE, {}, of_ranks("222 333 444 55 66")),
    (Natural.DOUBLE_FULL_HOUSE, {}, of_ranks("222 333 444 5555")),
    (Natural.DOUBLE_FULL_HOUSE, {}, of_ranks("222 33 44 55 66 7 *")),
    (Natural.DOUBLE_FULL_HOUSE, {}, of_ranks("22 33 44 55 66 7 **")),
    (Natural.DOUBLE_FULL_HOUSE, {}, of_ranks("8888 33 44 555 **")),
]

MISSED: list[tuple[Natural, Reading, Hand]] = [
    (Natural.THIRTEEN_SUITED, {}, of_suits("c" * 12 + "s")),
    (Natural.THIRTEEN_SUITED, {}, of_suits("c" * 10 + "s**")),
    (Natural.DRAGON, {}, of_ranks("23456789TJQKK")),
    (Natural.DRAGON, {}, of_ranks("23456789TTJ **")),
    (Natural.PURE_DRAGON, {}, of_suits("c" * 12 + "d")),
    (Natural.PURE_DRAGON, {}, of_cards("3h4h5h6h7h8h9hJhQhKhAd**")),
    (Natural.PURE_DRAGON, {}, of_ranks("23456789TJQAA")),
    (Natural.TWELVE_ONE, {}, of_suits("cccccc sssss dh")),
    (Natural.TWELVE_ONE, {}, of_suits("ccccc sssss dh *")),
    (Natural.TWELVE_ONE, {}, of_suits("cccc sssss dh **")),
    (Natural.TWELVE_ONE, BY_SUIT, of_suits("c" * 11 + "ss")),
    (Natural.TWELVE_ONE, BY_SUIT, of_suits("ccccccc ssssss")),
    (Natural.TWELVE_ONE, BY_SUIT, of_suits("h" * 9 + "cd**")),
    (Natural.TRIPS_FIVE_PAIRS, {}, of_ranks("22 33 44 55 66 77 8")),
    (Natural.TRIPS_FIVE_PAIRS, {}, of_ranks("2222 3333 4444 5")),
    (Natural.TRIPS_FIVE_PAIRS, {}, of_ranks("222 333 44 55 66 7")),
    (Natural.TRIPS_FIVE_PAIRS, {}, of_ranks("22 33 44 55 6 7 8 **")),
    (Natural.TRIPS_FIVE_PAIRS, {}, of_ranks("22 33 44 55 66 7 8 *")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("KA2 34567 34567")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("345 QKA23 45678")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("346 34567 34567")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("34 33 34567 4567")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("6666 345 457 78 *")),
    (Natural.THREE_STRAIGHTS, {}, of_ranks("2 7 34567 9TJQ **")),
    (Natural.THREE_STRAIGHTS, NO_HIGH_FRONT, of_ranks("QKA A2345 23456")),
    (Natural.THREE_STRAIGHTS, NO_HIGH_FRONT, of_ranks("KA2 34567 34567")),
    (Natural.THREE_FLUSHES, {}, of_suits("cccc dddd hhhhh")),
    (Natural.THREE_FLUSHES, {}, of_suits("ccccccc ssssss")),
    (Natural.THREE_FLUSHES, {}, of_suits("ccccccccc hhhh")),
    (Natural.THREE_FLUSHES, {}, of_suits("cccccc ssssss *")),
    (Natural.THREE_FLUSHES, {}, of_suits("c d hhhhh ssss **")),
    (Natural.SIX_PAIRS, {}, of_ranks("22 33 44 55 66 7 8 9")),
    (Natural.SIX_PAIRS, {}, of_ranks("222 333 444 555 6")),
    (Natural.SIX_PAIRS, {}, of_ranks("22 33 44 55 6 7 8 *9")),
    (Natural.SIX_PAIRS, {}, of_ranks("22 33 44 5 6 7 8 9 **")),
    (Natural.FOUR_TRIPS, {}, of_ranks("222 333 444 55 66")),
    (Natural.FOUR_TRIPS, {}, of_ranks("2222 3333 4444 5")),
    (Natural.FOUR_TRIPS, {}, of_ranks("222 333 44 55 66 *")),
    (Natural.FOUR_TRIPS, {}, of_ranks("222 33 44 55 66 **")),
    (Natural.THREE_FOURS, {}, of_ranks("2222 3333 444 55")),
    (Natural.THREE_FOURS, {}, of_ranks("2222 3333 44 55 *")),
    (Natural.THREE_FOURS, {}, of_ranks("2222 333 44 55 **")),
    (Natural.THREE_STRAIGHT_FLUSHES, {}, of_cards("2c3c4d 5d6d7d8d9d ThJhQhKhAh")),
    (Natural.THREE_STRAIGHT_FLUSHES, {}, of_cards("Kc2cAc 5d6d7d8d9d ThJhQhKhAh")),
    # Straights and flushes, but not at once.
    (Natural.THREE_STRAIGHT_FLUSHES, {}, of_cards("2c3c4c 5d6d7d8d9h ThJhQhKhAd")),
    (Natural.THREE_STRAIGHT_FLUSHES, {}, of_cards("2c3c4c 5d6d7d8d9h ThJhQh*Ad")),
    (Natural.THREE_STRAIGHT_FLUSHES, NO_HIGH_FRONT, of_cards("QcKcAc Ad2d3d4d5d 6c7c8c9cTc")),
    (Natural.TWELVE_ROYALS, {}, of_ranks("JJJJ QQQQ KKKK T")),
    (Natural.TWELVE_ROYALS, {}, of_ranks("JJJJ QQQQ KK T **")),
    (Natural.ALL_BIG, {}, of_ranks("7899TTJJQQKKA")),
    (Natural.ALL_BIG, {}, of_ranks("7888 9999 TTT **")),
    (Natural.ALL_SMALL, {}, of_ranks("2233445566779")),
    (Natural.ALL_SMALL, {}, of_ranks("A233445566778")),
    (Natural.ALL_SMALL, {}, of_ranks("A2334455667 **")),
    (Natural.ONE_COLOUR, {}, of_suits("ccccccc sssss d")),
    (Natural.ONE_COLOUR, {}, of_suits("ccccc sssss d **")),
    (Natural.DOUBLE_FULL_HOUSE, {}, of_ranks("222 333 44 55 6 7 8")),
    (Natural.DOUBLE_FULL_HOUSE, {}, of_ranks("222 33 44 55 66 77")),
    (Natural.DOUBLE_FULL_HOUSE, {}, of_ranks("2222 3333 4444 5")),
    (Natural.DOUBLE_FULL_HOUSE, {}, of_ranks("22 33 44 55 66 7 8 *")),
    (Natural.DOUBLE_FULL_HOUSE, {}, of_ranks("22 33 44 55 6 7 8 **")),
]


@pytest.mark.parametrize(("natural", "reading", "hand"), HELD)
def test_held(natural: Natural, reading: Reading, hand: Hand) -> None:
    assert holds(natural, hand, **reading)
    assert holds(natural, hand[::-1], **reading)


@pytest.mark.parametrize(("natural", "reading", "hand"), MISSED)
def test_nearly_held(natural: Natural, reading: Reading, hand: Hand) -> None:
    assert not holds(natural, hand, **reading)
    assert not holds(natural, hand[::-1], **reading)


def test_tables_name_every_natural() -> None:
    assert {natural for natural, _, _ in HELD} == set(Natural)
    assert {natural for natural, _, _ in MISSED} == set(Natural)


def test_held_keeps_the_order_of_the_names() -> None:
    hand = of_suits("s" * 13)
    names = (Natural.THREE_FLUSHES, Natural.SIX_PAIRS, Natural.PURE_DRAGON, Natural.ONE_COLOUR)
    assert held(hand, names) == (Natural.THREE_FLUSHES, Natural.PURE_DRAGON, Natural.ONE_COLOUR)
    assert held(hand, names[::-1]) == (
        Natural.ONE_COLOUR,
        Natural.PURE_DRAGON,
        Natural.THREE_FLUSHES,
    )
    assert held(hand, ()) == ()


def test_held_takes_the_readings_of_a_game() -> None:
    names = (Natural.THREE_STRAIGHTS, Natural.TWELVE_ONE)
    hand = of_cards("QcKcAc As2s3s4s5s 2c3c4c5c6d")
    assert held(hand, names) == names
    assert held(hand, names, high_front=False) == (Natural.TWELVE_ONE,)
    assert held(hand, names, twelve_by="suit") == (Natural.THREE_STRAIGHTS,)
    assert held(hand, names, high_front=False, twelve_by="suit") == ()


def test_every_natural_has_a_predicate_of_its_name() -> None:
    table = naturals.predicates()
    assert tuple(table) == tuple(Natural)
    for natural, predicate in table.items():
        function = predicate.func if isinstance(predicate, partial) else predicate
        assert function is getattr(naturals, natural.value)


def test_json_knows_the_names_and_no_others() -> None:
    class Declaration(msgspec.Struct):
        natural: Natural | None

    for natural in Natural:
        text = b'{"natural":"%s"}' % natural.value.encode()
        assert msgspec.json.decode(text, type=Declaration).natural is natural
        assert msgspec.json.encode(Declaration(natural)) == text
    with pytest.raises(msgspec.ValidationError):
        msgspec.json.decode(b'{"natural":"seven_pairs"}', type=Declaration)


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


# Straights: every way to put three together, built from the rows up

RUN = "A23456789TJQKA"


def runs(length: int, high: bool = True) -> list[str]:
    return [RUN[start : start + length] for start in range(14 - length + high)]


@cache
def straight_ranks(high_front: bool = True) -> frozenset[str]:
    """The ranks, sorted, of all hands that are three straights."""
    backs = combinations_with_replacement(runs(5), 2)
    return frozenset(
        "".join(sorted(front + middle + back))
        for (middle, back), front in product(backs, runs(3, high_front))
    )


@cache
def straight_flush_cards(high_front: bool = True) -> frozenset[str]:
    """The cards, sorted, of all hands that are three straight flushes, doubled cards too."""

    def rows(length: int, high: bool = True) -> list[tuple[str, ...]]:
        suited = product(runs(length, high), SUITS)
        return [tuple(rank + suit for rank in run) for run, suit in suited]

    backs = [middle + back for middle, back in combinations_with_replacement(rows(5), 2)]
    return frozenset(
        "".join(sorted(front + back)) for front, back in product(rows(3, high_front), backs)
    )


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


@pytest.mark.parametrize(("high_front", "count"), [(True, 2_029_579_776), (False, 1_799_936_256)])
def test_count_of_three_straights(high_front: bool, count: int) -> None:
    straights = set(map(counts_of, straight_ranks(high_front)))
    candidates = straights.union(*map(neighbours, straights))
    found = {
        counts
        for counts in candidates
        if holds(Natural.THREE_STRAIGHTS, of_counts(counts), high_front=high_front)
    }
    assert found == straights
    assert sum(map(deals_of_counts, found)) == count


@pytest.mark.long
@pytest.mark.parametrize(("high_front", "count"), [(True, 22_060), (False, 20_092)])
def test_count_of_three_straight_flushes(high_front: bool, count: int) -> None:
    deals = [hand for hand in straight_flush_hands(high_front=high_front) if len(hand) == 13]
    known = set(map(frozenset, deals))
    natural = Natural.THREE_STRAIGHT_FLUSHES
    assert all(holds(natural, hand, high_front=high_front) for hand in deals)
    assert len(deals) == count
    for hand in deals[::400]:
        for lost, gained in product(hand, set(DECK) - set(hand)):
            other = [gained if card is lost else card for card in hand]
            assert holds(natural, other, high_front=high_front) == (frozenset(other) in known)


# Jokers: a hand holds a natural if and only if some card for each joker makes one that does. What
# a hand without jokers holds is decided here anew, for hands with a card twice as well.


def merged(sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """What becomes of groups of cards when some of them happen to be of the same rank."""
    if not sizes:
        return [()]
    first, others = sizes[0], merged(sizes[1:])
    apart = {tuple(sorted((first, *rest))) for rest in others}
    together = {
        tuple(sorted((*rest[:place], rest[place] + first, *rest[place + 1 :])))
        for rest in others
        for place in range(len(rest))
    }
    return sorted(apart | together)


SHAPES = {
    Natural.SIX_PAIRS: merged((2, 2, 2, 2, 2, 2, 1)),
    Natural.TRIPS_FIVE_PAIRS: merged((3, 2, 2, 2, 2, 2)),
    Natural.DOUBLE_FULL_HOUSE: merged((3, 3, 2, 2, 2, 1)),
    Natural.FOUR_TRIPS: merged((3, 3, 3, 3, 1)),
    Natural.THREE_FOURS: merged((4, 4, 4, 1)),
}
FLUSH_SHAPES = merged((5, 5, 3))


Decision: TypeAlias = Callable[[str, str, Reading], bool]

# By the ranks and the suits of the thirteen cards.
DECISIONS: dict[Natural, Decision] = {
    Natural.THIRTEEN_SUITED: lambda ranks, suits, reading: len(set(suits)) == 1,
    Natural.DRAGON: lambda ranks, suits, reading: len(set(ranks)) == 13,
    Natural.PURE_DRAGON: lambda ranks, suits, reading: (
        (len(set(ranks)), len(set(suits))) == (13, 1)
    ),
    Natural.TWELVE_ONE: lambda ranks, suits, reading: (
        max(map(suits.count, SUITS)) >= 12 if reading else not 1 < reds(suits) < 12
    ),
    Natural.THREE_STRAIGHTS: lambda ranks, suits, reading: (
        "".join(sorted(ranks)) in straight_ranks(**reading)
    ),
    Natural.THREE_FLUSHES: lambda ranks, suits, reading: shape_of(suits) in FLUSH_SHAPES,
    Natural.THREE_STRAIGHT_FLUSHES: lambda ranks, suits, reading: (
        "".join(sorted(map(str.__add__, ranks, suits))) in straight_flush_cards(**reading)
    ),
    Natural.TWELVE_ROYALS: lambda ranks, suits, reading: set(ranks) <= set("JQKA"),
    Natural.ALL_BIG: lambda ranks, suits, reading: set(ranks) <= set("89TJQKA"),
    Natural.ALL_SMALL: lambda ranks, suits, reading: set(ranks) <= set("2345678"),
    Natural.ONE_COLOUR: lambda ranks, suits, reading: reds(suits) in {0, 13},
} | {
    natural: lambda ranks, suits, reading, shapes=shapes: shape_of(ranks) in shapes
    for natural, shapes in SHAPES.items()
}


def reds(suits: str) -> int:
    return suits.count("d") + suits.count("h")


def shape_of(ranks_or_suits: str) -> tuple[int, ...]:
    return tuple(sorted(Counter(ranks_or_suits).values()))


def is_held_by_trying(natural: Natural, hand: Hand, reading: Reading) -> bool:
    decide = DECISIONS[natural]
    real = [card.text for card in hand if not card.is_joker]
    ranks, suits = map("".join, zip(*real, strict=True))
    return any(
        decide(
            ranks + "".join(card.text[0] for card in stand_ins),
            suits + "".join(card.text[1] for card in stand_ins),
            reading,
        )
        for stand_ins in combinations_with_replacement(DECK, 13 - len(real))
    )


READINGS: list[tuple[Natural, Reading]] = [
    *((natural, {}) for natural in Natural),
    (Natural.TWELVE_ONE, BY_SUIT),
    (Natural.THREE_STRAIGHTS, NO_HIGH_FRONT),
    (Natural.THREE_STRAIGHT_FLUSHES, NO_HIGH_FRONT),
]


def natural_cards(random: Random, natural: Natural, reading: Reading) -> list[Card]:
    """The real cards of a hand that holds the natural; where it has a card too often, none."""
    match natural:
        case Natural.DRAGON:
            return suited(random, RANKS)
        case Natural.THREE_STRAIGHTS:
            return suited(random, random.choice(sorted(straight_ranks(**reading))))
        case Natural.THREE_STRAIGHT_FLUSHES:
            return list(random.choice(straight_flush_hands(**reading)))
        case Natural.THREE_FLUSHES:
            counts = zip(random.sample(SUITS, 4), random.choice(FLUSH_SHAPES), strict=False)
            return [card for suit, count in counts for card in random.sample(of_suit(suit), count)]
        case _ if natural in SHAPES:
            counts = zip(
                random.sample(RANKS, 13), random.choice(dealt_shapes(natural)), strict=False
            )
            return suited(random, "".join(rank * count for rank, count in counts))
        case _:
            return random.sample(random.choice(sources(natural, reading)), 13)


def suited(random: Random, ranks: str) -> list[Card]:
    return [
        Card(rank + suit)
        for rank, count in Counter(ranks).items()
        for suit in random.sample(SUITS, min(4, count))
    ]


def dealt_shapes(natural: Natural) -> list[tuple[int, ...]]:
    """The shapes of the natural that one deck and two jokers can make."""
    return [shape for shape in SHAPES[natural] if sum(max(0, count - 4) for count in shape) <= 2]


@cache
def straight_flush_hands(high_front: bool = True) -> list[tuple[Card, ...]]:
    """The real cards of those three straight flushes that one deck and two jokers can make."""
    every = (tuple(dict.fromkeys(parse_cards(text))) for text in straight_flush_cards(high_front))
    return sorted((hand for hand in every if len(hand) >= 11), key=cards_text)


def sources(natural: Natural, reading: Reading) -> list[list[Card]]:
    """The parts of the deck any thirteen cards of which hold the natural."""
    match natural:
        case Natural.TWELVE_ROYALS:
            return [of_rank(*"JQKA")]
        case Natural.ALL_BIG:
            return [of_rank(*"89TJQKA")]
        case Natural.ALL_SMALL:
            return [of_rank(*"2345678")]
        case Natural.TWELVE_ONE | Natural.ONE_COLOUR if not reading:
            return [of_suit(*"dh"), of_suit(*"cs")]
        case _:
            return [of_suit(suit) for suit in SUITS]


def near_hand(seed: int, natural: Natural, reading: Reading) -> Hand:
    """A hand at or beside the natural: some cards of it exchanged, up to two of them for jokers."""
    random = Random(seed)
    real = natural_cards(random, natural, reading)
    jokers = max(13 - len(real), random.randrange(3))
    strangers = random.sample([card for card in DECK if card not in real], random.randrange(5))
    kept = random.sample(real, 13 - jokers - len(strangers))
    return checked(tuple(random.sample([*kept, *strangers, *JOKERS[:jokers]], 13)))


@pytest.mark.long
@pytest.mark.parametrize(("natural", "reading"), READINGS)
def test_jokers_hold_what_some_cards_for_them_hold(natural: Natural, reading: Reading) -> None:
    outcomes: Counter[tuple[int, bool]] = Counter()

    @settings(max_examples=300, derandomize=True, database=None, deadline=None)
    @given(st.integers(0, 2**32))
    def check(seed: int) -> None:
        hand = near_hand(seed, natural, reading)
        expected = is_held_by_trying(natural, hand, reading)
        assert holds(natural, hand, **reading) == expected, cards_text(hand)
        outcomes[sum(card.is_joker for card in hand), expected] += 1

    check()
    # With no joker, one and two, both outcomes came up often enough to mean something.
    assert min(outcomes[jokers, outcome] for jokers in range(3) for outcome in (True, False)) >= 5
