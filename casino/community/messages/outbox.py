"""The ways by which a message reaches a player whose page is closed, and sending what waits, once.

Notifications belong to an app that a house may do without, which is entered here if it is there.

A row is claimed for good before it is sent, and becomes due again only if the other side has
certainly refused it. If the worker dies in between, it is not known whether it arrived: it is not
sent again, and the inbox has it anyhow.
"""

import logging
from collections.abc import Callable, Sequence
from datetime import datetime, time, timedelta
from enum import Enum
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import QuerySet

from casino.community.messages import segments
from casino.community.messages.models import MailWish, Message, Sending
from casino.ops import outbox
from wallets.values.days import ONE_DAY, house_zone, in_house_zone
from wallets.values.registry import Registry


class Result(Enum):
    """What is known of an attempt."""

    ARRIVED = "arrived"
    # It certainly did not arrive, and may be tried again.
    REFUSED = "refused"
    # It will not arrive, however often it is tried.
    IMPOSSIBLE = "impossible"
    # The other side took the connection and gave no answer.
    UNKNOWN = "unknown"


class Channel(NamedTuple):
    """Which of some players it reaches, and how it sends."""

    reaches: Callable[[Sequence[int]], set[int]]
    send: Callable[[Sending, datetime], Result]


CHANNELS: Final = Registry[Channel]("channel of messages")


def who_want_mail(players: Sequence[int]) -> set[int]:
    """The address of an account has been proved by its owner."""
    wanted = MailWish.objects.filter(player__in=players).exclude(player__email="")
    return set(wanted.values_list("player", flat=True))


AT_ONCE: Final = 200
# One run sends for so long; the next run sends the rest.
RUN_SECONDS_MAX: Final = 20.0
WAIT_FIRST: Final = timedelta(minutes=1)
ATTEMPTS_MAX: Final = 6
KEPT: Final = timedelta(days=90)

Outcome = Sending.Outcome
log = logging.getLogger(__name__)


def quiet_until(now: datetime) -> datetime | None:
    """When the quiet hours end in which an instant is, by the clock of the house."""
    first, last = settings.QUIET_HOURS
    here = in_house_zone(now)
    is_quiet = (first <= here.hour < last) if first <= last else not last <= here.hour < first
    if first == last or not is_quiet:
        return None
    day = here.date() if here.hour < last else here.date() + ONE_DAY
    return datetime.combine(day, time(last % 24), house_zone())


def quiet_from(now: datetime) -> datetime | None:
    """When the next quiet hours begin."""
    first, last = settings.QUIET_HOURS
    if first == last:
        return None
    begins = datetime.combine(in_house_zone(now).date(), time(first), house_zone())
    return begins if begins > now else begins + ONE_DAY


def due(now: datetime) -> QuerySet[Sending]:
    return Sending.objects.filter(next_at__lte=now)


def send_due(now: datetime) -> int:
    """Send what is due; return how much has arrived."""
    rows = due(now).select_related("recipient__message", "recipient__player", "report_mail__member")
    queues = ([sending] for sending in rows.order_by("next_at", "pk")[:AT_ONCE])
    return outbox.send(queues, attempt, now, seconds_max=RUN_SECONDS_MAX)


def attempt(sending: Sending, now: datetime) -> bool:
    mine = Sending.objects.filter(pk=sending.pk)
    quiet = quiet_until(now) if sending.recipient_id is not None else None
    if quiet is not None:
        mine.filter(next_at=sending.next_at).update(next_at=quiet)
        return False
    if not outbox.claim(sending, None, outcome=Outcome.CLAIMED):
        return False
    if not is_wanted(sending, now):
        mine.update(outcome=Outcome.DROPPED)
        return False
    result = _send(sending, now)
    if result is Result.ARRIVED:
        mine.update(outcome=Outcome.SENT, delivered_at=now)
    elif result is Result.REFUSED and sending.attempts < ATTEMPTS_MAX:
        later = now + outbox.doubled(WAIT_FIRST, sending.attempts)
        mine.update(outcome=Outcome.FAILED, next_at=later)
    elif result is not Result.UNKNOWN:
        mine.update(outcome=Outcome.FAILED)
    return result is Result.ARRIVED


def is_wanted(sending: Sending, now: datetime) -> bool:
    """Whether it may still be sent: a player may have gone away since it was written."""
    if sending.channel not in CHANNELS:
        return False
    recipient = sending.recipient
    if recipient is None:
        return True
    message = recipient.message
    if message.state != Message.State.SENT or recipient.opened_at is not None:
        return False
    players = segments.reachable(message.kind, now)
    return players.filter(pk=recipient.player_id).exists()


def _send(sending: Sending, now: datetime) -> Result:
    try:
        return CHANNELS[sending.channel].send(sending, now)
    except Exception:
        log.exception("what became of %s is not known", sending)
        return Result.UNKNOWN


def forget_old(now: datetime) -> None:
    """Delete what was sent, or given up, some months ago; the inbox keeps the message."""
    Sending.objects.filter(next_at=None, recipient__at__lt=now - KEPT).delete()
    Sending.objects.filter(
        next_at=None, recipient=None, report_mail__isnull=False, delivered_at__lt=now - KEPT
    ).delete()
