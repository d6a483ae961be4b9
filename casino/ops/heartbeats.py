"""Heartbeats of sweeper, beat and workers, and measures of the machines: clocks and disks.

They are in the database because Redis may be down, and then it matters which programs still run.
"""

import logging
import shutil
import time
from collections.abc import Iterator
from datetime import datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Final

from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import QuerySet
from django.utils import timezone

from casino.ops.models import Heartbeat
from wallets.storage.database_connections import renew_connections
from wallets.storage.database_time import clocks_apart


def drift_milliseconds() -> int:
    """Return how far the database's clock is ahead of this machine's; negative if behind."""
    return round(clocks_apart() / timedelta(milliseconds=1))


def connections() -> tuple[int, int] | None:
    """Return PostgreSQL's open connections and their limit; None on SQLite."""
    if connection.vendor != "postgresql":
        return None
    with connection.cursor() as cursor:
        cursor.execute(
            "SELECT (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),"
            " current_setting('max_connections')::int"
        )
        used, most = cursor.fetchone()
    return int(used), int(most)


def disks() -> Iterator[tuple[str, int]]:
    """The folders that the house writes to, each with the free part of its disk in percent."""
    for name, path in (("data", settings.DATA_DIR), ("anchors", settings.ANCHORS_FILE)):
        folder = Path(path)
        while not folder.is_dir():
            folder = folder.parent
        usage = shutil.disk_usage(folder)
        yield name, 100 * usage.free // usage.total


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
