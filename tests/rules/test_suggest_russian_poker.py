"""Suggestions at Russian poker: the best first, and no more than there is."""

import pytest
from msgspec import to_builtins

from games.rules.cards import parse_cards
from games.rules.russian_poker.hands import read_hand
from games.rules.russian_poker.outlook import FOLDED, outlook
from games.rules.russian_poker.suggest import suggest
from tests.rules.cases import each, unreadable
from tests.rules.russian_poker_odds import GAME, card


def test_suggestions_come_best_first() -> None:
    suggestions = suggest(GAME, parse_cards("9c9d7h6s5cKd"))
    assert [suggestion.do for suggestion in suggestions][:3] == ["buy", "exchange", "bet"]
    assert suggestions[1].cards == parse_cards("7h6s5c")
    assert len(suggestions) == 5
    # To draw nothing is no way of its own: it is to bet or to fold.
    assert {suggestion.do for suggestion in suggestions} <= {"exchange", "buy", "bet", "fold"}


def test_a_suggestion_tells_no_more_than_there_is() -> None:
    (bet, fold) = to_builtins(suggest(GAME, parse_cards("9c8d7h6s5c5dKd")))
    assert set(bet) == {"do", "worth"}
    assert fold == {"do": "fold", "worth": -1.0}


def test_suggestions_for_six_cards_draw_no_more() -> None:
    suggestions = suggest(GAME, parse_cards("9c8d7h6s5c5dKd"))
    assert [suggestion.do for suggestion in suggestions] == ["bet", "fold"]
    assert suggestions[1].worth == FOLDED
    suggestions = suggest(GAME, parse_cards("Jc9h7h5d4d2cKd"))
    assert [suggestion.do for suggestion in suggestions] == ["fold", "bet"]


def test_suggestions_name_insurance() -> None:
    cards = parse_cards("AcAdAh2sKc")
    bet = next(
        suggestion for suggestion in suggest(GAME, (*cards, card("2c"))) if suggestion.do == "bet"
    )
    assert bet.insurance == 800
    assert bet.worth == pytest.approx(
        outlook(GAME, 100, card("2c"), cards).finished(read_hand(cards))
    )


@each(
    ("", "card_count"),
    ("9c9d7h6s5c", "card_count"),
    ("9c9d7h6s5cKdKhKs", "card_count"),
    ("9c9c7h6s5cKd", "card_not_in_shoe"),
)
def test_what_is_no_hand_is_not_suggested_on(cards: str, code: str) -> None:
    unreadable(code, suggest, GAME, parse_cards(cards))
