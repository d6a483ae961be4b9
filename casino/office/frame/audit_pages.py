"""Audits in the office: ranges of hands settled again as asked, and the last run of each check.

A worker settles a range, and says how far it is. A run whose worker fell silent begins anew: an
audit only reads.

Managers read the pages and ask for none. A sentence about a hand that cannot be read may quote it,
so managers read it without the quotation.
"""

import logging
from collections.abc import Callable, Iterator
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from django.conf import settings
from django.core.exceptions import PermissionDenied
from django.db import DatabaseError, transaction
from django.db.models import QuerySet
from django.forms import DateField, ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext, ngettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.office.alarms.house_conditions import CHECK_AFTER_MAX
from casino.office.alarms.models import CheckResult
from casino.office.models import AuditRun
from casino.office.reports.balances import first_day
from casino.ops import released_code
from games.models import Anchor, Day, Hand, Table
from games.records.audit import Auditor
from games.records.record import AUDIT
from games.records.reversals import PERMISSION as REVERSE
from games.words.refusals import refused_in
from wallets.models import Closing, Transaction
from wallets.of_record.verbs import under
from wallets.office.journalled_admin import ReasonForm
from wallets.office.staff_pages import CHECKS, Menu, office_page, staff_page
from wallets.staff import claimed_rows, journal
from wallets.staff.claimed_rows import Lost, claim, send
from wallets.storage import replica
from wallets.values.days import ONE_DAY, day_of, start_of
from wallets.values.errors import Refused
from wallets.values.player import Viewer, player_of

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
def ask_for_audit(member: Viewer, wanted: Range, *, reason: str, now: datetime) -> AuditRun:
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


def perform_audit(number: int, clock: Callable[[], datetime] = timezone.now) -> bool:
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


# Anchors are made at least so often while hands are played.
ANCHOR_AFTER_MAX: Final = timedelta(days=1)


class State(NamedTuple):
    """A check: its last run, what that looked at, and what it found."""

    words: str
    at: datetime | None
    over: str
    found: str
    is_bad: bool
    address: str


def check_states(now: datetime, *, for_auditor: bool = True) -> list[State]:
    """The checks; those who audit nothing read more on the page of health."""
    states = [*_nightly(now), _anchors(now), *_replica(now), *_on_request()]
    return (
        states if for_auditor else [state._replace(address=reverse("health")) for state in states]
    )


def _nightly(now: datetime) -> Iterator[State]:
    known, opened = CheckResult.objects.in_bulk(), first_day()
    # A house of today has had no night.
    is_new = opened is None or opened >= day_of(now)
    for name, words, over in (
        ("audit", gettext("Audit of the day before"), _hands_audited),
        ("reconciliation", gettext("Reconciliation of the ledger"), _postings),
        ("release", gettext("Check of the code"), lambda _at: ""),
        ("rights", gettext("Check of the rights of staff"), lambda _at: ""),
    ):
        result = known.get(name)
        if result is None:
            outcome = gettext("has not run yet") if is_new else gettext("has never run")
            if name == "release" and not released_code.released():
                outcome, is_due = gettext("no release is noted"), False
            else:
                is_due = not is_new
            yield State(words, None, "", outcome, is_due, _address(name))
            continue
        overdue = result.at < now - CHECK_AFTER_MAX
        outcome = found_in_words(result.found) + (f": {result.first}" if result.first else "")
        bad = overdue or result.found > 0
        yield State(words, result.at, over(result.at), outcome, bad, _address(name))


def found_in_words(number: int) -> str:
    if not number:
        return gettext("no problem found")
    return ngettext("{number} problem found", "{number} problems found", number).format(
        number=number
    )


def _address(name: str) -> str:
    return {
        "audit": reverse("audits"),
        "reconciliation": reverse("admin:wallets_closing_changelist"),
    }.get(name, reverse("health"))


def _hands_audited(at: datetime) -> str:
    """The hands of the day before the audit, as that day was closed."""
    day = Day.objects.filter(day=day_of(at) - ONE_DAY).first()
    return hands_in_words(day.hands if day else 0)


def hands_in_words(number: int) -> str:
    return ngettext("{number} hand", "{number} hands", number).format(number=f"{number:,}")


def _postings(at: datetime) -> str:
    """All postings up to the closing that a clean run makes."""
    closing = Closing.objects.filter(time__lte=at).order_by("-time").first()
    if closing is None:
        return ""
    last = Transaction.objects.filter(time__lte=closing.time).order_by("-pk").first()
    number = last.pk if last else 0
    words = ngettext("{number} posting", "{number} postings", number)
    return words.format(number=f"{number:,}")


def _anchors(now: datetime) -> State:
    words, address = gettext("Anchors of the public chain"), reverse("health")
    last = Anchor.objects.order_by("-number").first()
    if last is None:
        return State(words, None, "", gettext("none was made yet"), False, address)
    entries = ngettext("{number} entry", "{number} entries", last.position)
    outcome = (
        gettext("anchor {number} is kept")
        if last.written
        else gettext("anchor {number} is not written")
    )
    return State(
        words,
        last.made_at,
        entries.format(number=f"{last.position:,}"),
        outcome.format(number=last.number),
        not last.written or last.made_at < now - ANCHOR_AFTER_MAX,
        address,
    )


def _replica(now: datetime) -> Iterator[State]:
    """The copy of the database, in a house that has one."""
    if replica.REPLICA not in settings.DATABASES:
        return
    try:
        age = replica.age_seconds()
    except DatabaseError:
        age = None
    words, address = gettext("Copy of the database"), reverse("health")
    if age is None:
        yield State(words, now, "", gettext("it does not answer"), True, address)
        return
    late = age > settings.REPLICA_LAG_SECONDS
    lag = gettext("{seconds} s behind").format(seconds=f"{age:.1f}")
    yield State(words, now, "", lag, late, address)


def _on_request() -> Iterator[State]:
    """The latest audit that a member of staff asked for."""
    run = AuditRun.objects.order_by("-pk").first()
    if run is not None:
        over = f"{run.done:,} / {run.wanted:,}"
        state = gettext("Audit on request"), run.requested_at, over, found_in_words(run.wrong)
        yield State(*state, run.wrong > 0, reverse("audit", args=[run.pk]))


READ: Final = (AUDIT, REVERSE)
# How many runs the list shows, the latest first.
SHOWN: Final = 50
# How sentences begin that end with what could not be read.
UNREADABLE: Final = "it cannot be"


class AuditForm(ReasonForm):
    field_order = ("first", "last", "table", "reason")
    first = DateField(label=_("From"), widget=UnfoldAdminTextInputWidget(attrs={"type": "date"}))
    last = DateField(label=_("To"), widget=UnfoldAdminTextInputWidget(attrs={"type": "date"}))
    table = ModelChoiceField(
        Table.objects.order_by("name"),
        label=_("Table"),
        required=False,
        empty_label=_("All tables"),
        widget=UnfoldAdminSelectWidget,
    )


@staff_page("audits", "audits/", _("Audits"), *READ, menu=Menu(CHECKS, "fact_check", 10))
@require_http_methods(["GET", "HEAD", "POST"])
def audits_page(request: HttpRequest) -> HttpResponse:
    form = AuditForm(request.POST if request.method == "POST" else None)
    may_ask = request.user.has_perm(AUDIT)
    if request.method == "POST" and not may_ask:
        raise PermissionDenied
    if form.is_bound and form.is_valid():
        values, now = form.cleaned_data, timezone.now()
        wanted = Range(values["first"], values["last"], values["table"])
        with refused_in(form):
            run = ask_for_audit(player_of(request), wanted, reason=values["reason"], now=now)
            return redirect("audit", run.pk)
    runs = AuditRun.objects.select_related("table")[:SHOWN]
    return office_page(
        request,
        "audits.html",
        _("Audits"),
        form=form if may_ask else None,
        runs=runs,
        checks=check_states(timezone.now()),
    )


@staff_page("audit", "audits/<int:number>/", _("Audit of hands"), *READ)
@require_http_methods(["GET", "HEAD", "POST"])
def audit_page(request: HttpRequest, number: int) -> HttpResponse:
    """One run with its findings; a run without a worker can be started again."""
    run = _run(number)
    may_ask = request.user.has_perm(AUDIT)
    left = may_ask and claimed_rows.is_left(run, timezone.now())
    if request.method == "POST" and not may_ask:
        raise PermissionDenied
    if request.method == "POST":
        if left:
            claimed_rows.send(TASK, run.pk)
        return redirect("audit", run.pk)
    return office_page(
        request,
        "audit.html",
        _("Audit of hands"),
        run=run,
        findings=run.findings if may_ask else list(_without_quotations(run)),
        left=left,
        kept=FINDINGS_MAX,
    )


@staff_page("audit-progress", "audits/<int:number>/progress/", _("Audit progress"), *READ)
@require_safe
def audit_progress(request: HttpRequest, number: int) -> HttpResponse:
    """Show how far the worker is; when it has finished, the whole page is fetched again."""
    run = _run(number)
    answer = TemplateResponse(request, "backoffice/audit_progress.html", {"run": run})
    if not run.is_busy:
        answer["HX-Refresh"] = "true"
    return answer


def _without_quotations(run: AuditRun) -> Iterator[tuple[str, str]]:
    for code, sentence in run.findings:
        said, _colon, _quoted = sentence.partition(": ")
        yield code, said if said.startswith(UNREADABLE) else sentence


def _run(number: int) -> AuditRun:
    return get_object_or_404(AuditRun.objects.select_related("table"), pk=number)
