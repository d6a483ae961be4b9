"""Asynchronous connections to the database: an event loop waits for a statement, no thread does.

They are opened with the parameters of Django's own connections, and take what its fields make of
values. Each sends one statement at a time, which is its own transaction. One that has failed is
closed: whoever sent the statement asks Django's connection instead, which says what is wrong.
"""

import asyncio
from collections.abc import Sequence
from typing import Any, Final

import psycopg
from django.db import connection

from wallets.storage.database_connections import link_has_ended
from wallets.storage.silence import SILENCE

# Who waits for longer is told by Django's connection that the database is away.
CONNECT_SECONDS_MAX: Final = 0.8
# Connections of a process; a statement waits for a free one.
LINKS_MAX: Final = 4

Link = psycopg.AsyncConnection[tuple[Any, ...]]


def has_links() -> bool:
    """Whether the database in use has such connections."""
    return connection.vendor == "postgresql"


class Links:
    """So many connections at the most, opened when they are needed."""

    def __init__(self, most: int) -> None:
        self._free: list[Link] = []
        self._gate = asyncio.Semaphore(most)

    async def rows(
        self, sql: str, values: Sequence[Any], *, numbered: bool = False
    ) -> list[tuple[Any, ...]]:
        """The rows that a statement returns, once it is committed."""
        kind = psycopg.AsyncRawCursor if numbered else psycopg.AsyncCursor
        async with self._gate:
            with SILENCE.doubted():
                link = await self._taken()
                try:
                    cursor = kind(link)
                    await cursor.execute(sql.encode(), values)
                    found = await cursor.fetchall()
                except BaseException:
                    await link.close()
                    raise
            self._free.append(link)
            return found

    async def _taken(self) -> Link:
        if SILENCE.is_silent:
            raise psycopg.OperationalError
        while self._free:
            link = self._free.pop()
            if not link_has_ended(link):
                return link
            await link.close()
        database: Any = connection
        parameters = database.get_connection_params()
        del parameters["cursor_factory"]
        async with asyncio.timeout(CONNECT_SECONDS_MAX):
            link = await psycopg.AsyncConnection.connect(**parameters, autocommit=True)
        SILENCE.note(link)
        return link

    async def close(self) -> None:
        while self._free:
            await self._free.pop().close()
