"""Work that is due: duties of the sweeper, and threads of a worker for what is due at tables.

A duty has the rows that say that it is due. One statement asks for all of them, so a house where
nothing is due is asked once a second.

The threads take the tables from a sorted set (`games/live/wake_ups.py`), as many as there are free
threads, and sleep until the next time. A table is a task of no queue: where nothing is due, nothing
is sent, and several workers share the tables by taking them.
"""

import logging
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import datetime
from threading import Event
from typing import ClassVar, Final, NamedTuple

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

from casino.accounts import freezing
from casino.ops.existence import Rows, WhichExist
from casino.ops.metrics.counting import swept
from games.live import announcing, wake_ups
from games.tables import clock, presence
from tournaments.running import announcing as tournaments
from wallets.staff import approvals
from wallets.storage.database_connections import renew_connections
from wallets.storage.database_time import house_now


class Duty(NamedTuple):
    """Work of the house, and the queries of the present time that find a row while it is due."""

    do: Callable[[datetime], object]
    due: tuple[Rows, ...]


DUTIES: Final[dict[str, Duty]] = {
    "tables": Duty(lambda now: swept(lambda: clock.sweep(now)), (clock.due_tables,)),
    "presence": Duty(presence.show_changes, (presence.changed_seats,)),
    "schedules": Duty(tournaments.run, (tournaments.due_schedules,)),
    "tournaments": Duty(
        tournaments.advance, (tournaments.due_tournaments, tournaments.hands_to_act_on)
    ),
    "proposals": Duty(approvals.expire_due, (approvals.proposals_to_expire,)),
    "freezes": Duty(freezing.end_expired, (freezing.freezes_that_ended,)),
}
_FOUND: Final = WhichExist(
    {
        f"{name} {number}": rows
        for name, duty in DUTIES.items()
        for number, rows in enumerate(duty.due)
    }
)


def due(now: datetime) -> list[str]:
    """The names of the duties that are due, in the order in which they are done."""
    names = {name.partition(" ")[0] for name in _FOUND(now)}
    return [name for name in DUTIES if name in names]


def sweep(now: datetime) -> None:
    for name in due(now):
        DUTIES[name].do(now)


# Starters of work for which no table may wait, in a thread; the event ends it.
_threads: list[Callable[[], Event]] = []


def register_thread(start: Callable[[], Event]) -> None:
    """Have each sweeper do other work in parallel with the sweep."""
    _threads.append(start)


def start_threads() -> list[Event]:
    """Start the work in parallel with the sweep; setting the events ends it."""
    return [start() for start in _threads]


# A strong bot thinks for up to a second, and other tables must not wait for it.
THREADS: Final = 4
# The longest sleep; Redis may have lost the bell.
SLEEP_SECONDS_MAX: Final = 10.0

log = logging.getLogger(__name__)


class _Running:
    looking: ClassVar["DueTables | None"] = None


def start_worker() -> None:
    """Begin, once a process."""
    if _Running.looking is None:
        _Running.looking = DueTables()
        _Running.looking.start()


def stop_worker() -> None:
    """Take no more tables, and return when those that were taken are finished."""
    looking, _Running.looking = _Running.looking, None
    if looking is not None:
        looking.stop()


class DueTables:
    """Looks for tables that are due until it is stopped."""

    def __init__(self) -> None:
        self.ends = threading.Event()
        self._thread = threading.Thread(target=self.keep_looking, name="due tables", daemon=True)
        self._pool = ThreadPoolExecutor(THREADS, "due")
        self._free = threading.Semaphore(THREADS)
        # Sleeping takes longer than any other call may take.
        self._client = redis.Redis.from_url(
            settings.REDIS_URL,
            socket_timeout=2 * SLEEP_SECONDS_MAX,
            socket_connect_timeout=1.0,
            retry=Retry(NoBackoff(), 0),
        )

    def start(self) -> None:
        self._thread.start()

    def stop(self) -> None:
        self.ends.set()
        # The thread may sleep in Redis; without its connection it wakes up.
        self._client.connection_pool.disconnect()
        self._thread.join()

    def keep_looking(self) -> None:
        failing = False
        while not self.ends.is_set():
            try:
                wake_ups.sleep(self._client, self.look())
                failing = False
            except Exception:
                # Redis is away, or the database, by whose clock tables are due.
                if not failing and not self.ends.is_set():
                    log.exception("workers cannot look for tables, the sweeper does what is due")
                failing = True
                self.ends.wait(announcing.REST_SECONDS)
        self.end()

    def end(self) -> None:
        """Finish what was begun, and leave Redis and the database."""
        self._pool.shutdown()
        self._client.close()

    def look(self) -> float:
        """Begin with the tables that are due; return how long nothing will be due."""
        self._free.acquire()
        free = 1
        while self._free.acquire(blocking=False):
            free += 1
        try:
            renew_connections()
            now = house_now()
            taken = wake_ups.take(self._client, now, free)
            for table_id in taken.tables:
                self._pool.submit(self._tick, table_id)
                free -= 1
        finally:
            for _ in range(free):
                self._free.release()
        if taken.next_at is None:
            return SLEEP_SECONDS_MAX
        return min(SLEEP_SECONDS_MAX, taken.next_at - now.timestamp())

    def _tick(self, table_id: int) -> None:
        renew_connections()
        try:
            clock.tick(table_id, house_now())
        except Exception:
            log.exception("table %s could not be advanced", table_id)
        finally:
            self._free.release()
