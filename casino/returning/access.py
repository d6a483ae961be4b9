"""Hide these pages from players who limit their time at tables or are on a break, and from guests.

A list that grows every day invites players to return, and players who have set a limit have asked
not to be invited. Leaderboards do not name them either.
"""

from collections.abc import Iterable
from datetime import datetime

from django.conf import settings

from casino.care import exclusions, limits
from casino.care.models import PlayerLimit
from casino.players.models import Player
from wallets.player import Viewer


def is_open_to(viewer: Viewer) -> bool:
    """Whether the page is there for whoever asks; for most players this costs no query."""
    if not settings.RETURNING or not isinstance(viewer, Player):
        return False
    return not (viewer.is_bot or viewer.is_guest or viewer.is_staff or has_limited_time(viewer))


def has_limited_time(player: Player) -> bool:
    """Whether a limit of time at tables holds; a looser one that waits does not lift it."""
    return player.has_own_rules and bool(limits.in_force(player.pk, PlayerLimit.Kind.SESSION))


def shown_to_others(numbers: Iterable[int], now: datetime) -> dict[int, Player]:
    """The players among these who may be named on a board."""
    players = Player.objects.filter(
        pk__in=numbers, is_active=True, is_bot=False, is_guest=False, is_staff=False
    )
    return {
        player.pk: player
        for player in players
        if not has_limited_time(player) and not _is_away(player, now)
    }


def _is_away(player: Player, now: datetime) -> bool:
    return player.has_own_rules and exclusions.current(player.pk, now) is not None
