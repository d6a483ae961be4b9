"""Naturals: tables of hands that hold them, and of hands that nearly do."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
import pytest

from games.rules.cards import JOKERS, SUITS, Card, parse_cards
from games.rules.thirteen import naturals
from games.rules.thirteen.naturals import Natural, holds
from tests.rules.cases import each
from tests.rules.naturals import BY_SUIT, NO_HIGH_FRONT, Hand, Reading, checked, of_suits


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


def with_jokers(text: str) -> str:
    return text.replace("*", "BJ", 1).replace("*", "RJ", 1)


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


@each(*HELD)
def test_held(natural: Natural, reading: Reading, hand: Hand) -> None:
    assert holds(natural, hand, **reading)
    assert holds(natural, hand[::-1], **reading)


@each(*MISSED)
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
