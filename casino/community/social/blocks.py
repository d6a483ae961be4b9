"""Blocking: a player avoids another one, who does not learn of it.

It ends what was between the two, and from then on the blocked player cannot ask, follow or see the
profile, is not heard at tables, and the seat finder keeps the two apart where it can. The games
know none of this: chat and seat finder ask the rules that are registered here.
"""

from collections.abc import Collection
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.community.social import friends, player_search
from casino.community.social.models import Block, Follow
from wallets.values.errors import Refused

BLOCKED_MAX: Final = 500


def block(player: Player, name: str, now: datetime) -> None:
    """Block a player, of any kind; a second time changes nothing."""
    other = player_search.other(player, name)
    with transaction.atomic():
        player_search.hold(player, other)
        rows = Block.objects.filter(player=player)
        if not rows.filter(blocked=other).exists():
            if rows.count() >= BLOCKED_MAX:
                raise Refused(
                    "blocked_many", _n("You can block at most {most} players."), most=BLOCKED_MAX
                )
            Block.objects.create(player=player, blocked=other, made_at=now)
        friends.part(player, other)
        Follow.objects.filter(
            Q(player=player, followed=other) | Q(player=other, followed=player)
        ).delete()


def unblock(player: Player, name: str) -> None:
    Block.objects.filter(player=player, blocked=player_search.other(player, name)).delete()


def blocked_by(player: Player) -> list[Player]:
    """Those whom a player has blocked, by name."""
    rows = Block.objects.filter(player=player).select_related("blocked")
    return [row.blocked for row in rows.order_by("blocked__username_key")]


def apart(player_id: int, others: Collection[int]) -> set[int]:
    """Of these players, those whom this one has blocked or who have blocked them."""
    pairs = Block.objects.filter(
        Q(player=player_id, blocked__in=others) | Q(blocked=player_id, player__in=others)
    )
    return {
        blocked if blocker == player_id else blocker
        for blocker, blocked in pairs.values_list("player_id", "blocked_id")
    }


def unheard(reader: int) -> QuerySet[Any, object]:
    return Block.objects.filter(player=reader).values("blocked")
