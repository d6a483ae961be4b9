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
from tournaments.audit import clock, eliminations, money, rounds, seats, shoe
from tournaments.audit.rows import Rows
from tournaments.models import (
    Entry,
    EventShoe,
    EventTable,
    Series,
    SeriesStanding,
    Ticket,
    Tournament,
)
from tournaments.running import series as running
from wallets.storage.replica import snapshot
from wallets.values.days import start_of


def series_findings(series: Series) -> Iterator[tuple[str, str]]:
    """The codes and sentences of what is stored of a series and does not follow from its events."""
    with snapshot():
        yield from list(_events(series))
        yield from list(_standings(series))
        yield from list(_tickets(series))


def _events(series: Series) -> Iterator[tuple[str, str]]:
    for number, event in enumerate(series.events.select_related("tournament"), 1):
        if event.number != number:
            yield "series_event", f"event {event.number} is its event {number}"
        held = event.tournament
        if event.counted_at is not None and not held.is_over:
            yield "series_counted", f"event {number} is counted, and is not over"
        is_finished = held.state == Tournament.State.FINISHED
        if is_finished and event.counted_at is None and _ended_before(held, series):
            yield "series_counted", f"event {number} is over, and is not counted"


def _ended_before(event: Tournament, series: Series) -> bool:
    """Whether an event that is over ended while the series was played."""
    assert event.ended_at is not None, "it is over"
    return series.ended_at is None or event.ended_at < series.ended_at


def _standings(series: Series) -> Iterator[tuple[str, str]]:
    rows = SeriesStanding.objects.filter(series=series).values_list(
        "player", "place", "points", "events"
    )
    stored = {player: tuple(figures) for player, *figures in rows}
    due = {
        standing.player: (standing.place, standing.points, len(standing.scored))
        for standing in running.computed(series)
    }
    for player in sorted(stored.keys() | due.keys()):
        if stored.get(player) != due.get(player):
            yield (
                "series_standing",
                f"player {player} has {stored.get(player)}, and the events give {due.get(player)}",
            )


def _tickets(series: Series) -> Iterator[tuple[str, str]]:
    """The finalists, and nobody else, got a ticket to the final."""
    given = Ticket.objects.filter(source=series.reference)
    players = sorted(given.values_list("player", flat=True))
    if series.ended_at is None:
        if players:
            yield "series_ticket", "it has given tickets, and has not ended"
        return
    due = sorted(running.finalists(series, running.computed(series)))
    if players and players != due:
        yield "series_ticket", f"its tickets went to {players}, and its finalists are {due}"
    if not players and due and _was_open(series):
        yield "series_ticket", "its finalists got no ticket"
    if given.exclude(tournament=series.final_id).exists():
        yield "series_ticket", "it has given a ticket to another event than its final"


def _was_open(series: Series) -> bool:
    """Whether the final had not ended when the series did."""
    final = series.final
    assert series.ended_at is not None, "it has ended"
    return final is not None and (final.ended_at is None or final.ended_at > series.ended_at)


CHECKS: Final = (
    *shoe.CHECKS,
    *clock.CHECKS,
    *seats.CHECKS,
    *rounds.CHECKS,
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
        for code, sentence in series_findings(audited):
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
