"""What draws are worth at Russian poker, against counting card by card."""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations
from random import Random

import pytest

from games.rules.cards import DECK, Card, parse_cards
from games.rules.russian_poker.best_play import Draw, average_worth, draws
from games.rules.russian_poker.hands import read_hand
from games.rules.russian_poker.outlook import Outlook, outlook
from tests.rules.cases import each
from tests.rules.conftest import Share
from tests.rules.russian_poker_odds import GAME, card, left_after


def the_draw(held: Sequence[Card], shown: Card, given: str) -> Draw:
    """The draw that gives these cards back."""
    return next(draw for draw in draws(GAME, 100, held, shown) if draw.cards == parse_cards(given))


def finished_average(expected: Outlook, kept: Sequence[Card], left: Sequence[Card]) -> float:
    """What a box is worth that keeps these cards, card by card over all its draws."""
    worths = [
        expected.finished(read_hand((*kept, *drawn))) for drawn in combinations(left, 5 - len(kept))
    ]
    return sum(worths) / len(worths)


EXCHANGES = [
    ("9c9d7h6s5c", "Kd", "6s5c"),
    ("9c8c7cKd2h", "3d", "Kd2h"),
    ("AcKcQc4d2h", "Th", "4d2h"),
    ("AcKd9h9s2h", "7c", "9h2h"),
    ("2c2d2h9sJc", "Ad", "9sJc"),
    ("9c9d7h6s5c", "4h", "7h6s5c"),
    ("AcQc7h6s5d", "4h", "7h6s5d"),
]


def test_an_exchange_of_two_or_three_against_every_draw(share: Share[tuple[str, str, str]]) -> None:
    for cards, up, given in share(EXCHANGES, least=2):
        held, shown = parse_cards(cards), card(up)
        draw = the_draw(held, shown, given)
        kept = [held_card for held_card in held if held_card not in draw.cards]
        expected = outlook(GAME, 100, shown, held)
        assert draw.do == "exchange"
        left = left_after(held, [shown])
        assert draw.worth == pytest.approx(finished_average(expected, kept, left) - 1), cards


@pytest.mark.release
@each(("Qd9h5s3c", 4), ("AcQd9h5s3c", 5))
def test_exchanges_of_four_and_five_against_sampling(given: str, most: int) -> None:
    held, shown, random = parse_cards("AcQd9h5s3c"), card("2h"), Random(most)
    draw = the_draw(held, shown, given)
    kept = [held_card for held_card in held if held_card not in draw.cards]
    expected = outlook(GAME, 100, shown, held)
    left = left_after(held, [shown])
    worths = [
        expected.finished(read_hand((*kept, *random.sample(left, most)))) for _ in range(20_000)
    ]
    mean = sum(worths) / len(worths)
    error = (sum((worth - mean) ** 2 for worth in worths) / len(worths) ** 2) ** 0.5
    assert abs(draw.worth + 1 - mean) < 4 * error


def test_a_sixth_card_against_every_card() -> None:
    held, shown = parse_cards("9c8d7h6s5c"), card("Ad")
    expected = outlook(GAME, 100, shown, held)
    worths = [expected.finished(read_hand((*held, sixth))) for sixth in left_after(held, [shown])]
    by_action = {draw.do: draw.worth for draw in draws(GAME, 100, held, shown) if not draw.cards}
    assert by_action["buy"] == pytest.approx(sum(worths) / 46 - 1)
    assert by_action["play"] == pytest.approx(expected.finished(read_hand(held)))


def test_every_draw_is_weighed_and_the_best_comes_first() -> None:
    held = parse_cards("9c9d7h6s5c")
    weighed = draws(GAME, 100, held, card("Kd"))
    assert Counter(len(draw.cards) for draw in weighed) == {0: 2, 2: 10, 3: 10, 4: 5, 5: 1}
    assert len({draw.cards for draw in weighed}) == 27
    worths = [draw.worth for draw in weighed]
    assert worths == sorted(worths, reverse=True)


@each(
    # Nothing against a king is folded, a high pair keeps its pair.
    ("Jc9h7h4d3d", "Kh", "play", ""),
    ("QcQd7h4s2d", "Kh", "exchange", "7h4s2d"),
    # An open straight beside a pair, and a straight made, are worth a sixth card.
    ("9c9d8h7s6d", "Kh", "buy", ""),
    ("9c8d7h6s5d", "2h", "buy", ""),
    # Four of a flush beside nothing too: only two or more can be exchanged.
    ("AcJc9c4c2d", "5h", "buy", ""),
    # Four of a kind has nothing to gain.
    ("9c9d9h9s2d", "5h", "play", ""),
)
def test_what_is_best(cards: str, up: str, do: str, given: str) -> None:
    best = draws(GAME, 100, parse_cards(cards), card(up))[0]
    assert (best.do, best.cards) == (do, parse_cards(given))


@pytest.mark.release
def test_what_decisions_promise_is_what_playing_them_out_brings() -> None:
    """Cards drawn are not taken from the dealer's in advance; over many deals that hardly tells."""
    random, differences = Random(11), []
    for _ in range(80):
        deal = random.sample(DECK, 12)
        held, up, rest = deal[:5], deal[5], deal[6:]
        best = draws(GAME, 100, held, up)[0]
        if best.do == "play":
            continue
        kept = [held_card for held_card in held if held_card not in best.cards]
        drawn = rest[: len(best.cards) or 1]
        hand = read_hand((*kept, *drawn))
        ahead = outlook(GAME, 100, up, held).finished(hand)
        differences.append(outlook(GAME, 100, up, (*held, *drawn)).finished(hand) - ahead)
    mean = sum(differences) / len(differences)
    assert abs(mean) < 0.05
    assert max(map(abs, differences)) < 0.8


@pytest.mark.slow
def test_the_average_weighs_each_kind_as_often_as_it_comes() -> None:
    """Of each kind two deals: the weights are its share of all hands."""
    kinds = {
        "nothing": ("AcQd9h5s3c", 1_135_260),
        "ace_king": ("AcKd9h5s3c", 167_280),
        "pair": ("9c9d7h5s3c", 1_098_240),
        "two_pair": ("9c9d7h7s3c", 123_552),
        "three": ("9c9d9h5s3c", 54_912),
        "higher": ("9c9d9h5s5c", 10_200 + 5_108 + 3_744 + 624 + 40),
    }
    deals = [
        [*parse_cards(cards), up] for cards, _ in kinds.values() for up in parse_cards("2hJhKs")
    ]
    mean = variance = 0.0
    for cards, count in kinds.values():
        held = parse_cards(cards)
        low, high = (draws(GAME, 100, held, card(up))[0].worth for up in ("2h", "Jh"))
        mean += count / 2_598_960 * (low + high) / 2
        variance += (count / 2_598_960) ** 2 * ((low - high) / 2) ** 2 / 2
    average = average_worth(GAME, 100, deals, 2)
    assert average.mean == pytest.approx(mean)
    assert average.standard_error == pytest.approx(variance**0.5)
