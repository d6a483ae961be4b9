"""Heartbeats: sweeper, beat and workers record in the database that they work.

They are in the database because Redis may be down, and then it matters which programs still run.
"""

import logging
import time
from datetime import datetime, timedelta
from threading import Thread
from typing import Final

from django.db import DatabaseError
from django.db.models import QuerySet
from django.utils import timezone

from casino.ops.models import Heartbeat
from wallets.storage.database_connections import renew_connections

# The shortest time between two records; a program counts as missing after a little more than three
# times that.
EVERY_SECONDS: Final = 10
MISSED_AFTER_SECONDS: Final = 40
SIMULATIONS: Final = "simulations"
NAMES: Final = ("worker", SIMULATIONS, "beat", "sweeper")

log = logging.getLogger(__name__)
# When this process last recorded each program.
noted: dict[str, float] = {}


def note(name: str) -> None:
    """Record that this program is alive, unless it did so a moment ago; never fail."""
    if time.monotonic() < noted.get(name, -EVERY_SECONDS) + EVERY_SECONDS:
        return
    renew_connections()
    try:
        Heartbeat.objects.bulk_create(
            [Heartbeat(name=name, at=timezone.now())],
            update_conflicts=True,
            unique_fields=["name"],
            update_fields=["at"],
        )
        noted[name] = time.monotonic()
    except DatabaseError as problem:
        log.warning("the heartbeat of %s could not be noted: %s", name, problem)


def keep_noting(name: str) -> Thread:
    """Record from now on that this process is alive, even while a task takes minutes."""
    thread = Thread(target=_note_for_ever, args=(name,), name=f"heartbeat of {name}", daemon=True)
    thread.start()
    return thread


def _note_for_ever(name: str) -> None:
    while True:
        note(name)
        time.sleep(EVERY_SECONDS)


def silent(now: datetime) -> QuerySet[Heartbeat]:
    """The programs that were heard of once, and not lately."""
    lately = now - timedelta(seconds=MISSED_AFTER_SECONDS)
    return Heartbeat.objects.filter(name__in=NAMES, at__lt=lately)


def ages(now: datetime) -> dict[str, float | None]:
    """Return how many seconds ago each program was last heard of; None if never."""
    heard = dict(Heartbeat.objects.filter(name__in=NAMES).values_list("name", "at"))
    return {name: (now - heard[name]).total_seconds() if name in heard else None for name in NAMES}
