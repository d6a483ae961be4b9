"""Confirmation by those who were idle, before they move money, change rights or open cards.

Each verb of staff says when it is registered whether it is such a one (`journal.register`). While
the person behind a request has not confirmed, `journal.write` refuses such a verb with an exception
that undoes its transaction, whichever page or program called it. The site answers with a question,
and sends the same form again after it.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from contextvars import ContextVar

_due: ContextVar[bool] = ContextVar("confirmation_due", default=False)


class ConfirmationNeeded(Exception):
    """Nothing was done; the same may be sent again once the person has confirmed."""


@contextmanager
def request_of(*, due: bool) -> Iterator[None]:
    """All that runs inside belongs to one request, whose sender has to confirm or has not."""
    token = _due.set(due)
    try:
        yield
    finally:
        _due.reset(token)


def set_due(due: bool) -> None:
    """Change it for the rest of the request."""
    _due.set(due)


def require() -> None:
    if _due.get():
        raise ConfirmationNeeded


def is_due() -> bool:
    return _due.get()
