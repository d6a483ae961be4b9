"""Following: keeping somebody in sight who need not agree."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_noop as _n

from casino.players.models import Player
from casino.social import people
from casino.social.models import Follow
from games.words.refusal import Refused

FOLLOWED_MAX: Final = 200


def follow(player: Player, name: str, now: datetime) -> None:
    """Follow somebody; a second time changes nothing."""
    with transaction.atomic():
        other = people.other(player, name)
        people.hold(player, other)
        people.reachable(player, name, now)
        rows = Follow.objects.filter(player=player)
        if not rows.filter(followed=other).exists():
            if rows.count() >= FOLLOWED_MAX:
                raise Refused(
                    "followed_many",
                    _n("Nobody follows more than {most} players."),
                    most=FOLLOWED_MAX,
                )
            Follow.objects.create(player=player, followed=other, made_at=now)


def unfollow(player: Player, name: str) -> None:
    Follow.objects.filter(player=player, followed=people.other(player, name)).delete()


def is_following(player: Player, other: Player) -> bool:
    return Follow.objects.filter(player=player, followed=other).exists()


def followed_by(player: Player) -> list[Player]:
    """Those whom a player follows, by name."""
    rows = Follow.objects.filter(player=player).select_related("followed")
    return [row.followed for row in rows.order_by("followed__username_key")]
