"""Who is there: a player is seen by every request, and by an open stream."""

from collections.abc import Iterable
from datetime import datetime

from django.db.models import Q

from games.models import Seat


def seen(pairs: Iterable[tuple[int, int]], now: datetime) -> None:
    """Note that these players, each at a table, are there: pairs of table and player."""
    wanted = Q()
    for table_id, player_id in pairs:
        wanted |= Q(table_id=table_id, player_id=player_id)
    if wanted:
        Seat.objects.filter(wanted, left_at__isnull=True).update(seen_at=now)
