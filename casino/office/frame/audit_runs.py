"""Settling ranges of hands again, as auditors ask: by a worker, which says how far it is.

A worker claims a run by compare-and-set and notes its place every second. A silent worker loses its
claim, and a restarted run begins anew: an audit only reads.
"""

import logging
import time
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from celery import current_app
from django.db import transaction
from django.db.models import Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from kombu.exceptions import OperationalError

from casino.office.models import AuditRun
from games.models import Hand, Table
from games.records.audit import Auditor
from games.records.record import AUDIT
from wallets.staff import journal
from wallets.values.days import ONE_DAY, day_of, start_of
from wallets.values.errors import Refused
from wallets.values.player import Viewer

log = logging.getLogger(__name__)

TASK: Final = "casino.office.tasks.audit_hands"
# In addition to the checks: it takes minutes of a processor, and no act at a table waits for it.
QUEUE: Final = "simulations"
SILENT: Final = timedelta(seconds=60)
NOTED_EVERY: Final = 1.0
# So many findings are kept; more of them say that something large is wrong.
FINDINGS_MAX: Final = 500
AUDITED: Final = journal.register("hands.audit", _("Audited hands"), permission=AUDIT)
WAITING, RUNNING = AuditRun.State.WAITING, AuditRun.State.RUNNING


class Lost(Exception):
    """Another worker has taken the run over."""


class Range(NamedTuple):
    """The hands to audit: those that ended on these days, at one table or all."""

    first: date
    last: date
    table: Table | None = None


def ask(member: Viewer, wanted: Range, *, reason: str, now: datetime) -> AuditRun:
    """Have the hands of a range settled again."""
    if wanted.last < wanted.first:
        raise Refused("range", _("The last day is before the first."))
    if wanted.first > day_of(now):
        raise Refused("range", _("These days are still to come."))
    reason = journal.reason_of(reason)
    with transaction.atomic():
        run = AuditRun.objects.create(
            first_day=wanted.first,
            last_day=wanted.last,
            table=wanted.table,
            requested_by=member.username,
            reason=reason,
            requested_at=now,
        )
        table = wanted.table.reference if wanted.table else ""
        after = {"from": wanted.first, "to": wanted.last, "table": table}
        who = journal.by(member)
        journal.write(who, AUDITED, run.reference, before={}, after=after, reason=reason)
        transaction.on_commit(lambda: send(run.pk))
    return run


def send(number: int) -> None:
    """Tell the worker; without a broker the run waits until staff start it again."""
    try:
        current_app.send_task(TASK, (number,), queue=QUEUE)
    except (OperationalError, OSError) as problem:
        log.warning("no broker, audit %s waits: %s", number, problem)


def is_left(run: AuditRun, now: datetime) -> bool:
    """Whether no worker seems to run it."""
    return run.is_busy and now - (run.seen_at or run.requested_at) > SILENT


def hands_of(run: AuditRun) -> QuerySet[Hand]:
    """Finished and void hands; a live hand is not settled yet."""
    hands = Hand.objects.exclude(status=Hand.Status.LIVE).filter(
        ended_at__gte=start_of(run.first_day),
        ended_at__lt=start_of(run.last_day + ONE_DAY),
    )
    return hands if run.table_id is None else hands.filter(table=run.table_id)


def perform(number: int, clock: Callable[[], datetime] = timezone.now) -> bool:
    """Audit the hands of one run unless another worker has claimed it."""
    now = clock()
    free = Q(state=WAITING) | Q(state=RUNNING, seen_at__lt=now - SILENT)
    fresh = {"done": 0, "wrong": 0, "findings": []}
    if not AuditRun.objects.filter(free, pk=number).update(state=RUNNING, seen_at=now, **fresh):
        return False
    run = AuditRun.objects.select_related("table").get(pk=number)
    teller = _Teller(run, clock)
    try:
        numbers = hands_of(run).order_by("pk").values_list("pk", flat=True)
        run.wanted = numbers.count()
        for code, sentence in _findings(numbers, teller):
            run.wrong += 1
            if len(run.findings) < FINDINGS_MAX:
                run.findings.append([code, sentence])
    except Lost:
        return False
    except Exception:
        log.exception("audit %s failed", number)
        return teller.end(AuditRun.State.FAILED)
    return teller.end(AuditRun.State.DONE)


def _findings(numbers: "QuerySet[Hand, int]", teller: "_Teller") -> Iterator[tuple[str, str]]:
    """Codes of hands with sentences; a fault of a shoe is reported with one of its hands."""
    auditor = Auditor()
    for done, wrong in enumerate(auditor.hands(numbers.iterator()), 1):
        code = wrong.hand.code if wrong.hand else ""
        for sentence in wrong.findings:
            yield code, sentence if code else f"hand {wrong.number}: {sentence}"
        for shoe, sentences in auditor.shoes():
            yield from ((code, f"shoe {shoe}: {sentence}") for sentence in sentences)
        teller.note(done)


class _Teller:
    """Stores how far a worker is, at most once a second, and holds its claim by that."""

    def __init__(self, run: AuditRun, clock: Callable[[], datetime]) -> None:
        self._run, self._clock = run, clock
        self._next = 0.0

    def note(self, done: int) -> None:
        self._run.done = done
        if time.monotonic() >= self._next:
            self._next = time.monotonic() + NOTED_EVERY
            if not self._store(self._clock(), RUNNING):
                raise Lost

    def end(self, state: AuditRun.State) -> bool:
        now = self._clock()
        return self._store(now, state, ended_at=now)

    def _store(self, now: datetime, state: AuditRun.State, **more: datetime) -> bool:
        run = self._run
        mine = AuditRun.objects.filter(pk=run.pk, state=RUNNING, seen_at=run.seen_at)
        found = {"findings": run.findings, "wrong": run.wrong}
        progress = {"wanted": run.wanted, "done": run.done, **found}
        run.seen_at = now
        return bool(mine.update(state=state, seen_at=now, **progress, **more))
