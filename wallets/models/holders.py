"""Players' accounts: the ledger's reference of a player, and the player's wallets."""

from typing import Final

from django.contrib.auth import get_user_model
from django.db.models import CharField, Model, QuerySet, Value
from django.db.models.functions import Cast, Concat

from wallets.models import Account, Currency
from wallets.values.player import Player, Viewer

_PLAYER: Final = "player:"


def player_reference(player_id: int) -> str:
    """Return the ledger's reference of a player."""
    return f"{_PLAYER}{player_id}"


def references_of(players: QuerySet[Model]) -> QuerySet[Model, str]:
    """Return the same of each of these players, to be part of a query."""
    reference = Concat(Value(_PLAYER), Cast("pk", CharField()))
    return players.order_by().values_list(reference, flat=True)


def lock_player(player: Viewer) -> None:
    """Have other transactions that lock this player wait until this one ends."""
    players = get_user_model().objects.select_for_update(no_key=True)
    players.filter(pk=player.pk).values_list("pk").first()


def wallets_of(player: Player) -> list[Account]:
    """Return a player's wallets, one for each currency, the fullest first."""
    return list(accounts_of(player).order_by("-balance", "currency_id"))


def accounts_of(player: Player) -> QuerySet[Account]:
    """Return a player's own accounts: tournament chips are in no wallet."""
    return held_by(player_reference(player.pk))


def held_by(owner: str) -> QuerySet[Account]:
    """Return the same by the ledger's reference of the player."""
    held = Account.objects.filter(kind=Account.Kind.PLAYER, owner=owner)
    return held.exclude(currency__kind=Currency.Kind.CHIPS).select_related("currency")
