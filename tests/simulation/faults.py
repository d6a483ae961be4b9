"""Faults that a house must survive: at a write, around a commit, and on the way to Redis."""

from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from datetime import datetime
from random import Random
from typing import Any, Final, NamedTuple
from unittest.mock import patch

import redis
from django.db import connection
from django.db.utils import OperationalError
from kombu.exceptions import OperationalError as NoBroker

from games.live import announcing
from wallets.staff import claimed_rows

# Before a commit nothing of it may remain; after it all of it remains, without announcements.
WRITE, COMMIT, UNTOLD, REDIS = "write", "commit", "untold", "redis"
KINDS: Final = (WRITE, COMMIT, UNTOLD, REDIS)
# A verb writes some ten times, and commits once or twice.
WRITES: Final = 14
COMMITS: Final = 2
# `WITH` opens the statement that stores an act.
WRITING: Final = ("INSERT", "UPDATE", "DELETE", "WITH")


class Broken(OperationalError):
    """The connection to the database is lost here."""


class Fault(NamedTuple):
    """What fails, and the how many-th time that it is tried."""

    kind: str
    nth: int


def draw(chance: Random) -> Fault:
    kind = chance.choice(KINDS)
    return Fault(kind, chance.randint(1, WRITES if kind == WRITE else COMMITS))


class Wire:
    """The stand-in for Redis and the broker: it keeps what was sent, and can be down."""

    def __init__(self) -> None:
        self.down = False
        self.failed = 0
        self.sent: list[str] = []
        # When something is due at each table.
        self.alarms: dict[int, float] = {}

    def publish(self, _channel: str, payload: str) -> None:
        if self.down:
            self.failed += 1
            raise redis.ConnectionError("no Redis")
        self.sent.append(payload)

    def eval(self, _script: str, _keys: int, _due: str, _bell: str, table: str, at: str) -> None:
        if self.down:
            self.failed += 1
            raise redis.ConnectionError("no Redis")
        self.alarms[int(table)] = float(at)

    def send_task(self, _name: str, _arguments: tuple[int], queue: str = "") -> None:
        if self.down:
            self.failed += 1
            raise NoBroker("no broker")

    def due(self, now: datetime) -> list[int]:
        """The tables whose alarms have come, which a worker takes."""
        came = sorted((at, table) for table, at in self.alarms.items() if at <= now.timestamp())
        for _at, table in came:
            del self.alarms[table]
        return [table for _at, table in came]


@contextmanager
def wired(wire: Wire) -> Iterator[None]:
    """Inside, the house talks to this wire, and tries it each time."""
    with ExitStack() as stack:
        for module, name, stand_in in (
            (announcing, "client", lambda: wire),
            (announcing.breaker, "may_try", lambda: True),
            (claimed_rows, "current_app", wire),
        ):
            stack.enter_context(patch.object(module, name, stand_in))
        yield


class Injection:
    """One fault at work: it counts what is tried, and fails the time that was drawn."""

    def __init__(self, fault: Fault) -> None:
        self.fault = fault
        self.seen = 0
        self.hit = False
        self._commit = connection.commit

    def _fail(self, words: str) -> None:
        self.seen += 1
        if self.seen == self.fault.nth:
            self.hit = True
            raise Broken(words)

    def write(self, execute: Any, sql: str, parameters: Any, many: bool, context: Any) -> Any:
        if sql.startswith(WRITING):
            self._fail("lost between two writes")
        return execute(sql, parameters, many, context)

    def commit(self) -> None:
        if self.fault.kind == COMMIT:
            self._fail("lost at the commit")
        self._commit()
        if self.fault.kind == UNTOLD:
            self._fail("lost after the commit")


@contextmanager
def injected(fault: Fault | None, wire: Wire) -> Iterator[Callable[[], bool]]:
    """Inside, the fault happens once; the answer says whether it has."""
    if fault is None:
        yield lambda: False
        return
    injection, failed = Injection(fault), wire.failed
    with ExitStack() as stack:
        if fault.kind == WRITE:
            stack.enter_context(connection.execute_wrapper(injection.write))
        elif fault.kind != REDIS:
            stack.enter_context(patch.object(connection, "commit", injection.commit))
        wire.down = fault.kind == REDIS
        try:
            yield lambda: injection.hit or wire.failed > failed
        finally:
            wire.down = False
