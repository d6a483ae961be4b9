"""An alarm while suspicions wait for a decision for too long."""

from collections.abc import Iterator
from datetime import timedelta
from typing import Final

from django.db.models import Count, Min
from django.utils.translation import gettext_lazy as _

from casino.alarms.conditions import Condition, Moment, State
from casino.alarms.conditions import register as register_condition
from casino.integrity.deciding import SEE
from casino.integrity.models import Suspicion

WAITS_MAX: Final = timedelta(days=7)
MINUTE: Final = 60


def waiting(moment: Moment) -> Iterator[State]:
    late = Suspicion.objects.filter(
        state=Suspicion.State.OPEN, opened_at__lt=moment.now - WAITS_MAX
    ).aggregate(count=Count("pk"), since=Min("opened_at"))
    if late["count"]:
        days = (moment.now - late["since"]).days
        yield State("suspicions", {"count": late["count"], "days": days})


def register() -> None:
    register_condition(
        Condition(
            "suspicions",
            _("Suspicions wait"),
            _("{count} suspicions wait for a decision, the oldest for {days} days."),
            SEE,
            waiting,
            every_seconds=MINUTE,
        )
    )
