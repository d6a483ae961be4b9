"""Whether this web process can serve, and whether all parts of the site do their work.

A load balancer asks `/health/` (`server/health_check.py`): a process that reaches the database can
serve, even if everything else is down. Monitoring asks `/ready/`, which checks all parts.
"""

from collections.abc import Callable
from datetime import datetime, timedelta
from typing import Any, Final

import redis
from django.conf import settings
from django.db import DatabaseError, connection
from django.db.models import Q
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.utils import timezone
from django.views.decorators.http import require_safe

from casino.ops import heartbeats
from games.live import announcing
from games.models import Anchor, ChainEntry, Table
from games.shoes import anchors
from wallets.storage import replica
from wallets.storage.database_connections import renew_connections
from wallets.storage.silence import SILENCE

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
    verdicts |= _from_database(lambda: _programs(now), *heartbeats.NAMES)
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
            "ok": age is not None and age <= heartbeats.MISSED_AFTER_SECONDS,
            "seconds": _rounded(age),
        }
        for name, age in heartbeats.ages(now).items()
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
