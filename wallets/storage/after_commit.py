"""What follows a commit, also where a thread has no connection.

Django asks its connection whether a transaction is open, and opens one to ask. The event loop has
none, and must not get one: what it has written is committed when it calls this. Where a transaction
is only planned, what follows it waits with the plan.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

from django.db import connection, transaction

Work = Callable[[], object]
_PLANNED: Final[ContextVar[list[Work] | None]] = ContextVar("planned", default=None)


def after_commit(work: Work, *, robust: bool = False) -> None:
    """Do this once the open transaction is committed; at once where none is open."""
    waiting = _PLANNED.get()
    if waiting is not None:
        waiting.append(work)
    elif connection.in_atomic_block:
        transaction.on_commit(work, robust=robust)
    else:
        work()


@contextmanager
def planned(waiting: list[Work]) -> Iterator[None]:
    """Put what would follow the commit of this block into a list."""
    before = _PLANNED.set(waiting)
    try:
        yield
    finally:
        _PLANNED.reset(before)
