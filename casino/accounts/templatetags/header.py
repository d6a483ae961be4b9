"""The wallet in the bar of every page."""

from typing import Final

from django import template

from casino.accounts.models import Player
from games.models.combined_reads import Read
from games.models.prepared import Query
from wallets.models import Account
from wallets.models.holders import held_by, player_reference

register = template.Library()
FULLEST_FIRST: Final = Query(
    lambda owner: held_by(owner).order_by("-balance", "currency_id"),
    str,
)


def reads(player: Player) -> list[Read]:
    """The query of the wallet in the bar."""
    return [(FULLEST_FIRST, (player_reference(player.pk),))]


@register.simple_tag
def main_wallet(player: Player) -> Account | None:
    """Return the wallet that the header shows: the fullest."""
    return FULLEST_FIRST.first(player_reference(player.pk))
