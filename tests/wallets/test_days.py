"""The house's days, where clocks change and where they do not."""

from datetime import UTC, date, datetime, timedelta
from typing import Any

import pytest
from django.utils import translation

from casino.care.limits import begun
from casino.office.reports.facts import Span, bounds
from casino.office.reports.report import parse_instant
from wallets.values.days import ONE_DAY, day_of, end_of, start_of, with_zone

# Sixteen hours of the day are over in UTC when the next one begins in Macau.
EVENING = datetime(2026, 11, 23, 17, 30, tzinfo=UTC)
# The last Sundays of March and October, on which clocks in Lisbon change.
SPRING, AUTUMN = date(2026, 3, 29), date(2026, 10, 25)


@pytest.mark.parametrize(
    ("zone", "day", "starts"),
    [
        ("UTC", date(2026, 11, 23), datetime(2026, 11, 23, tzinfo=UTC)),
        ("Asia/Macau", date(2026, 11, 24), datetime(2026, 11, 23, 16, tzinfo=UTC)),
        ("America/Los_Angeles", date(2026, 11, 23), datetime(2026, 11, 23, 8, tzinfo=UTC)),
    ],
)
def test_a_day_begins_at_its_hour_on_the_clock_of_the_house(
    settings: Any, zone: str, day: date, starts: datetime
) -> None:
    settings.HOUSE_ZONE, settings.GAMING_DAY_HOUR = zone, 0
    at_six = starts + timedelta(hours=6)
    assert day_of(EVENING) == day
    assert start_of(day) == starts
    assert day_of(starts - timedelta(microseconds=1)) == day - ONE_DAY
    assert begun("day", EVENING) == starts
    assert begun("week", EVENING) == start_of(date(2026, 11, 23))
    assert begun("month", EVENING) == start_of(date(2026, 11, 1))
    settings.GAMING_DAY_HOUR = 6
    assert start_of(day) == end_of(day - ONE_DAY) == at_six
    assert (day_of(at_six), day_of(at_six - timedelta(seconds=1))) == (day, day - ONE_DAY)


@pytest.mark.parametrize("hour", [0, 1, 2, 6])
@pytest.mark.parametrize(("day", "hours"), [(SPRING, 23), (AUTUMN, 25), (AUTUMN + ONE_DAY, 24)])
def test_where_clocks_change_a_day_lasts_until_the_next_one(
    settings: Any, day: date, hours: int, hour: int
) -> None:
    """Clocks change at one: before the hour of a gaming day it is the day before that is longer."""
    settings.HOUSE_ZONE, settings.GAMING_DAY_HOUR = "Europe/Lisbon", hour
    changed = day if hour <= 1 else day - ONE_DAY
    first, end = bounds(Span(changed, changed))
    assert end - first == timedelta(hours=hours)
    assert day_of(first) == day_of(end - timedelta(seconds=1)) == changed


def test_an_instant_without_a_zone_is_the_houses(settings: Any) -> None:
    settings.HOUSE_ZONE = "Asia/Macau"
    assert parse_instant("2026-11-24T01:30") == EVENING
    assert parse_instant("2026-11-23T17:30Z") == EVENING


def test_a_time_may_name_its_zone(settings: Any) -> None:
    settings.HOUSE_ZONE = "Asia/Macau"
    assert with_zone(EVENING) == "24 Nov 2026, 01:30 (Asia/Macau)"
    with translation.override("zh-hans"):
        assert with_zone(EVENING) == "2026年11月24日 01:30 (Asia/Macau)"
