"""Whole hands that the event loop plays: acts, ends, deals, and what its timers find due."""

from collections import Counter
from collections.abc import Iterator
from functools import partial
from itertools import cycle
from typing import Any

import psycopg
import pytest

from games.models import Hand, Move, Table
from games.records.audit import differences
from games.tables import clock
from games.tables.table_cache import TABLE_CACHE
from tests.casino.web_process import (
    ON_POSTGRESQL,
    Actor,
    Page,
    Program,
    Web,
    raise_version,
    web_process,
)
from tests.games.house import House
from tests.valkey import Valkey
from tests.waiting import until
from wallets.models import Transaction
from wallets.storage.database_connections import Links

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]

NAMES = ("alice", "bob", "carol")


@pytest.fixture
def web(redis: Valkey, house: House) -> Iterator[Web]:
    with web_process() as process:
        yield process


@pytest.fixture
def in_threads(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """The tables whose clock was looked after by a thread."""
    threads: list[int] = []
    tick = clock.tick

    def noted(table_id: int, *given: Any, **named: Any) -> bool:
        threads.append(table_id)
        return tick(table_id, *given, **named)

    monkeypatch.setattr(clock, "tick", noted)
    return threads


def hands_played(house: House, table: Table, actors: dict[str, Actor], hands: int) -> list[bool]:
    """Play so many hands, and return which acts the loop has answered."""
    in_loop, last = [], table.hands_dealt + hands
    while table.hand_id or table.hands_dealt < last:
        if table.hand_id is None:
            due_in_process(house, table, actors["1"].web)
        else:
            in_loop.append(actors[next(iter(table.turns))].acts_in_loop())
        table.refresh_from_db()
    return in_loop


def due_in_process(house: House, table: Table, web: Web) -> None:
    """The time has come at a table whose timer the process has set."""
    assert table.due_at is not None
    house.now, version = max(house.now, table.due_at), table.version
    house.be_seen(table)

    async def ring() -> None:
        web.application.timers.ring(table.pk)

    web.run(ring)
    until(lambda: Table.objects.get(pk=table.pk).version > version)


@pytest.mark.parametrize("kind", [Page, Program])
def test_hands_are_played_in_the_loop_but_for_their_first_acts_and_the_first_end(
    web: Web, house: House, kind: type[Actor], in_threads: list[int]
) -> None:
    """The first end of a table finds its accounts, which the process then knows."""
    table = house.dealt_in("doudizhu", *NAMES)
    actors = {str(at): kind(web, house, table, name) for at, name in enumerate(NAMES, 1)}
    in_threads.clear()
    first = hands_played(house, table, actors, 0)
    # A hand that all pass has only first acts.
    assert first.count(True) == (max(0, len(first) - 4) if ON_POSTGRESQL else 0)
    later = hands_played(house, table, actors, 2)
    # Then the first end is still to come.
    ends_to_come = 0 if len(first) > len(NAMES) else 1
    assert later.count(False) <= ends_to_come if ON_POSTGRESQL else not any(later)
    assert ends_to_come or (not in_threads) == ON_POSTGRESQL
    for hand in Hand.objects.filter(table=table):
        made = Move.objects.filter(hand=hand).order_by("number")
        assert [move.number for move in made] == list(range(len(made)))
        assert [*differences(hand)] == []
    known = TABLE_CACHE.known(table.pk)
    assert known is not None
    TABLE_CACHE.clear()
    for seat, stored in zip(known.seats, TABLE_CACHE.newest(table.pk).seats, strict=True):
        assert (seat.pk, seat.stack.balance) == (stored.pk, stored.stack.balance)


def test_ends_and_deals_whose_statement_is_lost_are_done_once(
    web: Web, house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each plan fails before it is stored, or its answer is lost, or another process is quicker."""
    table = house.dealt_in("chinese_poker", "alice", "bob")
    names = {"1": "alice", "2": "bob"}
    actors: dict[str, Actor] = {at: Program(web, house, table, name) for at, name in names.items()}
    hands_played(house, table, actors, 1)
    rows, faults = Links.rows, cycle(("before", "after", "quicker", "none"))
    met = Counter[str]()

    async def faulty(links: Any, sql: str, values: Any, **named: Any) -> Any:
        fault = next(faults) if sql.startswith("WITH part0") else "none"
        met[fault] += 1
        if fault == "quicker":
            await web.application.hub.ask_database(partial(raise_version, table.pk))
        if fault == "before":
            raise psycopg.OperationalError("the line is cut")
        records = await rows(links, sql, values, **named)
        if fault == "after":
            raise psycopg.OperationalError("the line is cut")
        return records

    monkeypatch.setattr(Links, "rows", faulty)
    hands_played(house, table, actors, 4)
    assert all(met[fault] >= 2 for fault in ("before", "after", "quicker")) or not ON_POSTGRESQL
    hands = Hand.objects.filter(table=table)
    assert len(hands) == table.hands_dealt == 6
    for hand in hands:
        assert hand.status == Hand.Status.FINISHED
        assert [*differences(hand)] == []
        posted = Transaction.objects.filter(reference=hand.reference).count()
        assert posted == any(seat.net for seat in hand.seats.all())
