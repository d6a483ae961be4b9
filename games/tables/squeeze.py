"""The squeeze: players who backed a side of a coup turn its cards by hand, for a fixed time.

The betting is closed and the round is settled by then, so its cards are public, and turning them
decides nothing. One moment ends the squeeze for all; the pause before the next round follows it.
Without a player to turn a card, there is no squeeze.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import Final

from games.models import Hand, Move, Seat, Table
from games.tables.autoplay import plays_by_itself

SQUEEZE_TIME: Final = timedelta(seconds=8)
# The bets whose cards one turns; no other game has bets on them.
SIDES: Final = ("player", "banker")


def squeeze_time(
    table: Table, moves: Iterable[Move], seats: Sequence[Seat], now: datetime
) -> timedelta:
    """Return how long the players of a round that ends now may take to turn its cards."""
    there = {seat.number for seat in seats if not plays_by_itself(table, seat, seats, now)}
    return SQUEEZE_TIME if backers(moves) & there else timedelta(0)


def backers(moves: Iterable[Move]) -> set[int]:
    """The seats that have backed a side."""
    return {move.seat for move in moves if move.action.get("on") in SIDES}


def is_squeezed(table: Table, now: datetime) -> bool:
    """Whether players still turn the cards of the round that has just ended at a table."""
    if table.hand_id is not None or table.phase != Table.Phase.PAUSE or table.due_at is None:
        return False
    # The pause follows the squeeze, and is short if all have asked to go on.
    return now < table.due_at - timedelta(seconds=table.pause_seconds)


def squeezed_until(hand: Hand, next_hand_at: datetime | None) -> datetime | None:
    """Return when a round's cards are public; None before it is over."""
    if hand.ended_at is None or next_hand_at is None:
        return None
    return min(hand.ended_at + SQUEEZE_TIME, next_hand_at)
