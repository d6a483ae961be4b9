"""Whether this web process can serve, and whether all parts of the site do their work.

A load balancer asks `/health/` (`server/health_check.py`): a process that reaches the database can
serve, even if everything else is down. Monitoring asks `/ready/`, which checks all parts.

The heartbeats of sweeper, beat and workers are in the database because Redis may be down, and then
it matters which programs still run.
"""

import logging
import shutil
import time
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path
from threading import Thread
from typing import Any, Final

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Q, QuerySet
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from casino.ops.models import Heartbeat
from games.live import announcing
from games.models import Anchor, ChainEntry, Table
from games.shoes import anchors
from wallets.storage import replica
from wallets.storage.database_connections import renew_connections
from wallets.storage.database_time import clocks_apart
from wallets.storage.silence import SILENCE


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


def note_heartbeat(name: str) -> None:
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
        note_heartbeat(name)
        time.sleep(EVERY_SECONDS)


def silent(now: datetime) -> QuerySet[Heartbeat]:
    """The programs that were heard of once, and not lately."""
    lately = now - timedelta(seconds=MISSED_AFTER_SECONDS)
    return Heartbeat.objects.filter(name__in=NAMES, at__lt=lately)


def ages(now: datetime) -> dict[str, float | None]:
    """Return how many seconds ago each program was last heard of; None if never."""
    heard = dict(Heartbeat.objects.filter(name__in=NAMES).values_list("name", "at"))
    return {name: (now - heard[name]).total_seconds() if name in heard else None for name in NAMES}


# The sweep finds due tables within a second; this is what players are promised.
OVERDUE_SECONDS_MAX: Final = 5.0
# A day is closed within two hours of its end, and the head of the chain is anchored then.
ANCHOR_AFTER_MAX: Final = timedelta(hours=26)

Verdict = dict[str, Any]


def reaches_database() -> bool:
    """Whether this thread reaches the database; a connection that has ended is replaced first."""
    renew_connections()
    return not SILENCE.is_silent and bool(_database()["ok"])


@require_safe
def ready(_request: HttpRequest) -> HttpResponse:
    """Return a verdict on each part; 503 unless all of them work."""
    verdicts = checks(timezone.now())
    good = all(verdict["ok"] for verdict in verdicts.values())
    answer = JsonResponse({"ready": good, "checks": verdicts}, status=200 if good else 503)
    answer["Cache-Control"] = "no-store"
    return answer


def checks(now: datetime) -> dict[str, Verdict]:
    """The verdict on each part of the site."""
    verdicts = {"database": _database(), "redis": _redis()}
    verdicts |= _from_database(lambda: _programs(now), *NAMES)
    verdicts |= _from_database(lambda: {"tables": _tables(now)}, "tables")
    verdicts |= _from_database(lambda: {"anchor": anchor_verdict(now)}, "anchor")
    if settings.HAS_REPLICA:
        verdicts["replica"] = {"ok": not replica.what_is_wrong()}
    return verdicts


def _from_database(query: Callable[[], dict[str, Verdict]], *names: str) -> dict[str, Verdict]:
    try:
        return query()
    except DatabaseError:
        return {name: {"ok": False} for name in names}


def _database() -> Verdict:
    try:
        with connection.cursor() as cursor:
            cursor.execute("SELECT 1")
    except DatabaseError:
        return {"ok": False}
    return {"ok": True}


def _redis() -> Verdict:
    try:
        return {"ok": bool(announcing.client().ping())}
    except (redis.RedisError, OSError):
        return {"ok": False}


def _programs(now: datetime) -> dict[str, Verdict]:
    """Return when workers, beat and sweepers were last heard of."""
    return {
        name: {
            "ok": age is not None and age <= MISSED_AFTER_SECONDS,
            "seconds": _rounded(age),
        }
        for name, age in ages(now).items()
    }


def _tables(now: datetime) -> Verdict:
    """Return how late the table is that has waited longest."""
    due = Table.objects.filter(due_at__lt=now).order_by("due_at").values_list("due_at", flat=True)
    first = due.first()
    late = (now - first).total_seconds() if first else 0.0
    return {"ok": late <= OVERDUE_SECONDS_MAX, "overdue_seconds": _rounded(late)}


def anchor_verdict(now: datetime) -> Verdict:
    """Check that hands which ended more than a day ago are under an anchor.

    If nothing was played since the last anchor, none is due. Only the entries beyond that anchor
    are read, which are few.
    """
    last = anchors.latest()
    waiting = ChainEntry.objects.filter(kind="hand", made_at__lt=now - ANCHOR_AFTER_MAX)
    if last:
        waiting = waiting.filter(made_at__gt=last)
        anchored = Anchor.objects.filter(made_at=last).order_by("-number").first()
        if anchored is not None:
            beyond = Q(position__gt=anchored.position) | Q(position__isnull=True)
            waiting = waiting.filter(beyond)
    return {"ok": not waiting.exists(), "at": last.isoformat() if last else None}


def _rounded(seconds: float | None) -> float | None:
    return None if seconds is None else round(seconds, 1)
