"""Hands that are played out and wait: their deal is still played at other tables.

The organiser of the tables asks which of them wait, and has them settled when the last one does.
"""

from datetime import datetime

from games.models import Hand, Table
from games.tables.lock import seats_at
from games.tables.playing import resume


def is_held(table: Table) -> bool:
    """Whether the hand at a table is played out, and waits to be settled."""
    return table.phase == Table.Phase.PLAY and table.hand_id is not None and not table.turns


def settle_held(table: Table, now: datetime) -> Hand:
    """Settle the hand of a locked table that was played out and held back."""
    assert is_held(table)
    playing = resume(table, seats_at(table))
    playing.settle(now)
    return playing.hand
