"""The calendar that limits go by: days, weeks from Monday, and months, all from midnight UTC."""

from datetime import UTC, datetime, timedelta

from casino.care.models import PlayerLimit

Period = PlayerLimit.Period


def begun(period: str, now: datetime) -> datetime:
    """Return the beginning of the present day, week or month."""
    day = now.astimezone(UTC).replace(hour=0, minute=0, second=0, microsecond=0)
    if period == Period.WEEK:
        return day - timedelta(days=day.weekday())
    if period == Period.MONTH:
        return day.replace(day=1)
    return day


def minutes_in(period: str) -> int:
    """The minutes of a period, at the least."""
    days = {Period.DAY: 1, Period.WEEK: 7, Period.MONTH: 28}[Period(period)]
    return days * 24 * 60
