"""The reality check: after so many minutes at tables, no hand is dealt until the player answers.

A session is a stretch at tables in which the player was never away for longer than a quarter of an
hour. Its clock and its result stand in the bar of every page.
"""

from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext_lazy as _

from casino.accounts.models import Player
from casino.care import limits
from casino.care.models import RealityCheck
from games.models import Hand, HandSeat
from games.models.combined import Read
from games.models.prepared import Prepared, Query
from wallets.models import Currency
from wallets.of_record.verbs import verb
from wallets.values.errors import Refused

# The intervals that a player can choose; 0 means no reminder.
MINUTES: Final = (0, 15, 30, 60, 120)
GAP: Final = timedelta(minutes=15)
DAY: Final = timedelta(days=1)
CHECK: Final = Query(lambda player: RealityCheck.objects.filter(player=player))
_OF_CURRENCY: Final = ("code", "name", "exponent", "kind")
NET_SINCE: Final = Prepared(
    lambda player, since: (
        HandSeat.objects.filter(player=player, status=Hand.Status.FINISHED, ended_at__gte=since)
        .exclude(currency__kind=Currency.Kind.CHIPS)
        .order_by("currency")
        .values_list(*(f"currency__{name}" for name in _OF_CURRENCY))
        .annotate(net=Sum("net"))
    ),
    int,
    datetime,
)


class Result(NamedTuple):
    """The result of a session in one currency; negative if the player lost."""

    currency: Currency
    net: int


class Session(NamedTuple):
    """A player's time at tables so far."""

    began_at: datetime
    minutes: int
    results: tuple[Result, ...]
    # Whether the reminder waits for an answer.
    due: bool


@verb("player:care.choose_reminder")
def choose(player: Player, minutes: int, now: datetime) -> None:
    """Set how often to remind the player; a reminder that is due must be answered first."""
    if minutes not in MINUTES:
        raise Refused("no_such_interval", _("Choose how often you want to be reminded."))
    with transaction.atomic():
        if is_due(player.pk, now):
            raise Refused("answer_first", _("Answer the reminder first."))
        RealityCheck.objects.update_or_create(player=player, defaults={"minutes": minutes})


@verb("player:care.answer_reminder")
def answer(player: Player, now: datetime) -> None:
    """The player has read it and plays on."""
    first = {"minutes": 0, "answered_at": now}
    RealityCheck.objects.update_or_create(
        player=player, defaults={"answered_at": now}, create_defaults=first
    )


def is_due(player_id: int, now: datetime) -> bool:
    check = CHECK.first(player_id)
    if not _interval(check):
        return False
    began = _began(player_id, now)
    return began is not None and _due(check, began, now)


def reads(player: Player, now: datetime) -> list[Read]:
    """The query of a session, except its result."""
    sat = limits.read_of_stretches(player.pk, now - DAY, GAP)
    return [sat, (CHECK, (player.pk,))]


def session_of(player: Player, now: datetime) -> Session | None:
    """The session that runs; None while the player sits nowhere."""
    began = _began(player.pk, now)
    if began is None:
        return None
    check = CHECK.first(player.pk)
    due = _due(check, began, now)
    minutes = int((now - began).total_seconds()) // 60
    return Session(began, minutes, _results(player.pk, began), due)


def _began(player_id: int, now: datetime) -> datetime | None:
    stretches = limits.stretches(player_id, now - DAY, now, gap=GAP)
    return stretches[-1][0] if stretches and stretches[-1][1] >= now - GAP else None


def _interval(check: RealityCheck | None) -> int:
    """The shorter of what the house and the player want; 0 where neither wants any."""
    wanted = (settings.REALITY_CHECK_MINUTES, check.minutes if check else 0)
    return min((minutes for minutes in wanted if minutes), default=0)


def _due(check: RealityCheck | None, began: datetime, now: datetime) -> bool:
    minutes = _interval(check)
    answered = check.answered_at if check else None
    last = max(began, answered) if answered else began
    return bool(minutes) and now - last >= timedelta(minutes=minutes)


def _results(player_id: int, began: datetime) -> tuple[Result, ...]:
    return tuple(
        Result(Currency.from_db(None, _OF_CURRENCY, facts), net)
        for *facts, net in NET_SINCE.read(player_id, began)
    )
