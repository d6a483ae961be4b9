"""Time banks: seconds that a player has beyond the time of a turn, at tables among players.

A bank is a number of seconds in the seat's row. A turn has its usual time first; then the player's
bank runs, until it is empty. An act deducts the time used, and hands that a player plays to the end
refill the bank. Against the house there is no bank, because no other player waits.

The table has one deadline for all who are to act. While banks run, it is the moment at which the
first of them is empty.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from games.models import Seat, Table
from games.models.prepared import Update
from games.models.tables import TIME_BANK
from games.rules.catalogue import against_house

# The time that a hand without a missed turn adds to a bank.
REFILL: Final = 5
WRITE_BANK: Final = Update(Seat, ("time_bank",))


def has_banks(table: Table) -> bool:
    return not against_house(table.game)


def is_running(table: Table) -> bool:
    """Whether the usual time of the turn is over, and a player still has time in their bank."""
    end = _usual_end(table)
    return end is not None and table.deadline is not None and table.deadline > end


def limit(table: Table, seat: Seat) -> datetime | None:
    """The deadline of a seat that has to act, its bank included; None where no clock runs."""
    end = _usual_end(table)
    return end and end + timedelta(seconds=seat.time_bank)


def next_limit(table: Table, seats: Iterable[Seat]) -> datetime | None:
    """Return when the first bank of those who are still to act is empty."""
    limits = (limit(table, seat) for seat in seats if str(seat.number) in table.turns)
    return min((moment for moment in limits if moment is not None), default=None)


def used(table: Table, seat: Seat, now: datetime) -> int:
    """The seconds of the bank that a player who acts now has used: whole seconds."""
    end = _usual_end(table)
    if end is None or now <= end or str(seat.number) not in table.turns:
        return 0
    return min(seat.time_bank, int((now - end).total_seconds()))


def charge(table: Table, seat: Seat, now: datetime) -> None:
    """Take off what a player who acts now has used of the bank."""
    seconds = used(table, seat, now)
    if seconds:
        seat.time_bank -= seconds
        WRITE_BANK(seat)


def refill(table: Table, seats: Sequence[Seat], played: set[int]) -> None:
    """Fill up the banks of the seats that have played a hand themselves, by their numbers."""
    if not has_banks(table):
        return
    for seat in seats:
        if seat.number in played and seat.time_bank < TIME_BANK:
            seat.time_bank = min(TIME_BANK, seat.time_bank + REFILL)
            WRITE_BANK(seat)


def _usual_end(table: Table) -> datetime | None:
    """Return when the usual time of the present turns is over; None where there are no banks."""
    if table.turn_began_at is None or not table.turns or not has_banks(table):
        return None
    return table.turn_began_at + timedelta(seconds=table.decision_seconds)
