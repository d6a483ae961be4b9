"""Presence: any request and any open stream, anywhere in the house, shows that a player is there.

A player who reads their history or looks for another table has not left any of their seats. A
request only notes its player; a process stores all of them together every ten seconds, and a
returning player at once, because the house would otherwise keep playing for them.

A player who gives no sign for a while is shown as offline to the others at the table. That changes
no hand and no version of the table: the offline players are announced separately, so that a slow
house, which notices its players late, does not cause a fetch of every board.
"""

from collections.abc import Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.core.cache import cache
from django.db import transaction
from django.db.models import Q, QuerySet

from games.live.announcing import announce_presence
from games.models import Seat
from games.tables.autoplay import OFFLINE_AFTER
from wallets.storage.batched_writes import Batch, unlocked
from wallets.values.player import Player

# A player seen this recently is not noted again.
NOTED: Final = timedelta(seconds=5)
# A player not seen for so long was away, and their return is stored at once.
AWAY: Final = timedelta(seconds=20)


def seen(pairs: Iterable[tuple[int, int]], now: datetime) -> None:
    """Store that these players are there: pairs of a table they look at and a player.

    They sit there or elsewhere, or a bot's seat is reserved for them.
    """
    players = {player_id for _table_id, player_id in pairs}
    # Their next request does not count as a return.
    cache.set_many({_key(player_id): now for player_id in players})
    _store(dict.fromkeys(players, now))


def seen_in_house(player: Player, now: datetime) -> None:
    """Note that a player sent a request of any kind, at most once in a few seconds."""
    key = _key(player.pk)
    noted = cache.get(key)
    away = now - noted if noted is not None and noted <= now else None
    if away is None or away >= NOTED:
        cache.set(key, now)
        NOTES.add(player.pk, now, soon=away is None or away >= AWAY)


def _key(player_id: int) -> str:
    return f"seen-{player_id}"


def _store(noted: Mapping[int, datetime]) -> None:
    """One statement for all: each of them was seen at most ten seconds before the last."""
    if noted:
        last = max(noted.values())
        with transaction.atomic():
            unlocked(_seats_of(noted).filter(seen_at__lt=last)).update(seen_at=last)


NOTES: Final = Batch[int, datetime](_store)


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
    changed = list(changed_seats(now).values_list("pk", "table", "shown_offline"))
    for offline in (False, True):
        seats = [pk for pk, _table, shown in changed if shown == offline]
        rows = Seat.objects.filter(pk__in=seats, shown_offline=offline)
        with transaction.atomic():
            unlocked(rows).update(shown_offline=not offline)
    tables = {table_id for _pk, table_id, _shown in changed}
    for table_id, numbers in offline_at(tables).items():
        transaction.on_commit(partial(announce_presence, table_id, numbers))
    return len(tables)


def offline_at(table_ids: Iterable[int]) -> dict[int, list[int]]:
    """The seats at each of these tables whose players are shown as offline."""
    found: dict[int, list[int]] = {table_id: [] for table_id in table_ids}
    offline = Seat.objects.filter(table__in=found, left_at__isnull=True, shown_offline=True)
    for table_id, number in offline.order_by("number").values_list("table", "number"):
        found[table_id].append(number)
    return found
