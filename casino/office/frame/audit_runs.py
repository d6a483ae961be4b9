"""Settling ranges of hands again, as auditors ask: by a worker, which says how far it is.

A run whose worker fell silent begins anew: an audit only reads.
"""

import logging
from collections.abc import Callable, Iterator
from datetime import date, datetime
from typing import Final, NamedTuple

from django.db import transaction
from django.db.models import QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from casino.office.models import AuditRun
from games.models import Hand, Table
from games.records.audit import Auditor
from games.records.record import AUDIT
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.claimed_rows import Lost, claim, send
from wallets.values.days import ONE_DAY, day_of, start_of
from wallets.values.errors import Refused
from wallets.values.player import Viewer

log = logging.getLogger(__name__)

TASK: Final = "casino.office.tasks.audit_hands"
# So many findings are kept; more of them say that something large is wrong.
FINDINGS_MAX: Final = 500
AUDITED: Final = journal.register("hands.audit", _("Audited hands"), permission=AUDIT)


class Range(NamedTuple):
    """The hands to audit: those that ended on these days, at one table or all."""

    first: date
    last: date
    table: Table | None = None


@under(AUDITED)
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
        after: dict[str, object] = {"from": wanted.first, "to": wanted.last}
        if wanted.table:
            after["table"] = wanted.table.reference
        who = journal.by(member)
        journal.write(who, AUDITED, run.reference, before={}, after=after, reason=reason)
        transaction.on_commit(lambda: send(TASK, run.pk))
    return run


def hands_of(run: AuditRun) -> QuerySet[Hand]:
    """Finished and void hands; a live hand is not settled yet."""
    hands = Hand.objects.exclude(status=Hand.Status.LIVE).filter(
        ended_at__gte=start_of(run.first_day),
        ended_at__lt=start_of(run.last_day + ONE_DAY),
    )
    return hands if run.table_id is None else hands.filter(table=run.table_id)


def perform(number: int, clock: Callable[[], datetime] = timezone.now) -> bool:
    """Audit the hands of one run unless another worker has claimed it."""
    claimed = claim(AuditRun, number, clock, done=0, wrong=0, findings=[])
    if claimed is None:
        return False
    run, mine = claimed
    state = AuditRun.State.DONE
    try:
        numbers = hands_of(run).order_by("pk").values_list("pk", flat=True)
        run.wanted = numbers.count()
        for done, finding in enumerate(_findings(numbers), 1):
            run.done = done
            run.wrong += len(finding)
            run.findings += finding[: FINDINGS_MAX - len(run.findings)]
            mine.note(**_progress(run))
    except Lost:
        return False
    except Exception:
        log.exception("audit %s failed", number)
        state = AuditRun.State.FAILED
    return mine.end(state=state, **_progress(run))


def _progress(run: AuditRun) -> dict[str, object]:
    return {
        "wanted": run.wanted,
        "done": run.done,
        "wrong": run.wrong,
        "findings": run.findings,
    }


def _findings(numbers: "QuerySet[Hand, int]") -> Iterator[list[list[str]]]:
    """By hand: codes with sentences; a fault of a shoe is reported with one of its hands."""
    auditor = Auditor()
    for wrong in auditor.hands(numbers.iterator()):
        code = wrong.hand.code if wrong.hand else ""
        findings = [
            [code, sentence if code else f"hand {wrong.number}: {sentence}"]
            for sentence in wrong.findings
        ]
        for shoe, sentences in auditor.shoes():
            findings += [[code, f"shoe {shoe}: {sentence}"] for sentence in sentences]
        yield findings
