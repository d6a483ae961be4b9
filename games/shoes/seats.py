"""A seat's part in the shoes so far: which it helped to mix, and when the house mixes for it.
And of a table: which shoes that were locked ahead were dealt.

A player who commits and does not reveal in time may have a bad line, or may dislike the deal; the
two look alike. So what is bounded is the number: a player who withheld w of their last 50 reveals
takes no part in the next 2^w - 1 shoes, and then takes part again (`docs/fairness.md` says what
that leaves to gain). The record follows the player from seat to seat.

A shoe that is locked while the hand before is played may not be dealt either: a player leaves or
comes. Whether that was to refuse the deal cannot be told, so it is bounded in the same way, at the
table: of d such shoes in the last 50, the next 2^d - 1, at most 31, are locked when they are due.
"""

from collections.abc import Iterable
from typing import TYPE_CHECKING, Final

if TYPE_CHECKING:
    from games.models import Seat, Table

# Of how many shoes, and of how many reveals, the outcome is kept: the newest is last.
KEPT: Final = 50
# The outcomes. A shoe that the house mixed because of an earlier reveal counts separately from one
# without a commit.
IN_TIME: Final = "+"
MISSED: Final = "-"
SET_ASIDE: Final = "x"

# The most shoes in a row that are locked late after one that was dropped.
LATE_MAX: Final = 31
FIELDS: Final = ("shoes", "reveals", "house_shoes", "reply_ms")
# A device whose answer takes no longer is quick; nothing is noted of it.
QUICK_MS: Final = 500
# A player who answers later than this was away, which says nothing about the line.
AWAY_MS: Final = 15_000
# How much of a slow answer is remembered at the next one.
REMEMBERED: Final = 0.85


def is_set_aside(seat: "Seat") -> bool:
    """Whether the house mixes the next shoe for a seat because it has withheld reveals."""
    return seat.house_shoes > 0


def note_withheld(seat: "Seat") -> None:
    """Note that a seat did not reveal in time."""
    seat.reveals = _noted(seat.reveals, MISSED)
    seat.house_shoes = 2 ** seat.reveals.count(MISSED) - 1


def note_mixed(seat: "Seat", *, by_house: bool) -> None:
    """Note that a shoe was mixed, by the seat's own bytes or by those of the house."""
    if not by_house:
        seat.reveals = _noted(seat.reveals, IN_TIME)
        seat.shoes = _noted(seat.shoes, IN_TIME)
    elif is_set_aside(seat):
        seat.house_shoes -= 1
        seat.shoes = _noted(seat.shoes, SET_ASIDE)
    else:
        seat.shoes = _noted(seat.shoes, MISSED)


def note_locked_ahead(table: "Table", *, dealt: bool) -> None:
    """Note at a table whether a shoe that was locked ahead could be dealt to those in its lock."""
    table.locked_ahead = _noted(table.locked_ahead, IN_TIME if dealt else MISSED)
    if not dealt:
        dropped = table.locked_ahead.count(MISSED)
        table.late_locks = min(2**dropped - 1, LATE_MAX)


def may_lock_ahead(table: "Table") -> bool:
    """Whether the next shoe of a table may be locked ahead; if not, that is counted."""
    if table.late_locks:
        table.late_locks -= 1
        return False
    return True


def note_reply(seat: "Seat", milliseconds: float) -> bool:
    """Note how long a device took to answer; return whether that changed anything."""
    if not 0 <= milliseconds <= AWAY_MS:
        return False
    before = seat.reply_ms
    latest = max(milliseconds, before * REMEMBERED)
    seat.reply_ms = round(latest) if latest > QUICK_MS else 0
    return seat.reply_ms != before


def carry_over(seat: "Seat", earlier: "Seat | None") -> None:
    """Give a player's new seat the record of the seat they had before."""
    for name in FIELDS if earlier is not None else ():
        setattr(seat, name, getattr(earlier, name))


def slowest(seats: Iterable["Seat"]) -> int:
    """The milliseconds that the slowest of these devices takes; 0 where all are quick."""
    return max((seat.reply_ms for seat in seats), default=0)


def counted(seat: "Seat") -> tuple[int, int]:
    """Return how many of the last shoes were mixed with the player's bytes, and how many shoes."""
    return seat.shoes.count(IN_TIME), len(seat.shoes)


def _noted(record: str, outcome: str) -> str:
    return (record + outcome)[-KEPT:]
