"""The wallet in the bar of every page."""

from typing import Final

from django import template

from casino.players.models import Player
from games.models.prepared import Query
from wallets.holders import held_by, player_reference
from wallets.models import Account

register = template.Library()
FULLEST_FIRST: Final = Query(
    lambda owner: held_by(owner).order_by("-balance", "currency_id"),
    str,
)


@register.simple_tag
def main_wallet(player: Player) -> Account | None:
    """Return the wallet that the header shows: the fullest."""
    return FULLEST_FIRST.first(player_reference(player.pk))
