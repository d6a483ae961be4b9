"""Presence: any request and any open stream, anywhere in the house, shows that a player is there.

A player who reads their history or looks for another table has not left any of their seats. A
request only notes its player; a process stores all of them together every few seconds. Each sign
counts for some time (`Seat.here_until`): an open stream for half a minute, because its process
reports it every few seconds and may be slow; a request for twelve seconds. A process whose last
stream of a player has ended says so, and ten seconds later the player has left, unless another
process reports a stream of theirs.

The others at the table see who has left. While a hand is played, that makes a version of the table:
the house may now play for the player, and all copies must know. Otherwise it makes none.
"""

from collections.abc import Collection, Iterable, Mapping
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.core.cache import cache
from django.db import transaction
from django.db.models import F, Q, QuerySet
from django.db.models.functions import Coalesce, Greatest

from games.live.announcing import announce_presence
from games.models import Seat, Table
from games.tables import ready_players
from games.tables.autoplay import CLOSED_AFTER, REQUEST_COUNTS, STREAM_COUNTS
from games.tables.formats import format_of
from games.tables.hand_in_play import next_due
from games.tables.lock import lock_table, seats_at, store_table
from wallets.storage.batched_writes import Batch, unlocked

# A player is noted again when the last sign counts for no longer than this.
NOTED: Final = REQUEST_COUNTS - timedelta(seconds=3)


def seen(pairs: Iterable[tuple[int, int]], now: datetime) -> None:
    """Store that these players have a stream open: pairs of a table they look at and a player.

    They sit there or elsewhere, or a bot's seat is reserved for them.
    """
    players = {player_id for _table_id, player_id in pairs}
    cache.set_many({_key(player_id): now + STREAM_COUNTS for player_id in players})
    _store(dict.fromkeys(players, now), STREAM_COUNTS)


def seen_in_house(player_id: int, now: datetime) -> None:
    """Note that a player sent a request of any kind, unless an earlier sign counts long enough."""
    key = _key(player_id)
    until = cache.get(key)
    if until is None or not now < until - NOTED <= now + STREAM_COUNTS:
        cache.set(key, now + REQUEST_COUNTS)
        NOTES.add(player_id, now, soon=True)


def pages_closed(players: Collection[int], now: datetime) -> None:
    """Store that a process has no stream of these players any more."""
    cache.delete_many([_key(player_id) for player_id in players])
    # A page that another process has served since is a newer sign.
    open_until = _seats_of(players).filter(seen_at__lte=now, here_until__gt=now + CLOSED_AFTER)
    with transaction.atomic():
        unlocked(open_until).update(here_until=now + CLOSED_AFTER)


def _key(player_id: int) -> str:
    return f"here-until-{player_id}"


def _store(noted: Mapping[int, datetime], counts: timedelta = REQUEST_COUNTS) -> None:
    """One statement for all: each of them was seen at most a few seconds before the last."""
    if noted:
        last = max(noted.values())
        until = Greatest(Coalesce(F("here_until"), last), last + counts)
        with transaction.atomic():
            earlier = unlocked(_seats_of(noted).filter(seen_at__lt=last))
            earlier.update(seen_at=last, here_until=until)


NOTES: Final = Batch[int, datetime](_store)


def _seats_of(players: Iterable[int]) -> QuerySet[Seat]:
    players = list(players)
    return Seat.objects.filter(
        Q(player__in=players) | Q(reserved_for__in=players), left_at__isnull=True
    )


def changed_seats(now: datetime) -> QuerySet[Seat]:
    """The seats of players who have left or come back, which the others do not see yet."""
    people = Seat.objects.filter(left_at__isnull=True, player__is_bot=False)
    return people.filter(
        Q(shown_offline=False, here_until__lt=now) | Q(shown_offline=True, here_until__gte=now)
    )


def show_changes(now: datetime) -> int:
    """Show at each table which players left or came back, and return how many tables."""
    changed = list(changed_seats(now).values_list("pk", "table", "shown_offline"))
    for offline in (False, True):
        seats = [pk for pk, _table, shown in changed if shown == offline]
        rows = Seat.objects.filter(pk__in=seats, shown_offline=offline)
        with transaction.atomic():
            unlocked(rows).update(shown_offline=not offline)
    tables = {table_id for _pk, table_id, _shown in changed}
    for table_id, numbers in offline_at(tables).items():
        transaction.on_commit(partial(announce_presence, table_id, numbers))
    for table_id in {table_id for _pk, table_id, shown in changed if not shown}:
        _wait_no_longer(table_id, now)
    return len(tables)


def _wait_no_longer(table_id: int, now: datetime) -> None:
    """Let the clock of a table know that a player has left."""
    with transaction.atomic():
        table = lock_table(table_id)
        if not format_of(table).plays_for_closed_pages:
            return
        seats = seats_at(table)
        if table.phase == Table.Phase.PLAY:
            table.due_at = next_due(table, seats, now)
        elif not (ready_players.can_hurry(table) and ready_players.hurry(table, seats, now)):
            return
        store_table(table)


def offline_at(table_ids: Iterable[int]) -> dict[int, list[int]]:
    """The seats at each of these tables whose players are shown as offline."""
    by_table: dict[int, list[int]] = {table_id: [] for table_id in table_ids}
    offline = Seat.objects.filter(table__in=by_table, left_at__isnull=True, shown_offline=True)
    for table_id, number in offline.order_by("number").values_list("table", "number"):
        by_table[table_id].append(number)
    return by_table
