"""Presence: any request and any open stream, anywhere in the house, shows that a player is there.

A player who reads their history or looks for another table has not left any of their seats. A
player who gives no sign for a while is shown as offline to the others at the table: that changes no
hand, only the table's version.
"""

import logging
from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import Final

from django.core.cache import cache
from django.db import transaction
from django.db.models import Q, QuerySet

from games.models import Seat
from games.models.prepared import Query
from games.tables.autoplay import OFFLINE_AFTER, is_offline
from games.tables.lock import lock_table, seats_at, store_table
from wallets.player import Player

log = logging.getLogger(__name__)

# A player seen this recently is not noted again.
NOTED: Final = timedelta(seconds=5)
SEATS_OF: Final = Query(
    lambda sits, waits: Seat.objects.filter(
        Q(player_id=sits) | Q(reserved_for_id=waits), left_at__isnull=True
    ),
    int,
    int,
)


def seen(pairs: Iterable[tuple[int, int]], now: datetime) -> None:
    """Note that these players are there: pairs of a table they look at and a player.

    They sit there or elsewhere, or a bot's seat is reserved for them.
    """
    players = {player_id for _table_id, player_id in pairs}
    if players:
        _seats_of(players).update(seen_at=now)


def seen_in_house(player: Player, now: datetime) -> None:
    """Note that a player sent a request of any kind, at most once in a few seconds."""
    key = f"seen-{player.pk}"
    noted = cache.get(key)
    if noted is not None and timedelta() <= now - noted < NOTED:
        return
    cache.set(key, now)
    # Players without a seat write nothing, nor do most requests of players with one.
    if any(seat.seen_at <= now - NOTED for seat in SEATS_OF(player.pk, player.pk)):
        _seats_of([player.pk]).exclude(seen_at__gt=now - NOTED).update(seen_at=now)


def _seats_of(players: Iterable[int]) -> QuerySet[Seat]:
    players = list(players)
    return Seat.objects.filter(
        Q(player__in=players) | Q(reserved_for__in=players), left_at__isnull=True
    )


def changed_seats(now: datetime) -> QuerySet[Seat]:
    """The seats of players who went offline or came back, which the others do not see yet."""
    edge = now - OFFLINE_AFTER
    people = Seat.objects.filter(left_at__isnull=True, player__is_bot=False)
    return people.filter(
        Q(shown_offline=False, seen_at__lt=edge) | Q(shown_offline=True, seen_at__gte=edge)
    )


def show_changes(now: datetime) -> int:
    """Show at each table which players went offline or came back, and return how many tables."""
    tables = sorted(set(changed_seats(now).values_list("table", flat=True)))
    for table_id in tables:
        try:
            _show_changes(table_id, now)
        except Exception:
            # One table that fails does not hold up the others.
            log.exception("table %s could not show who is offline", table_id)
    return len(tables)


def _show_changes(table_id: int, now: datetime) -> None:
    with transaction.atomic():
        table = lock_table(table_id)
        different = []
        for seat in seats_at(table):
            offline = is_offline(seat, now)
            if offline != seat.shown_offline:
                seat.shown_offline = offline
                different.append(seat)
        if different:
            Seat.objects.bulk_update(different, ["shown_offline"])
            store_table(table)
