"""A bot of the house is named as one, on every page and in every answer."""

import re

import pytest
from django.test import Client

from games.models import Hand, Table
from tests.games.evenings import played_once
from tests.games.house import House
from tests.games.program import Program
from tests.people import client_of

WORDS = {"en": "bot", "zh-hans": "机器人", "zh-hant": "機器人"}


def play(house: House) -> Table:
    """A table where alice plays two bots."""
    table = house.among_bots("doudizhu", "alice")
    house.until(table, lambda table: table.hand_id is not None)
    return table


evening = played_once(play)


def badges(text: str, language: str) -> int:
    return len(re.findall(rf'<small class="badge">[^<]*{WORDS[language]}[^<]*</small>', text))


def test_a_bot_at_the_table_has_a_badge_for_everybody(house: House, table: Table) -> None:
    for client, language in (
        (client_of(house.person("alice")), "zh-hans"),
        (Client(), "en"),
        (Client(), "zh-hant"),
    ):
        client.cookies["django_language"] = language
        for address in (f"/tables/{table.pk}/", f"/tables/{table.pk}/board/"):
            assert badges(client.get(address).text, language) == 2, address


def test_the_lobby_names_bots_as_bots(house: House, table: Table) -> None:
    text = Client().get("/lobby/").text
    assert text.count('class="face bot"') == 2
    # Under each face, and in the list that is read aloud.
    assert text.count("(bot)") == 4
    assert "alice (bot)" not in text


def test_the_page_of_a_finished_hand_has_the_badge(house: House, table: Table) -> None:
    house.until(table, lambda table: table.hand_id is None)
    hand = Hand.objects.latest("pk")
    text = client_of(house.person("alice")).get(f"/history/{hand.pk}/").text
    assert badges(text, "en") >= 2


@pytest.mark.always
def test_programs_read_which_seats_are_bots(house: House, table: Table) -> None:
    seats = Program("alice").get(f"tables/{table.pk}/")["seats"]
    assert {seat["number"]: seat["is_bot"] for seat in seats if seat["player"]} == {
        1: False,
        2: True,
        3: True,
    }
