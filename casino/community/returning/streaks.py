"""Days played one after the other; a day is a gaming day."""

from datetime import date, timedelta
from typing import Final, NamedTuple

from casino.community.returning.models import DayPlayed

DAY: Final = timedelta(days=1)
WEEK_DAYS: Final = 7


class Streak(NamedTuple):
    """Days in a row up to now, the most there ever were, and all days."""

    now: int
    longest: int
    days: int


class ShownDay(NamedTuple):
    day: date
    hands: int
    is_today: bool


def streak(player_id: int, today: date) -> Streak:
    """A streak lasts through a day that is not over yet."""
    days = list(DayPlayed.objects.filter(player=player_id).order_by("day").values_list("day"))
    longest = running = 0
    last: date | None = None
    for (day,) in days:
        running = running + 1 if last is not None and day - last == DAY else 1
        longest, last = max(longest, running), day
    holds = last is not None and today - last <= DAY
    return Streak(running if holds else 0, longest, len(days))


def week_of(player_id: int, monday: date, today: date) -> list[ShownDay]:
    """The days of a week, with the hands finished on each."""
    rows = DayPlayed.objects.filter(
        player=player_id, day__gte=monday, day__lt=monday + WEEK_DAYS * DAY
    )
    hands = dict(rows.values_list("day", "hands"))
    days = [monday + number * DAY for number in range(WEEK_DAYS)]
    return [ShownDay(day, hands.get(day, 0), day == today) for day in days]
