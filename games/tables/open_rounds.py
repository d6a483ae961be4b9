"""The tables' part in halting the house, and in letting hands begin again.

A round against the house without a bet is live, and would stay so until a player bets: it is called
off, as if its betting had ended. Other live hands are played to their ends.
"""

import logging
from datetime import datetime

from django.db import transaction

from games.models import Seat, Table
from games.tables import clock
from games.tables.hand_in_play import resume
from games.tables.lock import lock_table, seats_at

log = logging.getLogger(__name__)


def call_off_all(now: datetime) -> None:
    """Call off every round without a bet; a table that fails does not hold up the others."""
    for table_id in Table.objects.filter(hand__isnull=False).values_list("pk", flat=True):
        try:
            call_off_round(table_id, now)
        except Exception:
            log.exception("the round at table %s could not be called off", table_id)


def call_off_round(table_id: int, now: datetime) -> bool:
    """Call off the round at a table if it has no bet; say whether that was so."""
    with transaction.atomic():
        table = lock_table(table_id)
        if table.hand_id is None:
            return False
        playing = resume(table, seats_at(table))
        if playing.bettors:
            return False
        playing.call_off(now)
        return True


def deal_again(now: datetime) -> None:
    """Have the clock check every table with a player."""
    seated = Seat.objects.filter(left_at__isnull=True).values("table")
    clock.release(Table.objects.filter(pk__in=seated).values_list("pk", flat=True), now)
