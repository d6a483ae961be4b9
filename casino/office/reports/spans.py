"""The days of a report: from the first to the last, both included."""

from datetime import UTC, date, datetime
from typing import NamedTuple

from django.utils.translation import gettext_lazy as _

from wallets.values.days import end_of, house_zone, start_of
from wallets.values.errors import Refused


class Span(NamedTuple):
    first: date
    last: date

    @property
    def days(self) -> int:
        return (self.last - self.first).days + 1


def bounds(span: Span) -> tuple[datetime, datetime]:
    """From when to when the days of a range last, the end not included."""
    return start_of(span.first), end_of(span.last)


def parse_day(text: str) -> date:
    """A day as people and programs write it."""
    try:
        # Later ones have no day after them, which the end of a range needs.
        day = date.fromisoformat(text.strip())
    except ValueError:
        raise Refused(
            "not_a_day", _("{text} is not a day; write it as 2026-11-23."), text=text[:40]
        ) from None
    if len(text.strip()) != len("2026-11-23"):
        raise Refused(
            "not_a_day", _("{text} is not a day; write it as 2026-11-23."), text=text[:40]
        )
    return day


def parse_instant(text: str) -> datetime:
    """An instant as people and programs write it; without a zone it is the house's."""
    try:
        at = datetime.fromisoformat(text.strip())
        at = at.replace(tzinfo=at.tzinfo or house_zone()).astimezone(UTC)
    except (ValueError, OverflowError):
        raise Refused(
            "not_an_instant",
            _("{text} is not an instant; write it as 2026-11-23T18:30."),
            text=text[:40],
        ) from None
    return at


def span_of(first: date, last: date, today: date) -> Span:
    """A range of days that have begun; refuse one that runs backward or into the future."""
    if last < first:
        raise Refused(
            "backward_range",
            _("The range runs backward: {last} is before {first}."),
            first=first,
            last=last,
        )
    if last > today:
        raise Refused("future_range", _("{last} has not come yet."), last=last)
    return Span(first, last)
