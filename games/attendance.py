"""Who does not answer: turns left to the clock, and seats that the house gives up.

A player who is in sight but leaves three turns in a row to the clock is made to sit out when the
hand is over, and so holds a table up for three turns and no longer. A seat that sits out is kept
for a while (`hosting`), then given up with all its money; its player is told why.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.utils.translation import gettext as _

from games.models import Hand, Move, Seat, Table
from games.models.tables import MISSED_MAX

# How long somebody is told at the table why their seat was given up.
TOLD: Final = timedelta(hours=1)


def count_missed_turns(hand: Hand, seats: Sequence[Seat]) -> None:
    """After a hand: who has left too many turns in a row to the clock sits out from now on.

    For a bot, or where one has asked the house to play, no turn is missed.
    """
    told = hand.moves.filter(by__in=(Move.By.PLAYER, Move.By.TIMEOUT)).order_by("number")
    rows = list(told.values_list("seat", "by"))
    for seat in seats:
        if seat.player.is_bot or seat.trustee:
            continue
        missed = seat.turns_missed
        for number, by in rows:
            if number == seat.number:
                missed = missed + 1 if by == Move.By.TIMEOUT else 0
        if missed == seat.turns_missed:
            continue
        seat.turns_missed = missed
        seat.sits_out = seat.sits_out or missed >= MISSED_MAX
        seat.save(update_fields=["turns_missed", "sits_out"])


def stood_up(player: Any, table: Table, now: datetime) -> str:
    """Why the house has lately given up the seat of one who does not sit there; nothing else."""
    if not player.is_authenticated:
        return ""
    stays = Seat.objects.filter(table=table, player=player, left_at__gt=now - TOLD)
    why = stays.order_by("-left_at").values_list("left_why", flat=True).first()
    words: dict[str, str] = {
        Seat.LeftWhy.ABSENT: _(
            "You were out of sight for too long, so your seat was given up. "
            "What lay before it is in your wallet."
        ),
        Seat.LeftWhy.IDLE: _(
            "You were not dealt in for too long, so your seat was given up. "
            "What lay before it is in your wallet."
        ),
        Seat.LeftWhy.CLOSED: _(
            "The table was closed. What lay before your seat is in your wallet."
        ),
    }
    return words.get(why or "", "")
