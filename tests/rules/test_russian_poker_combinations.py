"""What hands of Russian poker hold: main and second combinations, case by case and by brute force.

A case names main and second with the cards that count; the cards of the second are given as ranks,
as it is often free which of two equal ones is taken.
"""

from collections import Counter
from itertools import combinations, product
from random import Random

import pytest

from games.rules.cards import DECK, Card, cards_text, parse_cards
from games.rules.house.till import Odds
from games.rules.russian_poker.hands import (
    PAYTABLE,
    Hand,
    bonus_combination,
    qualifies,
    read_hand,
    value_of,
)
from tests.rules.cases import each
from tests.rules.conftest import Share


def test_the_paytable() -> None:
    assert {name: odds.pays for name, odds in PAYTABLE.items()} == {
        "ace_king": 1,
        "pair": 1,
        "two_pair": 2,
        "three": 3,
        "straight": 4,
        "flush": 5,
        "full_house": 7,
        "four": 20,
        "straight_flush": 50,
        "royal_flush": 100,
    }
    assert {odds.to for odds in PAYTABLE.values()} == {1}


def ranks_of(cards: frozenset[Card]) -> str:
    return "".join(sorted((card.text[0] for card in cards), key="AKQJT98765432".index))


def named_ranks(hand: Hand) -> list[tuple[str, str]]:
    return [(combination.name, ranks_of(combination.cards)) for combination in hand.combinations]


@each(
    # Five cards, the main combination alone.
    ("Ac Qd 9h 5s 2c", [], 0),
    ("Kc Qd Jh Ts 8c", [], 0),
    ("Ac Kd 4h 3s 2c", [("ace_king", "AK")], 1),
    ("Ac Kd Qh Js 9c", [("ace_king", "AK")], 1),
    ("2c 2d 4h 3s 5c", [("pair", "22")], 1),
    ("2c 2d 3h 3s 5c", [("two_pair", "3322")], 2),
    ("2c 2d 2h 3s 5c", [("three", "222")], 3),
    ("Ac 2d 3h 4s 5c", [("straight", "A5432")], 4),
    ("Ac Kd Qh Js Tc", [("straight", "AKQJT")], 4),
    ("Ac 2c 3c 4c 6c", [("flush", "A6432")], 5),
    ("Ac Kc 3c 4c 6c", [("flush", "AK643")], 5),
    ("2c 2d 2h 3s 3c", [("full_house", "33222")], 7),
    ("Ac Ad Ah Ks Kc", [("full_house", "AAAKK")], 7),
    ("2c 2d 2h 2s 3c", [("four", "2222")], 20),
    ("Ac 2c 3c 4c 5c", [("straight_flush", "A5432")], 50),
    ("Kc Qc Jc Tc 9c", [("straight_flush", "KQJT9")], 50),
    ("Ac Kc Qc Jc Tc", [("royal_flush", "AKQJT")], 100),
    # Five cards: only ace-king can be second.
    ("Ac Ad Kh 7s 2c", [("pair", "AA"), ("ace_king", "AK")], 2),
    ("Ac Kd Kh 7s 2c", [("pair", "KK"), ("ace_king", "AK")], 2),
    ("Ac Kd 7h 7s 2c", [("pair", "77"), ("ace_king", "AK")], 2),
    ("Ac Ad 7h 7s Kc", [("two_pair", "AA77"), ("ace_king", "AK")], 3),
    ("Ac Kd 7h 7s Kc", [("two_pair", "KK77"), ("ace_king", "AK")], 3),
    ("Ac Ad Kh Ks 7c", [("two_pair", "AAKK")], 2),
    ("Ac Ad 7h 7s 2c", [("two_pair", "AA77")], 2),
    ("Ac Ad Ah Ks 7c", [("three", "AAA"), ("ace_king", "AK")], 4),
    ("Ac Kd Kh Ks 7c", [("three", "KKK"), ("ace_king", "AK")], 4),
    ("9c 9d 9h As Kc", [("three", "999"), ("ace_king", "AK")], 4),
    ("Ac Ad Ah As Kc", [("four", "AAAA"), ("ace_king", "AK")], 21),
    ("Kc Kd Kh Ks Ac", [("four", "KKKK"), ("ace_king", "AK")], 21),
    ("Ac Ad Ah As Qc", [("four", "AAAA")], 20),
    # Six cards that add nothing.
    ("Ac Qd 9h 5s 2c 3d", [], 0),
    ("Ac Kd Qh Js 9c 2d", [("ace_king", "AK")], 1),
    ("2c 2d 4h 3s 8c 9d", [("pair", "22")], 1),
    ("2c 2d 4h 4s 8c 9d", [("two_pair", "4422")], 2),
    ("9c 8d 7h 6s 5c Kd", [("straight", "98765")], 4),
    ("9c 8d 7h 6s 5c Ad", [("straight", "98765")], 4),
    ("Ac Kd Qh Js Tc 2d", [("straight", "AKQJT")], 4),
    ("2c 2d 2h 3s 3c 9d", [("full_house", "33222")], 7),
    ("2c 5c 7c Jc Qc 3d", [("flush", "QJ752")], 5),
    ("Ac Kc 3c 4c 6c 8d", [("flush", "AK643")], 5),
    ("2c 2d 2h 2s 9c Td", [("four", "2222")], 20),
    ("9c 8c 7c 6c 5c Kd", [("straight_flush", "98765")], 50),
    # Two straights: six in a row, or a rank doubled, the five itself or another.
    ("Tc 9c 8d 7h 6s 5c", [("straight", "T9876"), ("straight", "98765")], 8),
    ("9c 8d 7h 6s 5c 5d", [("straight", "98765"), ("straight", "98765")], 8),
    ("9c 9d 8d 7h 6s 5c", [("straight", "98765"), ("straight", "98765")], 8),
    ("9c 8d 7h 7s 6s 5c", [("straight", "98765"), ("straight", "98765")], 8),
    ("Ac Ad Kd Qh Js Tc", [("straight", "AKQJT"), ("straight", "AKQJT")], 8),
    ("Ac Kd Qh Js Tc 9c", [("straight", "AKQJT"), ("straight", "KQJT9")], 8),
    ("Ac 2d 3h 4s 5c 6d", [("straight", "65432"), ("straight", "A5432")], 8),
    ("Ac 2d 3h 4s 5c Ad", [("straight", "A5432"), ("straight", "A5432")], 8),
    # A straight and what its sixth card makes with one of its cards.
    ("Ac 2d 3h 4s 5c Kd", [("straight", "A5432"), ("ace_king", "AK")], 5),
    # Flush and flush, straight, pair or ace-king.
    ("2c 5c 7c Jc Qc 9c", [("flush", "QJ975"), ("flush", "QJ972")], 10),
    ("5h 6h 7h 9h 2h 8c", [("flush", "97652"), ("straight", "98765")], 9),
    ("2c 5c 7c Jc Qc Qd", [("flush", "QJ752"), ("pair", "QQ")], 6),
    ("2c 5c 7c Jc Ac Kd", [("flush", "AJ752"), ("ace_king", "AK")], 6),
    ("2c 5c 7c Kc Ac Kd", [("flush", "AK752"), ("pair", "KK")], 6),
    # Pairs.
    ("Ac Ad Kh Ks 7c 7d", [("two_pair", "AAKK"), ("two_pair", "AA77")], 4),
    ("9c 9d 5h 5s 3c 3d", [("two_pair", "9955"), ("two_pair", "9933")], 4),
    ("Ac Ad Kh Ks 7c 2d", [("two_pair", "AAKK")], 2),
    ("9c 9d 5h 5s Ac Kd", [("two_pair", "9955"), ("ace_king", "AK")], 3),
    ("9c 9d Kh As 7c 2d", [("pair", "99"), ("ace_king", "AK")], 2),
    # Three and ace-king; three and a pair is a full house.
    ("9c 9d 9h As Kc 2d", [("three", "999"), ("ace_king", "AK")], 4),
    ("Ac Ad Ah 7s Kc 2d", [("three", "AAA"), ("ace_king", "AK")], 4),
    ("9c 9d 9h As Ac Kd", [("full_house", "AA999"), ("ace_king", "AK")], 8),
    ("Ac Ad Ah 7s 7c Kd", [("full_house", "AAA77"), ("ace_king", "AK")], 8),
    ("Ac Ad Ah Ks Kc 7d", [("full_house", "AAAKK")], 7),
    # Two threes: two full houses, the second with the card that the first has left.
    ("9c 9d 9h 5s 5c 5d", [("full_house", "99955"), ("full_house", "99955")], 14),
    ("Ac Ad Ah Ks Kc Kd", [("full_house", "AAAKK"), ("full_house", "AAAKK")], 14),
    # Four: with a pair a full house, with ace-king that.
    ("9c 9d 9h 9s 5c 5d", [("four", "9999"), ("full_house", "99955")], 27),
    ("2c 2d 2h 2s Ac Ad", [("four", "2222"), ("full_house", "AA222")], 27),
    ("9c 9d 9h 9s Ac Kd", [("four", "9999"), ("ace_king", "AK")], 21),
    ("Ac Ad Ah As 2c Kd", [("four", "AAAA"), ("ace_king", "AK")], 21),
    ("Ac Ad Ah As Kc Kd", [("four", "AAAA"), ("full_house", "AAAKK")], 27),
    # Straight flush and royal flush with each thing a sixth card can make.
    ("Tc 9c 8c 7c 6c 5c", [("straight_flush", "T9876"), ("straight_flush", "98765")], 100),
    ("9c 8c 7c 6c 5c 2c", [("straight_flush", "98765"), ("flush", "98762")], 55),
    ("9c 8c 7c 6c 5c 5d", [("straight_flush", "98765"), ("straight", "98765")], 54),
    ("9c 8c 7c 6c 5c Td", [("straight_flush", "98765"), ("straight", "T9876")], 54),
    ("Ac Kc Qc Jc Tc 9c", [("royal_flush", "AKQJT"), ("straight_flush", "KQJT9")], 150),
    ("Ac Kc Qc Jc Tc 2c", [("royal_flush", "AKQJT"), ("flush", "AKQJ2")], 105),
    ("Ac Kc Qc Jc Tc Ad", [("royal_flush", "AKQJT"), ("straight", "AKQJT")], 104),
    ("Ac Kc Qc Jc Tc 2d", [("royal_flush", "AKQJT")], 100),
    # Six of a suit hold the higher flush first, and a straight flush below a higher card.
    ("Ac 2c 3c 4c 5c 6c", [("straight_flush", "65432"), ("straight_flush", "A5432")], 100),
)
def test_combinations(cards: str, expected: list[tuple[str, str]], pays: int) -> None:
    hand = read_hand(parse_cards(cards))
    assert named_ranks(hand) == expected
    assert hand.pays == pays


def test_the_second_combination_holds_a_card_that_is_not_the_mains_own() -> None:
    hand = read_hand(parse_cards("9c8d7h6s5c5d"))
    assert hand.main
    assert hand.second
    assert hand.second.cards - hand.main.cards <= set(parse_cards("5c5d"))
    assert len(hand.second.cards - hand.main.cards) == 1


def holds(name: str, cards: tuple[Card, ...]) -> bool:
    """Whether all of these cards are a combination of that name, by the words of the rules."""
    ranks = sorted(
        Counter(card.rank for card in cards).items(), key=lambda item: (-item[1], item[0])
    )
    counts = [count for _, count in ranks]
    of_a_kind = {"pair": [2], "two_pair": [2, 2], "three": [3], "full_house": [3, 2], "four": [4]}
    if name in of_a_kind:
        return counts == of_a_kind[name]
    if name == "ace_king":
        return sorted(card.text[0] for card in cards) == ["A", "K"]
    if len(cards) != 5:
        return False
    flush = len({card.suit for card in cards}) == 1
    row = {card.text[0] for card in cards}
    rows = [set("A23456789TJQKA"[at : at + 5]) for at in range(10)]
    matches = {
        "flush": flush,
        "straight": row in rows,
        "straight_flush": flush and row in rows,
        "royal_flush": flush and row == set("AKQJT"),
    }
    return matches[name]


def second_pay_by_the_words(cards: tuple[Card, ...], main: frozenset[Card]) -> int:
    """The best pay of any subset that is a combination and has a card beyond the main one's."""
    best = 0
    for size in range(2, 6):
        for subset in combinations(cards, size):
            if not main.issuperset(subset):
                best = max(
                    [best, *[odds.pays for name, odds in PAYTABLE.items() if holds(name, subset)]]
                )
    return best


def check_against_the_words(cards: tuple[Card, ...]) -> None:
    hand = read_hand(cards)
    assert hand.value == max(value_of(five) for five in combinations(cards, 5))
    held = [
        name
        for name in PAYTABLE
        for size in range(2, 6)
        for subset in combinations(cards, size)
        if holds(name, subset)
    ]
    if not held:
        assert hand == Hand(hand.value, None, None)
        assert not qualifies(hand.value)
        return
    assert hand.main
    assert qualifies(hand.value)
    order = list(PAYTABLE)
    assert hand.main.name == max(held, key=order.index)
    assert holds(hand.main.name, tuple(hand.main.cards))
    second = hand.second.odds.pays if hand.second else 0
    assert second == second_pay_by_the_words(cards, hand.main.cards), cards_text(cards)
    if hand.second:
        assert hand.second.cards - hand.main.cards
        assert holds(hand.second.name, tuple(hand.second.cards))


@pytest.mark.long
def test_random_hands_against_the_words(share: Share[tuple[int, int]]) -> None:
    # Also where much comes together: few ranks, and few suits.
    near = [card for card in DECK if card.rank >= 11]
    suited = [card for card in DECK if card.suit == 0 or card.rank > 12]
    for size, seed in share(product((5, 6), range(600))):
        among = (DECK, DECK, near, suited)[seed // 10 % 4]
        check_against_the_words(tuple(Random(f"{size} {seed}").sample(among, size)))


@each(
    ("AcKd4h3s2c", True),
    ("AcQdJhTs9c", False),
    ("KcQdJhTs8c", False),
    ("2c2d3h4s5c", True),
    ("Ac2d3h4s5c", True),
    ("7c2c3c4c5c", True),
)
def test_what_qualifies(cards: str, enough: bool) -> None:
    assert qualifies(value_of(parse_cards(cards))) is enough


@each(
    ("AcKdQh3s2c", "AdKcJhTs9c"),
    ("2c2d3h4s5c", "AdKcQhJs9c"),
    ("2c2dAh4s5c", "2h2sKcQdJd"),
    ("6c5d4h3s2c", "Ac2d3h4s5c"),
    ("Ac2d3h4s5c", "AdAhAsKcQd"),
    ("7c2c3c4c5c", "AcKdQhJsTc"),
)
def test_order_of_hands(higher: str, lower: str) -> None:
    assert value_of(parse_cards(higher)) > value_of(parse_cards(lower))


def test_suits_do_not_count() -> None:
    assert value_of(parse_cards("AcKdQh3s2c")) == value_of(parse_cards("AdKhQs3c2d"))


@each(
    ("AcAdKh7s7c", None, 0),
    ("2c2d2h3s5c", "three", 10),
    ("Ac2d3h4s5c", "straight", 21),
    ("Ac2c3c4c6c", "flush", 40),
    ("2c2d2h3s3c", "full_house", 60),
    ("2c2d2h2s3c", "four", 150),
    ("9c8c7c6c5c", "straight_flush", 150),
    ("AcKcQcJcTc", "royal_flush", 150),
)
def test_the_bonus_table_without_a_jackpot(cards: str, name: str | None, pays: int) -> None:
    won = bonus_combination(parse_cards(cards), {})
    assert won is None if name is None else won == (name, Odds(pays), 0, None)


@each(("9c8c7c6c5c", "straight_flush", 1_500), ("AcKcQcJcTc", "royal_flush", 5_000))
def test_shares_of_the_jackpot(cards: str, name: str, share: int) -> None:
    shares = {"straight_flush": 1_500, "royal_flush": 5_000}
    least = Odds(150)
    assert bonus_combination(parse_cards(cards), shares, least) == (name, None, share, least)
