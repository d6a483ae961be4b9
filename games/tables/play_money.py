"""Play money that the house gives away: a welcome for each player, and what bots play with.

The welcome is given in one place, where a seat is taken (`seating.sit`), by a page or by the API.
The settings say how much it is, how much one player gets in all, and how much the players who
signed up at one address get together within a day.
"""

from datetime import timedelta
from typing import Any, Final
from uuid import UUID

from django.conf import settings
from django.contrib.auth import get_user_model
from django.db.models import Sum
from django.utils import timezone
from django.utils.translation import gettext_noop as _n

from games import admission
from games.tables.settle import posting_key
from games.words.refusal import Refused
from wallets import cashier
from wallets.accounts import account
from wallets.cashier import HOUSE
from wallets.holders import player_reference
from wallets.models import Account, Currency, Entry, Transaction
from wallets.player import Player

WELCOME: Final = _n("welcome")
FOR_A_BOT: Final = _n("play money for a bot")
DAY: Final = timedelta(days=1)


def welcome(player: Player, currency: Currency, buy_in: int = 0) -> None:
    """Give a player who takes a first seat for play money some of it, once, within the limits.

    When the players who signed up at the same address have reached the limit of the day, a player
    who can pay the buy-in sits down all the same, and the welcome is still due.

    It may stand in one transaction with the buy-in that follows: that waits for no account that
    another holds, as the wallet is locked already and the stack is new.
    """
    if not _welcome_of(player, currency):
        return
    _hold_accounts(player, currency)
    amount = _welcome_of(player, currency)
    if amount and amount <= _left_today(player):
        grant(player, currency, amount, occasion="welcome", reason=WELCOME)
    elif amount and _held(player, currency) < buy_in:
        raise Refused(
            "no_play_money_today",
            _n(
                "Players who signed up from your network have received today's limit of play "
                "money. Try again tomorrow, or ask the house."
            ),
        )


def _hold_accounts(player: Player, currency: Currency) -> None:
    """Let one welcome be given at a time, so that two seats taken at once keep to the limits.

    All of them hold the oldest account that play money is given from, whatever the currency. The
    accounts of this posting are taken in the same order as by the ledger. No player's row is
    locked: a player who chats holds it and waits for the table, which is held here.
    """
    source = account(Account.Kind.PROMOTION, HOUSE, currency)
    sources = Account.objects.filter(kind=source.kind, owner=HOUSE, currency__kind=currency.kind)
    oldest = sources.order_by("pk").values_list("pk", flat=True)[0]
    wallet = account(Account.Kind.PLAYER, player_reference(player.pk), currency)
    held = Account.objects.filter(pk__in=[oldest, source.pk, wallet.pk]).order_by("pk")
    list(held.select_for_update(no_key=True))


def welcome_due(player: Player, currency: Currency) -> int:
    """The welcome for a player who takes a seat now; 0 if there is none, or none left today."""
    amount = _welcome_of(player, currency)
    return amount if amount and amount <= _left_today(player) else 0


def _welcome_of(player: Player, currency: Currency) -> int:
    """The welcome that is still due to a player, today or another day; 0 once it was given."""
    if currency.kind != Currency.Kind.PLAY or player.is_bot:
        return 0
    if admission.refusal(admission.Request(admission.Occasion.GRANT, player)) is not None:
        return 0
    if Transaction.objects.filter(key=welcome_key(player, currency)).exists():
        return 0
    left = settings.PLAY_MONEY_A_PLAYER - _granted(player)
    return max(0, min(settings.PLAY_MONEY_WELCOME, left))


def within_reach(player: Player, currency: Currency) -> int:
    """The money that a player can bring to a seat: the wallet and any welcome still due."""
    return _held(player, currency) + welcome_due(player, currency)


def _held(player: Player, currency: Currency) -> int:
    return account(Account.Kind.PLAYER, player_reference(player.pk), currency).balance


def grant(player: Player, currency: Currency, amount: int, *, occasion: str, reason: str) -> None:
    """Give play money, once an occasion; no other kind of money is given away like that."""
    admission.require(admission.Request(admission.Occasion.GRANT, player))
    if currency.kind != Currency.Kind.PLAY:
        raise Refused("not_play_money", _n("Only play money is given away."))
    cashier.grant(
        player_reference(player.pk),
        currency,
        amount,
        key=_key(player.pk, currency.code, occasion),
        actor=HOUSE,
        reason=reason,
    )


def welcome_key(player: Player, currency: Currency) -> UUID:
    """The key of a player's welcome, so that it is posted once."""
    return _key(player.pk, currency.code, "welcome")


def _key(player: int, currency: str, occasion: str) -> UUID:
    return posting_key(f"grant {player} {currency} {occasion}")


def _granted(player: Player) -> int:
    """What a player was given so far, in minor units of all currencies."""
    granted = Entry.objects.filter(
        account__kind=Account.Kind.PLAYER,
        account__owner=player_reference(player.pk),
        transaction__kind="grant",
    )
    return granted.aggregate(amount=Sum("amount"))["amount"] or 0


def _same_origin(player: Player) -> Any:
    """The players who signed up at the same address; one created by the house is alone."""
    players = get_user_model().objects.all()
    if not player.signed_up_from:
        return players.filter(pk=player.pk)
    return players.filter(signed_up_from=player.signed_up_from)


def _left_today(player: Player) -> int:
    """The welcomes left today for players who signed up from the same address.

    Welcomes are found by their keys: the entries of all these players could be many.
    """
    most: int = settings.PLAY_MONEY_AN_ADDRESS
    if not player.signed_up_from:
        return most
    codes = Currency.objects.filter(kind=Currency.Kind.PLAY).values_list("code", flat=True)
    numbers = _same_origin(player).values_list("pk", flat=True)
    welcomes = Entry.objects.filter(
        account__kind=Account.Kind.PLAYER,
        transaction__key__in=[_key(pk, code, "welcome") for pk in numbers for code in codes],
        transaction__kind="grant",
        transaction__time__gt=timezone.now() - DAY,
    )
    return most - (welcomes.aggregate(amount=Sum("amount"))["amount"] or 0)
