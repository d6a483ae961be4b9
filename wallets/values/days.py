"""The house's days: one gaming day for games, reports, the desk and players' limits.

It begins at `GAMING_DAY_HOUR` on the clock of the house, so that a night counts as one day. Rows
have instants in UTC.
"""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.db.models import Case, DateField, Value, When
from django.utils.formats import date_format

from wallets.values import house

ONE_DAY: Final = timedelta(days=1)


def house_zone() -> ZoneInfo:
    """The zone that the house has chosen, or the settings name."""
    return ZoneInfo(zone_name())


def zone_name() -> str:
    return house.current().zone or settings.HOUSE_ZONE


def in_house_zone(moment: datetime) -> datetime:
    """An instant as a clock in the house shows it."""
    return moment.astimezone(house_zone())


def day_of(moment: datetime) -> date:
    """The gaming day in which an instant is."""
    return day_on_the_wall(in_house_zone(moment))


def day_on_the_wall(moment: datetime) -> date:
    """The gaming day of a moment in the house's zone: where clocks change, its hour stays."""
    return (moment.replace(tzinfo=None) - timedelta(hours=settings.GAMING_DAY_HOUR)).date()


def start_of(day: date) -> datetime:
    """The instant at which a gaming day begins.

    The next day's start is `start_of(day + ONE_DAY)`: where clocks change, a day is not 24 hours.
    """
    hour = time(settings.GAMING_DAY_HOUR)
    return datetime.combine(day, hour, house_zone()).astimezone(UTC)


def end_of(day: date) -> datetime:
    return start_of(day + ONE_DAY)


def monday_of(day: date) -> date:
    """The first day of its week."""
    return day - timedelta(days=day.weekday())


def day_column(instant: str, first: date, last: date) -> Case:
    """The gaming day of a column of instants, for those from the first day to the last."""
    days = [first + ONE_DAY * number for number in range((last - first).days + 1)]
    whens = [When(**{f"{instant}__lt": end_of(day)}, then=Value(day)) for day in days]
    return Case(*whens, output_field=DateField())


def house_time(moment: datetime | None) -> str:
    """Date and time in the house, in the reader's language; a dash where there is none."""
    return date_format(in_house_zone(moment), "SHORT_DATETIME_FORMAT") if moment else "–"


def with_zone(moment: datetime, style: str = "DATETIME_FORMAT") -> str:
    """Date and time in the house, in the reader's language, and the name of its zone."""
    return f"{date_format(in_house_zone(moment), style)} ({zone_name()})"
