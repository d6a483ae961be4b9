"""The tables of an event that are open: who sits there, and what they do."""

from collections.abc import Iterable
from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from games.models import Seat, Table
from games.tables.hand_in_play import is_held
from games.words.naming import player_title
from tournaments.models import EventTable, Tournament

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
    page: int
    pages: int

    @property
    def earlier(self) -> int | None:
        return self.page - 1 if self.page > 1 else None

    @property
    def later(self) -> int | None:
        return self.page + 1 if self.page < self.pages else None


def tables_view(tournament: Tournament, my_table: int | None, page: int | None) -> Tables:
    links = tournament.tables.filter(broken_at=None).exclude(table__status=Table.Status.CLOSED)
    count = links.count()
    pages = max(1, -(-count // TABLES_SHOWN))
    number = min(max(1, page or 1), pages)
    start = (number - 1) * TABLES_SHOWN
    rows = list(links.select_related("table").order_by("number")[start : start + TABLES_SHOWN])
    if number == 1 and my_table is not None and my_table not in {row.table_id for row in rows}:
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
    return Tables(lines, count, number, pages)


def people_at(rows: Iterable[EventTable]) -> dict[int, list[Sitting]]:
    """Return the people at these tables, in one query."""
    found: dict[int, list[Sitting]] = {}
    seats = Seat.objects.filter(table__in=[row.table_id for row in rows], left_at=None)
    columns = ("table_id", "player__username", "player__is_bot", "player__face")
    for table, name, is_bot, face in seats.order_by("number").values_list(*columns):
        found.setdefault(table, []).append(Sitting(player_title(name, is_bot), face))
    return found


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
