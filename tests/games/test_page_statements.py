"""How many statements a page takes: a budget on PostgreSQL, which reads what belongs together.

Who reads it is not counted: a process remembers sessions and players for a minute.
"""

from collections.abc import Callable
from typing import Final

import pytest
from django.db import connection
from django.test import Client
from django.test.utils import CaptureQueriesContext

from games.models import Table
from tests.games.house import House
from tests.people import client_of

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

MOST: Final = 6
# Baccarat reads its roads, a player who may sit down what they could play for.
MOST_OF_SEATED: Final = 4
# A game of each family, with as many people as it takes.
GAMES: Final = {"chinese_poker": 2, "doudizhu": 3, "blackjack": 1, "baccarat": 1}
NAMES: Final = ("bob", "carol", "dave")
OF_SIGN_IN: Final = ('FROM "django_session"', 'FROM "players_player"')
Count = Callable[[Client, str], list[str]]


def statements(client: Client, address: str) -> list[str]:
    """The statements of the second visit, which finds what the process remembers."""
    client.get(address)
    with CaptureQueriesContext(connection) as queries:
        assert client.get(address).status_code == 200
    sent = [query["sql"] for query in queries]
    return [sql for sql in sent if not any(name in sql for name in OF_SIGN_IN)]


def keeps_to_budget(client: Client, address: str, most: int = MOST) -> None:
    queries = statements(client, address)
    if connection.vendor == "postgresql":
        assert len(queries) <= most, queries


@pytest.mark.parametrize("game", GAMES)
def test_a_table_takes_few_statements(house: House, game: str) -> None:
    names = NAMES[: GAMES[game]]
    table = house.dealt_in(game, *names)
    onlooker, player = client_of(house.player("alice")), client_of(house.person(names[0]))

    def look(table: Table) -> None:
        keeps_to_budget(onlooker, f"/tables/{table.pk}/")
        for client in (Client(), player):
            keeps_to_budget(client, f"/tables/{table.pk}/", MOST_OF_SEATED)

    look(table)
    house.until(table, lambda table: table.hand_id is None)
    look(table)


@pytest.mark.parametrize("address", ["/", "/lobby/"])
def test_a_page_for_everybody_takes_few_statements(house: House, address: str) -> None:
    house.dealt_in("doudizhu", *NAMES)
    for client in (Client(), client_of(house.player("alice")), client_of(house.person("bob"))):
        keeps_to_budget(client, address)


# The history reads in two statements whether its reader audits hands.
@pytest.mark.parametrize(("address", "most"), [("/history/", MOST + 2), ("/wallet/", MOST)])
def test_a_page_of_a_players_own_takes_few_statements(
    house: House, address: str, most: int
) -> None:
    table = house.dealt_in("doudizhu", *NAMES)
    house.until(table, lambda table: table.hand_id is None)
    keeps_to_budget(client_of(house.person("bob")), address, most)
