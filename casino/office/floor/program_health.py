"""The health of the house's programs, one line each, from a few quick queries."""

import time
from datetime import datetime
from typing import Final, NamedTuple

import redis
from django.db import connection
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.ops import heartbeats
from casino.ops.machines import connections, drift_milliseconds
from games.live.announcing import breaker, client
from games.live.spectators import streams

# Where each kind of worker finds its tasks.
QUEUES: Final = {"worker": "celery", "simulations": "simulations"}
WORDS: Final[dict[str, str | Promise]] = {
    "worker": gettext_lazy("Workers"),
    "simulations": gettext_lazy("Simulations"),
    "beat": gettext_lazy("Schedule"),
    "sweeper": gettext_lazy("Sweepers"),
}


class Vital(NamedTuple):
    name: str
    ok: bool
    detail: str
    figure: str


class Vitals(NamedTuple):
    lines: list[Vital]
    # How far the clocks of database and machine are apart, in milliseconds.
    drift: int


def vitals(now: datetime) -> Vitals:
    waiting, redis_line = _redis()
    programs = [
        Vital(
            str(WORDS[name]),
            age is not None and age <= heartbeats.MISSED_AFTER_SECONDS,
            waiting.get(name, ""),
            "–" if age is None else _("{seconds} s ago").format(seconds=max(0, int(age))),
        )
        for name, age in heartbeats.ages(now).items()
    ]
    return Vitals([*programs, redis_line, _database()], abs(drift_milliseconds()))


def _redis() -> tuple[dict[str, str], Vital]:
    """Return how many tasks wait for each kind of worker, and how Redis answers."""
    began = time.monotonic()
    waiting: dict[str, str] = {}
    if breaker.may_try():
        try:
            for name, queue in QUEUES.items():
                length = int(client().llen(queue))
                waiting[name] = _("{count} tasks wait").format(count=length)
        except (redis.RedisError, OSError):
            breaker.failed()
    took = 1000 * (time.monotonic() - began)
    detail = _("{count} streams").format(count=streams())
    works = len(waiting) == len(QUEUES)
    line = Vital("Redis", works, detail, f"{took:.1f} ms" if works else "–")
    return waiting, line


def _database() -> Vital:
    began = time.monotonic()
    counted = connections()
    if counted is None:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    took = 1000 * (time.monotonic() - began)
    detail = (
        _("{used} of {most} in use").format(used=counted[0], most=counted[1]) if counted else ""
    )
    return Vital(_("Database"), True, detail, f"{took:.1f} ms")
