"""Thinking ahead: a strong bot's move is found before its table is locked.

That takes up to a second of one core, and nobody else at the table may wait for it. The clock
therefore asks here first and locks the table afterwards. The thought is of one moment of one hand;
if the table has moved on meanwhile, it is dropped, and the bot plays without it.
"""

import logging
from datetime import datetime
from typing import NamedTuple

from games.bots.simulate import strategies, strengths
from games.models import Seat, Table
from games.rules.contract import Action
from games.tables import autoplay
from games.tables.copies import live_hand
from games.words.strengths import STRONG

log = logging.getLogger(__name__)


class Moment(NamedTuple):
    """One seat's turn in a hand after so many moves."""

    hand: int | None
    moves_made: int
    seat: int


class Thought(NamedTuple):
    """What a bot would play at that moment."""

    moment: Moment
    action: Action


def moment_of(table: Table, seat: Seat) -> Moment:
    return Moment(table.hand_id, table.moves_made, seat.number)


def think(seen: Table, now: datetime) -> Thought | None:
    """The move of a strong bot whose pause is over; None where no such bot is to act."""
    strategy = strengths(seen.game).get(STRONG)
    if strategy is None:
        return None
    seats = Seat.objects.filter(
        table=seen.pk, left_at__isnull=True, player__is_bot=True, player__strength=STRONG
    ).select_related("player", "table")
    seat = next((one for one in seats if autoplay.is_due(one.table, one, now)), None)
    if seat is None:
        return None
    table = seat.table
    live = live_hand(table)
    try:
        view = live.game.view(live.after(table.moves_made).state, seat.number)
        return Thought(moment_of(table, seat), strategies(live.game)[strategy](live.game, view))
    except Exception:
        # The bot then plays as a steady one does.
        log.exception("%s could not think", seat)
        return None
