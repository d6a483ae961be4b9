"""The crowd's browsers: what they read from a table's page is what the house takes and means."""

import random

import pytest
from django.test import Client

from bench.crowd_forms import help_link, parts, press, put_together, sent, tag
from games.models import Table
from games.rules.catalogue import GAMES, game_type
from tests.games.house import House
from tests.people import HTMX, client_of

NAMES = ("alice", "bob", "carol", "dave")
ENOUGH = 6


def board_of(client: Client, path: str) -> str:
    return client.get(path, headers=HTMX).content.decode()


def send_what_is_offered(client: Client, table: Table, draw: random.Random) -> int:
    """Answer the decision on the page, if there is one: the status, or 0."""
    board = board_of(client, f"/tables/{table.pk}/board/")
    if not tag(board, "shoe")["data-turn"]:
        return 0
    if link := help_link(board, draw):
        board = board_of(client, link)
    form = press(board, draw)
    assert form is not None, board
    fields: dict[str, list[str]] = {}
    for name, value in form.fields:
        fields.setdefault(name, []).append(value)
    return client.post(form.path, fields, headers=HTMX).status_code


@pytest.mark.django_db
@pytest.mark.parametrize("game", GAMES)
def test_every_form_that_a_page_sends_is_taken(house: House, game: str) -> None:
    draw, names = random.Random(game), NAMES[: game_type(game).seats[0]]
    table = house.dealt_in(game, *names)
    clients = [client_of(house.person(name)) for name in names]
    statuses: list[int] = []
    while len(statuses) < ENOUGH:
        answered = [send_what_is_offered(client, table, draw) for client in clients]
        statuses += filter(None, answered)
        if not any(answered):
            house.until_due(table)
    assert set(statuses) == {200}


@pytest.mark.always
@pytest.mark.django_db
def test_a_page_says_what_it_fetches_and_how_to_sit(house: House) -> None:
    table = house.table("doudizhu")
    client = client_of(house.player("alice"))
    page = client.get(f"/tables/{table.pk}/").content.decode()
    fetched = parts(page)
    assert {"board", "chat", "running"} <= set(fetched)
    assert fetched["board"].path == f"/tables/{table.pk}/board/"
    assert fetched["chat"].seconds >= 1
    assert "chat" in fetched["chat"].events
    form = sent(page, "sit")
    assert form is not None
    assert form.value("seat") == "1"
    assert client.post(form.path, dict(form.fields), headers=HTMX).status_code == 200


def test_pieces_are_put_together_and_the_place_of_a_missing_one_remains() -> None:
    pieces = {
        "board": '<p id="a" data-same></p><i id="none" data-same></i>',
        "a": '<p id="a">is <b id="b" data-same></b></p>',
        "b": '<b id="b">in place</b>',
        "c": "is in no place",
    }
    expected = '<p id="a">is <b id="b">in place</b></p><i id="none" data-same></i>'
    assert put_together(pieces) == expected
