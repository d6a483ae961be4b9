"""How the programs of the house do, in one line each, read in a few quick questions."""

import time
from datetime import datetime
from typing import Final, NamedTuple

import redis
from django.db import connection
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy

from casino.alarms.of_house import connections, drift_milliseconds
from casino.upkeep import heartbeats
from games.live.announcing import breaker, client
from games.live.spectators import streams

# Where the workers find their tasks.
QUEUE: Final = "celery"
WORDS: Final[dict[str, str | Promise]] = {
    "worker": gettext_lazy("Workers"),
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
            waiting if name == "worker" else "",
            "–" if age is None else _("{seconds} s ago").format(seconds=max(0, int(age))),
        )
        for name, age in heartbeats.ages(now).items()
    ]
    return Vitals([*programs, redis_line, _database()], abs(drift_milliseconds()))


def _redis() -> tuple[str, Vital]:
    """The length of the queue, and how Redis answers."""
    began = time.monotonic()
    waiting: int | None = None
    if breaker.may_try():
        try:
            waiting = int(client().llen(QUEUE))
        except (redis.RedisError, OSError):
            breaker.failed()
    took = 1000 * (time.monotonic() - began)
    detail = _("{count} streams").format(count=streams())
    line = Vital("Redis", waiting is not None, detail, "–" if waiting is None else f"{took:.1f} ms")
    words = "" if waiting is None else _("{count} tasks wait").format(count=waiting)
    return words, line


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
