"""Rows on their way out of the house, each sent by one of several processes, until it arrives.

Rows have the columns `next_at` and `attempts`. A process claims a row by compare-and-set until a
lease ends, so that a row whose process has died is due again. No transaction is open while
something is sent. When to try again, and when to give up, is said by each outbox.
"""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from time import monotonic
from typing import Any, TypeVar

from django.db.models import F

Row = TypeVar("Row")


def claim(row: Any, until: datetime | None, **columns: object) -> bool:
    """Claim a due row until then, or for good; False if another process was quicker."""
    same = type(row).objects.filter(pk=row.pk, next_at=row.next_at)
    if not same.update(next_at=until, attempts=F("attempts") + 1, **columns):
        return False
    row.next_at, row.attempts = until, row.attempts + 1
    return True


def doubled(first: timedelta, attempts: int, most: timedelta = timedelta.max) -> timedelta:
    """The wait after so many attempts, which doubles each time."""
    return min(first * (1 << min(attempts - 1, 20)), most)


def send(
    queues: Iterable[Iterable[Row]],
    attempt: Callable[[Row, datetime], bool | None],
    now: datetime,
    *,
    seconds_max: float,
) -> int:
    """Attempt the rows of each receiver in turn; return how many have arrived.

    An attempt that returns False has found its receiver dead: the others of its queue wait for the
    next run, and delay no other queue. A lease begins when a process claims the row.
    """
    began, arrived = monotonic(), 0
    for rows in queues:
        for row in rows:
            passed = monotonic() - began
            if passed > seconds_max:
                return arrived
            answer = attempt(row, now + timedelta(seconds=passed))
            if answer is False:
                break
            arrived += bool(answer)
    return arrived
