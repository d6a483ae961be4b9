"""Writes that wait for a moment or for a block's one statement, and what follows a commit.

A batch is for presence and its source only: who was seen, which device or token is in use. A
process that is lost loses ten seconds of it at most. Money, play and proofs are never written this
way. A thread writes every ten seconds, and within a second where a write asks for it. A process
without that thread, such as a command, writes immediately. One statement for many rows locks them
in an unknown order, so a batch must not wait for the rows of a transaction that may come to wait
for others of the same batch. It leaves locked rows out (`unlocked`): what it says of them is said
again in a few seconds.

For a posting that waits for other writes, the ledger hands over its body, and a function that
raises the refusal in the database's answer: a code, and the account that it is about.

For what follows a commit, Django asks its connection whether a transaction is open, and opens one
to ask. The event loop has none, and must not get one: what it has written is committed when it
calls `after_commit`. Where a transaction is only planned, what follows it waits with the plan.
"""

import logging
import threading
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, ClassVar, Final, Generic, TypeVar

from django.db import (
    DatabaseError,
    InterfaceError,
    OperationalError,
    connection,
    connections,
    models,
    transaction,
)

from wallets.storage.database_connections import renew_connections

Work = Callable[[], object]
_PLANNED: Final[ContextVar[list[Work] | None]] = ContextVar("planned", default=None)


def after_commit(work: Work, *, robust: bool = False) -> None:
    """Do this once the open transaction is committed; at once where none is open."""
    waiting = _PLANNED.get()
    if waiting is not None:
        waiting.append(work)
    elif connection.in_atomic_block:
        transaction.on_commit(work, robust=robust)
    else:
        work()


@contextmanager
def planned(waiting: list[Work]) -> Iterator[None]:
    """Put what would follow the commit of this block into a list."""
    before = _PLANNED.set(waiting)
    try:
        yield
    finally:
        _PLANNED.reset(before)


Check = Callable[[str], object]
Wait = Callable[[str, Check], object]
_WAIT: Final[ContextVar[Wait | None]] = ContextVar("a posting that waits", default=None)


@contextmanager
def posting_with(wait: Wait) -> Iterator[None]:
    """Hand the posting of this block to one who sends it with other writes."""
    before = _WAIT.set(wait)
    try:
        yield
    finally:
        _WAIT.reset(before)


def waits(body: str, check: Check) -> bool:
    """Let a posting wait for the other writes of its block; False outside one."""
    wait = _WAIT.get()
    if wait is None:
        return False
    wait(body, check)
    return True


K = TypeVar("K")
V = TypeVar("V")
M = TypeVar("M", bound=models.Model)

EVERY_SECONDS: Final = 10.0
# The shortest time between two rounds of writes.
PAUSE_SECONDS: Final = 1.0

log = logging.getLogger(__name__)


class _Writer:
    """The thread of this process, if it has one."""

    ends: ClassVar[threading.Event | None] = None
    thread: ClassVar[threading.Thread | None] = None


BATCHES: Final[list["Batch[Any, Any]"]] = []
_wanted: Final = threading.Event()


class Batch(Generic[K, V]):
    """The newest value of each key, until `write` has stored them together."""

    def __init__(self, write: Callable[[Mapping[K, V]], object]) -> None:
        self._write = write
        self._waiting: dict[K, V] = {}
        self._lock = threading.Lock()
        # Whether a caller waits for the results.
        self.is_wanted = False
        BATCHES.append(self)

    def add(self, key: K, value: V, *, soon: bool = False) -> None:
        """Have a value stored with the next batch; with `soon` that is written within a second."""
        with self._lock:
            self._waiting[key] = value
        if _Writer.ends is None:
            self.write()
        elif soon:
            self.is_wanted = True
            _wanted.set()

    def write(self) -> None:
        """Store what has come together; while the database is away, it waits for the next time."""
        with self._lock:
            waiting, self._waiting, self.is_wanted = self._waiting, {}, False
        if not waiting:
            return
        try:
            self._write(waiting)
        except (OperationalError, InterfaceError):
            with self._lock:
                self._waiting = waiting | self._waiting
            raise


def unlocked(rows: "models.QuerySet[M]") -> "models.QuerySet[M]":
    """The rows of a query that no other transaction has locked, locked for this transaction.

    SQLite has one writer at a time, and locks no rows.
    """
    free = rows.select_for_update(skip_locked=True, no_key=True)
    return rows.model._base_manager.filter(pk__in=free.order_by().values("pk"))


def is_collecting() -> bool:
    """Whether this process has the thread that writes."""
    return _Writer.ends is not None


def start() -> None:
    """Begin to collect, once a process."""
    if _Writer.ends is None:
        _Writer.ends = threading.Event()
        _Writer.thread = threading.Thread(
            target=_keep_writing, args=(_Writer.ends,), name="batches", daemon=True
        )
        _Writer.thread.start()


def stop() -> None:
    """End the thread, which stores what is left."""
    ends, thread = _Writer.ends, _Writer.thread
    if ends is None or thread is None:
        return
    _Writer.ends = _Writer.thread = None
    ends.set()
    _wanted.set()
    thread.join()


def write_all() -> None:
    """Store what has come together of every kind."""
    _write(BATCHES)


def _write(batches: Iterable[Batch[Any, Any]]) -> None:
    """Store these batches; one that fails does not hold up the others."""
    for batch in batches:
        try:
            batch.write()
        except DatabaseError as problem:
            log.warning("what was collected could not be stored: %s", problem)


def _keep_writing(ends: threading.Event) -> None:
    all_due = time.monotonic() + EVERY_SECONDS
    while not ends.is_set():
        _wanted.wait(max(0.0, all_due - time.monotonic()))
        _wanted.clear()
        renew_connections()
        if time.monotonic() < all_due:
            _write([batch for batch in BATCHES if batch.is_wanted])
        else:
            write_all()
            all_due = time.monotonic() + EVERY_SECONDS
        ends.wait(PAUSE_SECONDS)
    write_all()
    connections.close_all()
