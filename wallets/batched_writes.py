"""Writes that may wait a moment: a process collects them, and stores each kind in one statement.

This is for what only says that somebody is there, or from where: who was seen, which device or
token is in use. A process that is lost loses ten seconds of it at most. What counts as money, play
or proof is never written this way.

A thread writes every ten seconds, and within a second where a write asks for it. A process without
that thread, such as a command, writes at once.
"""

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any, ClassVar, Final, Generic, TypeVar

from django.db import DatabaseError, InterfaceError, OperationalError, connections

from wallets.database_connections import renew_connections

K = TypeVar("K")
V = TypeVar("V")

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
        BATCHES.append(self)

    def add(self, key: K, value: V, *, soon: bool = False) -> None:
        """Have a value stored with the next batch; with `soon` that is written within a second."""
        with self._lock:
            self._waiting[key] = value
        if _Writer.ends is None:
            self.write()
        elif soon:
            _wanted.set()

    def write(self) -> None:
        """Store what has come together; while the database is away, it waits for the next time."""
        with self._lock:
            waiting, self._waiting = self._waiting, {}
        if not waiting:
            return
        try:
            self._write(waiting)
        except (OperationalError, InterfaceError):
            with self._lock:
                self._waiting = waiting | self._waiting
            raise


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
    """Store what has come together of every kind; one that fails does not hold up the others."""
    for batch in BATCHES:
        try:
            batch.write()
        except DatabaseError as problem:
            log.warning("what was collected could not be stored: %s", problem)


def _keep_writing(ends: threading.Event) -> None:
    while not ends.is_set():
        _wanted.wait(EVERY_SECONDS)
        _wanted.clear()
        renew_connections()
        write_all()
        ends.wait(PAUSE_SECONDS)
    write_all()
    connections.close_all()
