"""The list of moves in the back office shows an auditor only what a spectator may read."""

from html import unescape
from typing import Any

import pytest
from django.test import Client

from casino.accounts.staff import appoint
from games.boards.moves import move_in_words
from games.models import Hand, Move, Table
from games.records import record
from games.tables.hand_state import game_from
from tests.games.house import House
from tests.people import client_of
from wallets.models.staff_models import JournalEntry

LIST = "/admin/games/move/"


@pytest.fixture
def auditor(house: House) -> Client:
    player = house.player("ada", 0)
    appoint(player, "auditors")
    return client_of(player)


def lines(client: Client, hand: Hand) -> str:
    """The full text of the list and the pages of a hand's moves."""
    pages = [client.get(LIST, {"q": hand.table.name, "all": ""}).text]
    pages += [client.get(f"{LIST}{move.pk}/change/").text for move in hand.moves.all()]
    return unescape("".join(pages))


def said(hand: Hand, viewer: Any) -> list[str]:
    """Each move with its cards as this viewer may read it, in the words of the list."""
    game = game_from(hand.game, hand.options)
    moves = (
        move_in_words(game, move, {}, hand.table.currency)
        for move in record.record(hand, viewer)["moves"]
    )
    return [
        " · ".join((move.words, *(" ".join(card or "–" for card in row) for row in move.cards)))
        for move in moves
    ]


def hidden_texts(hand: Hand) -> list[str]:
    """The moves that name cards which a spectator may not read."""
    both = zip(said(hand, None), said(hand, record.AUDITOR), strict=True)
    return [whole for shown, whole in both if shown != whole]


def exchanged(house: House) -> Hand:
    """A finished hand of Russian poker in which a player drew cards."""
    table = house.dealt_in("russian_poker", "alice", stack_min=100)
    drawn = Move.objects.filter(hand__status=Hand.Status.FINISHED, action__do="exchange")
    house.until(table, lambda _table: drawn.exists())
    move = drawn.select_related("hand__table").first()
    assert move is not None
    return move.hand


def laid_down(house: House) -> Hand:
    """A hand that was voided when one seat had arranged and the others had not."""
    table = house.dealt_in("thirteen_taiwan", "alice", "bob", "carol", "dave")
    house.act(table, "alice", house.best_action(table, "alice"))
    hand = house.void(table, "test")
    return Hand.objects.select_related("table").get(pk=hand.pk)


def check_hidden(auditor: Client, hand: Hand) -> None:
    hidden = hidden_texts(hand)
    assert hidden
    listed = lines(auditor, hand)
    assert not [text for text in hidden if text in listed]
    assert all(text in listed for text in said(hand, None))


def test_cards_hidden_in_play_stay_hidden_in_the_list(house: House, auditor: Client) -> None:
    check_hidden(auditor, exchanged(house))


def test_all_cards_are_opened_on_the_page_of_the_hand_and_noted(
    house: House, auditor: Client
) -> None:
    hand = laid_down(house)
    check_hidden(auditor, hand)
    assert not JournalEntry.objects.filter(verb="hand.open_cards").exists()
    auditor.post(f"/history/{hand.pk}/open/", {"reason": "a complaint"})
    assert JournalEntry.objects.filter(verb="hand.open_cards").exists()
    check_hidden(auditor, hand)


def test_a_damaged_hand_does_not_hide_the_others(house: House, auditor: Client) -> None:
    hand = laid_down(house)
    other: Table = house.dealt_in("baccarat", "erin")
    house.until(other, lambda table: table.hands_dealt > 1)
    sound = Hand.objects.filter(table=other, status=Hand.Status.FINISHED).first()
    assert sound is not None
    Hand.objects.filter(pk=hand.pk).update(options={"nonsense": 1})
    listed = unescape(auditor.get(LIST, {"all": ""}).text)
    assert "cannot be played again" in listed
    assert said(sound, None)[0] in listed


def test_a_list_plays_each_hand_again_once(
    house: House, auditor: Client, django_assert_max_num_queries: object
) -> None:
    table = house.dealt_in("thirteen_taiwan", "alice", "bob", "carol", "dave")
    house.until(table, lambda table: table.hands_dealt > 2)
    moves = Move.objects.exclude(hand__status=Hand.Status.LIVE)
    assert moves.count() >= 8
    assert callable(django_assert_max_num_queries)
    # Two hands of four moves each: what is asked for each hand, not for each move.
    with django_assert_max_num_queries(40):
        auditor.get(LIST)
