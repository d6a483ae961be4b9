"""Series as their readers see them: the list with the archive, and one with its standings."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.db.models import Count, Q

from games.words.naming import player_title
from tournaments.mathematics.series_points import (
    FIELDS_SHOWN,
    Scored,
    SeriesRules,
    Standing,
    preview,
)
from tournaments.models import Series, SeriesEvent, SeriesStanding, Ticket, Tournament
from tournaments.overview.series_words import TicketLine, sentences, ticket_line
from tournaments.overview.words import state_in_words
from tournaments.running import series as running
from wallets.values.errors import Hidden
from wallets.values.player import Viewer, is_player

STANDINGS_SHOWN: Final = 25
TICKETS_SHOWN: Final = 20
LED_BY: Final = 1
# How many events of a series are over.
PLAYED: Final = Count("events", filter=Q(events__counted_at__isnull=False))


class SeriesRow(NamedTuple):
    """A series in a list."""

    id: int
    name: str
    # How many events are over, and of how many.
    played: int
    events: int
    began_at: datetime
    ended_at: datetime | None
    # Who is first; empty before the first event.
    leader: str
    my_place: int | None


class EventLine(NamedTuple):
    """An event of a series, with the reader's own result."""

    number: int
    tournament: int
    name: str
    says: str
    starts_at: datetime | None
    is_over: bool
    winner: str
    mine: Scored | None


class PlaceLine(NamedTuple):
    """A line of the standings."""

    place: int
    name: str
    face: int
    is_bot: bool
    is_mine: bool
    points: int
    events: int
    qualifies: bool
    follows_gap: bool


class SeriesView(NamedTuple):
    """All that one reader sees of a series."""

    row: SeriesRow
    rules: tuple[str, ...]
    final: Tournament | None
    events: tuple[EventLine, ...]
    places: tuple[PlaceLine, ...]
    players: int
    # After which event the standings are; the numbers of those that are counted.
    after: int | None
    counted: tuple[int, ...]
    # The points of places in fields of these sizes.
    sizes: tuple[int, ...]
    preview: tuple[tuple[int, list[int | None]], ...]
    # The points that the reader lacks to the last place that qualifies, if that says something.
    lacking: int | None


def series_of(number: int) -> Series:
    series = Series.objects.select_related("final").filter(pk=number).first()
    if series is None:
        raise Hidden("no_such_series", running.NO_SERIES)
    return series


def rows(viewer: Viewer) -> list[SeriesRow]:
    """All series: those that are played before those that have ended, the newest first."""
    every = list(Series.objects.annotate(played=PLAYED).order_by("-pk"))
    standings = SeriesStanding.objects.filter(series__in=every).select_related("player")
    me = viewer.pk if is_player(viewer) else 0
    rows: dict[int, tuple[str, int | None]] = {}
    for standing in standings.filter(Q(place=LED_BY) | Q(player=me)):
        leader, mine = rows.get(standing.series_id, ("", None))
        player: Any = standing.player
        if standing.place == LED_BY:
            leader = player_title(player.username, player.is_bot)
        rows[standing.series_id] = leader, standing.place if player.pk == me else mine
    listed = [_row(each, each.played, *rows.get(each.pk, ("", None))) for each in every]
    return sorted(listed, key=lambda row: row.ended_at is not None)


def _row(series: Series, played: int, leader: str, my_place: int | None) -> SeriesRow:
    return SeriesRow(
        series.pk,
        series.title,
        played,
        running.rules_of(series).events,
        series.began_at,
        series.ended_at,
        leader,
        my_place,
    )


def series_view(
    viewer: Viewer, series: Series, after: int | None = None, *, whole: bool = False
) -> SeriesView:
    """One series, with the standings now or after an event."""
    rules = running.rules_of(series)
    me = viewer.pk if is_player(viewer) else 0
    events = list(series.events.select_related("tournament"))
    counted = tuple(event.number for event in events if event.counted_at is not None)
    after = after if after in counted and after != max(counted) else None
    ranked = running.computed(series, after)
    mine = next((standing for standing in ranked if standing.player == me), None)
    qualified = set(running.finalists(series, ranked))
    places = _places(ranked, qualified, me, whole=whole)
    leader = places[0].name if places else ""
    return SeriesView(
        row=_row(series, len(counted), leader, mine.place if mine else None),
        rules=tuple(sentences(rules, series.final)),
        final=series.final,
        events=tuple(_events(events, mine)),
        places=places,
        players=len(ranked),
        after=after,
        counted=counted,
        sizes=FIELDS_SHOWN,
        preview=tuple(preview(rules.formula)),
        lacking=_lacking(rules, ranked, mine, qualified),
    )


def _places(
    ranked: Sequence[Standing], qualified: set[int], me: int, *, whole: bool
) -> tuple[PlaceLine, ...]:
    """The first places and the reader's own."""
    shown = [
        standing
        for standing in ranked
        if whole or standing.place <= STANDINGS_SHOWN or standing.player == me
    ]
    people: Any = get_user_model().objects.in_bulk([standing.player for standing in shown])
    return tuple(
        PlaceLine(
            standing.place,
            player_title(people[standing.player].username, people[standing.player].is_bot),
            people[standing.player].face,
            people[standing.player].is_bot,
            standing.player == me,
            standing.points,
            len(standing.scored),
            standing.player in qualified,
            number > 0 and shown[number - 1].place + 1 < standing.place,
        )
        for number, standing in enumerate(shown)
    )


def _events(events: Iterable[SeriesEvent], mine: Standing | None) -> Iterable[EventLine]:
    events = list(events)
    own = {scored.event: scored for scored in mine.scored} if mine else {}
    winners = dict(
        Tournament.objects.filter(
            pk__in=[event.tournament_id for event in events],
            state=Tournament.State.FINISHED,
            all_entries__place=1,
        ).values_list("pk", "all_entries__player")
    )
    people: Any = get_user_model().objects.in_bulk(list(winners.values()))
    for event in events:
        held = event.tournament
        winner = people.get(winners.get(held.pk, 0))
        yield EventLine(
            event.number,
            held.pk,
            held.title,
            state_in_words(held),
            held.starts_at,
            held.is_over,
            player_title(winner.username, winner.is_bot) if winner else "",
            own.get(event.number),
        )


def _lacking(
    rules: SeriesRules, ranked: Sequence[Standing], mine: Standing | None, qualified: set[int]
) -> int | None:
    """The points to the last place that qualifies; None for who has it, or while one is free."""
    if mine is None or mine.player in qualified or not rules.finalists:
        return None
    last = [standing.points for standing in ranked if standing.player in qualified]
    return last[-1] - mine.points + 1 if len(last) >= rules.finalists else None


def tickets_of(viewer: Viewer, now: datetime) -> list[TicketLine]:
    """The reader's tickets, those that are valid before the others."""
    own = Ticket.objects.filter(player=viewer.pk).select_related("currency", "tournament", "entry")
    lines = [ticket_line(ticket, now) for ticket in own.order_by("-pk")[:TICKETS_SHOWN]]
    return sorted(lines, key=lambda line: not line.is_valid)
