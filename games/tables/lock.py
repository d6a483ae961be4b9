"""A table's row and the seats at it: locked, read, and written back."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from games.live.announcing import announce
from games.live.wake_ups import set_alarm
from games.models import Seat, Shoe, Table
from games.models.combined import Read, plan_of_now
from games.models.prepared import Query, Update
from wallets.of_record.verbs import declare
from wallets.storage.batched_writes import after_commit
from wallets.values.player import Viewer

# What the clock does at a table, also after the commit of a verb of staff and apart from it.
TICK: Final = declare("house:table.tick")
# The columns that play changes; none of them is of record (`games/models/tables.py`).
LIVE_FIELDS: Final = (
    "version",
    "phase",
    "shoe",
    "next_shoe",
    "hand",
    "button",
    "redeals",
    "hands_dealt",
    "shoes_sealed",
    "locked_ahead",
    "late_locks",
    "moves_made",
    "turns",
    "turn_began_at",
    "deadline",
    "due_at",
)


ROW: Final = Query(
    lambda table: Table.objects.select_related("currency", "shoe", "next_shoe").filter(pk=table)
)
# Shoes are read after the lock: a statement that has waited for a row returns the newest version of
# that row, and of the rows that it joins still those from before the wait.
LOCKED: Final = Query(
    lambda table: (
        Table.objects.select_for_update(of=("self",)).select_related("currency").filter(pk=table)
    )
)
LOCKED_IF_DUE: Final = Query(
    lambda table, now: (
        Table.objects.select_for_update(of=("self",))
        .select_related("currency")
        .filter(pk=table, due_at__lte=now)
    ),
    int,
    datetime,
)
SEATS: Final = Query(
    lambda table: (
        Seat.objects.filter(table_id=table, left_at__isnull=True)
        .select_related("player", "stack")
        .order_by("number")
    )
)
SHOES: Final = Query(
    lambda shoe, next_shoe: Shoe.objects.filter(pk__in=(shoe, next_shoe)), str, str
)
WRITE_LIVE: Final = Update(Table, LIVE_FIELDS)
WRITE_STATUS: Final = Update(Table, ("status",))


def lock_table(table_id: int) -> Table:
    """Lock and return the table's row; no other transaction can change it before this one ends."""
    return LOCKED.get(table_id)


def lock_tables(table_ids: Iterable[int]) -> list[Table]:
    """The rows of several tables, locked by ascending number as everywhere."""
    return [lock_table(table_id) for table_id in sorted(set(table_ids))]


def seats_at(table: Table) -> list[Seat]:
    """The taken seats of a table, with their players and stacks."""
    seats = SEATS(table.pk)
    for seat in seats:
        seat.table = table
    return seats


def reads_of_shoes(table: Table) -> list[Read]:
    names = _names_of_shoes(table)
    return [(SHOES, names)] if any(names) else []


def read_shoes(table: Table) -> None:
    """Read both shoes of a locked table, which would otherwise be a statement each."""
    names = _names_of_shoes(table)
    shoes = {shoe.code: shoe for shoe in (SHOES(*names) if any(names) else ())}
    table.shoe = shoes[table.shoe_id] if table.shoe_id else None
    table.next_shoe = shoes[table.next_shoe_id] if table.next_shoe_id else None


def _names_of_shoes(table: Table) -> tuple[str, str]:
    return table.shoe_id or "", table.next_shoe_id or ""


def seat_of(player: Viewer, seats: Iterable[Seat]) -> Seat | None:
    return next((seat for seat in seats if seat.player_id == player.pk), None)


def set_status(table: Table, status: Table.Status) -> None:
    """Open or close a locked table, which the caller then stores."""
    table.status = status
    WRITE_STATUS(table)


def store_table(table: Table) -> None:
    """Write the live part of a table's row; after the commit, notify watchers and the clock."""
    table.version += 1
    WRITE_LIVE(table)
    announce_on_commit(table)


def announce_on_commit(table: Table) -> None:
    """After the commit, notify watchers of this version, and the clock of what is due."""
    if plan_of_now() is not None:
        # Those who carry a plan out announce it themselves.
        return
    table_id, version, due_at = table.pk, table.version, table.due_at
    after_commit(lambda: announce(table_id, version))
    if due_at is not None:
        after_commit(lambda: set_alarm(table_id, due_at))
