"""Telling a player something in each browser that they have subscribed in."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from enum import Enum
from typing import Final

from casino.community.push import sending
from casino.community.push.models import Subscription
from casino.community.push.sending import decoded
from casino.ops.metrics import counting

GONE: Final = (404, 410)
TOO_MANY: Final = 429


class Outcome(Enum):
    """What is known of one browser."""

    ARRIVED = "arrived"
    GONE = "gone"
    REFUSED = "refused"
    # Another attempt is of use: a browser that has it already replaces it by the same.
    LATER = "later"


def reached(players: Iterable[int]) -> set[int]:
    """The players among these who are signed in where they have subscribed."""
    if not sending.is_on():
        return set()
    rows = Subscription.objects.filter(device__player__in=players, device__session_key__gt="")
    return set(rows.values_list("device__player", flat=True))


def tell(
    player: int, words_for: Callable[[Subscription], bytes], lasts: timedelta, now: datetime
) -> list[Outcome]:
    """Send JSON to each of a player's browsers; return what became of each."""
    if not sending.is_on():
        return []
    rows = Subscription.objects.filter(device__player=player, device__session_key__gt="")
    outcomes = []
    for subscription in rows.order_by("pk"):
        status = deliver(subscription, words_for(subscription), lasts, "normal", now)
        outcomes.append(noted(subscription, status, now))
    return outcomes


def deliver(to: Subscription, text: bytes, lasts: timedelta, urgency: str, now: datetime) -> int:
    """Encrypt a text for a browser and send it; return the status of the answer."""
    body = sending.encrypt(text, decoded(to.public_key), decoded(to.secret))
    headers = {
        "Authorization": sending.authorization(to.endpoint, now),
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        # The service drops what it could not deliver within this time.
        "TTL": str(int(lasts.total_seconds())),
        "Urgency": urgency,
    }
    return sending.post(to.endpoint, headers, body)


def noted(to: Subscription, status: int, now: datetime) -> Outcome:
    """Store what an answer says of a browser, and count it."""
    if status in GONE:
        Subscription.objects.filter(pk=to.pk).delete()
        counting.add(counting.PUSHES, "gone")
        return Outcome.GONE
    if 200 <= status < 300:
        Subscription.objects.filter(pk=to.pk).update(succeeded_at=now)
        counting.add(counting.PUSHES, "sent")
        return Outcome.ARRIVED
    counting.add(counting.PUSHES, "failed")
    return Outcome.REFUSED if 300 <= status < 500 and status != TOO_MANY else Outcome.LATER
