"""Playing slices of several tables at once, in processes of their own.

A worker is a copy of this process: it plays by the rules and touches no database. With one process
there are no workers, and the same slices are played here. An interrupt is for the command alone,
which ends its workers.
"""

import os
import pickle
import signal
from collections.abc import Sequence
from concurrent.futures import Future, ProcessPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context, parent_process
from threading import Thread
from traceback import format_exc
from types import TracebackType
from typing import NamedTuple, NoReturn, Self

from django.db import connection
from django.utils.translation import gettext_lazy as _

from casino.office.demonstration.seeding.sessions import Made, Slice, play
from wallets.values.errors import Refused


class _Failure(NamedTuple):
    """Why a slice could not be played; errors of some kinds do not travel between processes."""

    sentence: str
    trace: str


class Played:
    """Slices that are being played."""

    def __init__(self, futures: Sequence["Future[bytes]"]) -> None:
        self._futures = futures

    def made(self) -> list[Made]:
        """All of them, in the order in which they were given; waits for the last."""
        return [_opened(future) for future in self._futures]


class Workers:
    """So many processes, for as long as a `with` lasts."""

    def __init__(self, processes: int) -> None:
        self._pool: ProcessPoolExecutor | None = None
        if processes > 1:
            context = get_context("fork")
            self._pool = ProcessPoolExecutor(processes, context, initializer=_begin_work)

    def __enter__(self) -> Self:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: object, trace: TracebackType | None
    ) -> None:
        if self._pool is not None:
            # Running slices end within seconds; nothing else begins.
            self._pool.shutdown(cancel_futures=kind is not None)

    def play(self, slices: Sequence[Slice]) -> Played:
        """Begin to play; from here on each slice belongs to the process that plays it."""
        # They are copies, so the result is the same in any process.
        packed = [pickle.dumps(one, pickle.HIGHEST_PROTOCOL) for one in slices]
        return Played([self._begin(one) for one in packed])

    def _begin(self, packed: bytes) -> "Future[bytes]":
        if self._pool is not None:
            return self._pool.submit(_play, packed)
        done: Future[bytes] = Future()
        done.set_result(_play(packed))
        return done


def _begin_work() -> None:
    signal.signal(signal.SIGINT, signal.SIG_IGN)
    connection.execute_wrappers.append(_refuse_query)
    Thread(target=_end_with_command, daemon=True).start()


def _refuse_query(*_args: object) -> NoReturn:
    """The connection is that of the command, which would get the answer."""
    raise RuntimeError("a process that plays hands asks no database")


def _end_with_command() -> None:
    """A killed command leaves no process behind."""
    command = parent_process()
    if command is not None:
        command.join()
        os._exit(1)


def _play(packed: bytes) -> bytes:
    try:
        # The input was written by this program.
        found: object = play(pickle.loads(packed))  # noqa: S301 # nosec B301
    except Refused as refusal:
        found = _Failure(refusal.sentence, format_exc())
    except Exception as error:
        found = _Failure(repr(error), format_exc())
    return pickle.dumps(found, pickle.HIGHEST_PROTOCOL)


def _opened(future: "Future[bytes]") -> Made:
    try:
        found: Made | _Failure = pickle.loads(future.result())  # noqa: S301 # nosec B301
    except BrokenProcessPool:
        raise Refused("worker", _("A process that played hands has died.")) from None
    if isinstance(found, _Failure):
        raise Refused(
            "worker", _("A table could not be played: {reason}"), reason=found.sentence
        ) from RuntimeError(found.trace)
    return found
