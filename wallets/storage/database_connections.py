"""Connections that threads and event loops keep, and statements that each prepares once.

Django can ask the database before each request whether the connection still works: a statement and
a round trip every time, to learn what the operating system knows already. Between two requests the
database says nothing, so a socket on which something can be read brings the end of the connection.
Looking at the socket costs a system call. The connection is then replaced before the request has
sent anything, so its reads and its transaction alike run on the new one. A connection that ends in
the middle of a request is an error: its transaction is rolled back, and the request is answered
with 503 (`casino/web/errors.py`).

The links of an event loop are opened with the parameters of Django's own connections, and take what
its fields make of values. Each sends one statement at a time, which is its own transaction. One
that has failed is closed: its user sends the statement by Django's connection instead, which says
what is wrong.

Django's own cursor writes the values into the text, so that the server plans every statement anew;
for a click's statements that takes the server several times as long as to answer them.
"""

import asyncio
import re
import select
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from itertools import count
from typing import Any, Final

import psycopg
from django.db import NotSupportedError, close_old_connections, connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from wallets.storage.silence import SILENCE


def renew_connections(**_signal: object) -> None:
    """Close the connections of this thread that are too old or have ended.

    Django opens new ones when they are needed. Call it where no transaction is open: before each
    request, task, or round of a loop.
    """
    close_old_connections()
    close_ended_connections()


def close_ended_connections(**_signal: object) -> None:
    for opened in connections.all(initialized_only=True):
        if not opened.in_atomic_block and has_ended(opened):
            opened.close()


def has_ended(connection: BaseDatabaseWrapper) -> bool:
    """Whether an idle connection to PostgreSQL was ended by the other side."""
    link = connection.connection
    return link is not None and connection.vendor == "postgresql" and link_has_ended(link)


def link_has_ended(link: Any) -> bool:
    """The same of the driver's own connection."""
    if link.closed:
        return True
    socket = select.poll()
    socket.register(link.fileno(), select.POLLIN | select.POLLHUP | select.POLLERR)
    return bool(socket.poll(0))


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
                    rows = await cursor.fetchall()
                except BaseException:
                    await link.close()
                    raise
            self._free.append(link)
            return rows

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


def with_numbers(text: str) -> str:
    """A statement with its values' places numbered, as the server takes it."""
    numbers = count(1)
    return re.sub("%s", lambda _place: f"${next(numbers)}", text)


@contextmanager
def prepared_cursor(*, numbered: bool = False) -> Iterator[CursorWrapper]:
    """A cursor of the database in use, with Django's wrappers around its statements.

    A numbered one takes `$1` for the first value, as the server does; the driver then has not to
    look for the places of the values in a long statement.
    """
    database: Any = connection
    if database.vendor != "postgresql" or database.queries_logged:
        # A log of statements is read with their values.
        with database.cursor() as cursor:
            yield cursor
        return
    database.ensure_connection()
    database.validate_no_broken_transaction()
    try:
        kind = database.Database.RawCursor if numbered else database.Database.Cursor
        with database.wrap_database_errors, kind(database.connection) as cursor:
            yield database.make_cursor(cursor)
    except NotSupportedError:
        # A migration has changed the type of a column that a kept plan returns. The driver drops
        # its plans on a rollback only, so outside a transaction all later reads would fail, too.
        if not database.in_atomic_block:
            database.close()
        raise
