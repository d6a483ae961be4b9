"""Times and chips of tournaments in templates."""

from datetime import datetime
from zoneinfo import ZoneInfo

from django import template
from django.utils import timezone
from django.utils.formats import date_format

from tournaments.overview import words
from wallets.values import days

register = template.Library()


@register.filter
def chips(amount: int) -> str:
    """A number of chips."""
    return words.chips(amount)


@register.filter
def signed(amount: int) -> str:
    """A difference of chips, with its sign."""
    return f"{'+' if amount > 0 else '−' if amount < 0 else ''}{words.chips(abs(amount))}"


@register.filter
def until(moment: datetime | None, now: datetime) -> str:
    """The time that is left as a clock shows it; a script continues to count."""
    if moment is None:
        return ""
    return clock(max(0, int((moment - now).total_seconds())))


@register.filter
def clock(seconds: int | None) -> str:
    """Seconds as a clock shows them: 1:47, 1:02:40."""
    if seconds is None:
        return ""
    minutes, left = divmod(seconds, 60)
    hours, minutes = divmod(minutes, 60)
    return f"{hours}:{minutes:02}:{left:02}" if hours else f"{minutes}:{left:02}"


@register.filter
def house_time(moment: datetime | None) -> str:
    return days.house_time(moment)


@register.filter
def time_of_start(moment: datetime | None) -> str:
    """Today's time in the house, or else the date: short enough for a tile."""
    if moment is None:
        return ""
    local = days.in_house_zone(moment)
    is_today = local.date() == days.in_house_zone(timezone.now()).date()
    style = "TIME_FORMAT" if is_today else "MONTH_DAY_FORMAT"
    return date_format(local, style)


@register.simple_tag(name="house_zone")
def zone_of_the_house() -> ZoneInfo:
    """The zone of the house, for `{% timezone %}`."""
    return days.house_zone()


@register.filter
def length_in_words(seconds: int) -> str:
    """A length of time as people say it."""
    return words.duration(seconds)
