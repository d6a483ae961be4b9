"""Reading what is finished from a copy of the database, and rows as they were at one moment.

A house may name a streaming replica of its PostgreSQL (`REPLICA_URL`). What collects a list of
finished hands, a page of one, or the rows of a report is marked with `from_replica`: it reads
games, ledger and reports entirely from the copy, so that its parts agree with each other. The
reader and their rights are read from the primary even then, as is everything that is not marked and
every read of a transaction (`casino/ops/databases.py` routes by these marks).

The copy is a little behind. It is used while it is at most `REPLICA_LAG_SECONDS` old. The primary
answers what the copy cannot, because the hand is not there yet or because the copy is down.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import wraps
from typing import Any, Final, ParamSpec, TypeVar

from django.conf import settings
from django.db import DatabaseError, connection, connections

# SQLite's readers and writers do not block each other, unlike Django's own transactions there.
_BEGIN: Final = {
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "sqlite": "BEGIN DEFERRED",
}


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all reads inside see the rows of one moment; inside a transaction they do already.

    Nothing can be written inside, and no transaction begun.
    """
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")


P = ParamSpec("P")
T = TypeVar("T")

PRIMARY: Final = "default"
REPLICA: Final = "replica"
# How old the copy is, is asked so often; one that was away is left alone for longer.
CHECK_EVERY_SECONDS: Final = 1.0
REST_SECONDS: Final = 5.0
# The time of the newest transaction that the copy has. A house that is open writes at least every
# ten seconds, so this also shows a copy that is cut off from its primary. One that was promoted is
# a copy no more, and no age is known of it.
_AGE: Final = """
    SELECT EXTRACT(EPOCH FROM clock_timestamp() - pg_last_xact_replay_timestamp())
    WHERE pg_is_in_recovery()
"""

log = logging.getLogger(__name__)
# Within how many transactions the reading began; None while nothing is read from the copy.
_reading: ContextVar[int | None] = ContextVar("reading_from_replica", default=None)


def age_seconds() -> float | None:
    """Return how old the copy is; None if the database there is not a copy."""
    with connections[REPLICA].cursor() as cursor:
        cursor.execute(_AGE)
        row = cursor.fetchone()
    return None if row is None or row[0] is None else float(row[0])


class Watch:
    """Whether the copy is there and new enough, asked once a second in each process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._usable, self._check_at = False, float("-inf")
        self._logged = True

    def forget(self) -> None:
        """Ask the next time."""
        self._check_at = float("-inf")

    def usable(self) -> bool:
        if not settings.HAS_REPLICA:
            return False
        # The other threads go on with the last answer while one of them asks.
        if time.monotonic() >= self._check_at and self._lock.acquire(blocking=False):
            try:
                self._check()
            finally:
                self._lock.release()
        return self._usable

    def _check(self) -> None:
        wrong = what_is_wrong()
        self._usable = not wrong
        rest = REST_SECONDS if wrong else CHECK_EVERY_SECONDS
        self._check_at = time.monotonic() + rest
        if self._usable != self._logged:
            self._logged = self._usable
            if wrong:
                log.warning("the primary answers in place of the replica: %s", wrong)
            else:
                log.info("the replica answers again")


def what_is_wrong() -> str:
    """Why the copy is not to be read from, for the log; empty while it may be."""
    try:
        age = age_seconds()
    except DatabaseError as problem:
        # The next attempt opens a new connection.
        connections[REPLICA].close()
        return f"it does not answer ({problem})"
    if age is None:
        return "it is not a replica, or has replayed nothing yet"
    if age > settings.REPLICA_LAG_SECONDS:
        return f"it is {age:.1f} seconds behind"
    return ""


watch: Final = Watch()


def is_reading() -> bool:
    """Whether what is read now may come from the copy.

    Inside a transaction it may not: what was written there is not in the copy.
    """
    begun = _reading.get()
    return begun is not None and len(connections[PRIMARY].atomic_blocks) <= begun


def reading_from() -> Any:
    """The connection for a statement that is not made by a model."""
    return connections[REPLICA if is_reading() else PRIMARY]


@contextmanager
def _reading_from_replica() -> Iterator[None]:
    token = _reading.set(len(connections[PRIMARY].atomic_blocks))
    try:
        yield
    finally:
        _reading.reset(token)


def from_replica(read: Callable[P, T]) -> Callable[P, T]:
    """Let a function that only reads read from the copy, and again from the primary if it fails.

    It fails where the copy does not know a hand yet, which a reader may have finished a moment ago,
    and where the replica stops during the query. An error of the primary, too, is the answer.
    """

    @wraps(read)
    def answer(*args: P.args, **kwargs: P.kwargs) -> T:
        if not watch.usable():
            return read(*args, **kwargs)
        try:
            with _reading_from_replica():
                return read(*args, **kwargs)
        except Exception as problem:
            # It is raised again below, unless the copy was the reason.
            if isinstance(problem, DatabaseError):
                watch.forget()
        return read(*args, **kwargs)

    return answer


def each_from_replica(rows: Iterator[T]) -> Iterator[T]:
    """The rows of a long answer, read one after the other as they are sent.

    One that breaks off stays incomplete: its beginning has left the house.
    """
    if not watch.usable():
        yield from rows
        return
    nothing = object()
    while True:
        with _reading_from_replica():
            row = next(rows, nothing)
        if row is nothing:
            return
        yield row  # type: ignore[misc]
