"""The tables of an event for its control room: those that need staff first, with their chips."""

from collections.abc import Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Count, Sum
from django.utils.translation import gettext as _

from games.models import Seat, Table
from tournaments.event.stakes import least_players
from tournaments.mathematics.structure import Structure
from tournaments.models import EventTable, Tournament
from tournaments.overview.tables_view import Sitting, people_at, state_of

TABLES_SHOWN: Final = 24
# A deadline is acted on within seconds; a table that is this late needs staff.
STUCK: Final = timedelta(seconds=30)


class Card(NamedTuple):
    """A table, with what it needs: nothing, or words for it."""

    number: int
    table_id: int
    people: tuple[Sitting, ...]
    state: str
    chips: int
    deadline: datetime | None
    needs: str
    is_alarm: bool


class Board(NamedTuple):
    cards: tuple[Card, ...]
    open: int
    needing: int
    by_number: bool
    page: int
    pages: int

    @property
    def earlier(self) -> int | None:
        return self.page - 1 if self.page > 1 else None

    @property
    def later(self) -> int | None:
        return self.page + 1 if self.page < self.pages else None


class _Seats(NamedTuple):
    players: int
    chips: int


class _Need(NamedTuple):
    """A table's need for attention: its urgency, the lowest first, and its text."""

    order: int
    words: str


NOTHING: Final = _Need(9, "")


def table_board(
    tournament: Tournament,
    structure: Structure,
    page: int | None,
    now: datetime,
    *,
    by_number: bool,
) -> Board:
    """The open tables; tables that need staff come first, unless sorted by number."""
    links = tournament.tables.filter(broken_at=None).exclude(table__status=Table.Status.CLOSED)
    rows = list(links.select_related("table").order_by("number"))
    seats = _seats(rows)
    least = least_players(structure)
    needs = {row.pk: _need(row, seats, least, now) for row in rows}
    if not by_number:
        rows.sort(key=lambda row: (needs[row.pk].order, row.number))
    pages = max(1, -(-len(rows) // TABLES_SHOWN))
    number = min(max(1, page or 1), pages)
    shown = rows[(number - 1) * TABLES_SHOWN : number * TABLES_SHOWN]
    people = people_at(shown)
    cards = tuple(
        Card(
            number=row.number,
            table_id=row.table_id,
            people=tuple(people.get(row.table_id, ())),
            state=state_of(tournament, row),
            chips=seats.get(row.table_id, _Seats(0, 0)).chips,
            deadline=row.table.deadline if row.table.turns else None,
            needs=needs[row.pk].words,
            is_alarm=needs[row.pk].order == 0,
        )
        for row in shown
    )
    needing = sum(need is not NOTHING for need in needs.values())
    return Board(cards, len(rows), needing, by_number, number, pages)


def _seats(rows: list[EventTable]) -> dict[int, _Seats]:
    taken = Seat.objects.filter(table__in=[row.table_id for row in rows], left_at=None)
    sums = taken.values_list("table").annotate(players=Count("pk"), chips=Sum("stack__balance"))
    return {table: _Seats(players, chips or 0) for table, players, chips in sums}


def _need(row: EventTable, seats: Mapping[int, _Seats], least: int, now: datetime) -> _Need:
    table = row.table
    if table.due_at is not None and table.due_at < now - STUCK:
        return _Need(0, _("stuck: needs attention"))
    if row.held:
        return _Need(1, _("held: a player moves after this hand"))
    if seats.get(row.table_id, _Seats(0, 0)).players < least and table.hand_id is None:
        return _Need(2, _("waits for players"))
    return NOTHING
