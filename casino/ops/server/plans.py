"""What the event loop does itself: plans, timers of tables, and announcing what it made.

What a plan takes is read by one statement, and computed by the functions that a thread would call
under the lock of the table's row (`games/models/combined.py`). One more statement writes all
of it, with the posting, if the table is still at the version that was read: of two processes that
plan on one version, one takes effect. Whatever has to ask the database in between, or fails, is
left to a thread.

The loop does not wait for Redis: what has come together is sent in one go, the newest version of
each table. What is lost is found as everything else is: the streams look at the versions, and the
sweeper at the due times.

A process has timers for the tables that it changed last, because it has their cached state. The
workers look a moment later (`games/live/wake_ups.py`), and find nothing unless this process has
ended or is late. What is done is up to the database, so a timer too many does no harm.
"""

import asyncio
import logging
from collections.abc import Sequence
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Any, Final

import psycopg
import redis.asyncio
from django.conf import settings
from django.core.exceptions import SynchronousOnlyOperation
from django.db import DatabaseError
from redis.exceptions import RedisError

from games.live import announcing, wake_ups
from games.live.announcing import CHANNEL, VERSION, News, breaker, message
from games.live.hub import Hub
from games.models import Table
from games.models.combined import CannotPlan, Plan, Read, answered, statement_of
from games.tables import clock
from wallets.storage.database_connections import Links, has_links
from wallets.storage.database_time import house_now, known_house_now, machine_now

log: Final = logging.getLogger(__name__)


class Herald:
    """Tells of the versions that this process's event loop has made."""

    def __init__(self, hub: Hub) -> None:
        self._hub = hub
        self._waiting: dict[int, tuple[int, datetime | None]] = {}
        self._sending: asyncio.Task[None] | None = None
        self._client: redis.asyncio.Redis | None = None

    def announce(self, table: Table) -> None:
        """Tell of a table's new version, and when something is due there; after the commit."""
        self._hub.heard(News(table.pk, VERSION, (table.version,)))
        due_at = table.due_at and wake_ups.for_workers(table.pk, table.due_at)
        self._waiting[table.pk] = table.version, due_at
        if self._sending is None:
            self._sending = asyncio.create_task(self._send_all())

    async def close(self) -> None:
        if self._sending is not None:
            await self._sending
        if self._client is not None:
            await self._client.aclose()

    async def _send_all(self) -> None:
        try:
            while self._waiting:
                tables, self._waiting = self._waiting, {}
                if breaker.may_try():
                    await self._send(tables)
        except (RedisError, OSError) as problem:
            if breaker.failed():
                log.warning("Redis does not answer, updates come more slowly: %s", problem)
        else:
            breaker.worked()
        finally:
            self._sending = None

    async def _send(self, tables: dict[int, tuple[int, datetime | None]]) -> None:
        if self._client is None:
            self._client = redis.asyncio.Redis.from_url(
                settings.REDIS_URL,
                socket_timeout=announcing.ANSWER_SECONDS_MAX,
                socket_connect_timeout=announcing.ANSWER_SECONDS_MAX,
            )
        steps = self._client.pipeline(transaction=False)
        for table_id, (version, due_at) in tables.items():
            steps.publish(CHANNEL, message(table_id, version))
            if due_at is not None:
                steps.eval(*wake_ups.alarm(table_id, due_at))
        await steps.execute()


class Plans:
    """Carries plans out by the connections of a process's event loop."""

    def __init__(self, links: Links, herald: Herald) -> None:
        self._links, self._herald = links, herald

    async def read(self, reads: Sequence[Read]) -> Any:
        """A block in which these are read already, by one statement."""
        (row,) = await self._links.rows(*statement_of(reads), numbered=True)
        return answered(reads, row)

    async def do_what_is_due(self, table_id: int, now: datetime) -> bool:
        """Do what is due at a table; False where another process was quicker."""
        reads = clock.reads_of_plan(table_id)
        with await self.read(reads):
            plan = clock.plan(table_id, now)
        return plan is None or await self.carry_out(plan)

    async def carry_out(self, plan: Plan) -> bool:
        """Write what was planned, and do what follows; False where the table has changed."""
        answers = await self._links.rows(*plan.statement(), numbered=True)
        if not plan.took_effect(answers):
            return False
        for work in plan.after:
            try:
                work()
            except Exception:
                log.exception("what follows a plan has failed")
        assert isinstance(plan.row, Table)
        self._herald.announce(plan.row)
        return True


# A timer may ring a little before its time, and would find nothing due.
MARGIN_SECONDS: Final = 0.005

# What says that a thread has to do it.
NOT_HERE: Final = (CannotPlan, SynchronousOnlyOperation, psycopg.Error, OSError, TimeoutError)


class Timers:
    """The timers of a process, one for each table."""

    def __init__(self, hub: Hub, plans: Plans) -> None:
        self._hub, self._plans = hub, plans
        self._loop: asyncio.AbstractEventLoop | None = None
        self._timers: dict[int, asyncio.TimerHandle] = {}
        self._ticking: set[asyncio.Task[None]] = set()

    def start(self) -> None:
        self._loop = asyncio.get_running_loop()
        wake_ups.by_timers(self.set)

    async def stop(self) -> None:
        """Leave what will be due to the workers, and finish what is being done."""
        wake_ups.by_timers(None)
        for timer in self._timers.values():
            timer.cancel()
        self._timers.clear()
        await asyncio.gather(*self._ticking)

    def set(self, table_id: int, due_at: datetime) -> None:
        """Have the process look at a table at this time; from any thread."""
        assert self._loop is not None
        # The loop may have ended since.
        with suppress(RuntimeError):
            self._loop.call_soon_threadsafe(self._set, table_id, due_at)

    def _set(self, table_id: int, due_at: datetime) -> None:
        assert self._loop is not None
        if before := self._timers.pop(table_id, None):
            before.cancel()
        wait = (due_at - (known_house_now() or machine_now())).total_seconds()
        delay = max(0.0, wait) + MARGIN_SECONDS
        self._timers[table_id] = self._loop.call_later(delay, self.ring, table_id)

    def ring(self, table_id: int) -> None:
        """The time has come."""
        self._timers.pop(table_id, None)
        ticking = asyncio.create_task(self._tick(table_id))
        self._ticking.add(ticking)
        ticking.add_done_callback(self._ticking.discard)

    async def _tick(self, table_id: int) -> None:
        try:
            if not await self._done_in_loop(table_id):
                await self._hub.ask_database(partial(_tick, table_id))
        except DatabaseError as problem:
            log.warning("table %s is left to the workers: %s", table_id, problem)
        except Exception:
            log.exception("table %s could not be advanced", table_id)

    async def _done_in_loop(self, table_id: int) -> bool:
        """Do what is due without a thread; False where that takes one."""
        now = known_house_now()
        if now is None or not has_links():
            return False
        try:
            return await self._plans.do_what_is_due(table_id, now)
        except NOT_HERE:
            return False


def _tick(table_id: int) -> None:
    """Do what is due; a bot that has to think would hold up all others of this process."""
    now = house_now()
    if not clock.tick(table_id, now, may_think=False):
        wake_ups.call_worker(table_id, now)
