"""Five weeks of events as a calendar: what is announced, what schedules will announce, and a plan.

Days and times are those of the house's zone.
"""

from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime, time, timedelta
from typing import Final, NamedTuple

from django.utils.formats import time_format

from tournaments.models import Schedule, Tournament
from tournaments.running.announcing import start_after
from wallets.values.days import house_zone, in_house_zone, monday_of

WEEKS: Final = 5
# Of a day more starts than these are only counted.
STARTS_SHOWN: Final = 4


class Start(NamedTuple):
    """An event on a day. `number` is 0 while it is not announced."""

    at: datetime
    name: str
    number: int = 0
    is_new: bool = False

    @property
    def time(self) -> str:
        return time_format(in_house_zone(self.at).time(), "H:i")


class Day(NamedTuple):
    day: date
    is_past: bool
    is_today: bool
    starts: Sequence[Start]
    more: int


def weeks(now: datetime, new: Iterable[Start] = ()) -> list[list[Day]]:
    """The weeks from this Monday on; `new` are the starts of what is being planned."""
    today = in_house_zone(now).date()
    first = monday_of(today)
    since, until = (_midnight(first + timedelta(weeks=count)) for count in (0, WEEKS))
    by_day: dict[date, list[Start]] = {}
    for start in sorted([*_announced(since, until), *_scheduled(now, until), *new]):
        by_day.setdefault(in_house_zone(start.at).date(), []).append(start)
    days = [_day(first + timedelta(days=count), today, by_day) for count in range(7 * WEEKS)]
    return [days[week : week + 7] for week in range(0, len(days), 7)]


def starts_of(schedule: Schedule, name: str, until: datetime, *, is_new: bool) -> Iterator[Start]:
    at = schedule.next_at
    while at is not None and at < until:
        yield Start(at, name, is_new=is_new)
        at = start_after(schedule, at)


def end_of(now: datetime) -> datetime:
    return now + timedelta(weeks=WEEKS)


def _midnight(day: date) -> datetime:
    return datetime.combine(day, time.min, house_zone())


def _day(day: date, today: date, by_day: dict[date, list[Start]]) -> Day:
    starts = by_day.get(day, [])
    more = max(0, len(starts) - STARTS_SHOWN)
    return Day(day, day < today, day == today, starts[:STARTS_SHOWN], more)


def _announced(since: datetime, until: datetime) -> Iterator[Start]:
    events = Tournament.objects.filter(starts_at__gte=since, starts_at__lt=until)
    for event in events.exclude(state=Tournament.State.CANCELLED).order_by("starts_at"):
        assert event.starts_at is not None
        yield Start(event.starts_at, event.title, event.pk)


def _scheduled(now: datetime, until: datetime) -> Iterator[Start]:
    plans = Schedule.objects.filter(active=True, kind=Schedule.Kind.RECURRING)
    for schedule in plans.select_related("template"):
        for start in starts_of(schedule, schedule.template.name, until, is_new=False):
            if start.at >= now:
                yield start
