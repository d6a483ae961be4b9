"""Events that are announced by themselves, and sit-and-gos that are always open.

The sweep calls `run`: what was announced already is found in the rows, so calling it twice, or
late, announces nothing twice. A start that was missed is passed over.
"""

import logging
from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any

from django.contrib.auth import get_user_model
from django.db import transaction

from games.words.refusal import Refused
from tournaments import announcing, entries
from tournaments.models import Entry, Schedule, Tournament
from tournaments.organiser import structure_of
from wallets.cashier import HOUSE
from wallets.errors import Refused as PostingRefused

log = logging.getLogger(__name__)


def run(now: datetime) -> int:
    """Announce what is due by all schedules; how many events."""
    announced = 0
    for number in list(Schedule.objects.filter(active=True).values_list("pk", flat=True)):
        try:
            announced += len(_announce_due(number, now))
            _invite_bots(number, now)
        except Exception:
            log.exception("schedule %s could not be kept", number)
    return announced


def _announce_due(schedule_id: int, now: datetime) -> list[Tournament]:
    if not _may_be_due(schedule_id, now):
        return []
    with transaction.atomic():
        held = Schedule.objects.select_for_update(of=("self",)).select_related("template")
        schedule = held.get(pk=schedule_id)
        if not schedule.active:
            return []
        return [
            announcing.announce(
                schedule.template, now, by=HOUSE, starts_at=starts_at, schedule=schedule
            )
            for starts_at in _starts_due(schedule, now)
        ]


def _may_be_due(schedule_id: int, now: datetime) -> bool:
    """Whether the schedule is worth being locked; most sweeps find nothing to do."""
    schedule = Schedule.objects.get(pk=schedule_id)
    return any(True for _ in _starts_due(schedule, now, store=False))


def _starts_due(
    schedule: Schedule, now: datetime, *, store: bool = True
) -> Iterator[datetime | None]:
    """The starts to be announced now."""
    if schedule.kind == Schedule.Kind.ALWAYS_OPEN:
        waiting = schedule.tournaments.filter(state=Tournament.State.ANNOUNCED).count()
        yield from [None] * (schedule.open_count - waiting)
        return
    assert schedule.next_at is not None
    every = timedelta(seconds=schedule.every_seconds)
    while schedule.next_at - timedelta(seconds=schedule.ahead_seconds) <= now:
        starts_at, schedule.next_at = schedule.next_at, schedule.next_at + every
        if store:
            schedule.save(update_fields=["next_at"])
        if starts_at > now and not schedule.tournaments.filter(starts_at=starts_at).exists():
            yield starts_at


# Bots that keep people company.


def _invite_bots(schedule_id: int, now: datetime) -> None:
    """Fill the events in which a person has waited long enough."""
    schedule = Schedule.objects.get(pk=schedule_id)
    if schedule.bots_after_seconds is None:
        return
    since = now - timedelta(seconds=schedule.bots_after_seconds)
    waited = schedule.tournaments.filter(
        state=Tournament.State.ANNOUNCED,
        all_entries__state=Entry.State.REGISTERED,
        all_entries__player__is_bot=False,
        all_entries__registered_at__lte=since,
    )
    for tournament in waited.distinct():
        _fill(tournament, now)


def _fill(tournament: Tournament, now: datetime) -> None:
    free = structure_of(tournament).field_max - tournament.entrants
    players: Any = get_user_model().objects
    busy = Entry.objects.filter(state__in=Entry.LEFT, tournament__state__in=Tournament.ALIVE)
    bots = players.filter(is_bot=True, is_active=True)
    for bot in bots.exclude(pk__in=busy.values("player")).order_by("?")[:free]:
        try:
            entries.register(bot, tournament.pk, now)
        except (Refused, PostingRefused):
            # A person was quicker, or the house gives bots no such money.
            return
