"""Calling players back: each browser once for a turn, and at most once a minute.

Browser and message are claimed by compare-and-set, so of several workers one sends it. No
transaction is open while something is sent, and nothing at a table waits for it. A failed message
is sent again as long as it is of use.
"""

import json
import time
from datetime import datetime, timedelta
from typing import Final

from django.db import transaction
from django.db.models import F, Q
from django.urls import reverse
from django.utils import translation
from django.utils.translation import gettext as _

from casino.community.push import encryption, keys, sending
from casino.community.push.addresses import decoded
from casino.community.push.call_reasons import LEFT_LEAST, Occasion, Watching, is_current, occasions
from casino.community.push.models import Call, Subscription
from casino.ops.metrics import catalogue, counts
from games.models import Table
from tournaments.models import Tournament


def message_of(call: Call) -> bytes:
    """The message as JSON: its words, and the page that it leads to, which names it as well."""
    device = call.subscription.device
    with translation.override(device.player.language or call.subscription.language):
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
GONE: Final = (404, 410)


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
    began, arrived = time.monotonic(), 0
    due = Call.objects.filter(next_at__lte=now).order_by("next_at", "pk")
    for call in due.select_related("subscription__device__player")[:AT_ONCE]:
        passed = time.monotonic() - began
        if passed > RUN_SECONDS_MAX:
            break
        arrived += attempt(call, watching, now + timedelta(seconds=passed))
    return arrived


def attempt(call: Call, watching: Watching, now: datetime) -> bool:
    same = Call.objects.filter(pk=call.pk, next_at=call.next_at)
    if not same.update(next_at=now + LEASE, attempts=F("attempts") + 1):
        # Another worker was quicker.
        return False
    if not is_current(call, watching, now):
        Call.objects.filter(pk=call.pk).update(next_at=None)
        return False
    status = _send(call, now)
    if status in GONE:
        Subscription.objects.filter(pk=call.subscription_id).delete()
        counts.add(catalogue.PUSHES, "gone")
        return False
    arrived = 200 <= status < 300
    counts.add(catalogue.PUSHES, "sent" if arrived else "failed")
    if arrived:
        Subscription.objects.filter(pk=call.subscription_id).update(succeeded_at=now)
    later = None if arrived else _next_attempt(call, status, now)
    Call.objects.filter(pk=call.pk).update(next_at=later)
    return arrived


def _send(call: Call, now: datetime) -> int:
    to = call.subscription
    body = encryption.encrypt(message_of(call), decoded(to.public_key), decoded(to.secret))
    headers = {
        "Authorization": keys.authorization(to.endpoint, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        # The service drops what it could not deliver while the turn lasted.
        "TTL": str(int((call.expires_at - now).total_seconds())),
        "Urgency": "high",
    }
    return sending.post(to.endpoint, headers, body)


def _next_attempt(call: Call, status: int, now: datetime) -> datetime | None:
    """Return when to try again, while that is of use; a message that the service refuses is not
    repeated.
    """
    if 300 <= status < 500 and status != 429:
        return None
    later = now + WAIT_FIRST * (1 << call.attempts)
    return later if later <= call.expires_at - LEFT_LEAST else None


def forget_old(now: datetime) -> None:
    Call.objects.filter(made_at__lt=now - KEPT).delete()
