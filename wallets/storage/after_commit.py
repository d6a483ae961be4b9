"""What follows a commit, also where a thread has no connection.

Django asks its connection whether a transaction is open, and opens one to ask. The event loop has
none, and must not get one: what it has written is committed when it calls this.
"""

from collections.abc import Callable

from django.db import connection, transaction


def after_commit(work: Callable[[], object]) -> None:
    """Do this once the open transaction is committed; at once where none is open."""
    if connection.in_atomic_block:
        transaction.on_commit(work)
    else:
        work()
