"""The players who can be found by name, and those with whom something can be arranged."""

from datetime import datetime

from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.accounts.names import name_key
from casino.care.visibility import shown_to_others
from casino.community.social.models import Block
from games.tables import admission
from wallets.values.errors import Refused


def named(name: str) -> Player | None:
    """The person of a name, in any spelling of it; neither a bot nor one of the staff."""
    # PostgreSQL takes no text with a NUL in it.
    if not name.isprintable():
        return None
    people = Player.objects.filter(is_bot=False, is_staff=False)
    return people.filter(username_key=name_key(name)).first()


def other(player: Player, name: str) -> Player:
    """Another person, also one who cannot play: existing arrangements with them can be ended."""
    found = named(name)
    if found is None or found == player:
        raise _nobody()
    return found


def reachable(player: Player, name: str, now: datetime) -> Player:
    """Another person with whom something can be arranged.

    A player who is blocked by them gets the same answer as for a name that no player has.
    """
    found = other(player, name)
    admission.require(admission.Request(admission.Occasion.MEET, player, now))
    if found.pk not in shown_to_others([found.pk], now) or blocks(found, player):
        raise _nobody()
    if blocks(player, found):
        raise Refused("blocked", _n("You have blocked this player; unblock them first."))
    return found


def blocks(player: Player, blocked: Player) -> bool:
    return Block.objects.filter(player=player, blocked=blocked).exists()


def hold(*players: Player) -> None:
    """Lock the rows of these players, by ascending number, until the transaction ends.

    So concurrent arrangements of two players have one order.
    """
    rows = Player.objects.filter(pk__in=[player.pk for player in players]).order_by("pk")
    list(rows.select_for_update(no_key=True).values_list("pk"))


def _nobody() -> Refused:
    return Refused("no_such_player", _n("There is no player of that name."))
