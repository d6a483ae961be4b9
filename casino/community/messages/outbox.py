"""Messages on their way: who gets one, by which ways, and sending what waits, once.

When a message is due, its players are taken down into the inbox, and into the outbox. A tenth of
them is held out and gets nothing. Players who have had their share of messages this week are left
out. All of it is one transaction, so a message is taken down once.

Notifications belong to an app that a house may do without, which is entered here if it is there.

A row is claimed for good before it is sent, and becomes due again only if the other side has
certainly refused it. If the worker dies in between, it is not known whether it arrived: it is not
sent again, and the inbox has it anyhow.
"""

import logging
from collections.abc import Callable, Iterable, Sequence
from datetime import datetime, time, timedelta
from enum import Enum
from hashlib import sha256
from typing import Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from casino.accounts.models import Device
from casino.community.messages import segments
from casino.community.messages.models import MailWish, Message, Recipient, Sending
from casino.ops import outbox
from wallets.of_record.verbs import verb
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


WEEK: Final = timedelta(days=7)
# One in so many is held out.
HELD_OUT: Final = 10
# Who is seen again within this time has come back.
COMES_BACK: Final = timedelta(days=3)
ROWS_AT_ONCE: Final = 1_000


def due_messages(now: datetime) -> QuerySet[Message]:
    """The messages whose time has come."""
    planned = Q(planned_at=None) | Q(planned_at__lte=now)
    return Message.objects.filter(planned, state=Message.State.SENT, gathered_at=None)


@verb("house:messages.gather")
def gather(now: datetime) -> int:
    """Take down the players of all messages that are due; return how many there were."""
    numbers = list(due_messages(now).order_by("sent_at", "pk").values_list("pk", flat=True))
    return sum(_gather(number, now) for number in numbers)


def _gather(number: int, now: datetime) -> int:
    with transaction.atomic():
        # All that wait: two at once could each give a player their last message of the week.
        waiting = Message.objects.select_for_update(no_key=True).filter(
            state=Message.State.SENT, gathered_at=None
        )
        message = next((row for row in waiting.order_by("pk") if row.pk == number), None)
        if message is None:
            # Another worker was quicker.
            return 0
        players = _players(message, now)
        held_out = held_out_of(message.pk, players)
        for start in range(0, len(players), ROWS_AT_ONCE):
            _take_down(message, players[start : start + ROWS_AT_ONCE], held_out, now)
        message.gathered_at = now
        message.save(update_fields=["gathered_at"])
    return len(players)


def _players(message: Message, now: datetime) -> list[int]:
    segment = segments.read(message.segment)
    players = segments.players_of(segment, message.kind, now)
    recent = Recipient.objects.filter(player=OuterRef("pk"), is_held_out=False, at__gt=now - WEEK)
    many = recent.order_by().values("player").annotate(count=Count("pk"))
    had_enough = many.filter(count__gte=settings.MESSAGES_A_WEEK)
    return list(players.filter(~Exists(had_enough)).order_by("pk").values_list("pk", flat=True))


def held_out_of(message: int, players: Iterable[int]) -> set[int]:
    """A tenth, drawn by a hash, so that it is the same however often it is asked for."""

    def drawn(player: int) -> bytes:
        return sha256(f"held out|{message}|{player}".encode()).digest()

    ordered = sorted(players, key=drawn)
    return set(ordered[: len(ordered) // HELD_OUT])


def _take_down(message: Message, players: list[int], held_out: set[int], now: datetime) -> None:
    recipients = Recipient.objects.bulk_create(
        Recipient(message=message, player_id=player, is_held_out=player in held_out, at=now)
        for player in players
    )
    reached = [row for row in recipients if not row.is_held_out]
    wanted = [name for name in CHANNELS if getattr(message, f"by_{name}")]
    for name in wanted:
        able = CHANNELS[name].reaches([row.player_id for row in reached])
        Sending.objects.bulk_create(
            Sending(key=f"{message.pk}:{row.player_id}:{name}", channel=name, recipient=row,
                    next_at=now)
            for row in reached
            if row.player_id in able
        )  # fmt: skip


def note_returns(now: datetime) -> int:
    """Note who has been seen again after a message, or without the one that they did not get."""
    lately = Recipient.objects.filter(returned_at=None, at__gt=now - COMES_BACK, at__lt=now)
    seen = Device.objects.filter(player=OuterRef("player"), seen_at__gt=OuterRef("at"))
    return lately.filter(Exists(seen)).update(returned_at=now)
