"""Taking down the players of a message, when it is due: into the inbox, and into the outbox.

A tenth of them is held out and gets nothing. Players who have had their share of messages this
week are left out. All of it is one transaction, so a message is taken down once.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from hashlib import sha256
from typing import Final

from django.conf import settings
from django.db import transaction
from django.db.models import Count, Exists, OuterRef, Q, QuerySet

from casino.accounts.models import Device
from casino.community.messages import outbox, segments
from casino.community.messages.models import Message, Recipient, Sending
from wallets.of_record.verbs import verb

WEEK: Final = timedelta(days=7)
# One in so many is held out.
HELD_OUT: Final = 10
# Who is seen again within this time has come back.
COMES_BACK: Final = timedelta(days=3)
AT_ONCE: Final = 1_000


def due(now: datetime) -> QuerySet[Message]:
    """The messages whose time has come."""
    planned = Q(planned_at=None) | Q(planned_at__lte=now)
    return Message.objects.filter(planned, state=Message.State.SENT, gathered_at=None)


@verb("house:messages.gather")
def gather(now: datetime) -> int:
    """Take down the players of all messages that are due; return how many there were."""
    numbers = list(due(now).order_by("sent_at", "pk").values_list("pk", flat=True))
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
        for start in range(0, len(players), AT_ONCE):
            _take_down(message, players[start : start + AT_ONCE], held_out, now)
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
    wanted = [name for name in outbox.CHANNELS if getattr(message, f"by_{name}")]
    for name in wanted:
        able = outbox.CHANNELS[name].reaches([row.player_id for row in reached])
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
