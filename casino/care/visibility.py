"""The players whom pages invite to return, and those whom they name to others.

Players who limit their time at tables have asked not to be invited, and lists that others read do
not name them; nor do they name players who are on a break.
"""

from collections.abc import Iterable
from datetime import datetime

from casino.accounts.models import Player
from casino.care import exclusions, limits
from casino.care.models import PlayerLimit


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
