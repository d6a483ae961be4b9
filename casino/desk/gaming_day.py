"""The gaming day: it begins at an hour that the house sets, so that a night counts as one day."""

from datetime import UTC, date, datetime, time, timedelta

from django.conf import settings


def gaming_day(at: datetime) -> date:
    """The day to which a moment belongs at the desk."""
    return (at.astimezone(UTC) - timedelta(hours=settings.GAMING_DAY_HOUR)).date()


def ends_at(day: date) -> datetime:
    """Return the end of a gaming day."""
    start = datetime.combine(day, time(), UTC)
    return start + timedelta(days=1, hours=settings.GAMING_DAY_HOUR)
