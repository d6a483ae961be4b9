"""A posting that is made together with the other writes of a block, in one statement.

The ledger hands over its body, and a function that raises the refusal in the database's answer: a
code, and the account that it is about.
"""

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Final

Check = Callable[[str], object]
Wait = Callable[[str, Check], object]
_WAIT: Final[ContextVar[Wait | None]] = ContextVar("a posting that waits", default=None)


@contextmanager
def posting_with(wait: Wait) -> Iterator[None]:
    """Hand the posting of this block to one who sends it with other writes."""
    before = _WAIT.set(wait)
    try:
        yield
    finally:
        _WAIT.reset(before)


def waits(body: str, check: Check) -> bool:
    """Let a posting wait for the other writes of its block; False outside one."""
    wait = _WAIT.get()
    if wait is None:
        return False
    wait(body, check)
    return True
