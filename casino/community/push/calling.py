"""Calling players back: whom, for what reason, and each browser once for a turn.

A turn counts in a hand in which the player has something at stake. Open betting does not wait for a
player, and a message about it would be an invitation to bet. A player with the table's page open
sees it there.

Browser and message are claimed (`casino/ops/outbox.py`), so of several workers one sends it, and
nothing at a table waits for it. A failed message is sent again as long as it is of use.
"""

import json
import logging
from collections.abc import Iterable, Iterator, Mapping
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import Exists, OuterRef, Q, QuerySet
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from casino.accounts.models import Player
from casino.care.models import Exclusion
from casino.care.rules import has_limited_time
from casino.community.push import sending
from casino.community.push.models import Call, Subscription
from casino.community.push.sending import Outcome
from casino.ops import outbox
from games.models import Seat, Table
from games.rules.contract import HOUSE
from games.tables.autoplay import is_absent
from games.tables.table_cache import cached_hand
from tournaments.models import Entry, Tournament
from wallets.values import house

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
    current_occasions = (
        _turns(watching, now, of_player & Q(table=call.place))
        if call.kind == Call.Kind.TURN
        else _starts(watching, now, of_player & Q(tournament=call.place))
    )
    return any(
        (occasion.hand, occasion.turn) == (call.hand, call.turn) for occasion in current_occasions
    )


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
    live = cached_hand(table)
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


def message_of(call: Call) -> bytes:
    """The message as JSON: its words, and the page that it leads to, which names it as well."""
    device = call.subscription.device
    language = device.player.language or call.subscription.language
    with translation.override(house.current().language(language)):
        words, page = _turn(call.place) if call.kind == Call.Kind.TURN else _start(call.place)
    return json.dumps({"words": words, "page": page}, ensure_ascii=False).encode()


def _turn(table_id: int) -> tuple[str, str]:
    table = Table.objects.only("name").get(pk=table_id)
    return _("It is your turn at {table}").format(table=table.title), reverse(
        "table", args=[table_id]
    )


def _start(tournament_id: int) -> tuple[str, str]:
    tournament = Tournament.objects.only("name").get(pk=tournament_id)
    words = _("Your tournament starts: {tournament}").format(tournament=tournament.title)
    return words, reverse("tournament", args=[tournament_id])


BETWEEN_CALLS: Final = timedelta(minutes=1)
# The wait doubles after each attempt.
WAIT_FIRST: Final = timedelta(seconds=5)
# A worker that has claimed a message has this long to send it.
LEASE: Final = timedelta(seconds=30)
AT_ONCE: Final = 200
# One run sends for so long; the next run sends the rest.
RUN_SECONDS_MAX: Final = 6.0
KEPT: Final = timedelta(hours=1)


def call_players(watching: Watching, now: datetime) -> int:
    """Notify the players who are awaited somewhere; return how many messages have arrived."""
    for occasion in occasions(watching, now):
        enqueue(occasion, now)
    return send_due(watching, now)


def enqueue(occasion: Occasion, now: datetime) -> None:
    """Set a message on its way to each browser of the player that may be called now."""
    of_player = Q(device__player=occasion.player, device__session_key__gt="")
    rested = Q(called_at=None) | Q(called_at__lte=now - BETWEEN_CALLS)
    about = occasion._asdict()
    del about["player"]
    same = {name: about[name] for name in ("kind", "place", "hand", "turn")}
    for number in Subscription.objects.filter(of_player, rested).values_list("pk", flat=True):
        with transaction.atomic():
            if Call.objects.filter(subscription=number, **same).exists():
                continue
            if Subscription.objects.filter(rested, pk=number).update(called_at=now):
                Call.objects.create(subscription_id=number, made_at=now, next_at=now, **about)


def send_due(watching: Watching, now: datetime) -> int:
    due = Call.objects.filter(next_at__lte=now).order_by("next_at", "pk")
    queues = ([call] for call in due.select_related("subscription__device__player")[:AT_ONCE])
    return outbox.send(
        queues, lambda call, at: attempt(call, watching, at), now, seconds_max=RUN_SECONDS_MAX
    )


def attempt(call: Call, watching: Watching, now: datetime) -> bool:
    if not outbox.claim(call, now + LEASE):
        return False
    if not is_current(call, watching, now):
        Call.objects.filter(pk=call.pk).update(next_at=None)
        return False
    status = _send(call, now)
    outcome = sending.noted(call.subscription, status, now)
    if outcome is Outcome.GONE:
        return False
    arrived = outcome is Outcome.ARRIVED
    later = None if arrived else _next_attempt(call, status, now)
    Call.objects.filter(pk=call.pk).update(next_at=later)
    return arrived


def _send(call: Call, now: datetime) -> int:
    lasts = call.expires_at - now
    return sending.deliver(call.subscription, message_of(call), lasts, "high", now)


def _next_attempt(call: Call, status: int, now: datetime) -> datetime | None:
    """Return when to try again, while that is of use; a message that the service refuses is not
    repeated.
    """
    if 300 <= status < 500 and status != 429:
        return None
    later = now + outbox.doubled(WAIT_FIRST, call.attempts)
    return later if later <= call.expires_at - LEFT_LEAST else None


def forget_old(now: datetime) -> None:
    Call.objects.filter(made_at__lt=now - KEPT).delete()
