"""The players' page of Russian poker: its paytables, options and edges are those of the code."""

import re
from math import hypot
from random import Random

import pytest

from games.rules.cards import DECK, parse_cards
from games.rules.russian_poker.best_play import (
    average_worth,
    bonus_edge,
    qualifying_by_up_card,
    qualifying_probability,
)
from games.rules.russian_poker.game import RussianPoker
from games.rules.russian_poker.hands import BONUS_TABLE, PAYTABLE, read_hand
from tests.rules.pages import page_of, table_of

PAGE = page_of("russian_poker")
GAME = RussianPoker(edition=2)


def percent(share: float, digits: int) -> str:
    return f"{100 * share:.{digits}f}%"


def test_the_paytable_is_that_of_the_code() -> None:
    published = {
        name: row[0] for name, row in table_of("russian_poker", "What the bet pays").items()
    }
    assert published == {name: f"{odds.pays}:1" for name, odds in PAYTABLE.items()}


def test_the_examples_of_second_combinations_pay_what_the_page_says() -> None:
    words = {
        "pairs": "two_pair",
        "twice": "two_pair",
        "straights": "straight",
        "flushes": "flush",
        "houses": "full_house",
    }
    rows = table_of("russian_poker", "The second combination")
    assert len(rows) == 15
    for cards, (text, pays) in rows.items():
        hand = read_hand(parse_cards(cards))
        assert f"{hand.pays}:1" == pays, cards
        assert ("alone" in text) == (hand.second is None)
        for combination in hand.combinations:
            plain = combination.name.replace("_", " ").replace("ace king", "ace-king")
            plural = any(word in text for word, name in words.items() if name == combination.name)
            assert plain in text or plural, (cards, combination.name)


def test_the_bonus_table_is_that_of_the_code() -> None:
    published = {name: row[0] for name, row in table_of("russian_poker", "The bonus").items()}
    assert published.pop("royal_flush").endswith(f" {GAME.royal_share_bp // 100}% or more")
    assert published.pop("straight_flush").endswith(
        f" {GAME.straight_flush_share_bp // 100}% or more"
    )
    assert published == {name: f"{odds.pays}:1" for name, odds in BONUS_TABLE.items()}


def test_how_often_the_dealer_qualifies_is_as_computed() -> None:
    assert percent(float(qualifying_probability()), 5) in PAGE
    published = {}
    for ranks, (qualifies, edge) in table_of("russian_poker", "Insurance").items():
        for rank in ranks.replace("`", "").split(", "):
            published[rank] = qualifies, edge
    assert published == {
        rank: (percent(float(chance), 2), percent(float(2 * chance - 1), 2))
        for rank, chance in qualifying_by_up_card().items()
    }


def test_the_edges_of_the_bonus_are_those_that_are_computed() -> None:
    published = {name: row[0] for name, row in table_of("russian_poker", "The house edge").items()}
    assert published == {
        "its lines alone, the jackpot empty": percent(float(bonus_edge(GAME)), 4),
        "the lucky game": percent(float(bonus_edge(GAME, lucky_game=True)), 4),
        "the wheel": percent(float(bonus_edge(GAME, wheel=True)), 4),
        **{
            f"the bonus card among the first {count} cards".replace(" 1 cards", " card"): percent(
                float(bonus_edge(RussianPoker(edition=2, bonus_card_count=count), bonus_card=True)),
                4,
            )
            for count in range(1, 6)
        },
        "the wheel and the lucky game": percent(
            float(bonus_edge(GAME, wheel=True, lucky_game=True)), 4
        ),
        "all three": percent(
            float(bonus_edge(GAME, bonus_card=True, wheel=True, lucky_game=True)), 4
        ),
    }


@pytest.mark.release
def test_the_worth_of_a_box_is_near_a_small_sample() -> None:
    """Within four of the standard errors of both."""
    published = re.search(
        r"worth ([+-][\d.]+) antes on average, with a\s+standard error of ([\d.]+)", PAGE
    )
    assert published
    random = Random(2)
    sample = average_worth(GAME, GAME.min, (random.sample(DECK, 6) for _ in range(3_000)), 20)
    error = hypot(sample.standard_error, float(published[2]))
    assert abs(sample.mean - float(published[1])) < 4 * error
