"""A table's row and the seats at it: locked, read, and written back."""

from typing import Final

from django.db import transaction

from games.alarm import set_alarm
from games.live import announce
from games.models import Seat, Table

# What changes while people play; everything else of a table is the operators'.
LIVE_FIELDS: Final = (
    "version",
    "phase",
    "shoe",
    "hand",
    "button",
    "redeals",
    "hands_dealt",
    "shoes_sealed",
    "moves_made",
    "turns",
    "turn_began_at",
    "deadline",
    "due_at",
    "status",
)


def lock_table(table_id: int) -> Table:
    """The table's row, which nobody else changes before this transaction ends."""
    tables = Table.objects.select_for_update(of=("self",)).select_related("currency")
    return tables.get(pk=table_id)


def seats_at(table: Table) -> list[Seat]:
    """Everybody who sits at a table, with player and purse."""
    seats = table.seats.filter(left_at__isnull=True)
    return list(seats.select_related("player", "stack").order_by("number"))


def store_table(table: Table) -> None:
    """Write the live part of a table's row; once it is committed, tell watchers and the clock."""
    table.version += 1
    table.save(update_fields=LIVE_FIELDS)
    table_id, version, due_at = table.pk, table.version, table.due_at
    transaction.on_commit(lambda: announce(table_id, version))
    if due_at is not None:
        transaction.on_commit(lambda: set_alarm(table_id, due_at))
