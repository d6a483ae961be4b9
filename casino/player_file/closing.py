"""Closing an account for good, which two members of staff decide, or the house for idle guests.

What the house holds for the player is paid out before. A closed account signs in nowhere and is not
opened again; hands, ledger and journal keep it. There is no verb that merges two accounts: one of
them is paid out and closed, so every line keeps the account to which it happened.
"""

from datetime import datetime
from typing import Final, cast

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.players import devices
from casino.players.freezing import PERMISSION
from casino.players.models import Player
from casino.players.works_here import works_here
from games.models import Seat
from tournaments.models import Entry, Tournament
from wallets import approvals, journal
from wallets.approvals import Arguments, Line, Order
from wallets.errors import Refused
from wallets.holders import player_reference
from wallets.models import Account, Currency
from wallets.permitted import Permitted, money

CLOSE: Final = "player.close"


class Close(Permitted):
    """Arguments: `player`, a number. Always with a second person: it cannot be undone."""

    name: str = CLOSE
    words: str | Promise = _("Close the account of a player")
    permission: str = PERMISSION

    def check(self, arguments: Arguments) -> Arguments:
        return {"player": _player(arguments.get("player")).pk}

    def admit(self, order: Order) -> None:
        require_empty(_player(order.arguments["player"]))

    def subject(self, arguments: Arguments) -> str:
        return player_reference(arguments["player"])

    def state(self, arguments: Arguments) -> Arguments:
        return {"closed": _player(arguments["player"], held=True).closed_at is not None}

    def needs_approval(self, order: Order) -> bool:
        return True

    def describe(self, arguments: Arguments, state: Arguments) -> list[Line]:
        name = _player(arguments["player"]).username
        return [Line(name, str(_("open")), str(_("closed for good")))]

    def carry_out(self, order: Order) -> None:
        with transaction.atomic():
            player = _player(order.arguments["player"], held=True)
            who = journal.by(order.maker)
            close(player, who, order.reason, order.now, cause=order.cause)


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
    if works_here(player):
        raise Refused("colleague", _("Members of staff keep their accounts."))
    held = held_for(player)
    if held:
        raise Refused(
            "final_balance",
            _("Pay out the final balance first: {held}."),
            held=", ".join(money(one.balance, one.currency) for one in held),
        )
    if Seat.objects.filter(player=player, left_at=None).exists() or _in_an_event(player):
        raise Refused("plays", _("This player still sits at a table, or is in a tournament."))


def held_for(player: Player) -> list[Account]:
    """Wallets and what is set aside, if anything is in them; nobody is paid play money."""
    accounts = Account.objects.filter(
        kind__in=(Account.Kind.PLAYER, Account.Kind.ESCROW),
        owner=player_reference(player.pk),
        currency__kind=Currency.Kind.MONEY,
    )
    return list(accounts.exclude(balance=0).select_related("currency").order_by("pk"))


def _in_an_event(player: Player) -> bool:
    alive = Entry.objects.filter(player=player, tournament__state__in=Tournament.ALIVE)
    return alive.filter(state__in=Entry.LEFT).exists()


def _close(player: Player, now: datetime) -> None:
    devices.end_everywhere(player)
    player.is_active, player.frozen_until, player.closed_at = False, None, now
    player.save(update_fields=["is_active", "frozen_until", "closed_at"])


def _player(number: object, *, held: bool = False) -> Player:
    rows = Player.objects.filter(pk=number if type(number) is int else 0, is_bot=False)
    player = (rows.select_for_update(no_key=True) if held else rows).first()
    if player is None:
        raise Refused("no_such_player", _("There is no such player."))
    return player


def register() -> None:
    approvals.register(cast(approvals.Verb, Close()))
