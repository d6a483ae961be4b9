"""Hands an hour of the last day; an hour that is over is counted once."""

from datetime import datetime, timedelta
from typing import Final

from django.core.cache import cache
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.timezone import localtime
from django.utils.translation import gettext as _

from games.models import Hand
from games.words.charts import Plot, added_up, over_slots

HOURS: Final = 24
HOUR: Final = timedelta(hours=1)
KEPT_SECONDS: Final = 26 * 3600
NOW_SECONDS: Final = 60


def chart(now: datetime) -> SafeString:
    """Draw a bar for each hour; the last one is not over."""
    hands = hands_by_hour(now)
    plot = Plot(
        name="hours",
        title=_("Hands an hour"),
        slots={hour: f"{localtime(hour):%H:%M}" for hour in hands},
        write=lambda count: number_format(count, force_grouping=True),
        bars=[added_up(_("Hands"), hands)],
        unfinished=True,
    )
    return over_slots(plot)


def hands_by_hour(now: datetime) -> dict[datetime, int]:
    this_hour = now.replace(minute=0, second=0, microsecond=0)
    hours = [this_hour - back * HOUR for back in reversed(range(HOURS))]
    return {hour: _hands(hour, is_now=hour == this_hour) for hour in hours}


def _hands(hour: datetime, *, is_now: bool) -> int:
    key = f"floor-hands-of:{hour:%Y%m%d%H}"
    kept: int | None = cache.get(key)
    if kept is None:
        ended = Hand.objects.filter(ended_at__gte=hour, ended_at__lt=hour + HOUR)
        kept = ended.filter(status=Hand.Status.FINISHED).count()
        cache.set(key, kept, NOW_SECONDS if is_now else KEPT_SECONDS)
    return kept
