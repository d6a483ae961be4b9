"""A connection that the database has ended is replaced before a request uses it."""

from concurrent.futures import ThreadPoolExecutor

import pytest
from django.db import connection, connections

from games.models import Move, Table
from tests.games.house import House
from tests.games.program import Program
from tests.people import client_of
from wallets.of_record import chain
from wallets.storage.database_connections import renew_connections

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

END_ALL_OTHERS = """
    SELECT pg_terminate_backend(pid, 60000) FROM pg_stat_activity
    WHERE datname = current_database() AND pid <> pg_backend_pid()
"""


def cut_connections() -> None:
    """End every connection to the database; SQLite reads a file and has none."""
    if connection.vendor == "postgresql":
        with ThreadPoolExecutor(1) as other:
            other.submit(_end_all_others).result()


def _end_all_others() -> None:
    with connection.cursor() as cursor:
        cursor.execute(END_ALL_OTHERS)
        assert all(ended for (ended,) in cursor.fetchall())
    connections.close_all()


def test_the_next_look_is_answered(house: House) -> None:
    client = client_of(house.player("alice"))
    assert client.get("/wallet/").status_code == 200
    cut_connections()
    assert client.get("/wallet/").status_code == 200


def test_the_next_act_is_stored(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    program, turn = Program("alice"), house.turn(table, 1)
    action = house.best_action(table, "alice")
    table = Table.objects.get(pk=table.pk)
    sent = {"hand": table.hand_id, "turn": turn, "action": action}
    cut_connections()
    program.post(f"tables/{table.pk}/act/", sent)
    assert program.status == 200
    assert Move.objects.filter(hand=table.hand_id, turn=turn, by=Move.By.PLAYER).count() == 1


def test_nothing_asks_whether_the_database_is_there(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = client_of(house.player("alice"))
    checked: list[object] = []
    monkeypatch.setattr(
        type(connections["default"]), "is_usable", lambda link: checked.append(link) or True
    )
    renew_connections()
    assert client.get("/wallet/").status_code == 200
    assert not checked


def test_the_first_thing_that_a_connection_hears_may_be_who_writes(house: House) -> None:
    """A worker's thread that has just begun writes down late rows."""
    connections.close_all()
    chain.write()
