"""The pages of promotions in the back office: what runs, a draft's form, and one version."""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Any, Final, NamedTuple

from django.contrib import messages
from django.db.models import Count, Q, Sum
from django.forms import CharField
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe
from unfold.widgets import UnfoldAdminTextInputWidget

from casino.community.promotions.books import preview, task_sums
from casino.community.promotions.models import (
    AWARD_STATES,
    Preview,
    PromotionAward,
    PromotionVersion,
)
from casino.community.promotions.office import drafts, publishing
from casino.community.promotions.office.drafts import PERMISSION, VIEW, State
from casino.community.promotions.office.forms import NewPromotionForm, TermsForm
from casino.community.promotions.pages import terms as words
from casino.community.promotions.rules import declaration
from casino.community.promotions.rules.engine import GONE
from games.words.refusals import refused_in, sentence_of
from wallets.models import Currency
from wallets.models.staff_models import Proposal
from wallets.office.journalled_admin import ReasonForm, decide
from wallets.office.staff_pages import PEOPLE, Menu, office_page, staff_page
from wallets.staff import approvals
from wallets.values.days import ONE_DAY, day_of, end_of, start_of
from wallets.values.errors import Refused
from wallets.values.player import player_of

Values = dict[str, Any]
CALENDAR_DAYS: Final = 28
BEFORE: Final = timedelta(days=7)
AWARDS_SHOWN: Final = 20


class Spent(NamedTuple):
    """What a version has cost, in minor units: today, and in all."""

    today: int = 0
    in_all: int = 0


class Row(NamedTuple):
    """A promotion in the list: the version that runs or comes, and its cost against its plan."""

    version: PromotionVersion
    terms: declaration.Declaration
    currency: Currency
    kind: str | Promise
    standing: str
    cost: Spent
    share: int
    days: list[bool]


class DecideForm(ReasonForm):
    """A reason, and a second one to propose a promotion that can be exploited."""

    answer = CharField(
        label=_("Reason for this"),
        required=False,
        max_length=200,
        widget=UnfoldAdminTextInputWidget,
    )


def standing_of(version: PromotionVersion, now: datetime) -> str:
    """What a reader wants to know of a version: not its column, but whether it pays."""
    if version.state != State.PUBLISHED:
        return str(version.get_state_display())
    terms = version.declared
    if version.ended_at is not None or terms.ends <= now:
        return _t("ended")
    if version.stopped_at is not None:
        return _t("budget spent")
    return _t("coming") if terms.starts > now else _t("running")


def spent_by(versions: Iterable[PromotionVersion], now: datetime) -> dict[int, Spent]:
    """The cost of versions by number, in one statement."""
    today = Q(at__gte=start_of(day_of(now)))
    awards = PromotionAward.objects.filter(version__in=versions)
    paid = awards.exclude(state__in=GONE).values("version")
    sums = paid.annotate(today=Sum("amount", filter=today), in_all=Sum("amount")).order_by()
    rows = sums.values_list("version", "today", "in_all")
    spent = {number: Spent(of_today or 0, in_all or 0) for number, of_today, in_all in rows}
    for version in versions:
        if task_sums.sets_sums(version.declared):
            taken = task_sums.taken_by(version)
            of_today = taken.filter(taken_at__gte=start_of(day_of(now)))
            spent[version.pk] = Spent(task_sums.sum_of(of_today), task_sums.sum_of(taken))
    return spent


def _row(
    version: PromotionVersion, cost: Spent, currency: Currency, calendar: list[date], now: datetime
) -> Row:
    terms, ends = version.declared, version.effective.ends
    runs = version.state == State.PUBLISHED
    return Row(
        version,
        terms,
        currency,
        words.KIND_NAMES[terms.kind.key],
        standing_of(version, now),
        cost,
        100 * cost.in_all // terms.budget,
        [runs and start_of(day) < ends and end_of(day) > terms.starts for day in calendar],
    )


@staff_page("promotions", "promotions/", _("Promotions"), VIEW, menu=Menu(PEOPLE, "redeem", 45))
@require_safe
def promotions_page(request: HttpRequest) -> HttpResponse:
    """What runs, what comes, what was; a calendar of four weeks."""
    now = timezone.now()
    first = day_of(now - BEFORE)
    calendar = [first + number * ONE_DAY for number in range(CALENDAR_DAYS)]
    versions = PromotionVersion.objects.select_related("promotion").order_by("promotion", "-number")
    latest: dict[int, PromotionVersion] = {}
    for version in versions:
        latest.setdefault(version.promotion_id, version)
    costs, currencies = spent_by(latest.values(), now), Currency.objects.in_bulk()
    rows = [
        _row(
            version,
            costs.get(version.pk, Spent()),
            currencies[version.terms["currency"]],
            calendar,
            now,
        )
        for version in latest.values()
    ]
    return office_page(
        request,
        "promotions/list.html",
        _("Promotions"),
        rows=sorted(rows, key=lambda row: (not any(row.days), -row.version.pk)),
        calendar=calendar,
        today=day_of(now),
        start=NewPromotionForm(),
        may_change=player_of(request).has_perm(PERMISSION),
    )


@staff_page(
    "promotion-new", "promotions/new/", _("New promotion"), PERMISSION, begins="promotion-new"
)
@require_http_methods(["GET", "HEAD", "POST"])
def new_page(request: HttpRequest) -> HttpResponse:
    start = NewPromotionForm(request.GET or None)
    if not start.is_valid():
        return office_page(
            request, "promotions/edit.html", _("New promotion"), start=NewPromotionForm()
        )
    kind = start.cleaned_data["kind"]
    currency = Currency.objects.get(pk=start.cleaned_data["currency"])
    today = day_of(timezone.now())
    days: dict[str, Any] = {
        "first_day": today.isoformat(),
        "last_day": (today + timedelta(days=27)).isoformat(),
        "name": str(words.KIND_NAMES[kind]),
    }
    form = TermsForm(kind, currency, request.POST or None, **days)

    def make(values: Values) -> PromotionVersion:
        member, reason = player_of(request), values["reason"]
        return drafts.make(member, values["name"], form.terms, reason=reason, now=timezone.now())

    return _terms_page(request, _("New promotion"), form, make, kind=words.KIND_NAMES[kind])


def _terms_page(
    request: HttpRequest,
    title: object,
    form: TermsForm,
    write: Callable[[Values], PromotionVersion],
    **context: object,
) -> HttpResponse:
    """A form of terms: what it sends is stored, and its cost computed."""
    if form.is_bound and form.is_valid():
        with refused_in(form):
            version = write(form.cleaned_data)
            preview.ask(version, timezone.now())
            return redirect("promotion", version.pk)
    return office_page(request, "promotions/edit.html", title, form=form, **context)


@staff_page("promotion-edit", "promotions/<int:number>/edit/", _("A draft"), PERMISSION)
@require_http_methods(["GET", "HEAD", "POST"])
def edit_page(request: HttpRequest, number: int) -> HttpResponse:
    version = _version(number)
    if version.state != State.DRAFT:
        return redirect("promotion", version.pk)
    terms = version.declared
    currency = Currency.objects.get(pk=terms.currency)
    initial = {"name": version.promotion.name, "revision": version.revision}
    form = TermsForm(terms.kind.key, currency, request.POST or None, terms, **initial)
    form.fields["name"].disabled = True

    def save(values: Values) -> PromotionVersion:
        member, revision = player_of(request), values["revision"]
        return drafts.save(member, version.pk, revision, form.terms, reason=values["reason"])

    kind = words.KIND_NAMES[terms.kind.key]
    return _terms_page(request, version, form, save, version=version, kind=kind)


@staff_page("promotion", "promotions/<int:number>/", _("A version of a promotion"), VIEW)
@require_http_methods(["GET", "HEAD", "POST"])
def version_page(request: HttpRequest, number: int) -> HttpResponse:
    """One version: its terms, what it would have cost, what it costs, and the next step."""
    version, now, member = _version(number), timezone.now(), player_of(request)
    form = DecideForm(request.POST if request.method == "POST" else None)
    if request.method == "POST":
        if "reckon" in request.POST and member.has_perm(PERMISSION):
            preview.ask(version, now)
            return redirect("promotion", version.pk)
        if form.is_valid() and (answer := _act(request, version, form)) is not None:
            return answer
        version = _version(number)
    proposal, terms = _proposal(version), version.declared
    row = preview.of_version(version)
    result = row.result if row is not None and row.state == Preview.State.DONE else None
    return office_page(
        request,
        "promotions/version.html",
        version,
        version=version,
        terms=terms,
        currency=Currency.objects.get(pk=terms.currency),
        standing=standing_of(version, now),
        lines=words.lines(terms),
        form=form,
        may_change=member.has_perm(PERMISSION),
        may_decide=proposal is not None and approvals.may_decide(member, proposal),
        versions=version.promotion.versions.order_by("-number"),
        preview=row,
        is_busy=is_under_way(row),
        result=result,
        share=_share(result),
        is_exploitable=result is not None and publishing.is_exploitable(result),
        planned=result and result["cost"] // preview.DAYS,
        **_paid(version, now),
    )


@staff_page(
    "promotion-progress", "promotions/<int:number>/progress/", _("Simulation progress"), VIEW
)
@require_safe
def progress_part(request: HttpRequest, number: int) -> HttpResponse:
    """Show how far the worker is; when it has finished, the whole page is fetched again."""
    version = _version(number)
    row = preview.of_version(version)
    is_busy = is_under_way(row)
    context = {"version": version, "preview": row, "is_busy": is_busy}
    answer = TemplateResponse(request, "backoffice/promotions/progress.html", context)
    if not is_busy:
        answer["HX-Refresh"] = "true"
    return answer


def is_under_way(row: Preview | None) -> bool:
    return row is not None and row.state in (Preview.State.WAITING, Preview.State.RUNNING)


def _act(request: HttpRequest, version: PromotionVersion, form: Any) -> HttpResponse | None:
    for button, work in BUTTONS.items():
        if button in request.POST:
            try:
                return work(request, version, form.cleaned_data)
            except Refused as refusal:
                form.add_error(None, sentence_of(refusal))
                return None
    return redirect("promotion", version.pk)


def _propose(request: HttpRequest, version: PromotionVersion, values: Values) -> HttpResponse:
    publishing.propose(
        player_of(request),
        version.pk,
        version.revision,
        values["answer"],
        reason=values["reason"],
        key=values["key"],
    )
    messages.info(request, _("A colleague must approve this. Nothing has changed yet."))
    return redirect("promotion", version.pk)


def _decide(request: HttpRequest, version: PromotionVersion, values: Values) -> HttpResponse:
    decide(request, _proposal(version), values["reason"], _("Approved, and published."))
    return redirect("promotion", version.pk)


def _begin(request: HttpRequest, version: PromotionVersion, values: Values) -> HttpResponse:
    draft = drafts.begin_draft(
        player_of(request), version.pk, reason=values["reason"], now=timezone.now()
    )
    return redirect("promotion-edit", draft.pk)


def _discard(request: HttpRequest, version: PromotionVersion, values: Values) -> HttpResponse:
    drafts.discard(player_of(request), version.pk, reason=values["reason"])
    messages.success(request, _("The draft is discarded."))
    return redirect("promotions")


def _end(request: HttpRequest, version: PromotionVersion, values: Values) -> HttpResponse:
    publishing.end(player_of(request), version.pk, reason=values["reason"], now=timezone.now())
    messages.success(request, _("The promotion has ended. What was earned before is paid."))
    return redirect("promotion", version.pk)


Work = Callable[[HttpRequest, PromotionVersion, Values], HttpResponse]
BUTTONS: Final[dict[str, Work]] = {
    "propose": _propose,
    "approve": _decide,
    "reject": _decide,
    "draft": _begin,
    "discard": _discard,
    "end": _end,
}


def _version(number: int) -> PromotionVersion:
    return get_object_or_404(PromotionVersion.objects.select_related("promotion"), pk=number)


def _proposal(version: PromotionVersion) -> Proposal | None:
    rows = Proposal.objects.filter(
        verb=publishing.VERB,
        subject=version.promotion.reference,
        status=Proposal.Status.PROPOSED,
        arguments__version=version.pk,
    )
    return rows.order_by("-pk").first()


def _share(result: Mapping[str, Any] | None) -> str:
    """The share of the revenue; empty where there was none."""
    share = result["share_bp"] if result else None
    return "" if share is None else words.percent(share)


def _paid(version: PromotionVersion, now: datetime) -> dict[str, object]:
    """What it has paid so far, and the newest awards."""
    awards = version.awards.select_related("player")
    states = awards.values_list("state").annotate(Count("pk"), Sum("amount")).order_by("state")
    return {
        "spent": spent_by([version], now).get(version.pk, Spent()),
        "debts": awards.filter(is_debt=True).aggregate(sum=Sum("amount"))["sum"],
        "states": [(AWARD_STATES[state], *sums) for state, *sums in states],
        "awards": awards.order_by("-at", "-pk")[:AWARDS_SHOWN],
    }
