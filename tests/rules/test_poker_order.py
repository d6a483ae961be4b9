"""The order of poker rows, against reading each row slowly."""

from collections.abc import Sequence
from functools import cache
from itertools import combinations, pairwise, product
from random import Random

import pytest

from games.rules.cards import DECK, JOKERS, RANKS, Card, parse_cards
from games.rules.poker import CATEGORIES, CATEGORY_NAMES, Category, Wheel, category, ranking
from tests.rules.cases import each, every
from tests.rules.conftest import Share
from tests.rules.slow_poker import LADDER, WHEELS, Reading, Slow, sign, slow, value

READINGS = [Reading(wheel, royal) for wheel in WHEELS for royal in (True, False)]


@pytest.mark.long
@every(reading=READINGS)
def test_rows_stand_in_the_order_of_the_slow_reading(reading: Reading, share: Share[int]) -> None:
    rows = [parse_cards("8s8d8h8cAs"), parse_cards("5s6s7s8s9s")]
    for seed in share(range(2_500)):
        random = Random(f"order {reading} {seed}")
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


@pytest.mark.long
@every(reading=READINGS)
def test_jokers_stand_for_the_card_that_makes_the_highest_row(
    reading: Reading, share: Share[int]
) -> None:
    reading = reading._replace(jokers=2)
    rows = [parse_cards(text) for text in ("BJ4c4d4h4s", "BJRJ4c4d4h", "BJRJKcQcAc")]
    kinds = product((0, 1, 2), (3, 5), ("any", "few", "suit", "near"))
    for (jokers, size, wanted), seed in product(kinds, share(range(40))):
        if jokers == 2 and seed % 5:
            continue
        random = Random(f"jokers {reading} {seed}")
        few, suit, low = random.sample(RANKS, 2), random.choice("cdhs"), random.randrange(9)
        among = {
            "any": list(DECK),
            "few": [card for card in DECK if card.text[0] in few],
            "suit": [card for card in DECK if card.text[1] == suit],
            "near": [card for card in DECK if card.text[0] in ("A" + RANKS)[low : low + 6]],
        }[wanted]
        rows.append((*JOKERS[:jokers], *random.sample(among, size - jokers)))
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


def rows_of(random: Random, jokers: int, count: int) -> list[list[Card]]:
    """Rows of three or five cards of one deck, at times with jokers."""
    cards = [*DECK, *JOKERS[:jokers]]
    return [random.sample(cards, random.choice((3, 5))) for _ in range(count)]


@every(jokers=[0, 1])
def test_any_two_rows_compare_as_in_the_slow_reading(jokers: int, share: Share[int]) -> None:
    for seed in share(range(1_000)):
        random = Random(seed)
        wheel, royal = random.choice(WHEELS), not jokers and random.random() < 0.5
        reading = Reading(wheel, royal, jokers=2 * jokers)
        cards, other = rows_of(random, jokers, 2)
        fast = sign(value(reading.ranks, cards), value(reading.ranks, other))
        assert fast == sign(slow(cards, reading), slow(other, reading)), (cards, other, reading)


def test_how_a_row_is_laid_does_not_matter() -> None:
    ranks = ranking(wheel="second", royal=False, jokers=2)
    random = Random(0)
    for row in rows_of(random, 2, 200):
        assert value(ranks, random.sample(row, len(row))) == value(ranks, row), row


@each(
    ("low", "A2345 23456 34567 45678 56789 6789T 789TJ 89TJQ 9TJQK TJQKA"),
    ("second", "23456 34567 45678 56789 6789T 789TJ 89TJQ 9TJQK A2345 TJQKA"),
)
@every(suits=["cdhsc", "hhhhh"])
def test_place_of_the_wheel(wheel: Wheel, points: str, suits: str) -> None:
    ranks = ranking(wheel=wheel, royal=True)
    rows = ["".join(map("".join, zip(row, suits, strict=True))) for row in points.split()]
    values = [value(ranks, parse_cards(row)) for row in rows]
    assert values == sorted(set(values))


@every(row=["QcKdAh2s3c", "KcAd2h3s4c", "JcQdKhAs2c"])
def test_straights_do_not_wrap_past_the_ace(row: str) -> None:
    for wheel in WHEELS:
        assert category(value(ranking(wheel), parse_cards(row))) is Category.HIGH_CARD


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
