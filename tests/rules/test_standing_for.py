"""The cards that jokers stand for in a row, by example."""

import random

from games.rules.cards import JOKERS, Card, composition, parse_cards
from games.rules.poker import category, main_rank, ranking, standing_for
from games.rules.thirteen.showdown import row_value
from tests.rules.cases import each, every

RANKS = ranking(wheel="second", royal=False, jokers=2)


def stands(row: str) -> str:
    """What the jokers of a row stand for, in the order in which they lie there."""
    cards = parse_cards(row)
    meant = standing_for(row_value(cards, RANKS), cards)
    return "".join(meant[card].text for card in cards if card.is_joker)


@each(
    ("Kh9c RJ", "Ks"),
    ("KsKh RJ", "Kd"),
    ("Ks BJ RJ", "KhKd"),
    ("9c9d9h9s RJ", "9s"),
    ("9c9d9h BJ RJ", "9s9s"),
    ("9c9d4h4s RJ", "9s"),
    ("9c9d4h2s RJ", "9s"),
    ("9c8d7h6s RJ", "Ts"),
    ("9c8d6h5s RJ", "7s"),
    # A-2-3-4-5 is the second-highest straight here, above 3-4-5-6-7.
    ("5c4d3h BJ RJ", "2sAs"),
    ("AcKdQh BJ RJ", "JsTs"),
    ("Ac4d3h2s RJ", "5s"),
    ("9h8h7h6h RJ", "Th"),
    ("KhQhJhTh RJ", "Ah"),
    ("Kh9h7h2h RJ", "Ah"),
    ("AhKh9h2h RJ", "Ah"),
    ("Kh9h2h BJ RJ", "AhAh"),
    ("KhQhJh BJ RJ", "AhTh"),
    ("AhKd9s8c2c", ""),
)
def test_a_joker_stands_for_what_makes_the_row_highest(row: str, others: str) -> None:
    assert stands(row) == others


def test_joker_avoids_the_wheel_where_it_is_the_lowest_straight() -> None:
    cards = parse_cards("5c4d3h BJ RJ")
    low = ranking(wheel="low", royal=True, jokers=2)
    meant = standing_for(row_value(cards, low), cards)
    assert [card.text for card in meant.values()] == ["7s", "6s"]


@every(seed=range(300))
def test_the_row_without_jokers_is_the_same(seed: int) -> None:
    rng = random.Random(seed)
    size = rng.choice((3, 5))
    jokers = rng.sample(JOKERS, rng.choice((1, 2)))
    deck = [card for card in composition() if not card.is_joker]
    row = [*rng.sample(deck, size - len(jokers)), *jokers]
    value = row_value(row, RANKS)
    meant = standing_for(value, row)
    assert set(meant) == set(jokers)
    real = [meant.get(card, card) for card in row]
    if len(set(real)) < size:
        # A card that is held twice is no row of one deck; its kind is the same all the same.
        assert category(value).name in ("FLUSH", "FIVE")
        return
    again = row_value(real, RANKS)
    assert (category(again), main_rank(again)) == (category(value), main_rank(value))
    assert again > value, "a real row stands above one with jokers"


def test_both_jokers_stand_for_a_card() -> None:
    black, red = JOKERS
    meant = standing_for(row_value([Card.SA, black, red], RANKS), [Card.SA, black, red])
    assert meant == {black: Card.HA, red: Card.DA}
