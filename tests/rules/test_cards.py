"""Cards, their text form, and the compositions of shoes."""

from games.rules.cards import DECK, JOKERS, Card, cards_text, composition, parse_cards
from tests.rules.cases import every, unreadable


def test_a_card_is_written_as_rank_and_suit() -> None:
    assert [card.text for card in parse_cards("2c Td,Ah  KsBJRJ")] == [
        *("2c", "Td", "Ah", "Ks"),
        *("BJ", "RJ"),
    ]


def test_every_card_comes_back_from_its_text() -> None:
    assert parse_cards(cards_text(Card)) == tuple(Card)
    assert all(Card(card.text) is card for card in Card)
    assert [str(card) for card in JOKERS] == ["BJ", "RJ"]


@every(text=["1c", "2x", "TD", "10h", "c2", "Bj", "JB", "2c3", "é€"])
def test_malformed_cards_are_refused(text: str) -> None:
    unreadable("card", parse_cards, text)


def test_a_deck_stands_suit_by_suit_from_the_two_to_the_ace() -> None:
    assert len(set(DECK)) == 52
    assert cards_text(DECK[:14]) == "2c3c4c5c6c7c8c9cTcJcQcKcAc2d"
    assert cards_text(DECK[-1:]) == "As"
    assert [(card.rank, card.suit) for card in parse_cards("2cAs")] == [(2, 0), (14, 3)]


def test_jokers_stand_above_all_and_have_no_suit() -> None:
    black, red = JOKERS
    assert max(card.rank for card in DECK) < black.rank < red.rank
    assert black.suit == red.suit == -1
    assert [card for card in Card if card.is_joker] == [black, red]


def test_a_shoe_of_several_decks_has_its_jokers_last() -> None:
    assert composition() == DECK
    assert composition(jokers=True) == DECK + JOKERS
    assert composition(decks=2, jokers=True) == DECK + DECK + JOKERS + JOKERS
    assert len(composition(decks=8)) == 416
