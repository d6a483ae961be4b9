"""The list of players in the back office: who is on it, and what it says of each."""

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.utils import timezone

from casino.accounts.models import Player
from games.models import HandSeat
from tests.casino.player_file_scene import PlayedScene, flag
from tests.people import client_of

pytestmark = pytest.mark.django_db
ADDRESS = "/admin/players/player/"


def listed(client: Client, **query: str) -> dict[str, list[str]]:
    """The rows by name."""
    page = client.get(ADDRESS, query)
    assert page.status_code == 200
    return {
        player.username: [str(value) for value in player.listed.values()]
        for player in page.context["cl"].result_list
    }


def test_the_list_says_how_each_player_stands(scene: PlayedScene) -> None:
    scene.pay(120_00)
    flag(scene, kind="harm")
    HandSeat.objects.update(ended_at=timezone.now())
    rows = listed(client_of(scene.staff["managers"]))
    assert {"alice", "bob", "carol"} <= set(rows)
    balance, _seen, net, flags = rows["alice"]
    assert "120.00 EUR" in balance
    assert flags == "Signs of harm by playing"
    # Dou Dizhu without rake: what one won, the others lost.
    assert net[0] in "+−"
    assert any(rows[name][2][0] != net[0] for name in ("bob", "carol"))
    assert rows["bob"][3] == "None"


@pytest.mark.parametrize(
    ("query", "has", "without"),
    [
        ({}, {"alice"}, {"bot", "one-managers"}),
        ({"who": "bots"}, {"bot"}, {"alice"}),
        ({"who": "staff"}, {"one-managers"}, {"alice", "bot"}),
        ({"who": "all"}, {"alice", "bot", "one-managers"}, set()),
        ({"q": "bot"}, {"bot"}, {"alice"}),
    ],
)
def test_people_stand_apart_from_bots_and_staff(
    scene: PlayedScene, query: dict[str, str], has: set[str], without: set[str]
) -> None:
    Player.objects.create_user("bot", is_bot=True)
    rows = set(listed(client_of(scene.staff["managers"]), **query))
    assert has <= rows
    assert not without & rows


def test_a_figure_is_shown_to_those_who_may_see_it(scene: PlayedScene) -> None:
    for group, figures in (("managers", 4), ("cashiers", 3), ("floor", 4), ("technicians", 0)):
        rows = listed(client_of(scene.staff[group]))
        assert {len(values) for values in rows.values()} == {figures}, group


def test_more_players_take_no_more_statements(scene: PlayedScene) -> None:
    client = client_of(scene.staff["managers"])
    listed(client)
    counts = []
    for number in range(2):
        with CaptureQueriesContext(
            connection,
        ) as few:
            listed(client)
        counts.append(len(few))
        for name in range(20):
            Player.objects.create_user(f"more-{number}-{name}")
    assert counts[0] == counts[1]
