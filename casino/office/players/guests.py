"""Closing guests who have not been here for long and never created an account.

Their seats are given up, their play money returns to the promotions from which it came, and the
account is closed as any other; hands, ledger and proofs keep its number.
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Device, Player
from casino.office.players import closing
from games.models import Seat
from games.tables import play_money, seating
from wallets.staff import journal
from wallets.values.errors import Refused

IDLE: Final = _n("The guest has not been here for {days} days and has no account.")
# For so long after it is closed, a guest's wallet is looked at again.
REPEATED_FOR: Final = timedelta(days=7)

log = logging.getLogger("casino.accounts")


def close_idle(now: datetime) -> int:
    """Close every guest who is away for longer than the settings allow; return how many.

    The next run takes the money that an interrupted one left in a closed guest's wallet.
    """
    closed = sum(_close_if_idle(number, now) for number in _idle(now).values_list("pk", flat=True))
    lately = Player.objects.filter(is_guest=True, closed_at__gte=now - REPEATED_FOR)
    play_money.take_back(lately)
    return closed


def _idle(now: datetime) -> QuerySet[Player]:
    since = now - timedelta(days=settings.GUEST_IDLE_DAYS)
    lately = Device.objects.filter(player=OuterRef("pk"), seen_at__gte=since)
    return Player.objects.filter(
        ~Exists(lately), is_guest=True, closed_at=None, date_joined__lt=since
    ).order_by("pk")


def _close_if_idle(number: int, now: datetime) -> bool:
    """Close one guest; the seats first, as each of them holds its table."""
    guest = Player.objects.get(pk=number)
    seats = Seat.objects.filter(player=guest, left_at=None).order_by("table")
    for table in list(seats.values_list("table", flat=True)):
        # A guest whose hand is not over is closed in the next night.
        with suppress(Refused):
            seating.leave(guest, table, now)
    try:
        with transaction.atomic():
            held = _idle(now).select_for_update(no_key=True, of=("self",)).filter(pk=number).first()
            if held is None:
                return False
            reason = IDLE.format(days=settings.GUEST_IDLE_DAYS)
            closing.close(held, journal.HOUSE, reason, now)
    except Refused as refusal:
        log.info("guest %s is not closed yet: %s", number, refusal)
        return False
    return True
