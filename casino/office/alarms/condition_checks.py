"""Check all conditions: raise an alarm once, clear it afterwards; staff take it meanwhile.

Sweepers and workers look. If several look at once, one of them checks, under the lock of the
condition's row. One statement says what is worth a look; where nothing is wrong, little else is
asked, and one statement stores the times. `docs/operations.md` says more.
"""

import logging
import threading
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache, partial
from typing import Final

from django.db import IntegrityError, transaction
from django.db.models import Count, QuerySet
from django.dispatch import Signal
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from prometheus_client.core import Metric

from casino.accounts import rights_check
from casino.office.alarms import delivering
from casino.office.alarms.conditions import CONDITIONS, Condition, Moment, State
from casino.office.alarms.models import Alarm, CheckResult, Delivery, Look
from casino.ops.existence import Rows, WhichExist
from casino.ops.metrics.collecting import counted, gauge, single
from wallets.audit.findings import report
from wallets.of_record.verbs import under, verb
from wallets.staff import journal
from wallets.storage.database_connections import renew_connections
from wallets.values.days import in_house_zone
from wallets.values.errors import Refused
from wallets.values.player import Viewer

# An event is looked for again for so long, in case its transaction ended late.
OVERLAP: Final = timedelta(minutes=1)
# The first check, and one after a long pause, looks back this far.
BACK_MAX: Final = timedelta(days=1)
FIRST_BACK: Final = timedelta(minutes=10)
# What the one statement says of a condition.
LOOKED: Final = "looked"
OPEN: Final = "open"
MAY_STAND: Final = "may stand"

log = logging.getLogger(__name__)
# Sent in the transaction in which an alarm is raised, taken or cleared.
changed = Signal()


@verb("house:alarms.look")
def look(now: datetime) -> int:
    """Check each due condition; a failing check does not block the others."""
    flags = _flags(tuple(CONDITIONS.values()))(now)
    raised, quiet = 0, []
    for condition in _due(flags):
        try:
            if _is_quiet(condition, flags, now):
                quiet.append(condition.kind)
            else:
                raised += _look_at(condition, now)
        except Exception:
            log.exception("the condition %s could not be looked at", condition.kind)
    if quiet:
        Look.objects.bulk_create(
            [Look(kind=kind, at=now) for kind in quiet],
            update_conflicts=True,
            unique_fields=["kind"],
            update_fields=["at"],
        )
    return raised


@lru_cache(maxsize=8)
def _flags(conditions: tuple[Condition, ...]) -> WhichExist:
    """One statement for all conditions: which were looked at just now, are open, or may stand."""
    queries: dict[str, Rows] = {}
    for condition in conditions:
        queries[f"{LOOKED} {condition.kind}"] = partial(_looked_lately, condition)
        queries[f"{OPEN} {condition.kind}"] = partial(_open, condition)
        if condition.may_stand is not None:
            queries[f"{MAY_STAND} {condition.kind}"] = condition.may_stand
    return WhichExist(queries)


def _looked_lately(condition: Condition, now: datetime) -> QuerySet[Look]:
    lately = now - timedelta(seconds=condition.every_seconds)
    return Look.objects.filter(pk=condition.kind, at__gt=lately)


def _open(condition: Condition, _now: datetime) -> QuerySet[Alarm]:
    return Alarm.objects.filter(kind=condition.kind, cleared_at__isnull=True)


def _due(flags: frozenset[str]) -> Iterator[Condition]:
    for condition in CONDITIONS.values():
        hopeless = condition.may_stand is not None and f"{MAY_STAND} {condition.kind}" not in flags
        open_now = condition.lasting and f"{OPEN} {condition.kind}" in flags
        if f"{LOOKED} {condition.kind}" not in flags and (open_now or not hopeless):
            yield condition


def _is_quiet(condition: Condition, flags: frozenset[str], now: datetime) -> bool:
    """Whether a lasting state holds neither now nor before: then only the time is written."""
    if not condition.lasting or f"{OPEN} {condition.kind}" in flags:
        return False
    return not any(True for _state in condition.find(Moment(now, now)))


def _look_at(condition: Condition, now: datetime) -> int:
    with transaction.atomic():
        row, made = Look.objects.get_or_create(pk=condition.kind, defaults={"at": now})
        row = Look.objects.select_for_update().get(pk=condition.kind)
        if not made and now - row.at < timedelta(seconds=condition.every_seconds):
            # Another process was quicker.
            return 0
        since = now - FIRST_BACK if made else max(row.at - OVERLAP, now - BACK_MAX)
        row.at = now
        row.save(update_fields=["at"])
        states = {state.subject: state for state in condition.find(Moment(now, since))}
        known = Alarm.objects.filter(kind=condition.kind)
        open_now = known.filter(cleared_at__isnull=True)
        before = set(
            (open_now if condition.lasting else known.filter(subject__in=states)).values_list(
                "subject", flat=True
            )
        )
        raised = sum(
            _raise(condition, state, now)
            for subject, state in states.items()
            if subject not in before
        )
        cleared = 0
        if condition.lasting:
            over = open_now.exclude(subject__in=states)
            cleared = over.update(cleared_at=now)
        if raised or cleared:
            changed.send(sender=__name__)
    return raised


def _raise(condition: Condition, state: State, now: datetime) -> bool:
    try:
        with transaction.atomic():
            alarm = Alarm.objects.create(
                kind=condition.kind,
                subject=state.subject,
                figures=dict(state.figures),
                raised_at=now,
            )
    except IntegrityError:
        # The database holds one open alarm for a state.
        return False
    delivering.enqueue(alarm, now)
    log.warning("alarm: %s: %s", condition.kind, state.subject)
    return True


EVERY_SECONDS: Final = 5.0


def start() -> threading.Event:
    """Begin to look; setting the event ends it."""
    ends = threading.Event()
    threading.Thread(target=keep_looking, args=(ends,), name="alarms", daemon=True).start()
    return ends


def keep_looking(ends: threading.Event) -> None:
    """Look every few seconds; if the database is down, log it once."""
    failing = False
    while not ends.wait(EVERY_SECONDS):
        renew_connections()
        try:
            now = timezone.now()
            look(now)
            delivering.send_due(now)
            failing = False
        except Exception:
            if not failing:
                log.exception("the look for alarms failed")
            failing = True
        finally:
            renew_connections()


SEE: Final = "alarms.see_alarm"
TAKE: Final = "alarms.take_alarm"
TAKEN: Final = journal.register("alarm.take", _("Took an alarm"), permission=TAKE)


def visible_to(member: Viewer) -> QuerySet[Alarm]:
    """The alarms of the member's own work, the newest first."""
    if not member.has_perm(SEE):
        return Alarm.objects.none()
    kinds = [
        kind for kind, condition in CONDITIONS.items() if member.has_perm(condition.permission)
    ]
    return Alarm.objects.filter(kind__in=kinds).order_by("-raised_at", "-pk")


@under(TAKEN)
def take(member: Viewer, alarm_id: int, note: str, now: datetime) -> Alarm:
    """Take an alarm, once; this clears an alarm about a single event."""
    with transaction.atomic():
        alarm = Alarm.objects.select_for_update().filter(pk=alarm_id).first()
        if alarm is None or not visible_to(member).filter(pk=alarm_id).exists():
            raise Refused("no_such_alarm", _("There is no such alarm."))
        if not member.is_active or not member.has_perm(TAKE):
            raise Refused("not_taker", _("Your role cannot take alarms."))
        if alarm.taken_at is not None:
            raise Refused(
                "alarm_taken",
                _("{name} took this alarm at {time}: {note}"),
                name=alarm.taken_by_name,
                time=f"{in_house_zone(alarm.taken_at):%H:%M}",
                note=alarm.note,
            )
        who, note = journal.by(member), journal.reason_of(note)
        alarm.taken_by, alarm.taken_by_name = who
        alarm.taken_at, alarm.note = now, note
        condition = CONDITIONS.get(alarm.kind)
        if condition is not None and not condition.lasting:
            alarm.cleared_at = alarm.cleared_at or now
        alarm.save()
        journal.write(
            who,
            TAKEN,
            alarm.reference,
            before={"taken_by": ""},
            after={"taken_by": who.reference, "kind": alarm.kind, "subject": alarm.subject},
            reason=note,
        )
        changed.send(sender=__name__)
    return alarm


CHECKS: Final = ("reconciliation", "audit", "release", "rights")


def nightly_checks(now: datetime) -> Iterator[Metric]:
    """Of the ledger and the records: what the last run found, and when that was."""
    family = gauge("check_findings", "What the last run of a check found", "check")
    ages = gauge("check_age_seconds", "How long ago a check last ran", "check")
    for result in CheckResult.objects.filter(pk__in=CHECKS):
        family.add_metric([result.pk], result.found)
        ages.add_metric([result.pk], (now - result.at).total_seconds())
        if result.pk == "reconciliation":
            words = "Differences that the last reconciliation of the ledger found"
            yield single("ledger_drift", words, result.found)
    yield from (family, ages)


def open_alarms(_now: datetime) -> Iterator[Metric]:
    alarms = gauge("alarms_open", "Open alarms", "kind")
    kinds = CONDITIONS
    rows = Alarm.objects.filter(cleared_at__isnull=True).order_by().values_list("kind")
    for kind, number in rows.annotate(number=Count("pk")):
        if kind in kinds:
            alarms.add_metric([kind], number)
    yield alarms
    sending = Delivery.objects.filter(next_at__isnull=False)
    yield single("deliveries_waiting", "Messages of alarms on their way", counted(sending))


def check_rights(now: datetime) -> int:
    """Report what is wrong with the rights of staff; return how much."""
    findings = list(rights_check.findings())
    report("rights", len(findings), findings[0] if findings else "", now)
    return len(findings)


def store_result(
    name: str, found: int, first: str, now: datetime, **_of_the_signal: object
) -> None:
    CheckResult.objects.update_or_create(
        pk=name, defaults={"at": now, "found": found, "first": first}
    )
