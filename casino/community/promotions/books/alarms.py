"""The alarm about promotions that stopped because their budget is spent."""

from collections.abc import Iterator
from typing import Final

from django.db.models import F, Q
from django.utils.translation import gettext_lazy as _

from casino.community.promotions.models import PromotionVersion
from casino.office.alarms.conditions import Condition, Moment, State

SEE: Final = "promotions.view_promotion"
MINUTE: Final = 60


def stopped(_moment: Moment) -> Iterator[State]:
    standing = Q(ended_at=None) | Q(ended_at__gt=F("stopped_at"))
    rows = PromotionVersion.objects.filter(standing, stopped_at__isnull=False)
    for version in rows.select_related("promotion"):
        yield State(version.reference, {"name": version.promotion.name})


STOPPED: Final = Condition(
    "promotion_stopped",
    _("A promotion has stopped"),
    _("The budget of the promotion {name} is spent, so it pays nothing more."),
    SEE,
    stopped,
    every_seconds=MINUTE,
)
