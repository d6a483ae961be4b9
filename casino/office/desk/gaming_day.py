"""The gaming day: it begins at an hour that the house sets, so that a night counts as one day."""

from datetime import date, datetime, timedelta

from django.conf import settings

from wallets.values.days import ONE_DAY, in_house_zone, start_of


def gaming_day(at: datetime) -> date:
    """The day to which a moment belongs at the desk."""
    # By the clock on the wall: where clocks change, the day still begins at its hour.
    on_the_wall = in_house_zone(at).replace(tzinfo=None)
    return (on_the_wall - timedelta(hours=settings.GAMING_DAY_HOUR)).date()


def ends_at(day: date) -> datetime:
    return start_of(day + ONE_DAY, settings.GAMING_DAY_HOUR)
