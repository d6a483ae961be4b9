"""Who is there: a player is seen by every request, and by an open stream."""

from collections import defaultdict
from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q

from games.models import Seat


def seen(pairs: Iterable[tuple[int, int]], now: datetime) -> None:
    """Note that these players, each at a table, are there: pairs of table and player.

    They sit there, or a bot's seat is kept for them.
    """
    there = defaultdict(set)
    for table_id, player_id in pairs:
        there[table_id].add(player_id)
    wanted = Q()
    for table_id, players in there.items():
        wanted |= Q(Q(player__in=players) | Q(heir__in=players), table_id=table_id)
    if wanted:
        Seat.objects.filter(wanted, left_at__isnull=True).update(seen_at=now)
