"""Thinking ahead: a strong bot's move is found while its table is not locked.

That takes up to a second of one core, and no other player may have to wait for it. The clock
therefore lets go of the table, asks here, and locks it again. The thought is of one moment of one
hand; if the table has moved on, it is dropped, and the bot plays without it.
"""

import logging
from collections.abc import Collection
from datetime import datetime
from typing import NamedTuple

from games.bots.simulate import strategies, strengths
from games.models import Seat, Table
from games.rules.contract import Action
from games.tables import autoplay
from games.tables.table_cache import cached_hand
from games.words.strengths import STRONG

log = logging.getLogger(__name__)


class Moment(NamedTuple):
    """One seat's turn in a hand after so many moves."""

    hand: int | None
    moves_made: int
    seat: int


class Thought(NamedTuple):
    """The bot's play at that moment."""

    moment: Moment
    action: Action


def moment_of(table: Table, seat: Seat) -> Moment:
    return Moment(table.hand_id, table.moves_made, seat.number)


def is_to_think(table: Table, seats: Collection[Seat], now: datetime) -> bool:
    """Whether a strong bot has to act and its pause is over."""
    return STRONG in strengths(table.game) and _thinker(table, seats, now) is not None


def _thinker(table: Table, seats: Collection[Seat], now: datetime) -> Seat | None:
    strong = (seat for seat in seats if seat.player.is_bot and seat.player.strength == STRONG)
    return next((seat for seat in strong if autoplay.is_due(table, seat, seats, now)), None)


def think(table: Table, seats: Collection[Seat], now: datetime) -> Thought | None:
    """The move of a strong bot whose pause is over; the rows need not be locked."""
    strategy, seat = strengths(table.game).get(STRONG), _thinker(table, seats, now)
    if strategy is None or seat is None:
        return None
    live = cached_hand(table)
    try:
        view = live.game.view(live.after(table.moves_made).state, seat.number)
        return Thought(moment_of(table, seat), strategies(live.game)[strategy](live.game, view))
    except Exception:
        # The bot then plays as a steady one does.
        log.exception("%s could not think", seat)
        return None
