"""The tables of an event that are open: who sits there, and what they do."""

from typing import Final, NamedTuple

from django.utils.translation import gettext as _

from games.models import Seat, Table
from games.words.naming import player_title
from tournaments.models import EventTable, Tournament

TABLES_SHOWN: Final = 12


class TableLine(NamedTuple):
    """A table in the list of an event's tables."""

    number: int
    table_id: int
    names: tuple[str, ...]
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
    names = _names(rows)
    lines = tuple(
        TableLine(
            number=row.number,
            table_id=row.table_id,
            names=tuple(names.get(row.table_id, ())),
            state=_state(tournament, row),
            mine=row.table_id == my_table,
        )
        for row in rows
    )
    return Tables(lines, count, number, pages)


def _names(rows: list[EventTable]) -> dict[int, list[str]]:
    """Who sits at these tables, in one query."""
    found: dict[int, list[str]] = {}
    seats = Seat.objects.filter(table__in=[row.table_id for row in rows], left_at=None)
    for seat in seats.select_related("player").order_by("number"):
        title = player_title(seat.player.username, seat.player.is_bot)
        found.setdefault(seat.table_id, []).append(title)
    return found


def _state(tournament: Tournament, row: EventTable) -> str:
    if row.table.hand_id is not None and row.table.phase == Table.Phase.PLAY:
        return _("hand {number}").format(number=row.table.hands_dealt)
    if tournament.hand_for_hand and not tournament.on_break:
        return _("waits for the other tables")
    return _("between hands")
