"""The players to call back now, and the reasons: a turn at a table, or a tournament that begins.

A turn counts in a hand in which the player has something at stake. Open betting does not wait for a
player, and a message about it would be an invitation to bet. A player with the table's page open
sees it there.
"""

import logging
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Exists, OuterRef, Q, QuerySet

from casino.accounts.models import Player
from casino.care.models import Exclusion
from casino.care.visibility import has_limited_time
from casino.community.push.models import Call, Subscription
from games.models import Seat, Table
from games.rules.contract import HOUSE
from games.tables.autoplay import is_absent
from games.tables.copies import live_hand
from tournaments.models import Entry, Tournament

# The players who have a page of each table open.
Watching = Mapping[int, frozenset[int]]

# With less time than this, a player would come too late.
LEFT_LEAST: Final = timedelta(seconds=3)
# For so long a tournament counts as beginning.
START_LASTS: Final = timedelta(minutes=1)

log = logging.getLogger(__name__)


class Occasion(NamedTuple):
    """The reason for calling a player back, and the time until which it is of use."""

    player: int
    expires_at: datetime
    kind: str
    place: int
    hand: int = 0
    seat: int = 0
    turn: int = 0


def occasions(watching: Watching, now: datetime) -> list[Occasion]:
    """All that there are now, whether their players have been called already or not."""
    return [*_turns(watching, now), *_starts(watching, now)]


def is_current(call: Call, watching: Watching, now: datetime) -> bool:
    """Whether a message that was to be sent is still of use."""
    if now > call.expires_at - LEFT_LEAST:
        return False
    player = (
        _reachable(now)
        .filter(devices__push_subscription=call.subscription_id, devices__session_key__gt="")
        .first()
    )
    if player is None:
        return False
    of_player = Q(player=player)
    found = (
        _turns(watching, now, of_player & Q(table=call.place))
        if call.kind == Call.Kind.TURN
        else _starts(watching, now, of_player & Q(tournament=call.place))
    )
    return any((one.hand, one.turn) == (call.hand, call.turn) for one in found)


def _reachable(now: datetime) -> QuerySet[Player]:
    """Players who have asked for it in a browser in which they are signed in, and who may play."""
    wanted = Subscription.objects.filter(device__player=OuterRef("pk"), device__session_key__gt="")
    away = Exclusion.objects.filter(Q(until=None) | Q(until__gt=now), player=OuterRef("pk"))
    return Player.objects.filter(Exists(wanted), ~Exists(away), is_active=True, is_staff=False)


def _turns(watching: Watching, now: datetime, which: Q = Q()) -> Iterator[Occasion]:  # noqa: B008
    seats = Seat.objects.filter(
        which,
        left_at=None,
        auto_play=False,
        table__phase=Table.Phase.PLAY,
        table__deadline__gt=now + LEFT_LEAST,
        player__in=_reachable(now),
    )
    for seat in seats.select_related("player", "table__shoe", "table__currency").order_by("pk"):
        if seat.player_id in watching.get(seat.table_id, ()):
            continue
        try:
            yield from _turn_of(seat, now)
        except Exception:
            # One table that fails does not hold up the others.
            log.exception("no player at table %s could be called back", seat.table_id)


def _turn_of(seat: Seat, now: datetime) -> Iterable[Occasion]:
    table, turn = seat.table, seat.table.turns.get(str(seat.number))
    if turn is None or table.hand_id is None or is_absent(table, seat, now):
        return
    live = live_hand(table)
    state = live.after(table.moves_made).state
    if HOUSE in live.game.to_act(state) or not live.game.at_stake(state, seat.number):
        return
    ends = seat.seen_at + timedelta(seconds=table.grace_seconds)
    if table.deadline is not None and (expires := min(table.deadline, ends)) > now + LEFT_LEAST:
        yield Occasion(
            seat.player_id,
            expires,
            Call.Kind.TURN,
            seat.table_id,
            table.hand_id,
            seat.number,
            turn,
        )


def _starts(watching: Watching, now: datetime, which: Q = Q()) -> Iterator[Occasion]:  # noqa: B008
    """Those who limit their time are not reminded, even of what they have entered."""
    entries = Entry.objects.filter(
        which,
        state__in=Entry.LEFT,
        tournament__state=Tournament.State.RUNNING,
        tournament__started_at__gt=now - START_LASTS,
        player__in=_reachable(now),
    )
    for entry in entries.select_related("player", "tournament", "seat").order_by("pk"):
        if entry.seat and entry.player_id in watching.get(entry.seat.table_id, ()):
            continue
        started = entry.tournament.started_at
        if started is not None and not has_limited_time(entry.player):
            expires = started + START_LASTS
            yield Occasion(entry.player_id, expires, Call.Kind.START, entry.tournament_id)
