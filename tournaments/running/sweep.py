"""The sweep over events: does all overdue steps.

The sweeper calls it each second, as it calls that of the tables. An event that fails does not hold
up the others.
"""

import logging
from datetime import datetime

from django.db.models import QuerySet

from tournaments.models import HandEnded, Tournament
from tournaments.running import progress, schedules

log = logging.getLogger(__name__)


def sweep(now: datetime) -> int:
    """Announce due events and take due steps; return how many events were checked."""
    schedules.run(now)
    return advance(now)


def due_tournaments(now: datetime) -> QuerySet[Tournament]:
    return Tournament.objects.filter(due_at__lte=now)


def hands_to_act_on(_now: datetime) -> QuerySet[HandEnded]:
    """The hands from which something may follow for their events."""
    return HandEnded.objects.filter(acted_at=None)


def advance(now: datetime) -> int:
    """Take the steps that are due; how many events were looked at."""
    due = set(due_tournaments(now).values_list("pk", flat=True))
    due |= set(hands_to_act_on(now).values_list("tournament", flat=True))
    for number in sorted(due):
        try:
            progress.step(number, now)
        except Exception:
            log.exception("tournament %s could not be advanced", number)
    return len(due)
