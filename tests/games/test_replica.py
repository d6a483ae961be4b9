"""Finished things are read from a replica, and from the primary whenever it cannot answer."""

import re
from collections.abc import Iterator
from typing import Any

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db import OperationalError, connections, router, transaction
from django.test import Client

from casino.accounts.staff import AUDITORS, MANAGERS, appoint
from casino.ops.databases import databases
from games.models import Hand
from tests.games.evenings import played_once
from tests.games.house import House
from tests.games.program import Program
from tests.people import client_of
from wallets.models.staff_models import JournalEntry
from wallets.storage import replica

AGE_OF_A_REAL_ONE = replica.age_seconds
FROM = re.compile(r'\bFROM "(\w+)"')
# Tables that say who a player is and what they may do, or what must count at once.
OF_PRIMARY = re.compile(
    r"(players|auth|django|care|push|maintenance|alarms|social)_|games_sharedhand|"
    r"wallets_(journalentry|proposal)"
)


class _Cursor:
    def __init__(self, copy: "Copy", cursor: Any) -> None:
        self.copy, self.cursor = copy, cursor

    def execute(self, sql: str, params: Any = None) -> Any:
        self.copy.statements.append(sql)
        if self.copy.away:
            raise OperationalError("the copy went away")
        if self.copy.is_empty:
            sql = f"SELECT * FROM ({sql}) AS late WHERE 1 = 0"
        return self.cursor.execute(sql, params)

    def __getattr__(self, name: str) -> Any:
        return getattr(self.cursor, name)

    def __enter__(self) -> "_Cursor":
        return self

    def __exit__(self, *_: object) -> None:
        self.cursor.close()

    def __iter__(self) -> Iterator[Any]:
        return iter(self.cursor)


class Copy:
    """A replica that has what the transaction of the test has; it notes what is asked of it."""

    def __init__(self, connection: Any) -> None:
        self.connection = connection
        self.statements: list[str] = []
        self.away = self.is_empty = False
        self.age: float | None = 0.0

    def cursor(self) -> _Cursor:
        return _Cursor(self, self.connection.cursor())

    def chunked_cursor(self) -> _Cursor:
        return _Cursor(self, self.connection.chunked_cursor())

    def close(self) -> None:
        """The connection is that of the test."""

    def __getattr__(self, name: str) -> Any:
        return getattr(self.connection, name)

    def age_seconds(self) -> float | None:
        if self.away:
            raise OperationalError("nobody there")
        return self.age

    def changes(self, **values: object) -> None:
        """It changes, and processes ask it again."""
        for name, value in values.items():
            setattr(self, name, value)
        self.statements.clear()
        replica.watch.forget()


@pytest.fixture
def copy(db: None, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Copy]:
    copy = Copy(connections["default"])
    settings.HAS_REPLICA = True
    settings.DATABASE_ROUTERS = ["casino.ops.databases.Router"]
    every: Any = connections
    every[replica.REPLICA] = copy
    monkeypatch.setattr(replica, "age_seconds", copy.age_seconds)
    monkeypatch.setattr(replica, "watch", replica.Watch())
    yield copy
    del connections[replica.REPLICA]


def play(house: House) -> Hand:
    """Dou Dizhu that no player calls: alice's hand is over at once."""
    names = ("alice", "bob", "carol")
    table = house.dealt_in("doudizhu", *names)
    for _ in names:
        table.refresh_from_db()
        (number,) = table.turns
        house.act(table, names[int(number) - 1], {"do": "call", "points": 0})
    return Hand.objects.get()


evening = played_once(play)


def one_of(house: House, group: str) -> Client:
    player = house.player(f"one-of-{group}", money=0)
    appoint(player, group)
    return client_of(player)


FROM_COPY = {
    "player": [
        "/history/",
        "/history/?result=won",
        "/history/{hand}/",
        "/history/{hand}/step/1/",
        "/history/{hand}/record/",
        "/history/{hand}/coach/",
        "/history/profit/",
    ],
    "program": ["hands/", "hands/{hand}/", "hands/{hand}/record/"],
    AUDITORS: ["/admin/hands/?game=doudizhu"],
    MANAGERS: [
        "/admin/reports/revenue/",
        "/admin/reports/revenue/?format=csv",
        "/admin/reports/liability/",
    ],
}
FROM_PRIMARY = {
    "player": ["/lobby/", "/tables/{table}/", "/tables/{table}/board/", "/wallet/"],
    "program": ["tables/{table}/", "wallet/"],
    # What an auditor sees of a hand is evidence.
    AUDITORS: ["/history/{hand}/", "/history/{hand}/record/", "/admin/journal/"],
}


class Reader:
    """A player who looks at pages, or a program that asks the API."""

    def __init__(self, house: House, who: str, hand: Hand) -> None:
        self.program = Program("alice") if who == "program" else None
        self.hand = hand
        if who in ("player", "program"):
            self.client = client_of(house.person("alice"))
        else:
            self.client = one_of(house, who)

    def look(self, path: str) -> tuple[int, str]:
        path = path.format(hand=self.hand.pk, table=self.hand.table_id)
        if self.program:
            self.program.get(path)
            return self.program.status, self.program.text
        answer = self.client.get(path)
        # A file is read while it is sent.
        return answer.status_code, answer.getvalue().decode()


@pytest.mark.always
@pytest.mark.parametrize("who", FROM_COPY)
def test_finished_things_come_from_the_replica(
    house: House, hand: Hand, copy: Copy, who: str
) -> None:
    reader = Reader(house, who, hand)
    for path in FROM_COPY[who]:
        copy.statements.clear()
        assert reader.look(path)[0] == 200, path
        assert copy.statements, path
        read = {table for sql in copy.statements for table in FROM.findall(sql)[:1]}
        assert not any(OF_PRIMARY.match(table) for table in read), (path, read)


@pytest.mark.parametrize("who", FROM_PRIMARY)
def test_live_tables_money_and_evidence_come_from_the_primary(
    house: House, hand: Hand, copy: Copy, who: str
) -> None:
    reader = Reader(house, who, hand)
    for path in FROM_PRIMARY[who]:
        assert reader.look(path)[0] == 200, path
        assert not copy.statements, path


def test_a_hand_that_the_replica_does_not_have_yet_is_shown(
    house: House, hand: Hand, copy: Copy
) -> None:
    copy.changes(is_empty=True)
    for who, path in (("player", "/history/{hand}/"), ("program", "hands/{hand}/")):
        assert Reader(house, who, hand).look(path)[0] == 200
        assert copy.statements
    assert Reader(house, "player", hand).look("/history/999999/")[0] == 404


@pytest.mark.always
def test_readers_notice_nothing_while_the_replica_is_away(
    house: House, hand: Hand, copy: Copy, caplog: pytest.LogCaptureFixture
) -> None:
    alice = client_of(house.person("alice"))
    assert alice.get("/history/").status_code == 200
    copy.away = True
    # It goes away in the middle of a page, which was not noticed yet; then it is not asked.
    for _ in range(3):
        assert hand.code in alice.get("/history/").text
    assert len(copy.statements) < 10
    assert caplog.text.count("the primary answers in place of the replica") == 1
    copy.changes(away=False)
    assert hand.code in alice.get("/history/").text
    assert copy.statements


def test_a_replica_that_is_behind_or_was_promoted_is_not_read(
    house: House, hand: Hand, copy: Copy
) -> None:
    alice = Reader(house, "player", hand)
    for age, is_read in ((0.2, True), (14.9, True), (15.1, False), (None, False)):
        copy.changes(age=age)
        assert alice.look("/history/")[0] == 200
        assert bool(copy.statements) is is_read, age


def test_what_was_read_from_the_replica_is_written_to_the_primary(hand: Hand, copy: Copy) -> None:
    row = replica.from_replica(Hand.objects.get)(pk=hand.pk)
    assert copy.statements
    assert router.db_for_write(Hand, instance=row) == replica.PRIMARY
    assert router.allow_relation(row, hand)
    copy.statements.clear()
    row.refresh_from_db()
    assert not copy.statements


@pytest.mark.always
def test_a_transaction_reads_what_it_has_written(hand: Hand, copy: Copy) -> None:
    @replica.from_replica
    def count() -> int:
        with transaction.atomic():
            Hand.objects.update(rules_version=9)
            return Hand.objects.filter(rules_version=9).count()

    assert count() == 1
    assert not copy.statements


def test_a_search_by_cards_is_noted_though_it_is_read_from_the_replica(
    house: House, hand: Hand, copy: Copy
) -> None:
    assert Reader(house, AUDITORS, hand).look("/admin/hands/?cards=As")[0] == 200
    assert copy.statements
    assert JournalEntry.objects.filter(verb="hands.search_cards").exists()


@pytest.mark.parametrize(
    ("url", "replica_url"),
    [("sqlite:///here", "postgres://there/house"), ("postgres://here/house", "sqlite:///there")],
)
def test_only_postgresql_has_replicas(url: str, replica_url: str) -> None:
    with pytest.raises(ImproperlyConfigured, match="REPLICA_URL needs PostgreSQL"):
        databases(url, replica_url, 60)


def test_a_database_that_follows_no_other_is_no_replica(
    copy: Copy, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The database of the tests is none: PostgreSQL says so, and SQLite does not know the word."""
    assert replica.watch.usable()
    monkeypatch.setattr(replica, "age_seconds", AGE_OF_A_REAL_ONE)
    copy.changes()
    assert not replica.watch.usable()
    assert copy.statements
