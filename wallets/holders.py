"""Players' accounts: the ledger's reference of a player, and the player's wallets."""

from wallets.models import Account
from wallets.player import Player


def player_reference(player_id: int) -> str:
    """Return the ledger's reference of a player."""
    return f"player:{player_id}"


def wallets_of(player: Player) -> list[Account]:
    """Return a player's wallets, one for each currency, the fullest first."""
    held = Account.objects.filter(kind=Account.Kind.PLAYER, owner=player_reference(player.pk))
    return list(held.select_related("currency").order_by("-balance", "currency_id"))
