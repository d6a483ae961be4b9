"""Spectators: people who have a table's stream open and do not sit there.

Every ten seconds each process reports the watchers of its streams: one write to Redis, however many
people watch, and none to the database. The lobby reads the reports of all processes. Without Redis
a process knows only its own streams.
"""

import json
import os
import secrets
import time
from collections.abc import Callable, Collection, Mapping
from typing import ClassVar, Final, NamedTuple, TypeVar

import redis
from django.core.cache import cache

from games.live.announcing import breaker, client

Answer = TypeVar("Answer")

KEY: Final = "card-room:watching"
# How long a report is valid; a process reports three times within it.
BELIEVED_SECONDS: Final = 35.0
# All readers of a process share one query for this long.
READ_SECONDS: Final = 5
# The name of this process in Redis.
NAME: Final = f"{os.getpid()}-{secrets.token_hex(4)}"


class Looking(NamedTuple):
    """The readers with a stream of a table open: the number of visitors, and the players."""

    strangers: int
    players: frozenset[int]


class _Own:
    """The last report of this process."""

    said: ClassVar[Mapping[int, Looking]] = {}


def tell(here: Mapping[int, Looking]) -> None:
    """Report who watches through the streams of this process."""
    _Own.said = here
    tables = {
        table_id: [looking.strangers, sorted(looking.players)] for table_id, looking in here.items()
    }
    report = json.dumps([time.time(), tables])
    _ask_redis(lambda: client().hset(KEY, NAME, report))


def watchers(seated: Mapping[int, Collection[int]]) -> dict[int, int]:
    """The number of spectators at each of these tables, given who sits there."""
    looking = cache.get_or_set("watching", _everybody, READ_SECONDS) or {}
    watchers = {}
    for table_id, sits in seated.items():
        strangers, players = looking.get(table_id, (0, frozenset()))
        watchers[table_id] = strangers + len(players - set(sits))
    return watchers


def are_at(table_id: int) -> bool:
    """Whether anybody has a stream of this table open, asked anew."""
    return table_id in _everybody()


def streams() -> int:
    """Return how many streams of tables are open in all processes; a player counts once a table."""
    looking = cache.get_or_set("watching", _everybody, READ_SECONDS) or {}
    return sum(audience.strangers + len(audience.players) for audience in looking.values())


def players_watching() -> dict[int, frozenset[int]] | None:
    """The players with a stream of each table open, asked anew; None if Redis does not answer."""
    said = _ask_redis(lambda: client().hgetall(KEY))
    if said is None:
        return None
    return {table_id: looking.players for table_id, looking in _together(said).items()}


def _everybody() -> dict[int, Looking]:
    said = _ask_redis(lambda: client().hgetall(KEY))
    return dict(_Own.said) if said is None else _together(said)


def _together(said: Mapping[bytes | str, bytes | str]) -> dict[int, Looking]:
    """The valid reports of all processes together; expired reports are deleted."""
    lookings: dict[int, Looking] = {}
    ended = []
    oldest = time.time() - BELIEVED_SECONDS
    for name, report in said.items():
        at, tables = json.loads(report)
        if at < oldest:
            ended.append(name)
            continue
        for key, (strangers, players) in tables.items():
            before = lookings.get(int(key), Looking(0, frozenset()))
            lookings[int(key)] = Looking(
                before.strangers + strangers, before.players | set(players)
            )
    if ended:
        _ask_redis(lambda: client().hdel(KEY, *ended))
    return lookings


def _ask_redis(question: Callable[[], Answer]) -> Answer | None:
    """The answer of Redis, or None; after a failure Redis is not asked for a while."""
    if not breaker.may_try():
        return None
    try:
        return question()
    except (redis.RedisError, OSError):
        breaker.failed()
        return None
