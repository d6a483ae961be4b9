"""The tables of an event, and the deals that several tables play.

A deal is shown once it has been compared, with results and no cards. The cards of a reader's own
hand are in its replay.
"""

from collections.abc import Iterable, Mapping
from typing import Any, Final, NamedTuple

from django.utils.translation import gettext as _

from games.models import Seat, Table
from games.tables.hand_in_play import is_held
from games.words.naming import player_title
from tournaments.event.compared_deals import Compared, Result, compared_in
from tournaments.event.organiser import structure_of
from tournaments.mathematics.match_points import bye_points
from tournaments.models import Entry, EventTable, Tournament
from tournaments.overview.clock_view import percent
from tournaments.overview.pager import Pager, pager
from tournaments.overview.words import seat_letter
from wallets.values.player import Viewer, is_player

TABLES_SHOWN: Final = 6


class Sitting(NamedTuple):
    name: str
    face: int


class TableLine(NamedTuple):
    """A table in the list of an event's tables."""

    number: int
    table_id: int
    people: tuple[Sitting, ...]
    state: str
    mine: bool


class Tables(NamedTuple):
    """A page of them, one's own first."""

    lines: tuple[TableLine, ...]
    open: int
    pager: Pager


def tables_view(tournament: Tournament, my_table: int | None, page: int | None) -> Tables:
    links = tournament.tables.filter(broken_at=None).exclude(table__status=Table.Status.CLOSED)
    count = links.count()
    turned = pager(count, TABLES_SHOWN, page)
    start = turned.start
    rows = list(links.select_related("table").order_by("number")[start : start + TABLES_SHOWN])
    if start == 0 and my_table is not None and my_table not in {row.table_id for row in rows}:
        rows = [*links.select_related("table").filter(table=my_table), *rows[:-1]]
    rows.sort(key=lambda row: (row.table_id != my_table, row.number))
    people = people_at(rows)
    lines = tuple(
        TableLine(
            number=row.number,
            table_id=row.table_id,
            people=tuple(people.get(row.table_id, ())),
            state=state_of(tournament, row),
            mine=row.table_id == my_table,
        )
        for row in rows
    )
    return Tables(lines, count, turned)


def people_at(rows: Iterable[EventTable]) -> dict[int, list[Sitting]]:
    """Return the people at these tables, in one query."""
    people: dict[int, list[Sitting]] = {}
    seats = Seat.objects.filter(table__in=[row.table_id for row in rows], left_at=None)
    columns = ("table_id", "player__username", "player__is_bot", "player__face")
    for table, name, is_bot, face in seats.order_by("number").values_list(*columns):
        people.setdefault(table, []).append(Sitting(player_title(name, is_bot), face))
    return people


def state_of(tournament: Tournament, row: EventTable) -> str:
    """Describe in a few words what is happening at a table."""
    table = row.table
    if is_held(table):
        return _("has finished, waits for the other tables")
    if table.hand_id is not None and table.phase == Table.Phase.PLAY:
        return _("hand {number}").format(number=table.hands_dealt)
    waits = row.hands_allowed is not None and table.hands_dealt >= row.hands_allowed
    if waits and not tournament.on_break:
        return _("waits for the other tables")
    return _("between hands")


# So many tables are compared on one page.
TABLES_COMPARED: Final = 12
# Shades of a cell, from none of the points to all of them.
SHADES: Final = 4


class Cell(NamedTuple):
    """One player's result of a deal; `chips` is None if the table has no result."""

    points: int
    chips: int | None
    shade: int
    # The reader's own hand, to be replayed.
    hand: int | None


class ComparedPlayer(NamedTuple):
    """A player, with all compared deals of the round; None where they held no cards."""

    name: str
    face: int
    table: int
    mine: bool
    cells: tuple[Cell | None, ...]
    points: int
    percent: str
    chips: int


class Group(NamedTuple):
    """Those who held the same cards, the best first."""

    seat: str
    rows: tuple[ComparedPlayer, ...]


class Luck(NamedTuple):
    """The average result of all who held the reader's cards, and the reader's own."""

    average: int
    own: int


class DealsView(NamedTuple):
    round: int
    rounds: tuple[int, ...]
    deals: tuple[int, ...]
    # How many deals the round has in all.
    of: int
    groups: tuple[Group, ...]
    # The match points that the players of a seat share in each deal.
    shared: int
    luck: Luck | None
    pager: Pager


def deals_view(
    viewer: Viewer, tournament: Tournament, round_number: int | None, page: int | None
) -> DealsView:
    """A round whose deals have been compared: the one that was asked for, or the latest."""
    over = tournament.deals.filter(compared_at__isnull=False)
    rounds = tuple(over.order_by("round").values_list("round", flat=True).distinct())
    number = round_number if round_number in rounds else rounds[-1] if rounds else 0
    compared = compared_in(tournament, number)
    own = viewer.pk if is_player(viewer) else None
    tables, turned = _page(compared, own, page)
    structure = structure_of(tournament)
    assert structure.duplicate is not None
    return DealsView(
        round=number,
        rounds=rounds,
        deals=compared.deals,
        of=structure.duplicate.deals,
        groups=_groups(tournament, compared, tables, own),
        shared=compared.tables * (compared.tables - 1),
        luck=_luck(compared, own),
        pager=turned,
    )


def _page(compared: Compared, own: int | None, page: int | None) -> tuple[set[int], Pager]:
    """The numbers of the tables of a page, the reader's own first."""
    at = {player: next(iter(cells.values())).table for player, cells in compared.results.items()}
    ordered = sorted(set(at.values()), key=lambda table: (table != at.get(own or 0), table))
    turned = pager(len(ordered), TABLES_COMPARED, page)
    return set(ordered[turned.start : turned.start + TABLES_COMPARED]), turned


def _groups(
    tournament: Tournament, compared: Compared, tables: set[int], own: int | None
) -> tuple[Group, ...]:
    shown = {
        player: cells
        for player, cells in compared.results.items()
        if next(iter(cells.values())).table in tables
    }
    shown_entries: Any = Entry.objects.filter(tournament=tournament, player__in=shown)
    entries = {entry.player_id: entry for entry in shown_entries.select_related("player")}
    groups: dict[int, list[ComparedPlayer]] = {}
    for player, cells in shown.items():
        seat = next(iter(cells.values())).seat
        row = _row(entries[player], compared, cells, mine=player == own)
        groups.setdefault(seat, []).append(row)
    return tuple(
        Group(
            seat_letter(seat),
            tuple(sorted(rows, key=lambda row: (not row.mine, -row.points, -row.chips))),
        )
        for seat, rows in sorted(groups.items())
    )


def _row(
    entry: Any, compared: Compared, cells: Mapping[int, Result], *, mine: bool
) -> ComparedPlayer:
    points = sum(cell.points for cell in cells.values())
    average = bye_points(compared.tables, len(cells))
    most = 2 * bye_points(compared.tables, 1) or 1
    return ComparedPlayer(
        name=player_title(entry.player.username, entry.player.is_bot),
        face=entry.player.face,
        table=next(iter(cells.values())).table,
        mine=mine,
        cells=tuple(
            Cell(
                result.points,
                result.chips,
                round(SHADES * result.points / most),
                result.hand if mine else 0,
            )
            if (result := cells.get(deal))
            else None
            for deal in compared.deals
        ),
        points=points,
        percent=percent(points, average),
        chips=sum(cell.chips or 0 for cell in cells.values()),
    )


def _luck(compared: Compared, own: int | None) -> Luck | None:
    cells = compared.results.get(own or 0)
    if not cells:
        return None
    seat = next(iter(cells.values())).seat
    same = [
        sum(result.chips or 0 for result in held.values())
        for held in compared.results.values()
        if next(iter(held.values())).seat == seat
    ]
    return Luck(round(sum(same) / len(same)), sum(cell.chips or 0 for cell in cells.values()))
