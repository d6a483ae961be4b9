"""When something is due at each table: a sorted set in Redis, from which workers take what is due.

A table has one entry, and a newer time replaces the older. Workers sleep until the earliest time;
where a table becomes the earliest, a bell wakes one of them. An entry that is lost does no harm:
the times are in the tables' rows, and the sweeper looks every second.

A web process does itself what is due after a change that it has made, by timers of its own
(`casino/ops/server/plans.py`); workers then look a moment later, for the case that it has ended.
"""

import logging
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import ClassVar, Final, NamedTuple

import redis

from games.live import announcing

# The tables by the time at which something is due there.
DUE: Final = "card-room:due"
# A list with at most one element, for which a sleeping worker waits.
BELL: Final = "card-room:due:bell"

_SET: Final = """
    redis.call('ZADD', KEYS[1], ARGV[2], ARGV[1])
    if redis.call('ZRANGE', KEYS[1], 0, 0)[1] == ARGV[1] then
        redis.call('LPUSH', KEYS[2], 1)
        redis.call('LTRIM', KEYS[2], 0, 0)
    end
"""
_TAKE: Final = """
    local due = redis.call('ZRANGEBYSCORE', KEYS[1], '-inf', ARGV[1], 'LIMIT', 0, ARGV[2])
    if #due > 0 then redis.call('ZREM', KEYS[1], unpack(due)) end
    local first = redis.call('ZRANGE', KEYS[1], 0, 0, 'WITHSCORES')
    return {due, first[2] or ''}
"""

# After so long a process with timers has missed what was due.
MISSED_AFTER: Final = timedelta(milliseconds=700)
Timers = Callable[[int, datetime], None]

log = logging.getLogger(__name__)


class _Process:
    """The timers of this process, if it has any."""

    timers: ClassVar[Timers | None] = None


class Taken(NamedTuple):
    """The tables where something is due, and the earliest time among the others."""

    tables: list[int]
    next_at: float | None


def by_timers(timers: Timers | None) -> None:
    """Have these timers of the process do what is due after its own changes; None for workers."""
    _Process.timers = timers


def for_workers(table_id: int, due_at: datetime) -> datetime:
    """Set the process's own timer, if it has any; return when a worker is to look at the table."""
    if _Process.timers is None:
        return due_at
    _Process.timers(table_id, due_at)
    return due_at + MISSED_AFTER


def set_alarm(table_id: int, due_at: datetime) -> None:
    """Have a timer or a worker look at a table at this time; without both, the sweeper does."""
    call_worker(table_id, for_workers(table_id, due_at))


def call_worker(table_id: int, due_at: datetime) -> None:
    """Have a worker look at a table at this time."""
    if not announcing.breaker.may_try():
        return
    try:
        announcing.client().eval(*alarm(table_id, due_at))
    except (redis.RedisError, OSError) as problem:
        if announcing.breaker.failed():
            log.warning("no Redis, the sweeper does what is due: %s", problem)


def alarm(table_id: int, due_at: datetime) -> tuple[str, int, str, str, str, str]:
    """The script by which a worker is called, with its keys and values, for any client of Redis."""
    return _SET, 2, DUE, BELL, str(table_id), str(due_at.timestamp())


def take(client: redis.Redis, now: datetime, most: int) -> Taken:
    """Take out tables where something is due; no other worker gets them."""
    due, first = client.eval(_TAKE, 1, DUE, str(now.timestamp()), str(most))
    return Taken([int(table_id) for table_id in due], float(first) if first else None)


def sleep(client: redis.Redis, seconds: float) -> None:
    """Sleep for so long, or until the bell is rung; the client must not give up before."""
    if seconds > 0:
        client.blpop([BELL], timeout=seconds)
