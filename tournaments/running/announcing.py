"""Announcing events: by a template, by a schedule, and sit-and-gos that are always open."""

import logging
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from typing import Any, Final
from uuid import UUID

from django.contrib.auth import get_user_model
from django.db import transaction
from django.db.models import (
    Count,
    DateTimeField,
    DurationField,
    Exists,
    ExpressionWrapper,
    F,
    IntegerField,
    Max,
    OuterRef,
    Q,
    QuerySet,
    Subquery,
    Value,
)
from django.db.models.functions import Cast, Coalesce
from django.utils.translation import gettext_noop as _n

from tournaments.event import mixing, money
from tournaments.event.organiser import stored, structure_of
from tournaments.mathematics.preview import likely_length
from tournaments.mathematics.problems import require_sound
from tournaments.mathematics.structure import Structure
from tournaments.models import Entry, HandEnded, Schedule, Template, Tournament
from tournaments.running import entries, progress, series
from wallets.models import Currency
from wallets.money.cashier import HOUSE
from wallets.of_record.verbs import verb
from wallets.values.days import house_zone, in_house_zone
from wallets.values.errors import Refused

# Before the first entry, an event is expected to last as long as with so many players.
EXPECTED_PLAYERS: Final = 50


def store_template(structure: Structure, by: str, now: datetime) -> Template:
    """Store a structure as the next version of the template of its name, or refuse it."""
    require_sound(structure)
    currency = _currency(structure.currency)
    with transaction.atomic():
        versions = Template.objects.filter(name=structure.name)
        last = versions.aggregate(last=Max("version"))["last"] or 0
        return Template.objects.create(
            name=structure.name,
            version=last + 1,
            structure=stored(structure),
            currency=currency,
            made_at=now,
            made_by=by,
        )


def retire_template(template_id: int, now: datetime) -> Template:
    """Let no further event be announced by a template."""
    with transaction.atomic():
        template = Template.objects.select_for_update().get(pk=template_id)
        if template.schedules.filter(active=True).exists():
            raise Refused("template_scheduled", _n("A schedule still announces events by this."))
        template.retired_at = template.retired_at or now
        template.save(update_fields=["retired_at"])
        return template


def announce(
    template: Template,
    now: datetime,
    *,
    by: str,
    starts_at: datetime | None = None,
    schedule: Schedule | None = None,
    key: UUID | None = None,
) -> Tournament:
    """Announce an event. A sit-and-go starts when it is full; any other needs a time.

    The same key announces once.
    """
    if key is not None and (earlier := Tournament.objects.filter(key=key).first()):
        return earlier
    if template.retired_at is not None:
        raise Refused(
            "template_retired", _n("This template is retired; it can no longer announce events.")
        )
    with transaction.atomic():
        tournament = Tournament(
            name=template.name,
            template=template,
            schedule=schedule,
            structure=template.structure,
            currency=template.currency,
            key=key,
            announced_at=now,
            starts_at=starts_at,
            due_at=starts_at,
        )
        structure = structure_of(tournament)
        _check_start(structure, starts_at, now)
        tournament.kind, tournament.game = structure.kind, structure.game
        tournament.guarantee = structure.guarantee
        expected = min(structure.field_max, EXPECTED_PLAYERS)
        tournament.likely_seconds = likely_length(structure, expected)[0]
        _insert(tournament)
        money.hold_guarantee(tournament, by)
        mixing.seal(tournament, now)
        return tournament


def _insert(tournament: Tournament) -> None:
    """Write the row, and then its accounts, whose owner is the row's number.

    The database looks for the accounts that the row names when the transaction ends.
    """
    for name in money.ACCOUNTS:
        setattr(tournament, f"{name}_id", 0)
    tournament.save(force_insert=True)
    money.open_accounts(tournament)
    tournament.save(update_fields=money.ACCOUNTS)


def _check_start(structure: Structure, starts_at: datetime | None, now: datetime) -> None:
    if structure.kind == "sit_and_go":
        if starts_at is not None:
            raise Refused("starts_when_full", _n("A sit-and-go starts when it is full."))
    elif starts_at is None or starts_at <= now:
        raise Refused("starts_in_the_past", _n("The start must be in the future."))


def _currency(code: str) -> Currency:
    currency = Currency.objects.filter(pk=code).exclude(kind=Currency.Kind.CHIPS).first()
    if currency is None:
        raise Refused("no_such_currency", _n("The house has no such currency."))
    return currency


# The sweep calls `run`: what was announced already is found in the rows, so calling it twice, or
# late, announces nothing twice. A start that was missed is passed over.
#
# The sweeper calls it each second, as it calls that of the tables. An event that fails does not
# hold up the others.

DAYS_OF_A_WEEK: Final = 7

log = logging.getLogger(__name__)


@verb("house:tournament.announce_due")
def run(now: datetime) -> int:
    """Announce the due events of all schedules; return how many."""
    announced = 0
    for number in list(due_schedules(now).values_list("pk", flat=True)):
        try:
            announced += len(_announce_due(number, now))
            _invite_bots(number, now)
        except Exception:
            log.exception("schedule %s could not be kept", number)
    return announced


def due_schedules(now: datetime) -> QuerySet[Schedule]:
    """The schedules that have an event to announce, or one to fill with bots."""
    events = Tournament.objects.filter(schedule=OuterRef("pk"), state=Tournament.State.ANNOUNCED)
    waiting = events.order_by().values("schedule").annotate(number=Count("pk")).values("number")
    return Schedule.objects.alias(
        announced_from=_earlier(F("next_at"), "ahead_seconds"),
        waiting=Coalesce(Subquery(waiting), 0),
    ).filter(
        Q(kind=Schedule.Kind.RECURRING, announced_from__lte=now)
        | Q(kind=Schedule.Kind.ALWAYS_OPEN, open_count__gt=F("waiting"))
        | Q(Exists(_to_fill(events, now)), bots_after_seconds__isnull=False),
        active=True,
    )


def _earlier(time: Value | F, seconds: str) -> "ExpressionWrapper[Any]":
    """The time so many seconds earlier, by the column of that name."""
    span = ExpressionWrapper(
        Cast(seconds, IntegerField()) * Value(timedelta(seconds=1)), output_field=DurationField()
    )
    return ExpressionWrapper(time - span, output_field=DateTimeField())


def _to_fill(events: QuerySet[Tournament], now: datetime) -> QuerySet[Tournament]:
    """The events in which a person has waited long enough for bots."""
    return events.filter(
        all_entries__state=Entry.State.REGISTERED,
        all_entries__player__is_bot=False,
        all_entries__registered_at__lte=_earlier(Value(now), "schedule__bots_after_seconds"),
    )


def _announce_due(schedule_id: int, now: datetime) -> list[Tournament]:
    with transaction.atomic():
        held = Schedule.objects.select_for_update(of=("self",)).select_related("template")
        schedule = held.get(pk=schedule_id)
        if not schedule.active:
            return []
        announced = []
        for starts_at in _starts_due(schedule, now):
            event = announce(
                schedule.template, now, by=HOUSE, starts_at=starts_at, schedule=schedule
            )
            series.join(schedule, event)
            announced.append(event)
        return announced


def _starts_due(schedule: Schedule, now: datetime) -> Iterator[datetime | None]:
    """The starts to be announced now."""
    if schedule.kind == Schedule.Kind.ALWAYS_OPEN:
        waiting = schedule.tournaments.filter(state=Tournament.State.ANNOUNCED).count()
        yield from [None] * (schedule.open_count - waiting)
        return
    assert schedule.next_at is not None
    ahead = timedelta(seconds=schedule.ahead_seconds)
    while schedule.active and schedule.next_at - ahead <= now:
        starts_at, schedule.next_at = schedule.next_at, start_after(schedule, schedule.next_at)
        schedule.save(update_fields=["next_at"])
        if starts_at > now and not schedule.tournaments.filter(starts_at=starts_at).exists():
            yield starts_at


def start_after(schedule: Schedule, start: datetime) -> datetime:
    """The start that follows one of a recurring schedule.

    By days of the week it is at the same time of day in the house, so it moves against UTC when the
    house's clocks change.
    """
    if not schedule.weekdays or schedule.house_time is None:
        return start + timedelta(seconds=schedule.every_seconds)
    day = in_house_zone(start).date()
    for _day in range(DAYS_OF_A_WEEK):
        day += timedelta(days=1)
        if schedule.weekdays >> day.weekday() & 1:
            break
    return datetime.combine(day, schedule.house_time, house_zone()).astimezone(UTC)


# Bots that keep people company.


def _invite_bots(schedule_id: int, now: datetime) -> None:
    """Fill the events in which a person has waited long enough."""
    schedule = Schedule.objects.get(pk=schedule_id)
    if schedule.bots_after_seconds is None:
        return
    events = schedule.tournaments.filter(state=Tournament.State.ANNOUNCED)
    for tournament in _to_fill(events, now).distinct():
        fill(tournament, now)


def fill(tournament: Tournament, now: datetime) -> None:
    """Let bots that play no event take the free seats."""
    free = structure_of(tournament).field_max - tournament.entrants
    players: Any = get_user_model().objects
    busy = Entry.objects.filter(state__in=Entry.LEFT, tournament__state__in=Tournament.ALIVE)
    bots = players.filter(is_bot=True, is_active=True)
    for bot in bots.exclude(pk__in=busy.values("player")).order_by("?")[:free]:
        try:
            entries.register(bot, tournament.pk, now)
        except Refused:
            # A person was quicker, or the house gives bots no such money.
            return


def sweep(now: datetime) -> int:
    """Announce due events and take due steps; return how many events were checked."""
    run(now)
    return advance(now)


def due_tournaments(now: datetime) -> QuerySet[Tournament]:
    return Tournament.objects.filter(due_at__lte=now)


def hands_to_act_on(_now: datetime) -> QuerySet[HandEnded]:
    """The hands from which something may follow for their events."""
    return HandEnded.objects.filter(acted_at=None)


def advance(now: datetime) -> int:
    """Take the steps that are due; how many events were looked at."""
    due = set(due_tournaments(now).values_list("pk", flat=True))
    due |= set(hands_to_act_on(now).values_list("tournament", flat=True))
    for number in sorted(due):
        try:
            progress.step(number, now)
        except Exception:
            log.exception("tournament %s could not be advanced", number)
    return len(due)
