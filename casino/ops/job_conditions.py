"""Periodic jobs that have nothing to do unless there are certain rows.

Sending a job, taking it and finding nothing costs ten times as much as asking for the rows.
"""

import logging
from functools import cache
from typing import Final

from django.db import DatabaseError
from django.utils import timezone

from casino.ops.existence import Rows, WhichExist
from games.models import ChainEntry
from wallets.models.record_models import RecordedChange
from wallets.values.registry import Registry

# By the names of the timetable.
ROWS: Final = Registry[Rows]("wanted job")
ROWS.add("link-chain", lambda _now: ChainEntry.objects.filter(position=None))
ROWS.add("link-record", lambda _now: RecordedChange.objects.filter(position=None))

log = logging.getLogger(__name__)


def is_wanted(name: str) -> bool:
    """Whether there may be something to do; so there may while the database does not answer."""
    if name not in ROWS:
        return True
    try:
        return bool(_rows_of(name)(timezone.now()))
    except DatabaseError as problem:
        log.warning("whether %s has something to do is not known: %s", name, problem)
        return True


@cache
def _rows_of(name: str) -> WhichExist:
    return WhichExist({name: ROWS[name]})
