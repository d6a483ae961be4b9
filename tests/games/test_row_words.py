"""A row's name says which row it is, in the reader's language."""

import pytest
from django.utils.translation import override

from games.families.thirteen.help import row_words
from games.rules.cards import Card
from games.words.naming import high_card

CASES = [
    ("pair", "Js Jd 4c", "pair of jacks", "一对 J"),
    ("two_pair", "9s 9d Kc Kh 2s", "two pairs, kings and nines", "两对 K、9"),
    ("three", "Ts Td Tc", "three tens", "三条 10"),
    ("full_house", "3s 3d 3c Qh Qs", "full house, threes over queens", "葫芦 3 带 Q"),
    ("four", "As Ad Ac Ah 2s", "four aces", "四条 A"),
    ("flush", "2h 5h 9h Th Kh", "flush, K high", "同花 K"),
    ("high_card", "2h 5s Td", "10 high", "乌龙 10"),
    ("straight", "Ah 2s 3d 4c 5c", "straight", "顺子"),
]


@pytest.mark.parametrize(("category", "cards", "english", "chinese"), CASES)
def test_a_row_is_named_with_its_ranks(
    category: str, cards: str, english: str, chinese: str
) -> None:
    ranks = [Card(text).rank for text in cards.split()]
    for language, words in (("en", english), ("zh-hans", chinese)):
        with override(language):
            assert row_words(category, ranks) == words


@pytest.mark.parametrize(
    ("cards", "english", "chinese"),
    [("As Qd 7c 5h 2s 9d", "ace high", "散牌 A"), ("Ts 8d 7c 5h 2s", "10 high", "散牌 10")],
)
def test_a_poker_hand_without_a_combination_is_named_by_its_highest(
    cards: str, english: str, chinese: str
) -> None:
    held = [Card(text) for text in cards.split()]
    for language, words in (("en", english), ("zh-hans", chinese)):
        with override(language):
            assert high_card(held) == words
