"""A request names the decision that it answers, and reaches no other one."""

from typing import Any, Final

import pytest

from games.models import Move, Table
from games.rules.cards import parse_cards
from games.rules.catalogue import GAMES
from tests.games.dealing_first import deal_first
from tests.games.house import House
from tests.games.markup import Page
from tests.games.program import Program
from tests.games.secret_hands import PLAYED
from tests.games.viewers import NAMES, board_of
from tests.people import HTMX, client_of

# Two boxes of blackjack, and the dealer's card between them.
CARDS: Final = parse_cards("5s6d9h5h6c")
SENTENCE: Final = "Your choices have changed. Nothing was done: look at the table and choose again."


@pytest.fixture
def two_boxes(house: House, monkeypatch: pytest.MonkeyPatch) -> Table:
    """Alice is to decide about box 5, and has bet on box 6 as well."""
    deal_first(monkeypatch, CARDS)
    table = house.dealt_in("blackjack", "alice")
    for box in (5, 6):
        house.act(table, "alice", {"do": "bet", "box": box, "amount": 1_000})
    house.act(table, "alice", {"do": "done"})
    table.refresh_from_db()
    return table


def form_of(house: House, table: Table, name: str) -> dict[str, str]:
    page = Page(board_of(client_of(house.person("alice")), table))
    return dict(page.forms[name].fields)


def send(house: House, table: Table, fields: dict[str, str]) -> Any:
    alice = client_of(house.person("alice"))
    return alice.post(f"/tables/{table.pk}/act/", fields, headers=HTMX)


def played(table: Table) -> list[tuple[str, int]]:
    moves = Move.objects.filter(hand=table.hand_id, action__do="stand").order_by("number")
    return [(move.action["do"], move.action["box"]) for move in moves]


@pytest.mark.parametrize("game", GAMES)
def test_every_form_of_a_decision_names_it_as_the_api_does(house: House, game: str) -> None:
    setup = PLAYED[game]
    names = NAMES[: max(setup.players, 1)]
    table = house.dealt_in(game, *names)
    for name, bet in zip(names, setup.bets, strict=False):
        house.act(table, name, bet)
        view = Program(name).get(f"tables/{table.pk}/")
        assert view["decision"] == "", "bets are not marked"
    for name, _bet in zip(names, setup.bets, strict=False):
        house.act(table, name, {"do": "done"})
    table.refresh_from_db()
    decisions = 0
    for number, name in enumerate(names, 1):
        view = Program(name).get(f"tables/{table.pk}/")
        page = Page(board_of(client_of(house.person(name)), table))
        marks = [dict(form.fields) for form in page.forms.values()]
        marks = [fields for fields in marks if "turn" in fields]
        assert bool(marks) == bool(view["decision"]) == (str(number) in table.turns)
        for fields in marks:
            assert fields["decision"] == view["decision"]
            assert fields["played_hand"] == str(view["hand"]["id"])
            assert fields["turn"] == str(view["turn"])
        decisions += len(marks)
    assert decisions or table.hand_id is None


def test_a_press_meant_for_one_box_does_nothing_at_the_next(house: House, two_boxes: Table) -> None:
    meant = form_of(house, two_boxes, "act-stand-5-0")
    assert (meant["box"], meant["turn"]) == ("5", str(house.turn(two_boxes, 1)))
    assert send(house, two_boxes, meant).status_code == 200
    assert played(two_boxes) == [("stand", 5)]
    # Sent once more it is done already; the next box is as it was.
    assert send(house, two_boxes, meant).status_code == 200
    assert played(two_boxes) == [("stand", 5)]
    # A press on what the page showed before, with the fields of what it shows now.
    shown = form_of(house, two_boxes, "act-stand-6-0")
    for mixed in (
        {**shown, "decision": meant["decision"]},
        {**shown, "decision": "0.of-another-version"},
    ):
        refused = send(house, two_boxes, mixed)
        assert refused.status_code == 409
        assert 'data-code="other_decision"' in refused.text
        assert SENTENCE in refused.text
        # The board is there as it is.
        assert 'id="act-stand-6-0"' in refused.text
    assert played(two_boxes) == [("stand", 5)]
    assert send(house, two_boxes, shown).status_code == 200


def test_a_press_after_the_clock_has_played_is_refused(house: House, two_boxes: Table) -> None:
    meant = form_of(house, two_boxes, "act-hit-5-0")
    while played(two_boxes) != [("stand", 5)]:
        house.until_due(two_boxes)
    refused = send(house, two_boxes, meant)
    assert refused.status_code == 409
    assert 'data-code="turn_over"' in refused.text
    assert 'id="act-stand-6-0"' in refused.text


def test_a_program_may_name_its_decision(house: House, two_boxes: Table) -> None:
    alice, there = Program("alice"), f"tables/{two_boxes.pk}/"
    view = alice.get(there)
    body = {
        "hand": view["hand"]["id"],
        "turn": view["turn"],
        "action": {"do": "stand", "box": 5, "hand": 0},
    }
    refused = alice.post(f"{there}act/", body | {"decision": "1.0000000000000000"})
    assert alice.refused(refused) == (409, "other_decision")
    after = alice.post(f"{there}act/", body | {"decision": view["decision"]})
    assert (alice.status, after["view"]["box"]) == (200, 6)
    # Without a mark, hand and turn name it.
    body |= {"turn": after["turn"], "action": {"do": "stand", "box": 6, "hand": 0}}
    alice.post(f"{there}act/", body)
    assert alice.status == 200
