"""Naturals: tables of hands that hold them, and of hands that nearly do."""

from collections import Counter
from collections.abc import Sequence
from functools import partial
from typing import Any

import msgspec
import pytest

from games.rules.cards import JOKERS, RANKS, SUITS, Card, parse_cards
from games.rules.thirteen import naturals
from games.rules.thirteen.naturals import Natural, holds
from tests.rules.cases import each
from tests.rules.naturals import Hand, Reading, checked, of_suits


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


READINGS: dict[str, Reading] = {
    "": {},
    "by suit": {"twelve_by": "suit"},
    "no high front": {"high_front": False},
}


def read_table(text: str) -> list[tuple[Natural, Reading, Hand]]:
    """Hands by natural, and by how a game reads it: given as suits, as ranks, or as cards."""
    table = []
    for line in text.strip().splitlines():
        if line.startswith("#"):
            continue
        head, _, hands = line.partition(": ")
        name, _, reading = head.partition(" ")
        for hand in hands.split(" | "):
            kinds = set(hand) - set("* ")
            read = of_suits if kinds <= set(SUITS) else of_cards
            read = of_ranks if kinds <= set(RANKS) else read
            table.append((Natural(name), READINGS[reading], read(hand)))
    return table


HELD = read_table("""
thirteen_suited: ccccccccccccc | sssssssssssss | hhhhhhhhhhh**
dragon: 23456789TJQKA | 2c3d4h5s6c7d8h9sTcJdQhKsAc | 3456789TJQKA * | 3456789TJQK **
pure_dragon: ddddddddddddd | dddddddddddd* | 3h4h5h6h7h8h9hJhQhKhAh**
twelve_one: cccccc ssssss d | dddddd hhhhhhh | ddddd hhhhhh c * | ddddd hhhhh c **
twelve_one by suit: ccccccccccccd | ccccccccccccs | sssssssssssss | hhhhhhhhhhc**
# Five eights: three and two of them.
# The jokers are a pair of their own.
trips_five_pairs: 222 33 44 55 66 77 | AAA KKKK QQQQ 22 | 22 33 44 55 66 77 * | 22 33 44 55 66 7 **
trips_five_pairs: 22 33 44 55 666 ** | 8888 22 33 44 55 * | 8888 222 33 44 **
three_straights: A23 45678 9TJQK | A23 A2345 TJQKA | QKA A2345 23456 | 345 34567 34567
three_straights: 3*5 34567 34*67 | QK* A2345 A2345 | 5 34567 34567 ** | A23 A234* TJ*KA
# A dragon needs Q-K-A in no row of three.
three_straights no high front: A23 45678 9TJQK | JQK A2345 TJQKA | QKA 23456 789TJ | *QK A2345 6789T
three_flushes: ccc ddddd hhhhh | cccccccc sssss | cccccccccc hhh | ccccccccccccc | cc ddddd hhhh **
three_flushes: ccccccc sssss * | c ddddd hhhhh **
six_pairs: 22 33 44 55 66 77 8 | 22 33 44 55 66 777 | 2222 3333 4444 5 | 2222 333 4444 55
six_pairs: 22 33 44 55 66 7 8* | 22 33 44 55 6 7 8 ** | 22 33 44 55 66 7 **
# Six twos: three and three of them.
four_trips: 222 333 444 555 6 | 2222 333 444 555 | 222 333 444 55 6 * | 222 333 44 55 6 **
four_trips: 222 333 444 5 6 ** | 2222 333 444 5 **
three_fours: 2222 3333 4444 5 | 2222 3333 444 5 * | 2222 3333 44 5 ** | 2222 333 444 5 **
# A joker is the five of diamonds a second time.
three_straight_flushes: 2c3c4c 5d6d7d8d9d ThJhQhKhAh | QcKcAc Ad2d3d4d5d 6c7c8c9cTc | sssssssssssss
three_straight_flushes: 2c*4c 5d6d7d8d9d ThJhQhKhAh | 2c3c4c 5d6d*8d9d ThJhQh*Ah
three_straight_flushes: 3d4d5d *6d7d8d9d ThJhQhKhAh
three_straight_flushes no high front: sssssssssssss | JcQcKc Ad2d3d4d5d 6c7c8c9cTc
three_straight_flushes no high front: *QcKc Ad2d3d4d5d 6h7h8h9hTh
twelve_royals: JJJJ QQQQ KKKK A | JJJ QQQ KKK AAAA | JJJ QQQ KK AAA **
all_big: 8899TTJJQQKKA | 8888 9999 TTTT *
all_small: 2233445566778 | 8888 7777 666 **
one_colour: ccccccc ssssss | d hhhhhhhhhhhh | ddddd hhhhhh **
double_full_house: 222 333 44 55 66 7 | 2222 333 44 55 66 | 222 333 4444 55 6 | 222 333 444 55 66
double_full_house: 222 333 444 5555 | 222 33 44 55 66 7 * | 22 33 44 55 66 7 ** | 8888 33 44 555 **
""")

MISSED = read_table("""
thirteen_suited: ccccccccccccs | ccccccccccs**
dragon: 23456789TJQKK | 23456789TTJ **
pure_dragon: ccccccccccccd | 3h4h5h6h7h8h9hJhQhKhAd** | 23456789TJQAA
twelve_one: cccccc sssss dh | ccccc sssss dh * | cccc sssss dh **
twelve_one by suit: cccccccccccss | ccccccc ssssss | hhhhhhhhhcd**
trips_five_pairs: 22 33 44 55 66 77 8 | 2222 3333 4444 5 | 222 333 44 55 66 7 | 22 33 44 55 6 7 8 **
trips_five_pairs: 22 33 44 55 66 7 8 *
three_straights: KA2 34567 34567 | 345 QKA23 45678 | 346 34567 34567 | 34 33 34567 4567
three_straights: 6666 345 457 78 * | 2 7 34567 9TJQ **
three_straights no high front: QKA A2345 23456 | KA2 34567 34567
three_flushes: cccc dddd hhhhh | ccccccc ssssss | ccccccccc hhhh | cccccc ssssss *
three_flushes: c d hhhhh ssss **
six_pairs: 22 33 44 55 66 7 8 9 | 222 333 444 555 6 | 22 33 44 55 6 7 8 *9 | 22 33 44 5 6 7 8 9 **
four_trips: 222 333 444 55 66 | 2222 3333 4444 5 | 222 333 44 55 66 * | 222 33 44 55 66 **
three_fours: 2222 3333 444 55 | 2222 3333 44 55 * | 2222 333 44 55 **
# Straights and flushes, but not at once.
three_straight_flushes: 2c3c4d 5d6d7d8d9d ThJhQhKhAh | Kc2cAc 5d6d7d8d9d ThJhQhKhAh
three_straight_flushes: 2c3c4c 5d6d7d8d9h ThJhQhKhAd | 2c3c4c 5d6d7d8d9h ThJhQh*Ad
three_straight_flushes no high front: QcKcAc Ad2d3d4d5d 6c7c8c9cTc
twelve_royals: JJJJ QQQQ KKKK T | JJJJ QQQQ KK T **
all_big: 7899TTJJQQKKA | 7888 9999 TTT **
all_small: 2233445566779 | A233445566778 | A2334455667 **
one_colour: ccccccc sssss d | ccccc sssss d **
double_full_house: 222 333 44 55 6 7 8 | 222 33 44 55 66 77 | 2222 3333 4444 5
double_full_house: 22 33 44 55 66 7 8 * | 22 33 44 55 6 7 8 **
""")


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
