"""Pages of the house: alarms, what waits for approval, its limits, and its health."""

from datetime import datetime
from typing import Any, Final, cast

from django.contrib import messages
from django.db.models import Max
from django.forms import ChoiceField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe
from unfold.widgets import UnfoldAdminIntegerFieldWidget, UnfoldAdminSelectWidget

from casino.office.alarms import condition_checks
from casino.office.alarms.conditions import words_of
from casino.office.alarms.models import Alarm, Look
from casino.office.frame.journal_page import rows_of
from casino.office.frame.journal_words import links
from casino.ops.health import checks
from casino.ops.metrics import processes
from casino.ops.running_code import running_code
from games.words.refusals import refused_in
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.money import limits
from wallets.office.journalled_admin import (
    ReasonForm,
    decide,
    reason_field,
    submit_form,
    to_proposal,
)
from wallets.office.staff_pages import APPROVALS, NOW, OPERATION, Menu, office_page, staff_page
from wallets.office.whole_units import NumberField
from wallets.staff import approvals, journal
from wallets.values.days import house_time
from wallets.values.player import Viewer, player_of

SHOWN = 50


class NoteForm(ReasonForm):
    """The note of the person who takes an alarm: what they will do about it."""

    reason = reason_field(_("What you are doing about it. The journal stores it."))


def untaken(member: Viewer) -> int:
    """Return the number of open alarms that no member of staff has taken."""
    visible = condition_checks.visible_to(member)
    return visible.filter(cleared_at__isnull=True, taken_at__isnull=True).count()


@staff_page(
    "alarms",
    "alarms/",
    _("Alarms"),
    condition_checks.SEE,
    menu=Menu(NOW, "notifications", 20, waiting=untaken),
)
@require_safe
def alarms_page(request: HttpRequest) -> HttpResponse:
    visible = condition_checks.visible_to(player_of(request))
    standing = visible.filter(cleared_at__isnull=True)
    over = visible.filter(cleared_at__isnull=False)
    return office_page(
        request,
        "alarms.html",
        _("Alarms"),
        standing=_rows(list(standing[:SHOWN])),
        over=_rows(list(over[:SHOWN])),
        looked_at=Look.objects.aggregate(at=Max("at"))["at"],
    )


@staff_page("alarm", "alarms/<int:number>/", _("One alarm"), condition_checks.SEE)
@require_http_methods(["GET", "HEAD", "POST"])
def alarm_page(request: HttpRequest, number: int) -> HttpResponse:
    member = player_of(request)
    alarm = get_object_or_404(condition_checks.visible_to(member), pk=number)
    form = NoteForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_in(form):
            condition_checks.take(member, number, form.cleaned_data["reason"], timezone.now())
            messages.success(request, _("You have taken this alarm."))
            return redirect("alarm", number)
    return office_page(
        request,
        "alarm.html",
        words_of(alarm)[0],
        row=_rows([alarm])[0],
        deliveries=alarm.deliveries.order_by("channel", "pk"),
        may_take=alarm.taken_at is None and member.has_perm(condition_checks.TAKE),
        form=form,
    )


def _rows(alarms: list[Alarm]) -> list[dict[str, object]]:
    known = links(alarm.subject for alarm in alarms)
    return [
        {"alarm": alarm, "words": words_of(alarm), "link": known.get(alarm.subject)}
        for alarm in alarms
    ]


PROPOSALS_SHOWN = 50


class LimitForm(ReasonForm):
    """Another value of a limit, in whole units, and why."""

    field_order = ("limit", "value", "reason")
    limit = ChoiceField(label=_("Limit"), widget=UnfoldAdminSelectWidget)
    value = NumberField(
        label=_("Whole units"),
        min_value=0,
        max_value=limits.VALUE_MAX,
        widget=UnfoldAdminIntegerFieldWidget,
    )

    def __init__(self, data: Any = None) -> None:
        super().__init__(data)
        choices = [(name, words) for name, (_setting, words) in limits.LIMITS.items()]
        self.fields["limit"].choices = choices  # type: ignore[attr-defined]


def to_decide(member: Viewer) -> int:
    """Return the number of proposals that this member may decide."""
    return approvals.waiting_for(member, timezone.now())


@staff_page(
    "proposals",
    "approvals/",
    _("Approvals"),
    menu=Menu(APPROVALS, "how_to_reg", 10, waiting=to_decide),
)
@require_safe
def proposals_page(request: HttpRequest) -> HttpResponse:
    member, now = player_of(request), timezone.now()
    visible = approvals.visible_to(member)
    waiting = list(visible.filter(status=Proposal.Status.PROPOSED)[:PROPOSALS_SHOWN])
    decided = list(visible.exclude(status=Proposal.Status.PROPOSED)[:PROPOSALS_SHOWN])
    known = links(proposal.subject for proposal in (*waiting, *decided))
    mine = approvals.decidable(
        member, [proposal for proposal in waiting if proposal.expires_at > now]
    )

    def rows(some: list[Proposal]) -> list[dict[str, object]]:
        return [
            {
                "proposal": proposal,
                "verb": journal.words_of(proposal.verb),
                "subject": known.get(proposal.subject),
                "mine": proposal.pk in mine,
                "outcome": approvals.outcome_of(proposal),
                "lines": [approvals.Change(*line) for line in proposal.kept_lines],
            }
            for proposal in some
        ]

    return office_page(
        request,
        "proposals.html",
        _("Approvals"),
        waiting=rows(waiting),
        decided=rows(decided),
    )


@staff_page("proposal", "approvals/<int:number>/", _("One proposal"))
@require_http_methods(["GET", "HEAD", "POST"])
def proposal_page(request: HttpRequest, number: int) -> HttpResponse:
    """One proposal: what would change, and two buttons for people who may decide."""
    member = player_of(request)
    proposal = get_object_or_404(approvals.visible_to(member), pk=number)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        with refused_in(form):
            reason = form.cleaned_data["reason"]
            decide(request, proposal, reason, _("Approved, and carried out."))
            return redirect("proposal", number)
    waits = proposal.status == Proposal.Status.PROPOSED and proposal.expires_at > timezone.now()
    return office_page(
        request,
        "proposal.html",
        journal.words_of(proposal.verb),
        proposal=proposal,
        outcome=approvals.outcome_of(proposal),
        subject=links([proposal.subject]).get(proposal.subject),
        # Of what does not exist yet the reference has the name.
        subject_name=proposal.subject.partition(":")[2] or proposal.subject,
        waits=waits,
        lines=approvals.describe(proposal),
        done=_carried_out(proposal),
        may_decide=waits and approvals.may_decide(member, proposal),
        own=proposal.maker == journal.by(member).reference,
        form=form,
    )


def _carried_out(proposal: Proposal) -> list[Any]:
    """The entries of the journal that an approved proposal brought about."""
    if proposal.status != Proposal.Status.APPROVED:
        return []
    about = JournalEntry.objects.filter(subject=proposal.subject, at__gte=proposal.made_at)
    opened = JournalEntry.objects.filter(verb=proposal.verb, at__gte=proposal.made_at)
    entries = (about | opened).filter(cause=proposal.reference)
    return rows_of(list(entries.order_by("position")[:PROPOSALS_SHOWN]))


@staff_page(
    "limits", "limits/", _("Limits"), "wallets.view_account", menu=Menu(APPROVALS, "speed", 20)
)
@require_http_methods(["GET", "HEAD", "POST"])
def limits_page(request: HttpRequest) -> HttpResponse:
    """The limits of the house, and the form that proposes another value."""
    member = player_of(request)
    form = LimitForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        with refused_in(form):
            submitted = submit_form(
                request, form, "limit.change", {"limit": values["limit"], "value": values["value"]}
            )
            return to_proposal(request, cast(Proposal, submitted.proposal))
    return office_page(
        request,
        "limits.html",
        _("Limits of the house"),
        limits=[(words, limits.value(name)) for name, (_setting, words) in limits.LIMITS.items()],
        may_propose=member.has_perm("wallets.change_limit"),
        form=form,
    )


WORDS: Final[dict[str, str | Promise]] = {
    "database": _("Database"),
    "redis": _("Redis"),
    "worker": _("Workers"),
    "simulations": _("Simulations"),
    "beat": _("Schedule"),
    "sweeper": _("Sweepers"),
    "tables": _("Tables"),
    "anchor": _("Anchors"),
}


def health_rows(now: datetime) -> list[dict[str, object]]:
    """Each part of the house: whether it works, and how that was measured."""
    return [
        {
            "words": WORDS.get(name, name),
            "ok": verdict["ok"],
            "seconds": verdict.get("seconds"),
            "overdue": verdict.get("overdue_seconds"),
            "at": house_time(datetime.fromisoformat(at)) if (at := verdict.get("at")) else "",
        }
        for name, verdict in checks(now).items()
    ]


@staff_page(
    "health",
    "health/",
    _("Health"),
    "upkeep.read_health",
    menu=Menu(OPERATION, "monitor_heart", 10),
)
@require_safe
def health_page(request: HttpRequest) -> HttpResponse:
    running = processes.running()
    return office_page(
        request,
        "health.html",
        _("Health"),
        rows=health_rows(timezone.now()),
        code=running_code(),
        processes=[
            {"process": process, "same": process.sha256 == running_code().sha256}
            for process in running or ()
        ],
        unknown=running is None,
    )
