"""Announcing what the event loop has made: at once to its own streams, by Redis to all others.

The loop does not wait for Redis: what has come together is sent in one go, the newest version of
each table. What is lost is found as everything else is: the streams look at the versions, and the
sweeper at the due times.
"""

import asyncio
import logging
from datetime import datetime
from typing import Final

import redis.asyncio
from django.conf import settings
from redis.exceptions import RedisError

from games.live import announcing, wake_ups
from games.live.announcing import CHANNEL, VERSION, News, breaker, message
from games.live.hub import Hub
from games.models import Table

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
