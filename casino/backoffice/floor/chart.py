"""Hands an hour of the last day, drawn on the server; an hour that is over is counted once."""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.core.cache import cache

from games.models import Hand

HOURS: Final = 24
HOUR: Final = timedelta(hours=1)
KEPT_SECONDS: Final = 26 * 3600
NOW_SECONDS: Final = 60

WIDTH: Final = 480
HEIGHT: Final = 96
BELOW: Final = 14
ABOVE: Final = 12
BAR: Final = WIDTH // HOURS


class Bar(NamedTuple):
    hour: datetime
    hands: int
    x: int
    y: int
    tall: int
    # Every sixth bar is labelled.
    labelled: bool
    is_now: bool


class Chart(NamedTuple):
    bars: list[Bar]
    most: int
    total: int


def chart(now: datetime) -> Chart:
    this_hour = now.replace(minute=0, second=0, microsecond=0)
    hours = [this_hour - back * HOUR for back in reversed(range(HOURS))]
    counts = [_hands(hour, is_now=hour == this_hour) for hour in hours]
    most = max(counts) or 1
    room = HEIGHT - BELOW - ABOVE
    bars = []
    for at, (hour, hands) in enumerate(zip(hours, counts, strict=True)):
        tall = room * hands // most
        bars.append(
            Bar(
                hour,
                hands,
                at * BAR,
                HEIGHT - BELOW - tall,
                tall,
                hour.hour % 6 == 0,
                hour == this_hour,
            )
        )
    return Chart(bars, max(counts), sum(counts))


def _hands(hour: datetime, *, is_now: bool) -> int:
    key = f"floor-hands-of:{hour:%Y%m%d%H}"
    kept: int | None = cache.get(key)
    if kept is None:
        ended = Hand.objects.filter(ended_at__gte=hour, ended_at__lt=hour + HOUR)
        kept = ended.filter(status=Hand.Status.FINISHED).count()
        cache.set(key, kept, NOW_SECONDS if is_now else KEPT_SECONDS)
    return kept
