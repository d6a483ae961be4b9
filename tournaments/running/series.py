"""Series: events come in, their places go into the standings, and the finalists get tickets.

An event that ends is counted in the transaction that ends it, under the series' row, which is taken
after the event's. The standings are computed from all counted events each time, so the order in
which events end makes no difference.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from django.db.models import F, Max
from django.utils.translation import gettext_noop as _n
from msgspec import convert

from tournaments.mathematics.series_points import Result, SeriesRules, Standing, standings
from tournaments.models import (
    Entry,
    Schedule,
    Series,
    SeriesEvent,
    SeriesStanding,
    Tournament,
)
from tournaments.running import giving
from wallets.values.errors import Hidden, Refused

# Entries with a place that brings points: players who were disqualified get none.
PLACED: Final = (Entry.State.OUT, Entry.State.PLACED)
AT_ONCE: Final = 500
NO_SERIES: Final = _n("There is no such series.")


def rules_of(series: Series) -> SeriesRules:
    return convert(series.rules, SeriesRules)


def locked(number: int) -> Series:
    """The row of a series, locked until this transaction ends."""
    series = Series.objects.select_for_update(of=("self",)).filter(pk=number).first()
    if series is None:
        raise Hidden("no_such_series", NO_SERIES)
    return series


def add(series: Series, tournament: Tournament) -> SeriesEvent:
    """Take an event in as the next one of a locked series."""
    if series.ended_at is not None:
        raise Refused("series_ended", _n("This series has ended."))
    last = series.events.aggregate(last=Max("number"))["last"] or 0
    if last >= rules_of(series).events:
        raise Refused("series_full", _n("This series has all its events."))
    return SeriesEvent.objects.create(series=series, tournament=tournament, number=last + 1)


def join(schedule: Schedule, tournament: Tournament) -> None:
    """Take in the event that the schedule of a series has announced; after the last it stops."""
    number = Series.objects.filter(schedule=schedule.pk, ended_at=None).values_list("pk", flat=True)
    if (series_number := number.first()) is None:
        return
    series = locked(series_number)
    if add(series, tournament).number >= rules_of(series).events:
        schedule.active = False
        schedule.save(update_fields=["active"])


def count(tournament: Tournament, now: datetime) -> None:
    """Count an event that is over in its series, if it belongs to one."""
    number = SeriesEvent.objects.filter(tournament=tournament.pk).values_list("series", flat=True)
    if (series_number := number.first()) is None:
        return
    series = locked(series_number)
    if series.ended_at is None:
        series.events.filter(tournament=tournament.pk, counted_at=None).update(counted_at=now)
        store(series)
        if is_played(series):
            end(series, now)


def is_played(series: Series) -> bool:
    """Whether all events of a series have been announced and are over."""
    events = list(series.events.values_list("tournament__state", flat=True))
    return len(events) >= rules_of(series).events and set(events) <= set(Tournament.OVER)


def end(series: Series, now: datetime) -> None:
    """End a locked series: nothing more is counted, and its finalists get their tickets."""
    series.ended_at = now
    series.save(update_fields=["ended_at"])
    if series.final is not None and series.final.state in Tournament.ALIVE:
        giving.give_places(
            series.final, finalists(series, computed(series)), source=series.reference, now=now
        )


def results(series: Series, until: int | None = None) -> list[Result]:
    """The places of all counted events, or of those up to a number."""
    counted = series.events.filter(counted_at__isnull=False)
    if until is not None:
        counted = counted.filter(number__lte=until)
    entries = Entry.objects.filter(
        tournament__in=counted.values("tournament"),
        tournament__state=Tournament.State.FINISHED,
        state__in=PLACED,
        place__isnull=False,
    )
    rows = entries.annotate(event=F("tournament__in_series__number")).order_by("event", "place")
    columns = rows.values_list("event", "player", "place", "tournament__entrants")
    return [Result(event, player, place or 0, size) for event, player, place, size in columns]


def computed(series: Series, until: int | None = None) -> list[Standing]:
    return standings(rules_of(series), results(series, until))


def store(series: Series) -> None:
    """Write the standings after the events that are counted."""
    SeriesStanding.objects.bulk_create(
        [
            SeriesStanding(
                series=series,
                player_id=standing.player,
                place=standing.place,
                points=standing.points,
                events=len(standing.scored),
            )
            for standing in computed(series)
        ],
        AT_ONCE,
        update_conflicts=True,
        unique_fields=["series", "player"],
        update_fields=["place", "points", "events"],
    )


def finalists(series: Series, ranked: Iterable[Standing]) -> list[int]:
    """The first places, without the bots: those behind them move up."""
    players = [standing.player for standing in ranked]
    people = giving.people(players)
    return [player for player in players if player in people][: rules_of(series).finalists]
