"""Poker ranks: counts over all rows, what a value says, and the best five of seven."""

from collections import Counter
from functools import cache
from itertools import combinations, combinations_with_replacement, starmap
from math import comb
from random import Random

import pytest

from games.rules.cards import DECK, JOKERS, RANKS, Card, parse_cards
from games.rules.poker import (
    CODE,
    JOKER_SUIT_CODE,
    RANK_CODES,
    SEVEN_RANK_CODES,
    SUIT_BITS,
    SUIT_CODES,
    Category,
    best_of_seven,
    category,
    deciding_suit,
    holds_joker,
    main_rank,
    ranking,
    values_of_seven_ranks,
    values_of_suited_ranks,
)
from tests.rules.cases import each, every
from tests.rules.slow_poker import WHEELS, value

# Every row


@pytest.mark.release
def test_every_row_of_five_is_counted_in_its_category() -> None:
    codes = [CODE[card] for card in DECK]
    values = Counter(starmap(ranking().five, combinations(codes, 5)))
    counts: Counter[Category] = Counter()
    for worth, count in values.items():
        counts[category(worth)] += count
    assert counts == {
        Category.HIGH_CARD: 1_302_540,
        Category.PAIR: 1_098_240,
        Category.TWO_PAIR: 123_552,
        Category.THREE: 54_912,
        Category.STRAIGHT: 10_200,
        Category.FLUSH: 5_108,
        Category.FULL_HOUSE: 3_744,
        Category.FOUR: 624,
        Category.STRAIGHT_FLUSH: 36,
        Category.ROYAL_FLUSH: 4,
    }
    assert counts.total() == comb(52, 5) == 2_598_960
    # So many rows differ where suits do not count.
    assert len(values) == 7_462


def test_every_row_of_three_is_trips_a_pair_or_high_cards() -> None:
    three = ranking().three
    rows = combinations([CODE[card] for card in DECK], 3)
    counts = Counter(category(three(*row)) for row in rows)
    assert counts == {Category.THREE: 52, Category.PAIR: 3_744, Category.HIGH_CARD: 18_304}


def test_all_rows_of_a_hand_are_ranked_as_each_is_alone() -> None:
    ranks = ranking(wheel="second", royal=False, jokers=2)
    for seed in range(20):
        codes = [CODE[card] for card in Random(seed).sample((*DECK, *JOKERS), 13)]
        threes, fives = ranks.rows(codes)
        assert threes == list(starmap(ranks.three, combinations(codes, 3)))
        assert fives == list(starmap(ranks.five, combinations(codes, 5)))


def test_royal_flush_is_a_category_or_the_highest_straight_flush() -> None:
    rows = [parse_cards(" ".join(f"{rank}{suit}" for rank in "TJQKA")) for suit in "cdhs"]
    for wheel in WHEELS:
        for row in rows:
            assert category(value(ranking(wheel, royal=True), row)) is Category.ROYAL_FLUSH
            assert category(value(ranking(wheel, royal=False), row)) is Category.STRAIGHT_FLUSH


# Sums


def test_no_two_sets_of_ranks_have_the_same_sum() -> None:
    assert len(RANK_CODES) == len(RANKS) + 1
    for size in (3, 5):
        sets = list(combinations_with_replacement(RANK_CODES, size))
        assert len({sum(codes) for codes in sets}) == len(sets)


def test_no_two_sets_of_suits_have_the_same_sum() -> None:
    sets = [
        suits + (JOKER_SUIT_CODE,) * jokers
        for jokers in range(3)
        for suits in combinations_with_replacement(SUIT_CODES, 5 - jokers)
    ]
    assert len({sum(codes) for codes in sets}) == len(sets) == 56 + 35 + 20
    # Nor does a sum of suits spill over into the ranks.
    assert max(sum(codes) for codes in sets) < 1 << SUIT_BITS


def test_cards_alike_in_rank_and_suit_alone_share_a_code() -> None:
    assert len({CODE[card] for card in DECK}) == 52
    assert CODE[JOKERS[0]] == CODE[JOKERS[1]] not in {CODE[card] for card in DECK}


# What a value says


@each(
    ("AsKdQh", "high_card", 14),
    ("9s8d3h", "high_card", 9),
    ("KsKd9h", "pair", 13),
    ("2s2d2h", "three", 2),
    ("AsKdQhJs9c", "high_card", 14),
    ("KsKd9h5c3s", "pair", 13),
    ("3s3dJhJc8s", "two_pair", 11),
    ("7s7d7hAcKs", "three", 7),
    ("2s3d4h5c6s", "straight", 6),
    ("Qs9s6s4s2s", "flush", 12),
    ("3s3d3hAcAs", "full_house", 3),
    ("8s8d8h8cAs", "four", 8),
    ("5s6s7s8s9s", "straight_flush", 9),
    ("TsJsQsKsAs", "royal_flush", 14),
    ("4s4d4h4cBJ", "five", 4),
    ("4s4d4hBJRJ", "five", 4),
)
def test_category_and_main_rank(cards: str, name: str, rank: int) -> None:
    row = parse_cards(cards)
    worth = value(ranking(jokers=2), row)
    assert (category(worth).name.lower(), main_rank(worth)) == (name, rank)
    assert holds_joker(row) == ("J" in cards[-2:][1])


@each(
    # The highest card of high cards, straights and flushes.
    ("AsKdQh", "As"),
    ("9c8d3h", "9c"),
    ("AhKdQhJs9c", "Ah"),
    ("2s3d4h5c6d", "6d"),
    ("Qs9s6s4s2s", "Qs"),
    ("5h6h7h8h9h", "9h"),
    # A-2-3-4-5 by the five, A-K-Q-J-10 by the ace.
    ("As2d3h4c5h", "5h"),
    ("As2s3s4s5s", "5s"),
    ("AdKsQsJsTs", "Ad"),
    ("AdKdQdJdTd", "Ad"),
    # The third card beside a pair, which is the highest of those beside it.
    ("KsKd9h", "9h"),
    ("2s2dAc", "Ac"),
    ("KsKd9h5c3s", "9h"),
    ("3s3dAd5cKs", "Ad"),
    # The fifth card beside two pairs.
    ("KsKd9h9c3d", "3d"),
    ("3s3d4h4cAh", "Ah"),
)
def test_deciding_suit(cards: str, decider: str) -> None:
    row = parse_cards(cards)
    assert deciding_suit(value(ranking(), row), row) == Card(decider).suit


def test_no_suit_decides_where_no_tie_is_possible() -> None:
    for text in ("7s7d7h", "7s7d7hAcKs", "3s3d3hAcAs", "8s8d8h8cAs"):
        row = parse_cards(text)
        assert deciding_suit(value(ranking(), row), row) == 0


# The best five of seven


def test_seven_cards_are_counted_in_their_categories() -> None:
    """All 133,784,560 hands: by their ranks, each weighed by its suits, flushes apart."""
    counted: Counter[str] = Counter()
    by_ranks = values_of_seven_ranks()
    for ranks in combinations_with_replacement(range(13), 7):
        counts = Counter(ranks).values()
        if max(counts) <= 4:
            best = by_ranks[sum([SEVEN_RANK_CODES[rank] for rank in ranks])]
            counted[category(best).name] += ways_without_flush(tuple(sorted(counts)))
    for size in (5, 6, 7):
        for best in values_of_suited_ranks(size).values():
            counted[category(best).name] += 4 * comb(39, 7 - size)
    assert counted == {
        "HIGH_CARD": 23_294_460,
        "PAIR": 58_627_800,
        "TWO_PAIR": 31_433_400,
        "THREE": 6_461_620,
        "STRAIGHT": 6_180_020,
        "FLUSH": 4_047_644,
        "FULL_HOUSE": 3_473_184,
        "FOUR": 224_848,
        "STRAIGHT_FLUSH": 37_260,
        "ROYAL_FLUSH": 4_324,
    }
    assert sum(counted.values()) == comb(52, 7)


@cache
def ways_without_flush(counts: tuple[int, ...]) -> int:
    """The suits that ranks held so often can have, with no suit five times."""
    ways: Counter[tuple[int, ...]] = Counter({(0, 0, 0, 0): 1})
    for count in counts:
        longer: Counter[tuple[int, ...]] = Counter()
        for held, times in ways.items():
            for suits in combinations(range(4), count):
                longer[tuple(held[suit] + (suit in suits) for suit in range(4))] += times
        ways = longer
    return sum(times for held, times in ways.items() if max(held) < 5)


@every(deck=[DECK, DECK[:13] + DECK[13:20], DECK[8:13] + DECK[21:26]])
def test_the_best_of_seven_is_the_best_of_all_fives(deck: tuple[Card, ...]) -> None:
    """Out of the whole deck, and of parts where flushes and straight flushes are common."""
    random = Random(1)
    for _ in range(500):
        cards = random.sample(deck, 7)
        rows = combinations(cards, 5)
        assert best_of_seven(cards) == max(value(ranking(), row) for row in rows)
