"""Series as their readers see them: the list with the archive, and one with its standings."""

from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.contrib.auth import get_user_model
from django.db.models import Count, Q
from django.utils.functional import Promise
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l
from django.utils.translation import ngettext

from games.words.naming import player_title
from tournaments.mathematics.series_points import (
    FIELDS_SHOWN,
    Formula,
    Scored,
    SeriesRules,
    Standing,
    preview,
)
from tournaments.models import Series, SeriesEvent, SeriesStanding, Ticket, Tournament
from tournaments.overview.words import state_in_words
from tournaments.running import series as running
from wallets.values.amounts import show_amount
from wallets.values.days import house_time
from wallets.values.errors import Hidden
from wallets.values.player import Viewer, is_player

MANNERS: Final[dict[str, str | Promise]] = {
    "root": _l("grow with the field: base × √(players ÷ place)"),
    "field": _l("share of the field: base × players not ahead ÷ players"),
    "table": _l("fixed for each place"),
}
PRESET_NAMES: Final[dict[str, str | Promise]] = {
    "month": _l("League of a month"),
    "season": _l("Season of ten weeks"),
    "week": _l("A week, every day"),
    "weekend": _l("Weekend"),
}


def formula_in_words(formula: Formula) -> str:
    if formula.manner == "table":
        says = _("Points by place: {points}.").format(points=" · ".join(map(str, formula.table)))
    elif formula.manner == "field":
        says = _(
            "Points: {base} × the share of the players who are not ahead of you, rounded down."
        ).format(base=formula.base)
    else:
        says = _("Points: {base} × √(players ÷ place), rounded down.").format(base=formula.base)
    if formula.for_playing:
        more = _("{points} more for playing.").format(points=formula.for_playing)
        says = f"{says} {more}"
    return says


def best_in_words(rules: SeriesRules) -> str:
    if rules.best == rules.events:
        return ngettext(
            "{count} event, and it counts.", "{count} events, and all of them count.", rules.events
        ).format(count=rules.events)
    return ngettext(
        "Your best event of {events} counts.",
        "Your best {best} of {events} events count.",
        rules.best,
    ).format(best=rules.best, events=rules.events)


def final_in_words(rules: SeriesRules, final: Tournament | None) -> str:
    if not rules.finalists:
        return ""
    if final is None:
        return ngettext(
            "The first player is the winner.",
            "The first {count} players are named at the end.",
            rules.finalists,
        ).format(count=rules.finalists)
    return ngettext(
        "The first player gets a ticket to the final.",
        "The first {count} players get a ticket to the final.",
        rules.finalists,
    ).format(count=rules.finalists)


def sentences(rules: SeriesRules, final: Tournament | None) -> list[str]:
    return list(_sentences(rules, final))


def _sentences(rules: SeriesRules, final: Tournament | None) -> Iterator[str]:
    yield best_in_words(rules)
    yield formula_in_words(rules.formula)
    if words := final_in_words(rules, final):
        yield words
    yield _("Of two players with the same points the one with the better single event is ahead.")


class TicketLine(NamedTuple):
    """A ticket as its player sees it: for what, worth what, and whether it can be used."""

    number: int
    name: str
    worth: str
    unit: str
    says: str
    is_valid: bool
    # The event that it is for, or that it was used for.
    event: int | None


def ticket_line(ticket: Ticket, now: datetime) -> TicketLine:
    says, is_valid = ticket_in_words(ticket, now)
    used = ticket.entry.tournament_id if ticket.entry is not None else None
    return TicketLine(
        ticket.pk,
        ticket.title,
        show_amount(ticket.worth, ticket.currency),
        ticket.currency.unit,
        says,
        is_valid,
        used or ticket.tournament_id,
    )


def ticket_in_words(ticket: Ticket, now: datetime) -> tuple[str, bool]:
    """The state of a ticket as a sentence, and whether it can still be used."""
    if ticket.entry_id is not None:
        return _("Used."), False
    event = ticket.tournament
    if event is not None and event.state == Tournament.State.CANCELLED:
        return _("The event was cancelled, so this ticket cannot be used."), False
    if event is not None and not event.registration_open:
        return _("The event began without you, so this ticket cannot be used."), False
    if ticket.expires_at is not None and ticket.expires_at <= now:
        return _("Expired on {day}.").format(day=house_time(ticket.expires_at)), False
    if ticket.expires_at is not None:
        return _("Valid until {day}.").format(day=house_time(ticket.expires_at)), True
    return _("Valid."), True


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
