"""Timers for the tables that a web process has changed last: it does what is due there itself.

It has their copies, so no other process has to read them. The workers look a moment later
(`games/live/wake_ups.py`), and find nothing unless this process has ended or is late. What is done
is up to the database, so a timer that is too many does no harm.
"""

import asyncio
import logging
from contextlib import suppress
from datetime import datetime
from functools import partial
from typing import Final

import psycopg
from django.core.exceptions import SynchronousOnlyOperation
from django.db import DatabaseError

from casino.ops.server.plans import Plans
from games.live import wake_ups
from games.live.hub import Hub
from games.models.combined_writes import CannotPlan
from games.tables import clock
from wallets.storage.database_time import house_now, known_house_now, machine_now
from wallets.storage.links import has_links

# A timer may ring a little before its time, and would find nothing due.
MARGIN_SECONDS: Final = 0.005

# What says that a thread has to do it.
NOT_HERE: Final = (CannotPlan, SynchronousOnlyOperation, psycopg.Error, OSError, TimeoutError)

log: Final = logging.getLogger(__name__)


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
