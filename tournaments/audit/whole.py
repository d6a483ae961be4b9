"""The audit of tournaments: what an event's rows say, derived again from what they follow from.

Draws follow from the shoe, seats from draws and results, places from hands, prizes from places, and
every posting from all of them; the hands themselves are audited by `games.records`. A check that
fails with an exception is a finding, and the others still run. Rows are read as they were at one
moment, so an event is audited from its announcement on, while others play it.
"""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Final, NamedTuple

from games.records.audit_rows import in_words
from tournaments.audit import (
    byes,
    clock,
    eliminations,
    money,
    plans,
    points,
    rounds,
    seats,
    series,
    shoe,
)
from tournaments.audit.rows import Rows
from tournaments.models import Entry, EventShoe, EventTable, Series, Tournament
from wallets.storage.replica import snapshot
from wallets.values.days import start_of

CHECKS: Final = (
    *shoe.CHECKS,
    *clock.CHECKS,
    *seats.CHECKS,
    *byes.CHECKS,
    *plans.CHECKS,
    *rounds.CHECKS,
    *points.CHECKS,
    *eliminations.CHECKS,
    *money.CHECKS,
)


class Finding(NamedTuple):
    """One difference: the event, a stable code, and a sentence."""

    event: str
    code: str
    sentence: str

    def __str__(self) -> str:
        return f"{self.event}: {self.sentence} [{self.code}]"


def audit(numbers: Iterable[int]) -> Iterator[Finding]:
    """All findings about these events."""
    for number in numbers:
        yield from _event(number)


def since(day: date | None = None) -> Iterator[Finding]:
    """The findings about all events, or about those that had not ended before a day."""
    for model in EventShoe, Entry, EventTable:
        others = model.objects.exclude(tournament__in=Tournament.objects.values("pk"))
        for number in others.order_by("pk").values_list("tournament_id", flat=True):
            name = model._meta.model_name
            yield Finding(f"tournament {number}", "stranger", f"a row {name} is of no event")
    events = Tournament.objects.order_by("pk")
    if day is not None:
        events = events.exclude(ended_at__lt=start_of(day))
    yield from audit(list(events.values_list("pk", flat=True)))
    for each in Series.objects.select_related("final").order_by("pk"):
        yield from _series(each)


def _series(audited: Series) -> Iterator[Finding]:
    try:
        for code, sentence in series.findings(audited):
            yield Finding(f"series {audited.pk}", code, sentence)
    except Exception as fault:
        sentence = f"it cannot be read: {in_words(fault)}"
        yield Finding(f"series {audited.pk}", "unreadable", sentence)


def _event(number: int) -> Iterator[Finding]:
    name = f"tournament {number}"
    try:
        with snapshot():
            rows = Rows(number)
    except Exception as fault:
        yield Finding(name, "unreadable", f"it cannot be read: {in_words(fault)}")
        return
    for check in CHECKS:
        try:
            for finding in check(rows):
                yield Finding(name, *finding)
        except Exception as fault:
            what = f"{check.__module__.rpartition('.')[2]}.{check.__name__}"
            yield Finding(name, "unreadable", f"{what} was broken off: {in_words(fault)}")
