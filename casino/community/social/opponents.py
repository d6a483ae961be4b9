"""The people whom a player has met at tables lately: to look them up, and to ask them."""

from collections.abc import Iterable
from datetime import datetime
from typing import Final

from casino.accounts.models import Player
from casino.care.rules import has_limited_time, shown_to_others
from casino.community.social import friends
from games.models import HandSeat
from games.tables.formats import listed_tables

# The hands that are looked at, and the people who are shown.
HANDS: Final = 60
SHOWN: Final = 8


def recent(player: Player, now: datetime, known: Iterable[int] = ()) -> list[Player]:
    """Those of the last hands at public tables, the latest first; none who are `known` already."""
    if has_limited_time(player):
        return []
    mine = HandSeat.objects.filter(
        listed_tables("table__"), player=player, table__private=False, ended_at__isnull=False
    )
    hands = list(mine.order_by("-ended_at", "-pk").values_list("hand", flat=True)[:HANDS])
    others = HandSeat.objects.filter(hand__in=hands).exclude(player=player)
    met = dict.fromkeys(others.order_by("-hand_id", "number").values_list("player", flat=True))
    for number in known:
        met.pop(number, None)
    apart = friends.apart(player.pk, met) if met else set()
    shown = shown_to_others(met.keys() - apart, now)
    return [shown[number] for number in met if number in shown][:SHOWN]
