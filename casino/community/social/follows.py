"""Following a player, who need not agree."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.community.social import player_search
from casino.community.social.models import Follow
from wallets.values.errors import Refused

FOLLOWED_MAX: Final = 200


def follow(player: Player, name: str, now: datetime) -> None:
    """Follow a player; a second time changes nothing."""
    with transaction.atomic():
        other = player_search.other(player, name)
        player_search.hold(player, other)
        player_search.reachable(player, name, now)
        rows = Follow.objects.filter(player=player)
        if not rows.filter(followed=other).exists():
            if rows.count() >= FOLLOWED_MAX:
                raise Refused(
                    "followed_many",
                    _n("You can follow at most {most} players."),
                    most=FOLLOWED_MAX,
                )
            Follow.objects.create(player=player, followed=other, made_at=now)


def unfollow(player: Player, name: str) -> None:
    Follow.objects.filter(player=player, followed=player_search.other(player, name)).delete()


def is_following(player: Player, other: Player) -> bool:
    return Follow.objects.filter(player=player, followed=other).exists()


def followed_by(player: Player) -> list[Player]:
    """Those whom a player follows, by name."""
    rows = Follow.objects.filter(player=player).select_related("followed")
    return [row.followed for row in rows.order_by("followed__username_key")]
