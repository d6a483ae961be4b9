"""How many statements a whole page takes: a budget, as counts do not depend on the machine.

Who asks is not counted: an open house remembers it (`tests/games/test_remembered.py`).
"""

from collections.abc import Callable
from typing import Final

import pytest
from django.db import connection
from django.test.utils import CaptureQueriesContext

from tests.games.house import House
from tests.people import client_of

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]

# A game of each family, with as many people as it takes.
TABLES: Final = {"doudizhu": 3, "chinese_poker": 2, "blackjack": 1, "baccarat": 1}
NAMES: Final = ("alice", "bob", "carol")
# A player at the table, and a spectator who might sit down.
SEATED_MAX: Final = 6
LOOKING_ON_MAX: Final = 9
PAGES_MAX: Final = {"/lobby/": 4, "/history/": 10, "/wallet/": 7}
# SQLite answers each part of the frame, and of the lobby, with a statement of its own.
MORE_ON_SQLITE: Final = 13
IN_LOBBY: Final = 7
WHO_ASKS: Final = ('FROM "django_session"', 'FROM "players_player" WHERE "players_player"."id"')

Count = Callable[[str, str], int]


@pytest.fixture
def count(house: House) -> Count:
    """How many statements a page takes that its reader has seen before."""

    def of(name: str, address: str) -> int:
        client = client_of(house.person(name))
        assert client.get(address).status_code == 200
        with CaptureQueriesContext(connection) as queries:
            assert client.get(address).status_code == 200
        counted = [query for query in queries if not any(who in query["sql"] for who in WHO_ASKS)]
        return len(counted) - (0 if connection.vendor == "postgresql" else MORE_ON_SQLITE)

    return of


@pytest.mark.parametrize("game", TABLES)
def test_a_table(house: House, count: Count, game: str) -> None:
    table = house.dealt_in(game, *NAMES[: TABLES[game]])
    house.player("zoe")
    address = f"/tables/{table.pk}/"
    assert count("alice", address) <= SEATED_MAX
    assert count("zoe", address) <= LOOKING_ON_MAX


@pytest.mark.parametrize("address", PAGES_MAX)
def test_a_page(house: House, count: Count, address: str) -> None:
    house.dealt_in("doudizhu", *NAMES)
    apart = IN_LOBBY if address == "/lobby/" and connection.vendor == "sqlite" else 0
    assert count("alice", address) <= PAGES_MAX[address] + apart
