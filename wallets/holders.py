"""Whose accounts are whose: what the ledger calls a player, and the purses that player has."""

from typing import Any

from wallets.models import Account


def player_reference(player_id: int) -> str:
    """What the ledger calls a player."""
    return f"player:{player_id}"


def purses(player: Any) -> list[Account]:
    """A player's purses, one a currency, the fullest first."""
    held = Account.objects.filter(kind=Account.Kind.PLAYER, owner=player_reference(player.pk))
    return list(held.select_related("currency").order_by("-balance", "currency_id"))
