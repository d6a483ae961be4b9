"""The people of these tests: alice and bob, who play; a stranger, who has not signed in; staff."""

from collections.abc import Callable

import pytest
from django.core.cache import caches
from django.test import Client

from casino.players import staff
from casino.players.models import Player
from tests.people import PASSWORD


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """Requests of earlier tests do not count against this test's rate limits."""
    caches["default"].clear()


@pytest.fixture
def alice(db: None) -> Player:
    return Player.objects.create_user("alice", password=PASSWORD)


@pytest.fixture
def bob(db: None) -> Player:
    return Player.objects.create_user("bob", password=PASSWORD)


@pytest.fixture
def stranger(db: None) -> Client:
    return Client()


@pytest.fixture
def signed_in() -> Callable[[Player], Client]:
    def client_of(player: Player) -> Client:
        client = Client()
        client.force_login(player)
        return client

    return client_of


@pytest.fixture
def appointed(db: None) -> Callable[[str], Player]:
    def somebody(group: str) -> Player:
        player = Player.objects.create_user(f"one-of-{group}", password=PASSWORD)
        staff.appoint(player, group)
        return player

    return somebody
