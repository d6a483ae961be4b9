"""Who is where: the ranking, and the scale from first to last."""

from typing import Any, Final, NamedTuple

from django.db.models import Count, Q, Window
from django.db.models.functions import RowNumber

from games.words.naming import player_title
from tournaments.event.compared_deals import average_points
from tournaments.event.organiser import structure_of
from tournaments.event.ranked import entries_ranked, order_of, places_gained
from tournaments.mathematics.rounds import line_of
from tournaments.mathematics.stage import DUPLICATE
from tournaments.models import Entry, Tournament
from tournaments.overview.clock_view import goes_out, percent, score_of
from tournaments.overview.pager import Pager, pager
from tournaments.overview.words import chips
from wallets.values.amounts import show_amount

PLACES_SHOWN: Final = 20
# Of a field with more players, until they turn a page, readers see so many from the first on, and
# so many on each side of themselves.
TOP_SHOWN: Final = 6
AROUND_SHOWN: Final = 2


class PlaceLine(NamedTuple):
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
    # How many places they have gained since the level, round or deal began, or lost if below zero.
    gained: int
    state: str
    prize: str
    mine: bool
    # At the last line before those who get no prize.
    is_last_paid: bool
    # Whether places between the line before and this one are left out.
    follows_gap: bool

    @property
    def plays(self) -> bool:
        return self.state in (Entry.State.PLAYING, Entry.State.WAITING)

    @property
    def lost(self) -> int:
        return max(0, -self.gained)


class Ranking(NamedTuple):
    """A page of the ranking, or the part of it that a reader sees first."""

    lines: tuple[PlaceLine, ...]
    pager: Pager
    # Whether places are left out because the reader has turned to no page.
    is_part: bool


def ranking(
    tournament: Tournament, mine: Entry | None, my_place: int | None, page: int | None, paid: int
) -> Ranking:
    """One page of the ranking; of a large field, until one is asked for, the top and oneself."""
    turned = pager(tournament.entrants, PLACES_SHOWN, page)
    is_part = page is None and turned.pages > 1
    shown = _first_seen(my_place) if is_part else _places_on(turned)
    entries = _at(tournament, {1, *shown})
    rows = [entry for entry in entries if entry.position in shown]
    numbers = _tables_of(tournament, rows)
    by_points = tournament.kind == DUPLICATE
    average = average_points(tournament) if by_points else 0
    most = 2 * average if by_points else entries[0].chips if entries else 0
    lines = tuple(
        PlaceLine(
            place=entry.place or entry.position,
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
            gained=places_gained(entry, entry.position),
            state=entry.state,
            prize=show_amount(entry.prize, tournament.currency) if entry.prize else "",
            mine=mine is not None and entry.pk == mine.pk,
            is_last_paid=entry.position == paid < tournament.players_left
            and tournament.state == Tournament.State.RUNNING,
            follows_gap=entry.position - 1 not in shown and entry != rows[0],
        )
        for entry in rows
    )
    return Ranking(lines, turned, is_part)


def _places_on(turned: Pager) -> set[int]:
    return set(range(turned.start + 1, turned.start + 1 + PLACES_SHOWN))


def _first_seen(my_place: int | None) -> set[int]:
    """The top, and what is around a reader's place; without one, just as many from the top."""
    around = 2 * AROUND_SHOWN + 1
    first = max(TOP_SHOWN, my_place - AROUND_SHOWN - 1) if my_place else TOP_SHOWN
    return {*range(1, TOP_SHOWN + 1), *range(first + 1, first + 1 + around)}


def _at(tournament: Tournament, positions: set[int]) -> list[Any]:
    """The entries at these positions, counted from 1; each knows its position.

    The whole field is put in order by few columns, and only these rows are then read whole.
    """
    position = Window(RowNumber(), order_by=order_of(tournament))
    counted = entries_ranked(tournament).order_by().annotate(position=position)
    columns = counted.filter(position__in=positions).values_list("pk", "position", "chips")
    standings = {pk: (place, chips) for pk, place, chips in columns}
    entries: Any = (
        Entry.objects.filter(pk__in=standings).select_related("player", "seat").order_by()
    )
    for entry in entries:
        entry.position, entry.chips = standings[entry.pk]
    return sorted(entries, key=lambda entry: entry.position)


def _share(part: int, whole: int) -> int:
    return max(0, min(100, round(100 * part / max(1, whole))))


def place_of(tournament: Tournament, mine: Entry | None, chips: int) -> int | None:
    """Return the present place of a player with these chips; None before there is a ranking."""
    if mine is None or tournament.started_at is None:
        return mine.place if mine else None
    if mine.place is not None:
        return mine.place
    if mine.state in Entry.LEFT:
        if tournament.kind != DUPLICATE:
            return places_with(tournament, mine, chips)[0]
        if not tournament.deals.filter(compared_at__isnull=False).exists():
            return None
        return places_with(tournament, mine, mine.chips_won)[0]
    later = tournament.all_entries.filter(
        state=Entry.State.OUT, out_sequence__gt=mine.out_sequence or 0
    )
    return tournament.players_left + later.count() + 1


def places_with(tournament: Tournament, mine: Entry, *amounts: int) -> list[int]:
    """Return a player's places with so many chips each, if no other chips changed; in one query."""
    others = entries_ranked(tournament).filter(state__in=Entry.LEFT).exclude(pk=mine.pk)
    ahead = [Count("pk", filter=_is_ahead(tournament, mine, chips)) for chips in amounts]
    counts = others.aggregate(**{str(number): each for number, each in enumerate(ahead)})
    return [counts[str(number)] + 1 for number in range(len(amounts))]


def _is_ahead(tournament: Tournament, mine: Entry, chips: int) -> Q:
    better, level = Q(chips__gt=chips), Q(chips=chips)
    if tournament.kind == DUPLICATE:
        better = Q(points__gt=mine.points) | (Q(points=mine.points) & better)
        level &= Q(points=mine.points)
    drawn = Q(drawn__lt=mine.drawn) if mine.drawn else Q(drawn__isnull=False)
    return better | (level & drawn)


def _tables_of(tournament: Tournament, rows: list[Any]) -> dict[int, int]:
    """The event's numbers of the tables at which these sit."""
    tables = {entry.seat.table_id for entry in rows if entry.seat}
    if not tables:
        return {}
    return dict(tournament.tables.filter(table__in=tables).values_list("table_id", "number"))


# With more players faces would cover one another.
FACES_MAX: Final = 24
FACES_MIN: Final = 3
# Faces hang in so many rows, so that neighbours do not cover one another.
ROWS: Final = 3


class Face(NamedTuple):
    name: str
    face: int
    # Where it is, in per cent of the whole width, and in which row.
    at: str
    row: int
    mine: bool
    is_below_next: bool


class Mark(NamedTuple):
    """A number of chips on the scale."""

    at: str
    words: str


class Scale(NamedTuple):
    """The scale; without a knock-out it has no lines."""

    faces: tuple[Face, ...]
    marks: tuple[Mark, ...]
    line: Mark | None
    next_line: Mark | None


def scale(tournament: Tournament, mine: Entry | None) -> Scale | None:
    """The scale of an event that is played until others are out, once few enough are left."""
    if tournament.state != Tournament.State.RUNNING or not goes_out(tournament):
        return None
    if not FACES_MIN <= tournament.players_left <= FACES_MAX:
        return None
    left = list(entries_ranked(tournament).filter(group=0).select_related("player"))
    now, later = _lines(tournament)
    most = max([entry.chips for entry in left] + [later or 0]) or 1
    faces = tuple(
        Face(
            name=player_title(entry.player.username, entry.player.is_bot),
            face=entry.player.face,
            at=_position(entry.chips, most),
            row=number % ROWS,
            mine=mine is not None and entry.pk == mine.pk,
            is_below_next=later is not None and entry.chips < later,
        )
        for number, entry in enumerate(left)
    )
    marks = tuple(Mark(_position(amount, most), chips(amount)) for amount in (0, most // 2, most))
    return Scale(faces, marks, _mark(now, most), _mark(later, most))


def _lines(tournament: Tournament) -> tuple[int | None, int | None]:
    """The line of the present level, and that of the next."""
    structure = structure_of(tournament)
    if structure.knock_out is None:
        return None, None
    at = max(1, tournament.level)
    points = [level.point or 0 for level in structure.levels[at - 1 : at + 1]]
    lines = [line_of(structure.knock_out, point) for point in points]
    return lines[0], lines[1] if len(lines) > 1 else None


def _mark(amount: int | None, most: int) -> Mark | None:
    return None if amount is None else Mark(_position(amount, most), chips(amount))


def _position(amount: int, most: int) -> str:
    """In per cent, with a point in every language: it is an attribute of a drawing."""
    return f"{100 * amount / most:.1f}%"
