"""A database that says nothing is noticed; what waits for it and what comes then is refused."""

import json
import socket
import threading
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack, contextmanager
from datetime import timedelta
from pathlib import Path
from typing import Any

import psycopg
import pytest
from django.db import connection
from django.test import Client

from games.models import Move
from tests.casino.web_process import ON_POSTGRESQL, Program, web_process
from tests.games.house import House
from tests.valkey import Valkey
from tests.waiting import until
from wallets.storage import database_time, silence
from wallets.storage.database_connections import renew_connections
from wallets.storage.silence import SILENCE, answers

BET = {"do": "bet", "on": "player", "amount": 500}


@contextmanager
def frozen() -> Iterator[None]:
    """As if the server were stopped: no statement ends, and no connection is answered.

    SQLite has no server, and is said to be silent.
    """
    thawed = threading.Event()
    with pytest.MonkeyPatch.context() as patch, ExitStack() as stack:
        if ON_POSTGRESQL:
            patch.setattr(silence, "answers", lambda _address: thawed.wait(0.05))
            # However short this is, what was sent before and is done afterwards is too late.
            patch.setattr(database_time, "BEGUN_WITHIN", timedelta())
            database: Any = connection
            given = database.get_connection_params()
            del given["cursor_factory"]
            other = stack.enter_context(psycopg.connect(**given))
            other.execute("LOCK TABLE games_table IN ACCESS EXCLUSIVE MODE")
        else:
            patch.setattr(SILENCE, "is_silent", True)
        stack.callback(thawed.set)
        yield
    until(lambda: not SILENCE.is_silent)
    renew_connections()


@pytest.mark.django_db(transaction=True)
@pytest.mark.postgresql
def test_acts_and_pages_are_refused_until_it_answers_again(redis: Valkey, house: House) -> None:
    table = house.dealt_in("baccarat", "alice", "bob", betting_seconds=30_000)
    chinese = {"accept-language": "zh-hans"}
    with web_process() as web:
        alice = Program(web, house, table, "alice")
        for known in (False, True):
            assert alice.acts_in_loop(BET) == (ON_POSTGRESQL and known)
        turn = house.turn(table, 1)
        body = alice.body({"hand": table.hand_id, "turn": turn}, BET)
        asks = [
            ("POST", alice.path, alice.headers | chinese, body),
            ("POST", alice.path, alice.headers, body),
            ("GET", f"/tables/{table.pk}/", chinese, b""),
        ]
        with frozen(), ThreadPoolExecutor(len(asks)) as threads:
            # Those that wait when it falls silent, and those that come then.
            for _round in range(2):
                program, english, page = threads.map(lambda ask: web.request(*ask), asks)
                assert [request.status for request in (program, english, page)] == [503] * 3
                assert json.loads(english.body)["code"] == "database_gone"
                for text in (json.loads(program.body)["sentence"], page.body.decode()):
                    assert "页面上显示的才算数" in text
            assert web.request("GET", "/health/", {}, b"").status == 503
        moves = Move.objects.filter(hand=table.hand_id, by=Move.By.PLAYER)
        assert moves.count() == 2
        until(lambda: alice.acts_in_loop(BET) == ON_POSTGRESQL)


def test_a_server_that_takes_a_connection_and_says_nothing_does_not_answer(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(silence, "ANSWER_SECONDS", 0.05)
    with socket.create_server(("127.0.0.1", 0)) as server:
        address = f"host=127.0.0.1 port={server.getsockname()[1]} user=a dbname=a"
        assert not answers(address)
        # Its replica refuses connections, as one that is to be read alone does.
        assert not answers(address.replace("host=127.0.0.1", f"host=127.0.0.1,{tmp_path}"))
    # One that has stopped says so.
    assert answers(address)
    assert answers(f"host={tmp_path} user=a dbname=a")


def test_nothing_is_asked_while_the_database_is_silent(
    client: Client, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without a mark, this test may not use the database."""
    monkeypatch.setattr(SILENCE, "is_silent", True)
    answer = client.get("/", headers={"Accept-Language": "zh-hant"})
    assert (answer.status_code, answer.headers["Retry-After"]) == (503, "10")
    assert "資料庫暫時無法使用" in answer.text
