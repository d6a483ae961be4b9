"""The pages on which auditors have ranges of hands settled again, and what the audits found.

Managers read them and ask for none. A sentence about a hand that cannot be read may quote it, so
managers read it without the quotation.
"""

from collections.abc import Iterator
from typing import Final

from django.core.exceptions import PermissionDenied
from django.forms import DateField, DateInput, ModelChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe
from unfold.widgets import UnfoldAdminSelectWidget, UnfoldAdminTextInputWidget

from casino.office.frame import audit_runs
from casino.office.frame.audit_runs import Range
from casino.office.frame.check_states import check_states
from casino.office.models import AuditRun
from games.models import Table
from games.records.record import AUDIT
from games.records.reversals import PERMISSION as REVERSE
from games.words.refusals import refused_in
from wallets.office.journalled_admin import ReasonForm
from wallets.office.staff_pages import CHECKS, Menu, office_page, staff_page
from wallets.staff import claimed_rows
from wallets.values.player import player_of

READ: Final = (AUDIT, REVERSE)
# How many runs the list shows, the latest first.
SHOWN: Final = 50
# How sentences begin that end with what could not be read.
UNREADABLE: Final = "it cannot be"


def _day() -> DateInput:
    classes = UnfoldAdminTextInputWidget().attrs["class"]
    return DateInput(attrs={"type": "date", "class": classes})


class AuditForm(ReasonForm):
    """The hands to audit, and the reason."""

    field_order = ("first", "last", "table", "reason")
    first = DateField(label=_("From"), widget=_day())
    last = DateField(label=_("To"), widget=_day())
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
            run = audit_runs.ask(player_of(request), wanted, reason=values["reason"], now=now)
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
            claimed_rows.send(audit_runs.TASK, run.pk)
        return redirect("audit", run.pk)
    return office_page(
        request,
        "audit.html",
        _("Audit of hands"),
        run=run,
        findings=run.findings if may_ask else list(_without_quotations(run)),
        left=left,
        kept=audit_runs.FINDINGS_MAX,
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
