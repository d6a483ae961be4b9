"""The house's days: each begins at midnight in the house's zone; rows have instants in UTC."""

from datetime import UTC, date, datetime, time, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from django.conf import settings
from django.utils.formats import date_format

ONE_DAY: Final = timedelta(days=1)


def house_zone() -> ZoneInfo:
    """The zone that the settings name."""
    return ZoneInfo(settings.HOUSE_ZONE)


def in_house_zone(moment: datetime) -> datetime:
    """An instant as a clock in the house shows it."""
    return moment.astimezone(house_zone())


def day_of(moment: datetime) -> date:
    """The house's day in which an instant is."""
    return in_house_zone(moment).date()


def start_of(day: date, hour: int = 0) -> datetime:
    """The instant at which a day begins, or a later hour of it.

    The next day's start is `start_of(day + ONE_DAY)`: where clocks change, a day is not 24 hours.
    """
    return datetime.combine(day, time(hour), house_zone()).astimezone(UTC)


def house_time(moment: datetime | None) -> str:
    """Date and time in the house, in the reader's language; a dash where there is none."""
    return date_format(in_house_zone(moment), "SHORT_DATETIME_FORMAT") if moment else "–"


def with_zone(moment: datetime, style: str = "DATETIME_FORMAT") -> str:
    """Date and time in the house, in the reader's language, and the name of its zone."""
    return f"{date_format(in_house_zone(moment), style)} ({settings.HOUSE_ZONE})"
