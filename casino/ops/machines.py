"""Measure the machines of the house: the clocks, the database's connections, and the disks."""

import shutil
from collections.abc import Iterator
from datetime import timedelta
from pathlib import Path

from django.conf import settings
from django.db import connection

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
