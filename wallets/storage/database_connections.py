"""Connections that a thread keeps to the database, and how one that has ended is noticed.

Django can ask the database before each request whether the connection still works: a statement and
a round trip every time, to learn what the operating system knows already. Between two requests the
database says nothing, so a socket on which something can be read brings the end of the connection.
Looking at the socket costs a system call. The connection is then replaced before the request has
sent anything, so its reads and its transaction alike run on the new one.

A connection that ends in the middle of a request is an error: its transaction is rolled back, and
the request is answered with 503 (`casino/web/errors.py`).
"""

import select
from typing import Any

from django.db import close_old_connections, connections
from django.db.backends.base.base import BaseDatabaseWrapper


def renew_connections(**_signal: object) -> None:
    """Close the connections of this thread that are too old or have ended.

    Django opens new ones when they are needed. Call it where no transaction is open: before each
    request, task, or round of a loop.
    """
    close_old_connections()
    close_ended_connections()


def close_ended_connections(**_signal: object) -> None:
    for connection in connections.all(initialized_only=True):
        if not connection.in_atomic_block and has_ended(connection):
            connection.close()


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
