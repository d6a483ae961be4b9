"""Closing an account for good: two members of staff decide, or the house for idle guests.

The player's money is paid out before. A closed account signs in nowhere and is not opened again;
hands, ledger and journal keep it. There is no verb that merges two accounts: one of them is paid
out and closed, so every line keeps the account to which it happened.

A guest's seats are given up, and their play money returns to the promotions from which it came.
"""

import logging
from contextlib import suppress
from datetime import datetime, timedelta
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Exists, OuterRef, QuerySet
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from casino.accounts import devices
from casino.accounts.models import Device, Player
from casino.accounts.staff import is_staff_member
from casino.care.own_data import OfPlayer, person, require_not_playing
from games.models import Seat
from games.tables import play_money, seating
from wallets.models import Account, Currency
from wallets.models.holders import player_reference
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import money
from wallets.values.errors import Refused

CLOSE: Final = "player.close"


class Close(OfPlayer):
    name: str = CLOSE
    words: str | Promise = _("Close the account of a player")

    def admit(self, order: Order) -> None:
        require_empty(person(order.arguments["player"]))

    def state(self, arguments: Arguments) -> Arguments:
        return {"closed": person(arguments["player"], held=True).closed_at is not None}

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        name = person(arguments["player"]).username
        return [Change(name, str(_("open")), str(_("closed for good")))]

    def carry_out(self, order: Order) -> None:
        with transaction.atomic():
            player = person(order.arguments["player"], held=True)
            who = journal.by(order.maker)
            close(player, who, order.reason, order.now, cause=order.cause)


@under(CLOSE)
def close(player: Player, who: journal.By, reason: str, now: datetime, *, cause: str = "") -> None:
    """Close an account whose row is held, and journal it, in the caller's transaction."""
    require_empty(player)
    _close(player, now)
    journal.write(
        who,
        CLOSE,
        player_reference(player.pk),
        before={"closed": False},
        after={"closed": True},
        reason=reason,
        cause=cause,
    )


def require_empty(player: Player) -> None:
    """Refuse while the house still holds something for the player, or the player still plays."""
    if player.closed_at is not None:
        raise Refused("account_closed", _("This account is closed, and stays closed."))
    if is_staff_member(player):
        raise Refused("colleague", _("Members of staff keep their accounts."))
    held = held_for(player)
    if held:
        raise Refused(
            "final_balance",
            _("Pay out the final balance first: {held}."),
            held=", ".join(money(account.balance, account.currency) for account in held),
        )
    require_not_playing(player)


def held_for(player: Player) -> list[Account]:
    """Wallets and what is set aside, if anything is in them; play money is not paid out."""
    accounts = Account.objects.filter(
        kind__in=(Account.Kind.PLAYER, Account.Kind.ESCROW),
        owner=player_reference(player.pk),
        currency__kind=Currency.Kind.MONEY,
    )
    return list(accounts.exclude(balance=0).select_related("currency").order_by("pk"))


def _close(player: Player, now: datetime) -> None:
    devices.end_everywhere(player)
    player.is_active, player.frozen_until, player.closed_at = False, None, now
    player.save(update_fields=["is_active", "frozen_until", "closed_at"])


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
            close(held, journal.HOUSE, reason, now)
    except Refused as refusal:
        log.info("guest %s is not closed yet: %s", number, refusal)
        return False
    return True
