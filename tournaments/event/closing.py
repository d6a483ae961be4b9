"""The end of an event's tables and chips, and the calling off of an event.

When an event is over its tables are closed and its chips burnt. When it is called off, every hand
is voided, every chip burnt, and every stake and fee given back.

It is done in steps, each a transaction under the organiser's row: the tables first, then what is
owed as rows of `Payout`, which `paying` pays one by one. A step that was interrupted is found again
by the sweep.
"""

from datetime import datetime
from typing import Final

from games.models import Table
from games.tables import hand_verbs
from games.tables.lock import set_status, store_table
from games.words.refusals import EVENT_OVER, EVENT_OVER_CODE
from tournaments.event import floor, mixing, money
from tournaments.event.organiser import save
from tournaments.models import Entry, Payout, Tournament
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


FIELDS: Final = ("state", "due_at", "cancelled_why", "cancelled_by", "paused_at")


def begin(tournament: Tournament, by: str, why: str, now: datetime) -> None:
    """From now on nothing is played; the steps follow."""
    mixing.void(tournament, now, why)
    tournament.state, tournament.due_at = Tournament.State.CANCELLING, now
    tournament.cancelled_why, tournament.cancelled_by = why, by
    save(tournament, FIELDS)


def step(tournament: Tournament, now: datetime) -> bool:
    """Take the next step; False when nothing is left to do but to pay."""
    if close_tables(tournament, now):
        return True
    if burn(tournament, now):
        return True
    return _owe(tournament, now)


def _owe(tournament: Tournament, now: datetime) -> bool:
    """Write down what is owed to whom, once; and take the guarantee back."""
    if tournament.ended_at is not None:
        return False
    entries = [
        entry
        for entry in tournament.all_entries.exclude(state=Entry.State.WITHDRAWN)
        if entry.stake_paid + entry.fee_paid
    ]
    Payout.objects.bulk_create(
        [
            Payout(
                tournament=tournament,
                entry=entry,
                kind=Payout.Kind.REFUND,
                amount=entry.stake_paid + entry.fee_paid,
                made_at=now,
            )
            for entry in entries
        ],
        batch_size=500,
    )
    # The prize pool pays the stakes back first, so the house's part leaves with the last of them.
    if tournament.added is None:
        money.settle_guarantee(tournament, 0)
    else:
        money.return_addition(tournament)
    tournament.all_entries.exclude(state=Entry.State.WITHDRAWN).update(place=None)
    tournament.ended_at = now
    save(tournament, ["ended_at", "added"])
    return True
