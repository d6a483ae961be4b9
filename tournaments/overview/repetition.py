"""How often a schedule's events start, in words."""

from django.utils.dates import WEEKDAYS_ABBR
from django.utils.formats import time_format
from django.utils.translation import gettext as _
from django.utils.translation import ngettext

from tournaments.models import Schedule
from wallets.values.days import in_house_zone

HOUR = 3_600
DAY = 24 * HOUR
ALL_WEEK = 0b1111111


def repetition(schedule: Schedule) -> str:
    """When the events of a schedule start, such as "Mon, Wed at 19:30"."""
    if schedule.kind == Schedule.Kind.ALWAYS_OPEN:
        return _("whenever one has started")
    if schedule.weekdays and schedule.house_time is not None:
        return _("{days} at {time}").format(
            days=days_in_words(schedule.weekdays), time=time_format(schedule.house_time, "H:i")
        )
    every = schedule.every_seconds
    if every % DAY == 0 and schedule.next_at is not None:
        days = every // DAY
        said = ngettext("every day at {time}", "every {days} days at {time}", days)
        time = time_format(in_house_zone(schedule.next_at).time(), "H:i")
        return said.format(days=days, time=time)
    hours = every // HOUR
    if every % HOUR == 0:
        return ngettext("every hour", "every {hours} hours", hours).format(hours=hours)
    return _("every {minutes} minutes").format(minutes=round(every / 60))


def days_in_words(weekdays: int) -> str:
    """Days of the week, from Monday on."""
    if weekdays == ALL_WEEK:
        return _("every day")
    chosen = [day for day in range(7) if weekdays >> day & 1]
    return ", ".join(str(WEEKDAYS_ABBR[day]) for day in chosen)
