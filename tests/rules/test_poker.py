"""Poker ranks: counts over all rows, and their order against reading each row slowly.

The slow reading below shares nothing with the ranking: it counts ranks and suits card by card, and
for a joker it tries all fifty-two cards. Of a row it says what the rules page says: the category,
the ranks that come before the joker is asked for, how few jokers, the ranks that come after.
"""

from collections import Counter
from collections.abc import Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement, pairwise, product, starmap
from math import comb
from random import Random
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from games.rules.cards import DECK, JOKERS, RANKS, Card, parse_cards
from games.rules.poker import (
    CATEGORIES,
    CATEGORY_NAMES,
    CODE,
    JOKER_SUIT_CODE,
    RANK_CODES,
    SEVEN_RANK_CODES,
    SUIT_BITS,
    SUIT_CODES,
    Category,
    Ranking,
    Wheel,
    best_of_seven,
    category,
    deciding_suit,
    holds_joker,
    main_rank,
    ranking,
    values_of_seven_ranks,
    values_of_suited_ranks,
)

LADDER = (
    *("high_card", "pair", "two_pair", "three", "straight", "flush", "full_house", "four"),
    *("straight_flush", "royal_flush", "five"),
)
WHEELS: tuple[Wheel, ...] = ("low", "second")


class Slow(NamedTuple):
    """A row as the slow reading has it; greater wins, and of equal ranks the longer row."""

    category: int
    main: tuple[int, ...]
    real: int
    kickers: tuple[int, ...]


class Reading(NamedTuple):
    wheel: Wheel
    royal: bool
    jokers: int = 0

    @property
    def ranks(self) -> Ranking:
        return ranking(wheel=self.wheel, royal=self.royal, jokers=self.jokers)


def value(ranks: Ranking, cards: Sequence[Card]) -> int:
    codes = [CODE[card] for card in cards]
    return ranks.three(*codes) if len(cards) == 3 else ranks.five(*codes)


def slow_natural(cards: Sequence[tuple[int, str]], reading: Reading) -> Slow:
    """A row without jokers, its cards as rank and suit; a card may stand in it twice."""
    ranks = sorted((rank for rank, _ in cards), reverse=True)
    found = [slow_sets(ranks)]
    if len(cards) == 3:
        return found[0]
    suited = len({suit for _, suit in cards}) == 1
    if suited:
        # With a card held twice, a flush may well have two aces.
        found.append(Slow(LADDER.index("flush"), tuple(ranks), 2, ()))
    top = 0
    if ranks == list(range(ranks[0], ranks[0] - 5, -1)):
        top = 2 * ranks[0]
    elif ranks == [14, 5, 4, 3, 2]:
        # Where the wheel is second it goes between the king's straight and the ace's.
        top = 2 * 5 if reading.wheel == "low" else 2 * 13 + 1
    if top:
        royal = reading.royal and top == 2 * 14
        name = "royal_flush" if royal else "straight_flush"
        found.append(Slow(LADDER.index(name if suited else "straight"), (top,), 2, ()))
    return max(found)


def slow_sets(ranks: Sequence[int]) -> Slow:
    """What a row is by its equal ranks alone."""
    counted = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    shape = [count for _, count in counted]
    ordered = tuple(rank for rank, _ in counted)
    shapes = {
        (1,): ("high_card", len(ordered)),
        (2, 1): ("pair", 1),
        (2, 2): ("two_pair", 2),
        (3,): ("three", 1),
        (3, 1): ("three", 1),
        (3, 2): ("full_house", 1),
        (4, 1): ("four", 1),
        (5,): ("five", 1),
    }
    name, mains = shapes[(1,) if shape[0] == 1 else tuple(shape[:2])]
    return Slow(LADDER.index(name), ordered[:mains], 2, ordered[mains:])


def slow(cards: Sequence[Card], reading: Reading) -> Slow:
    """The highest row that any cards for the jokers make, marked by how many jokers it took."""
    real = [(card.rank, card.text[1]) for card in cards if not card.is_joker]
    jokers = len(cards) - len(real)
    deck = [(card.rank, card.text[1]) for card in DECK]
    tries = combinations_with_replacement(deck, jokers)
    return max(slow_natural([*real, *wild], reading) for wild in tries)._replace(real=2 - jokers)


def sign(first: object, second: object) -> int:
    return (first > second) - (first < second)  # type: ignore[operator]


# Every row


def test_every_row_of_five_is_counted_in_its_category() -> None:
    codes = [CODE[card] for card in DECK]
    values = Counter(starmap(ranking().five, combinations(codes, 5)))
    counts: Counter[Category] = Counter()
    for one, count in values.items():
        counts[category(one)] += count
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


# Order


@pytest.mark.parametrize("royal", [True, False], ids=["royal", "no-royal"])
@pytest.mark.parametrize("wheel", WHEELS)
def test_rows_stand_in_the_order_of_the_slow_reading(wheel: Wheel, royal: bool) -> None:
    reading = Reading(wheel, royal)
    random = Random(f"order {reading}")
    rows: list[tuple[Card, ...]] = []
    for _ in range(2_500):
        rows.append(tuple(random.sample(DECK, random.choice((3, 5, 5)))))
        # Few ranks bring sets and near ties, one suit flushes, five neighbours straights.
        few = random.sample(RANKS, 4)
        rows.append(tuple(random.sample([c for c in DECK if c.text[0] in few], 5)))
        rows.append(tuple(random.sample([c for c in DECK if c.text[0] in few], 3)))
        suit, low = random.choice("cdhs"), random.randrange(10)
        rows.append(tuple(random.sample([c for c in DECK if c.text[1] == suit], 5)))
        near = ("A" + RANKS)[low : low + 5]
        suits = random.choices("cdhs", k=5) if random.random() < 0.7 else [suit] * 5
        rows.append(tuple(Card(rank + s) for rank, s in zip(near, suits, strict=True)))
    check_order(rows, reading)
    assert {category(value(reading.ranks, row)) for row in rows} >= set(CATEGORIES[:9])


@pytest.mark.parametrize("royal", [True, False], ids=["royal", "no-royal"])
@pytest.mark.parametrize("wheel", WHEELS)
def test_jokers_stand_for_the_card_that_makes_the_highest_row(wheel: Wheel, royal: bool) -> None:
    reading = Reading(wheel, royal, jokers=2)
    random = Random(f"jokers {reading}")
    rows: list[tuple[Card, ...]] = []
    for jokers, size, wanted in product((0, 1, 2), (3, 5), ("any", "few", "suit", "near")):
        for _ in range(40 if jokers < 2 else 8):
            few, suit, low = random.sample(RANKS, 2), random.choice("cdhs"), random.randrange(9)
            among = {
                "any": list(DECK),
                "few": [card for card in DECK if card.text[0] in few],
                "suit": [card for card in DECK if card.text[1] == suit],
                "near": [card for card in DECK if card.text[0] in ("A" + RANKS)[low : low + 6]],
            }[wanted]
            rows.append((*JOKERS[:jokers], *random.sample(among, size - jokers)))
    rows.extend(
        parse_cards(text) for text in ("BJ 4c 4d 4h 4s", "BJ RJ 4c 4d 4h", "BJ RJ Kc Qc Ac")
    )
    check_order(rows, reading)


def check_order(rows: Sequence[tuple[Card, ...]], reading: Reading) -> None:
    """Laid in the slow order, rows never go down, and go up exactly where the slow ones do."""
    in_order = sorted(
        ((slow(row, reading), value(reading.ranks, row), row) for row in rows), key=first
    )
    for (low, low_value, below), (high, high_value, above) in pairwise(in_order):
        assert sign(low_value, high_value) == sign(low, high), (below, above)
    for row_slow, row_value, row in in_order:
        assert CATEGORY_NAMES[category(row_value)] == LADDER[row_slow.category], row


def first(item: tuple[Slow, int, tuple[Card, ...]]) -> Slow:
    return item[0]


def rows_of(jokers: int) -> st.SearchStrategy[list[Card]]:
    """Three or five cards of one deck, at times with jokers."""
    cards = st.sampled_from((*DECK, *JOKERS[:jokers]))
    return st.sampled_from((3, 5)).flatmap(
        lambda size: st.lists(cards, min_size=size, max_size=size, unique=True)
    )


@given(rows_of(0), rows_of(0), st.sampled_from(WHEELS), st.booleans())
@settings(max_examples=1_000, deadline=None)
def test_any_two_rows_compare_as_in_the_slow_reading(
    one: list[Card], other: list[Card], wheel: Wheel, royal: bool
) -> None:
    reading = Reading(wheel, royal)
    fast = sign(value(reading.ranks, one), value(reading.ranks, other))
    assert fast == sign(slow(one, reading), slow(other, reading))


@given(rows_of(1), rows_of(1), st.sampled_from(WHEELS))
@settings(max_examples=300, deadline=None)
def test_any_two_rows_with_a_joker_compare_as_in_the_slow_reading(
    one: list[Card], other: list[Card], wheel: Wheel
) -> None:
    reading = Reading(wheel, royal=False, jokers=2)
    fast = sign(value(reading.ranks, one), value(reading.ranks, other))
    assert fast == sign(slow(one, reading), slow(other, reading))


@given(rows_of(2), st.permutations(range(5)))
@settings(max_examples=200, deadline=None)
def test_how_a_row_is_laid_does_not_matter(row: list[Card], order: list[int]) -> None:
    ranks = ranking(wheel="second", royal=False, jokers=2)
    laid = [row[place] for place in order if place < len(row)]
    assert value(ranks, laid) == value(ranks, row)


@pytest.mark.parametrize(
    ("wheel", "points"),
    [
        ("low", "A2345 23456 34567 45678 56789 6789T 789TJ 89TJQ 9TJQK TJQKA"),
        ("second", "23456 34567 45678 56789 6789T 789TJ 89TJQ 9TJQK A2345 TJQKA"),
    ],
)
@pytest.mark.parametrize("suits", ["cdhsc", "hhhhh"], ids=["straight", "straight_flush"])
def test_place_of_the_wheel(wheel: Wheel, points: str, suits: str) -> None:
    ranks = ranking(wheel=wheel, royal=True)
    rows = ["".join(map("".join, zip(row, suits, strict=True))) for row in points.split()]
    values = [value(ranks, parse_cards(row)) for row in rows]
    assert values == sorted(set(values))


@pytest.mark.parametrize("row", ["QcKdAh2s3c", "KcAd2h3s4c", "JcQdKhAs2c"])
def test_straights_do_not_wrap_past_the_ace(row: str) -> None:
    for wheel in WHEELS:
        assert category(value(ranking(wheel), parse_cards(row))) is Category.HIGH_CARD


# What a value says


@pytest.mark.parametrize(
    ("cards", "name", "rank"),
    [
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
    ],
)
def test_category_and_main_rank(cards: str, name: str, rank: int) -> None:
    row = parse_cards(cards)
    found = value(ranking(jokers=2), row)
    assert (category(found).name.lower(), main_rank(found)) == (name, rank)
    assert holds_joker(row) == ("J" in cards[-2:][1])


@pytest.mark.parametrize(
    ("cards", "decider"),
    [
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
    ],
)
def test_deciding_suit(cards: str, decider: str) -> None:
    row = parse_cards(cards)
    assert deciding_suit(value(ranking(), row), row) == Card(decider).suit


def test_no_suit_decides_where_no_tie_is_possible() -> None:
    for text in ("7s7d7h", "7s7d7hAcKs", "3s3d3hAcAs", "8s8d8h8cAs"):
        row = parse_cards(text)
        assert deciding_suit(value(ranking(), row), row) == 0


# Thirteen cards


def test_thirteen_cards_are_split_in_72072_ways() -> None:
    """And as many of them are in order as the slow reading counts."""
    reading = Reading("second", royal=False)
    hand = parse_cards("2c2d5h6h7h8h9s9cTdJcQcKsAh")
    fast = cache(lambda row: value(reading.ranks, row))
    slowly = cache(lambda row: slow(row, reading))
    splits, counted, legal = 0, 0, 0
    for front in combinations(hand, 3):
        rest = [card for card in hand if card not in front]
        for middle in combinations(rest, 5):
            back = tuple(card for card in rest if card not in middle)
            splits += 1
            counted += slowly(front) < slowly(middle) <= slowly(back)
            legal += fast(front) < fast(middle) <= fast(back)
    assert splits == 72_072
    assert 0 < legal == counted < splits


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


@pytest.mark.parametrize("deck", [DECK, DECK[:13] + DECK[13:20], DECK[8:13] + DECK[21:26]])
def test_the_best_of_seven_is_the_best_of_all_fives(deck: tuple[Card, ...]) -> None:
    """Out of the whole deck, and of parts where flushes and straight flushes are common."""
    random = Random(1)
    for _ in range(500):
        cards = random.sample(deck, 7)
        rows = combinations(cards, 5)
        assert best_of_seven(cards) == max(value(ranking(), row) for row in rows)
