"""The ranking of an event: active players by chips, then eliminated players by place."""

from typing import Any, Final, NamedTuple

from django.db.models import Case, F, IntegerField, Q, QuerySet, Value, When
from django.db.models.functions import Coalesce

from games.words.naming import player_title
from tournaments.compared_deals import average_points
from tournaments.models import Entry, Tournament
from tournaments.overview.progress_view import percent, score_of
from tournaments.stakes import DUPLICATE
from wallets.amounts import show_amount

PLACES_SHOWN: Final = 20


class PlaceLine(NamedTuple):
    """A player in the ranking."""

    place: int
    player: int
    name: str
    face: int
    is_bot: bool
    # The event's number of the table, and the table's own for its address.
    table: int | None
    table_id: int | None
    # In duplicate rounds those won in all deals, which may be fewer than none.
    chips: int
    # How long its bar is, in per cent: of what the leader holds, or of all match points.
    share: int
    # In duplicate rounds the match points, and those of the most that could be had, in per cent.
    points: int | None
    percent: str
    # In the rounds of a knock-out what players rank by.
    score: int | None
    state: str
    prize: str
    mine: bool
    # At the last line before those who get no prize.
    is_last_paid: bool

    @property
    def plays(self) -> bool:
        return self.state in (Entry.State.PLAYING, Entry.State.WAITING)


class Ranking(NamedTuple):
    """A page of the ranking."""

    lines: tuple[PlaceLine, ...]
    page: int
    pages: int
    mine: int | None

    @property
    def earlier(self) -> int | None:
        return self.page - 1 if self.page > 1 else None

    @property
    def later(self) -> int | None:
        return self.page + 1 if self.page < self.pages else None


def entries_ranked(tournament: Tournament) -> QuerySet[Any]:
    """Everybody who takes part, the first place first."""
    took_part = tournament.all_entries.exclude(state=Entry.State.WITHDRAWN)
    ranked = took_part.annotate(
        chips=F("chips_won")
        if tournament.kind == DUPLICATE
        else Coalesce("seat__stack__balance", 0) + F("account__balance"),
        group=Case(
            When(state__in=Entry.LEFT, then=Value(0)),
            When(state=Entry.State.DISQUALIFIED, then=Value(2)),
            default=Value(1),
            output_field=IntegerField(),
        ),
    )
    by_points = ("-points",) if tournament.kind == DUPLICATE else ()
    return ranked.order_by(
        F("place").asc(nulls_first=True),
        "group",
        *by_points,
        "-chips",
        F("out_sequence").desc(nulls_last=True),
        F("drawn").asc(nulls_last=True),
        "number",
    )


def ranking(tournament: Tournament, mine: Entry | None, page: int | None, paid: int) -> Ranking:
    """One page of the ranking: the one that was asked for, or the first."""
    pages = max(1, -(-tournament.entrants // PLACES_SHOWN))
    number = min(max(1, page or 1), pages)
    ranked = entries_ranked(tournament)
    start = (number - 1) * PLACES_SHOWN
    rows = list(ranked.select_related("player", "seat")[start : start + PLACES_SHOWN])
    numbers = _tables_of(tournament, rows)
    by_points = tournament.kind == DUPLICATE
    average = average_points(tournament) if by_points else 0
    most = 2 * average if by_points else rows[0].chips if number == 1 and rows else _most(ranked)
    lines = tuple(
        PlaceLine(
            place=entry.place or place,
            player=entry.player_id,
            name=player_title(entry.player.username, entry.player.is_bot),
            face=entry.player.face,
            is_bot=entry.player.is_bot,
            table=numbers.get(entry.seat.table_id) if entry.seat else None,
            table_id=entry.seat.table_id if entry.seat else None,
            chips=entry.chips,
            share=_share(entry.points if by_points else entry.chips, most),
            points=entry.points if by_points else None,
            percent=percent(entry.points, average) if by_points and average else "",
            score=score_of(tournament, entry.chips) if entry.state in Entry.LEFT else None,
            state=entry.state,
            prize=show_amount(entry.prize, tournament.currency) if entry.prize else "",
            mine=mine is not None and entry.pk == mine.pk,
            is_last_paid=place == paid < tournament.players_left
            and tournament.state == Tournament.State.RUNNING,
        )
        for place, entry in enumerate(rows, start + 1)
    )
    return Ranking(lines, number, pages, place_of(tournament, mine))


def _share(part: int, whole: int) -> int:
    return max(0, min(100, round(100 * part / max(1, whole))))


def place_of(tournament: Tournament, mine: Entry | None) -> int | None:
    """Return a player's present place; None before there is a ranking."""
    if mine is None or tournament.started_at is None:
        return mine.place if mine else None
    if mine.place is not None:
        return mine.place
    ranked = entries_ranked(tournament)
    if mine.state in Entry.LEFT:
        if tournament.kind == DUPLICATE and not _has_compared(tournament):
            return None
        own = ranked.get(pk=mine.pk)
        better, level = Q(chips__gt=own.chips), Q(chips=own.chips)
        if tournament.kind == DUPLICATE:
            better = Q(points__gt=own.points) | (Q(points=own.points) & better)
            level &= Q(points=own.points)
        drawn = Q(drawn__lt=own.drawn) if own.drawn else Q(drawn__isnull=False)
        return ranked.filter(better | (level & drawn), group=0).count() + 1
    later = tournament.all_entries.filter(
        state=Entry.State.OUT, out_sequence__gt=mine.out_sequence or 0
    )
    return tournament.players_left + later.count() + 1


def place_with(tournament: Tournament, mine: Entry, chips: int) -> int:
    """Return a player's place with this many chips, if nobody else's changed."""
    left = entries_ranked(tournament).filter(group=0).exclude(pk=mine.pk)
    drawn = Q(chips=chips, drawn__lt=mine.drawn or 0)
    return left.filter(Q(chips__gt=chips) | drawn).count() + 1


def _has_compared(tournament: Tournament) -> bool:
    return bool(tournament.deals.filter(compared_at__isnull=False).exists())


def _most(ranked: QuerySet[Any]) -> int:
    return ranked.values_list("chips", flat=True).first() or 0


def _tables_of(tournament: Tournament, rows: list[Any]) -> dict[int, int]:
    """The event's numbers of the tables at which these sit."""
    found = {entry.seat.table_id for entry in rows if entry.seat}
    if not found:
        return {}
    return dict(tournament.tables.filter(table__in=found).values_list("table_id", "number"))
