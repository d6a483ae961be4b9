"""Which providers a house has, what they take, and who may pay in."""

from datetime import datetime
from typing import Final

from django.conf import settings
from django.db.models import Sum
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from casino.office.payments.models import Payment
from casino.office.players.models import Check
from wallets.models import Currency
from wallets.models.holders import player_reference
from wallets.money import cashier
from wallets.payments import PROVIDERS, Provider
from wallets.values.days import day_of
from wallets.values.errors import Refused

NOT_OFFERED: Final = _("The house does not offer this way to pay.")


def is_on() -> bool:
    return bool(settings.PAYMENTS)


def providers() -> list[Provider]:
    """The providers that the house has named, in its order."""
    return [PROVIDERS[name] for name in settings.PAYMENTS]


def provider_of(name: str) -> Provider:
    if name not in settings.PAYMENTS:
        raise Refused("no_such_provider", NOT_OFFERED)
    return PROVIDERS[name]


def currencies(provider: Provider) -> list[Currency]:
    """Real money alone: what the house gives away is never bought."""
    money = Currency.objects.filter(kind=Currency.Kind.MONEY).order_by("code")
    return [currency for currency in money if provider.takes(currency.code, currency.exponent)]


def currency_for(provider: Provider, code: str) -> Currency:
    for currency in currencies(provider):
        if currency.code == code:
            return currency
    raise Refused("no_such_currency", _("The house has no such currency."))


def require_free(player: Player) -> None:
    """Refuse where no money of this player moves: frozen, closed, staff, a bot."""
    if not player.is_active or player.closed_at is not None:
        raise Refused("player_frozen", _("This account is frozen: no money moves."))
    if player.is_bot or player.is_staff or player.is_superuser:
        raise Refused("no_such_player", _("There is no such player."))


def require_known(player: Player, now: datetime) -> None:
    """Refuse a player whose identity no member of staff has checked, if the house asks for it."""
    if not settings.PAYMENTS_NEED_IDENTITY:
        return
    seen = Check.objects.filter(player=player, what=Check.What.IDENTITY)
    newest = seen.order_by("-pk").first()
    if newest is None or (newest.valid_until and newest.valid_until < day_of(now)):
        raise Refused(
            "identity_not_checked",
            _("Show a document at the desk first: your identity has not been checked."),
        )


def require_admitted(
    player: Player, currency: Currency, amount: int, now: datetime, *, but: int | None = None
) -> None:
    """Ask all rules about a deposit, together with those that are still open at a provider."""
    require_free(player)
    require_known(player, now)
    waiting = Payment.objects.filter(
        player=player, currency=currency, way=Payment.Way.IN, status=Payment.Status.STARTED
    )
    others = waiting.exclude(pk=but or 0).aggregate(sum=Sum("amount"))["sum"] or 0
    cashier.require_admitted(player_reference(player.pk), currency, amount + others, now)
