"""Announcing that a table changed: its number and its new version, never what changed.

Each browser then fetches its own view, so nothing that travels here could show a card.
"""

import logging
import threading
import time
from collections.abc import Iterable
from functools import cache
from typing import Final, NamedTuple
from urllib.parse import urlencode

import redis
from django.conf import settings
from redis.backoff import NoBackoff
from redis.retry import Retry

CHANNEL: Final = "card-room:tables"
# The sign-ins that have changed or ended (`casino/accounts/sign_in_cache.py`): `player:12`,
# `session:…`.
FORGET: Final = "card-room:forget"
# The number under which the lobby is watched; no table has it.
LOBBY: Final = 0
LOBBY_STREAM: Final = "/live/lobby/"
# What a message is about: a version, where it does not say so; a line of chat; the seats of offline
# players; the seats' part in a shoe.
VERSION: Final = ""
CHAT: Final = "chat"
PRESENCE: Final = "presence"
MIX: Final = "mix"
ANSWER_SECONDS_MAX: Final = 0.25
# How long to wait after a failure before Redis is tried again.
REST_SECONDS: Final = 2.0

log = logging.getLogger(__name__)


class Breaker:
    """Stops calls for a while after a failure, so that play never waits for Redis."""

    def __init__(self) -> None:
        self._closed_at = 0.0
        self._lock = threading.Lock()

    def may_try(self) -> bool:
        return time.monotonic() >= self._closed_at

    def failed(self) -> bool:
        """Open it; return True for the first of several failures, which the caller then logs."""
        with self._lock:
            first = self.may_try()
            self._closed_at = time.monotonic() + REST_SECONDS
            return first

    def worked(self) -> None:
        self._closed_at = 0.0


breaker: Final = Breaker()


@cache
def client() -> redis.Redis:
    """One pool of connections a process; a failed call is not repeated."""
    return redis.Redis.from_url(
        settings.REDIS_URL,
        socket_timeout=ANSWER_SECONDS_MAX,
        socket_connect_timeout=ANSWER_SECONDS_MAX,
        retry=Retry(NoBackoff(), 0),
    )


def announce(table_id: int, version: int) -> None:
    """Announce the new version of a table; call it after the commit.

    It never fails and never waits long. If an announcement is lost, the streams find the version
    when they next poll the database.
    """
    publish(message(table_id, version))


def announce_chat(table_id: int, line: int) -> None:
    """Announce that there is a new chat line, without its text; like `announce` it never fails."""
    publish(f"{table_id}:{CHAT}:{line}")


def announce_presence(table_id: int, offline: Iterable[int]) -> None:
    """Announce which seats of a table are those of offline players; like `announce` it never
    fails.
    """
    publish(f"{table_id}:{PRESENCE}:{'.'.join(map(str, offline))}")


def announce_mix(table_id: int) -> None:
    """Announce that a seat has given its part of a shoe; like `announce` it never fails."""
    publish(f"{table_id}:{MIX}:")


def publish(payload: str) -> None:
    if not breaker.may_try():
        return
    try:
        client().publish(CHANNEL, payload)
    except (redis.RedisError, OSError) as problem:
        if breaker.failed():
            log.warning("Redis does not answer, updates come more slowly: %s", problem)
    else:
        breaker.worked()


def message(table_id: int, version: int) -> str:
    return f"{table_id}:{version}"


class News(NamedTuple):
    """A message: its table, its kind, and its numbers: a version, a line, or seats."""

    table: int
    kind: str
    numbers: tuple[int, ...]


def read(payload: object) -> News | None:
    """What a message says; None if it is malformed."""
    try:
        table, *kind, numbers = bytes(payload).decode().split(":")  # type: ignore[call-overload]
        listed = tuple(map(int, filter(None, numbers.split("."))))
        news = News(int(table), ":".join(kind), listed)
    except (TypeError, ValueError):
        return None
    return None if news.kind in (VERSION, CHAT) and len(listed) != 1 else news


def lobby_stream(shown: int) -> str:
    """Return the address of the lobby's stream for a page that shows this version, or newer."""
    return f"{LOBBY_STREAM}?shows={shown}"


def stream_path(table_id: int, ticket: str = "") -> str:
    """Return the address of a table's stream, for the viewer of a ticket or for a stranger."""
    query = f"?{urlencode({'ticket': ticket})}" if ticket else ""
    return f"/live/tables/{table_id}/{query}"
