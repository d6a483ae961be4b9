"""Rows of long work that staff request, each done by one worker at a time.

A worker claims a waiting row by compare-and-set and notes its progress every second. The time that
it noted last is its claim: a worker that is silent for a minute loses its row to the next. Rows
have the columns `state`, `requested_at`, `seen_at` and `ended_at`.
"""

import logging
import time
from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

from celery import current_app
from django.db.models import Model, Q
from kombu.exceptions import OperationalError

log = logging.getLogger(__name__)

# Its workers do nothing else, so no act at a table waits for long work.
QUEUE: Final = "simulations"
WAITING: Final = "waiting"
RUNNING: Final = "running"
SILENT: Final = timedelta(seconds=60)
NOTED_EVERY: Final = 1.0


class Lost(Exception):
    """Another worker has claimed the row."""


def send(task: str, number: int) -> None:
    """Tell a worker; without a broker the row waits until it is sent again."""
    try:
        current_app.send_task(task, (number,), queue=QUEUE)
    except (OperationalError, OSError) as problem:
        log.warning("no broker, %s of row %s waits: %s", task, number, problem)


def is_left(row: Any, now: datetime) -> bool:
    """Whether the row is not done and no worker seems to be at it."""
    return row.state in (WAITING, RUNNING) and now - (row.seen_at or row.requested_at) > SILENT


class Claim:
    """A worker's claim to a row."""

    def __init__(self, row: Any, clock: Callable[[], datetime]) -> None:
        self._row, self._clock, self._next = row, clock, 0.0

    def note(self, **columns: object) -> None:
        """Store the progress, at most once a second; raise `Lost` without the claim."""
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + NOTED_EVERY
            if not self._store(self._clock(), columns):
                raise Lost

    def end(self, **columns: object) -> bool:
        """Store the end of the work; return False without the claim."""
        now = self._clock()
        return self._store(now, columns | {"ended_at": now})

    def _store(self, now: datetime, columns: dict[str, Any]) -> bool:
        row = self._row
        mine = type(row).objects.filter(pk=row.pk, state=RUNNING, seen_at=row.seen_at)
        row.seen_at = now
        return bool(mine.update(seen_at=now, **columns))


def claim(
    model: type[Model], number: int, clock: Callable[[], datetime], **fresh: Any
) -> tuple[Any, Claim] | None:
    """The row and the claim to it, unless another worker has one; `fresh` begins the work anew."""
    now = clock()
    free = Q(state=WAITING) | Q(state=RUNNING, seen_at__lt=now - SILENT)
    rows = model._default_manager
    if not rows.filter(free, pk=number).update(state=RUNNING, seen_at=now, **fresh):
        return None
    row = rows.get(pk=number)
    return row, Claim(row, clock)
