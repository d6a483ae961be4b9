"""Search the journal: by person, verb, object and days, a page at a time, the latest first.

Times of entries never run backwards, so days become a range of positions, and every combination of
filters reads one range of an index.
"""

from datetime import date
from typing import Final, NamedTuple

from django.db.models import BigIntegerField, QuerySet, Subquery, Value
from django.db.models.expressions import Combinable

from wallets.models.staff_models import JournalEntry
from wallets.values.days import ONE_DAY, start_of

PAGE: Final = 50


class Search(NamedTuple):
    """The search; an empty one finds everything. `before` is a position: the page before it."""

    actor: str = ""
    verb: str = ""
    subject: str = ""
    since: date | None = None
    until: date | None = None
    before: int | None = None


class Found(NamedTuple):
    entries: list[JournalEntry]
    # Where the next page of older entries begins, if there is one.
    older: int | None


def search(wanted: Search) -> Found:
    rows = JournalEntry.objects.order_by("-position")
    for name in ("actor", "verb", "subject"):
        if getattr(wanted, name):
            rows = rows.filter(**{name: getattr(wanted, name)})
    rows = _within(rows, wanted)
    found = list(rows[: PAGE + 1])
    return Found(found[:PAGE], found[PAGE - 1].position if len(found) > PAGE else None)


def _within(rows: QuerySet[JournalEntry], wanted: Search) -> QuerySet[JournalEntry]:
    """Limit a search to its days, by the positions at which they begin and end."""
    if wanted.before is not None:
        rows = rows.filter(position__lt=wanted.before)
    if wanted.since or wanted.until:
        first, behind = _bounds(wanted.since, wanted.until)
        if wanted.since:
            rows = rows.none() if first is None else rows.filter(position__gte=first)
        if behind is not None:
            rows = rows.filter(position__lt=behind)
    return rows


def _bounds(since: date | None, until: date | None) -> tuple[int | None, int | None]:
    """The first position of the first day, and that behind the last day, in one statement."""
    days = (since, until and until + ONE_DAY)
    # Any row serves to carry the two positions.
    carrier = JournalEntry.objects.order_by("position").values_list(*map(_first_from, days))
    found: tuple[int | None, int | None] | None = carrier.first()
    return found or (None, None)


def _first_from(day: date | None) -> Combinable:
    if day is None:
        return Value(None, BigIntegerField())
    times = JournalEntry.objects.filter(at__gte=start_of(day)).order_by("at", "position")
    return Subquery(times.values("position")[:1])
