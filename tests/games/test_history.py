"""What the record of a finished hand tells to whom."""

from typing import Any

import pytest

from games.boards.board import board
from games.hands import game_of
from games.history import AUDITOR, every_state, record
from games.models import Hand, Table
from tests.games.house import House

NAMES = ("alice", "bob", "carol")


@pytest.fixture
def table(house: House) -> Table:
    """Dou Dizhu that nobody calls: the hand is over, and nobody has shown a card."""
    table = house.dealt_in("doudizhu", *NAMES)
    for _ in NAMES:
        table.refresh_from_db()
        (number,) = table.turns
        house.act(table, NAMES[int(number) - 1], {"do": "call", "points": 0})
    table.refresh_from_db()
    return table


@pytest.fixture
def hand(table: Table) -> Hand:
    return Hand.objects.get()


def named(told: Any) -> set[str]:
    """The names of all cards that a record tells anywhere."""
    cards = {card for card in told["cards"] if card}
    for move in told["moves"]:
        cards |= {card for card in move["action"].get("cards", ()) if card}
    return cards | {opening["card"] for opening in told["shoe"].get("openings", ())}


def test_a_record_names_no_card_that_its_reader_has_not_seen(hand: Hand) -> None:
    whole = record(hand, AUDITOR)["cards"]
    assert len(named(record(hand, AUDITOR))) == 54
    for seat in (1, 2, 3, None):
        told = record(hand, seat)
        shown = {whole[place] for place in game_of(hand).shown(every_state(hand)[1][-1], seat)}
        assert len(shown) in ((17, 18) if seat else (0, 1))
        assert named(told) == shown
        assert [card for card in told["cards"] if card] == [c for c in whole if c in shown]


def test_who_takes_a_seat_in_the_pause_does_not_inherit_its_cards(
    house: House, table: Table, hand: Hand
) -> None:
    onlooker = board(house.player("dave"), table, house.now).view
    house.leave(house.person("alice"), table)
    house.sit(house.person("dave"), table, 1)
    table.refresh_from_db()
    told = board(house.person("dave"), table, house.now)
    assert told.hand == hand
    assert told.view == onlooker
    assert told.view is not None
    assert told.view.seat is None


def test_what_others_did_in_a_hand_that_was_taken_back_names_no_card_of_theirs(
    house: House,
) -> None:
    table = house.dealt_in("chinese_poker", *NAMES)
    house.act(table, "alice", house.best_action(table, "alice"))
    hand = house.void(table, "a spilt drink")
    own, others = record(hand, 1)["moves"], record(hand, 2)["moves"]
    rows = ("front", "middle", "back")
    assert sum(len(own[0]["action"][row]) for row in rows) == 13
    assert {card for row in rows for card in others[0]["action"][row]} == {None}
