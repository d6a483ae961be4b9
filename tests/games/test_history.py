"""Who may read which parts of a finished hand's record."""

import json
from io import BytesIO
from typing import Any
from zipfile import ZipFile

import pytest
from msgspec import to_builtins

from games.boards.table_view import table_view
from games.models import Hand, Table
from games.records.record import AUDITOR, every_state, record
from games.tables.hand_state import game_of
from tests.games.evenings import played_once
from tests.games.house import House
from tests.people import client_of

TWO_YEARS = 2 * 365 * 24 * 3600
NAMES = ("alice", "bob", "carol")


def play(house: House) -> Table:
    """Dou Dizhu that no player calls: the hand is over, and no player has shown a card."""
    table = house.dealt_in("doudizhu", *NAMES)
    for _ in NAMES:
        table.refresh_from_db()
        (number,) = table.turns
        house.act(table, NAMES[int(number) - 1], {"do": "call", "points": 0})
    table.refresh_from_db()
    return table


evening = played_once(play)


@pytest.fixture
def hand(table: Table) -> Hand:
    return Hand.objects.get()


def named(recorded: Any) -> set[str]:
    """The names of all cards that a record tells anywhere."""
    cards = {card for card in recorded["cards"] if card}
    for move in recorded["moves"]:
        cards |= {card for card in move["action"].get("cards", ()) if card}
    return cards | {opening["card"] for opening in recorded["shoe"].get("openings", ())}


def test_a_record_names_no_card_that_its_reader_has_not_seen(hand: Hand) -> None:
    whole = record(hand, AUDITOR)["cards"]
    assert len(named(record(hand, AUDITOR))) == 54
    for seat in (1, 2, 3, None):
        recorded = record(hand, seat)
        shown = {whole[place] for place in game_of(hand).shown(every_state(hand)[1][-1], seat)}
        assert len(shown) in ((17, 18) if seat else (0, 1))
        assert named(recorded) == shown
        assert [card for card in recorded["cards"] if card] == [c for c in whole if c in shown]


def test_taking_a_seat_between_hands_does_not_show_its_last_cards(
    house: House, table: Table, hand: Hand
) -> None:
    onlooker = table_view(house.player("dave"), table, house.now).view
    house.leave(house.person("alice"), table)
    house.sit(house.person("dave"), table, 1)
    table.refresh_from_db()
    seen = table_view(house.person("dave"), table, house.now)
    assert seen.hand == hand
    assert seen.view == onlooker
    assert seen.view is not None
    assert seen.view.seat is None


def test_reversed_hand_names_no_cards_in_other_players_moves(
    house: House,
) -> None:
    table = house.dealt_in("chinese_poker", *NAMES)
    running, state = house.state(table)
    # What the house would lay down has rows also where a natural could be declared.
    house.act(table, "alice", to_builtins(game_of(running).fallback(state, 1)))
    hand = house.void(table, "a spilt drink")
    own, others = record(hand, 1)["moves"], record(hand, 2)["moves"]
    rows = ("front", "middle", "back")
    assert sum(len(own[0]["action"][row]) for row in rows) == 13
    assert {card for row in rows for card in others[0]["action"][row]} == {None}


@pytest.mark.always
def test_a_hand_of_years_ago_is_online_and_in_the_file(house: House, hand: Hand) -> None:
    """Nothing of the history is forgotten, however old it is."""
    house.pass_time(TWO_YEARS)
    client = client_of(house.person("alice"))
    assert hand.code in client.get("/history/").text
    assert hand.code in client.get("/history/", {"until": "2026-12-31"}).text
    assert client.get(f"/history/{hand.pk}/").status_code == 200
    assert client.get(f"/history/{hand.pk}/record/").json()["id"] == hand.code
    answer: Any = client.post("/players/data/export/")
    with ZipFile(BytesIO(b"".join(answer.streaming_content))) as package:
        hands = json.loads(package.read("hands.json"))
    assert [row["hand"] for row in hands] == [hand.code]
