"""A session: one table in one part of a day, played a slice at a time, in several processes.

Sessions that are open at the same time share no player, no account of their own and no book, so
that each slice can be played in another process. The slice contains all that such a process needs,
with its random numbers; the session returns the result.

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
from datetime import datetime, timedelta
from multiprocessing import get_context, parent_process
from random import Random
from threading import Thread
from traceback import format_exc
from types import TracebackType
from typing import Final, NamedTuple, NoReturn, Self

from django.db import connection
from django.utils.translation import gettext_lazy as _

from casino.office.demonstration.seeding.players import MOMENT, AccountNumbers, Holdings, Money
from casino.office.demonstration.seeding.playing import LaidTable, PlayedTable
from casino.office.demonstration.seeding.rows import Gathered
from games.models import Seat
from wallets.staff import journal
from wallets.values.errors import Refused

HANDS_ALONE: Final = timedelta(minutes=5)


class Start(NamedTuple):
    """When a hand begins, and the number of its row."""

    at: datetime
    number: int


class Session:
    """One table between two hands, in one part of a day."""

    def __init__(
        self, laid: LaidTable, seats: list[Seat], holdings: Holdings, starts: list[datetime]
    ) -> None:
        self.laid, self.seats, self.holdings = laid, seats, holdings
        self.free_at = starts[0]
        # So slow are the moves that a hand is over before the next begins.
        self.apart = (starts[1] - starts[0] if len(starts) > 1 else HANDS_ALONE) / 200


class Slice(NamedTuple):
    """The hands of a session in some time, and what else is needed to play them."""

    session: Session
    starts: list[Start]
    accounts: AccountNumbers
    cashiers: list[journal.By]
    # This text alone determines all draws.
    seed: str
    # When the players arrive and when the table closes, if that is in this slice.
    arrive: datetime | None = None
    closes: datetime | None = None


class Made(NamedTuple):
    """A session after a slice, and the rows of the slice."""

    session: Session
    gathered: Gathered


def play(some: Slice) -> Made:
    """Play a slice."""
    return Made(some.session, _Playing(some).run())


class _Playing:
    def __init__(self, some: Slice) -> None:
        self._slice, self._session = some, some.session
        self._gathered = Gathered()
        chances = Random(some.seed)  # noqa: S311 # it repeats # nosec B311
        laid = some.session.laid
        holdings = some.session.holdings
        self._money = Money(
            laid.row, holdings, some.accounts, some.cashiers, self._gathered, chances
        )
        self._table = PlayedTable(laid, self._money, self._gathered, chances)

    def run(self) -> Gathered:
        session, some = self._session, self._slice
        row = session.laid.row
        if some.arrive is not None:
            for seat in session.seats:
                self._money.bring(seat, row.buy_in_min * 2, some.arrive, "sitting down")
        for start in some.starts:
            self._hand(start)
        if some.closes is not None:
            at = max(session.free_at, some.closes) + MOMENT
            for seat in session.seats:
                self._money.take_home(seat, at)
                seat.left_at = at
                self._gathered.add_row(seat)
        if session.laid.pool:
            session.laid.pool.handed_over = True
        return self._gathered

    def _hand(self, start: Start) -> None:
        session, row = self._session, self._session.laid.row
        at = max(start.at, session.free_at + MOMENT)
        low = max(row.stack_min, row.buy_in_min // 2)
        for seat in session.seats:
            if session.holdings.stacks[seat.pk] < low:
                self._money.bring(seat, row.buy_in_min, at, f"top-up {row.hands_dealt}")
        at += timedelta(seconds=1) * min(1, session.apart / timedelta(milliseconds=100))
        session.free_at = self._table.play(start.number, session.seats, at, session.apart)


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
        packed = [pickle.dumps(part, pickle.HIGHEST_PROTOCOL) for part in slices]
        return Played([self._begin(packed_part) for packed_part in packed])

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
        result: object = play(pickle.loads(packed))  # noqa: S301 # nosec B301
    except Refused as refusal:
        result = _Failure(refusal.sentence, format_exc())
    except Exception as error:
        result = _Failure(repr(error), format_exc())
    return pickle.dumps(result, pickle.HIGHEST_PROTOCOL)


def _opened(future: "Future[bytes]") -> Made:
    try:
        result: Made | _Failure = pickle.loads(future.result())  # noqa: S301 # nosec B301
    except BrokenProcessPool:
        raise Refused("worker", _("A process that played hands has died.")) from None
    if isinstance(result, _Failure):
        raise Refused(
            "worker", _("A table could not be played: {reason}"), reason=result.sentence
        ) from RuntimeError(result.trace)
    return result
