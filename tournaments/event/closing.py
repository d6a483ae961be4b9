"""Clearing up when an event is over: tables closed, chips burnt."""

from datetime import datetime
from typing import Final

from games.models import Table
from games.tables import hand_verbs
from games.tables.lock import set_status, store_table
from games.words.reasons import EVENT_OVER, EVENT_OVER_CODE
from tournaments.event import floor, money
from tournaments.event.organiser import save
from tournaments.models import Entry, Tournament
from wallets.money.cashier import HOUSE

# So many tables, or entries, are cleared in one transaction.
AT_ONCE: Final = 20


def close_tables(tournament: Tournament, now: datetime) -> bool:
    """Close the next tables, with their seats; False where all are closed."""
    rows = list(tournament.tables.filter(broken_at=None).order_by("table_id")[:AT_ONCE])
    if not rows:
        return False
    ids = [row.table_id for row in rows]
    for table in floor.held_tables(ids).values():
        if table.hand_id is not None:
            hand_verbs.void(table.hand_id, EVENT_OVER, HOUSE, now, code=EVENT_OVER_CODE)
    sitting = tournament.all_entries.filter(seat__table__in=ids).select_related("player", "seat")
    by_table: dict[int, list[Entry]] = {}
    for entry in sitting:
        assert entry.seat is not None
        by_table.setdefault(entry.seat.table_id, []).append(entry)
    for table in floor.held_tables(ids).values():
        for entry in by_table.get(table.pk, ()):
            floor.clear(table, entry, now)
            entry.save(update_fields=["seat"])
        close(table)
    tournament.tables.filter(table__in=ids).update(broken_at=now)
    save(tournament, [])
    return True


def close(table: Table) -> None:
    set_status(table, Table.Status.CLOSED)
    table.phase, table.due_at = Table.Phase.WAITING, None
    store_table(table)


def burn(tournament: Tournament, now: datetime) -> bool:
    """Burn the chips of the next entries; False where none has any."""
    with_chips = tournament.all_entries.filter(account__balance__gt=0).order_by("number")
    entries = list(with_chips[:AT_ONCE])
    for entry in entries:
        money.burn_chips(tournament, entry, "at the end")
    if entries:
        save(tournament, ["chips"])
    return bool(entries)
