"""The tables of an event: opening and closing them, seating players and taking them away.

Everything here is done under the event's row and the rows of the tables it changes, which the
caller has locked in ascending order and stores.
"""

from collections.abc import Iterable
from datetime import datetime
from typing import NamedTuple

from games.models import Table
from games.tables import buy_in
from games.tables.lock import lock_tables, seats_at, store_table
from tournaments.event.money import chips
from tournaments.event.organiser import options_at, structure_of
from tournaments.mathematics.preview import sizes_of
from tournaments.mathematics.seating import TableSeats
from tournaments.models import Arrangement, Bye, Draw, Entry, EventTable, TableChange, Tournament
from wallets.models import Account
from wallets.values import AMOUNT_MAX

# A table that plays no hand: only then people come and go.
BETWEEN_HANDS = (Table.Phase.WAITING, Table.Phase.PAUSE)
# Players who are out of sight are not waited for as long as at a cash table.
GRACE_SECONDS = 30


class Occasion(NamedTuple):
    """The reason and the time of a move, and the draw or plan behind it."""

    why: TableChange.Why
    at: datetime
    draw: Draw | None = None
    arrangement: Arrangement | None = None


def open_table(tournament: Tournament, number: int, now: datetime) -> EventTable:
    """A new table of the event, without players."""
    structure = structure_of(tournament)
    table = Table.objects.create(
        name=f"{tournament.name[:40]} {tournament.pk}-{number}",
        game=tournament.game,
        options=options_at(tournament),
        currency=chips(),
        places=sizes_of(structure).most,
        buy_in_min=1,
        buy_in_max=AMOUNT_MAX,
        stack_min=1,
        decision_seconds=structure.decision_seconds,
        betting_seconds=structure.betting_seconds,
        pause_seconds=structure.pause_seconds,
        grace_seconds=GRACE_SECONDS,
        organiser=tournament.reference,
    )
    tournament.tables_opened = max(tournament.tables_opened, number)
    return EventTable.objects.create(
        tournament=tournament,
        table=table,
        number=number,
        round=tournament.round,
        # Where tables play in step, it joins them with the next hand.
        hands_allowed=0 if tournament.hand_for_hand else None,
        opened_at=now,
    )


def held_tables(table_ids: Iterable[int]) -> dict[int, Table]:
    """The rows of tables, locked, by their numbers in the database."""
    return {table.pk: table for table in lock_tables(table_ids)}


def store(tables: Iterable[Table], now: datetime) -> None:
    """Write tables whose players have changed; one that waited for players is looked at."""
    for table in tables:
        if table.phase == Table.Phase.WAITING:
            table.due_at = now
        store_table(table)


def is_idle(table: Table) -> bool:
    return table.hand_id is None and table.phase in BETWEEN_HANDS


def seat(table: Table, entry: Entry, number: int, occasion: Occasion) -> None:
    """Seat a player who has none, with all chips of the entry."""
    take = _sit(table, entry, number, occasion.at)
    _note(entry, occasion, take, source=None, target=(table, number))


def move(source: Table, target: Table, entry: Entry, number: int, occasion: Occasion) -> None:
    """Move a player with all chips from a seat to another table's."""
    left = _stand_up(source, entry, occasion.at)
    amount = _sit(target, entry, number, occasion.at)
    _note(entry, occasion, amount, source=(source, left), target=(target, number))


def unseat(table: Table, entry: Entry, occasion: Occasion) -> None:
    """Take a player from a seat to wait for another one."""
    left = _stand_up(table, entry, occasion.at)
    entry.state = Entry.State.WAITING
    entry.save(update_fields=["state", "seat"])
    _note(entry, occasion, balance_of(entry), source=(table, left), target=None)


def clear(table: Table, entry: Entry, now: datetime) -> None:
    """Take a player who is out, or whose event is over, from a seat."""
    _stand_up(table, entry, now)


def give_byes(
    tournament: Tournament, entries: Iterable[Entry], now: datetime, *, step: int = 0
) -> None:
    """Write down who has no table in the round that begins, or in a hand that is played in step."""
    for entry in entries:
        entry.byes += 1
        entry.save(update_fields=["byes"])
        Bye.objects.create(
            tournament=tournament, entry=entry, round=tournament.round, step=step, at=now
        )


def balance_of(entry: Entry) -> int:
    """The chips that an entry has, away from the table."""
    amount: int = Account.objects.values_list("balance", flat=True).get(pk=entry.account_id)
    return amount


def chips_of(entry: Entry) -> int:
    """The chips of an entry, at the table and away from it."""
    return balance_of(entry) + (entry.seat.stack.balance if entry.seat else 0)


def _sit(table: Table, entry: Entry, number: int, now: datetime) -> int:
    amount = balance_of(entry)
    taken = buy_in.take_seat(table, entry.player, number, amount, now)
    entry.seat, entry.state = taken, Entry.State.PLAYING
    entry.save(update_fields=["seat", "state"])
    return amount


def _stand_up(table: Table, entry: Entry, now: datetime) -> int:
    """Vacate the entry's seat; its number."""
    seat = next(place for place in seats_at(table) if place.pk == entry.seat_id)
    buy_in.vacate(table, seat, now)
    entry.seat = None
    return seat.number


def _note(
    entry: Entry,
    occasion: Occasion,
    amount: int,
    *,
    source: tuple[Table, int] | None,
    target: tuple[Table, int] | None,
) -> None:
    from_table, from_seat = source or (None, None)
    to_table, to_seat = target or (None, None)
    TableChange.objects.create(
        tournament_id=entry.tournament_id,
        entry=entry,
        why=occasion.why,
        from_table=from_table,
        from_seat=from_seat,
        to_table=to_table,
        to_seat=to_seat,
        chips=amount,
        draw=occasion.draw,
        arrangement=occasion.arrangement,
        at=occasion.at,
    )


# How the tables stand.


class TableRow(NamedTuple):
    """The columns of an open table that planning moves needs before any row is locked."""

    table_id: int
    held: bool


class FloorState(NamedTuple):
    """The open tables of an event, as the rules of seating read them."""

    tables: list[TableSeats]
    # The tables by their numbers in the event.
    rows: dict[int, TableRow]
    # The players' facts, by number.
    drawn: dict[int, int]
    byes: dict[int, int]
    waiting: list[int]
    # Those who are to be taken out behind their hand.
    leaving: set[int]


def state_of(tournament: Tournament) -> FloorState:
    """Return all seats and waiting players, read without locks in two statements.

    An event has a thousand tables, and this is read whenever a player has to be moved.
    """
    rows: dict[int, TableRow] = {}
    buttons: dict[int, int | None] = {}
    tables = tournament.tables.filter(broken_at=None).order_by("number")
    for number, table_id, held, button in tables.values_list(
        "number", "table_id", "held", "table__button"
    ):
        rows[number], buttons[number] = TableRow(table_id, held), button
    numbers = {row.table_id: number for number, row in rows.items()}
    seats: dict[int, dict[int, int]] = {number: {} for number in rows}
    state = FloorState([], rows, {}, {}, [], set())
    left = tournament.all_entries.filter(state__in=(Entry.State.PLAYING, Entry.State.WAITING))
    columns = ("number", "drawn", "byes", "disqualify_due", "seat__table_id", "seat__number")
    for number, drawn, byes, leaves, table_id, seat in left.order_by("number").values_list(
        *columns
    ):
        state.drawn[number], state.byes[number] = drawn or number, byes
        if table_id is None:
            state.waiting.append(number)
        else:
            seats[numbers[table_id]][seat] = number
        if leaves:
            state.leaving.add(number)
    state.tables.extend(TableSeats(number, seats[number], buttons[number]) for number in rows)
    return state
