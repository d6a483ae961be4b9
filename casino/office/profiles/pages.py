"""The pages of profiles with their forms: they parse, call `games.profiles`, and render."""

from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib import messages
from django.core.exceptions import PermissionDenied
from django.forms import (
    BooleanField,
    CharField,
    ChoiceField,
    DateField,
    Form,
    HiddenInput,
    TimeField,
)
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from django.views.decorators.http import require_http_methods, require_safe
from unfold.widgets import (
    UnfoldAdminSelectWidget,
    UnfoldAdminTextInputWidget,
    UnfoldBooleanWidget,
)

from casino.office.profiles import reading
from games.models import Hand, Profile, ProfileVersion
from games.profiles import drafts, publishing, reckoning
from games.profiles.differences import content_of, differences
from games.profiles.drafts import PERMISSION, VIEW, StaleDraft
from games.profiles.option_form import DraftForm, NewProfileForm
from games.profiles.warnings import ANSWER_MAX, Warned
from games.tables.table_rules import version_in_force
from games.words.naming import game_name
from games.words.refusals import refused_in, sentence_of
from wallets.office.journalled_admin import ReasonForm, decide
from wallets.office.staff_pages import GAMES, Menu, office_page, staff_page
from wallets.office.whole_units import NumberField
from wallets.values.days import house_zone, in_house_zone
from wallets.values.errors import Refused
from wallets.values.player import player_of


class ProposeForm(ReasonForm):
    revision = NumberField(widget=HiddenInput, min_value=1, max_value=10**9)
    day = DateField(
        label=_("Publish from"), widget=UnfoldAdminTextInputWidget(attrs={"type": "date"})
    )
    hour = TimeField(label=_("Hour"), widget=UnfoldAdminTextInputWidget(attrs={"type": "time"}))

    def __init__(
        self, version: ProfileVersion, warned: Iterable[Warned], now: datetime, data: Any = None
    ) -> None:
        start = in_house_zone(now) + timedelta(minutes=1)
        super().__init__(
            data,
            initial={
                "revision": version.revision,
                "day": start.date().isoformat(),
                "hour": start.strftime("%H:%M"),
            },
        )
        self.warned = list(warned)
        for warning in self.warned:
            self.fields[f"tick:{warning.code}"] = BooleanField(
                label=_("This is intended"), widget=UnfoldBooleanWidget
            )
            self.fields[f"answer:{warning.code}"] = CharField(
                label=_("Reason for this"), max_length=ANSWER_MAX, widget=UnfoldAdminTextInputWidget
            )

    def questions(self) -> list[tuple[Warned, object, object]]:
        return [
            (warned, self[f"tick:{warned.code}"], self[f"answer:{warned.code}"])
            for warned in self.warned
        ]

    @property
    def start(self) -> datetime:
        values = self.cleaned_data
        return datetime.combine(values["day"], values["hour"], house_zone())

    @property
    def answers(self) -> dict[str, str]:
        return {warned.code: self.cleaned_data[f"answer:{warned.code}"] for warned in self.warned}


class CompareForm(Form):
    before = ChoiceField(label=_("From"), widget=UnfoldAdminSelectWidget)
    after = ChoiceField(label=_("To"), widget=UnfoldAdminSelectWidget)

    def __init__(self, profile: Profile, data: Any = None) -> None:
        super().__init__(data)
        versions = profile.versions.order_by("-number")
        choices = [
            (str(version.pk), f"{version.number} · {version.get_state_display()}")
            for version in versions
        ]
        for name in ("before", "after"):
            field: Any = self.fields[name]
            field.choices = choices


State = ProfileVersion.State


def _version(number: int) -> ProfileVersion:
    versions = ProfileVersion.objects.select_related(
        "profile__currency", "made_by", "based_on__profile__currency"
    )
    return get_object_or_404(versions, pk=number)


@staff_page("profiles", "profiles/", _("Profiles"), VIEW, menu=Menu(GAMES, "tune", 20))
@require_safe
def profiles_page(request: HttpRequest) -> HttpResponse:
    """Every profile: the version in force, later versions, and the tables that follow it."""
    now = timezone.now()
    rows = []
    for profile in Profile.objects.select_related("currency").order_by("game", "name"):
        current = version_in_force(profile.pk, now)
        open_one = profile.versions.filter(state__in=drafts.OPEN).first()
        if open_one is None:
            later = profile.versions.filter(state=State.PUBLISHED, published_from__gt=now)
            open_one = later.order_by("published_from").first()
        rows.append(
            {
                "profile": profile,
                "game": game_name(profile.game),
                "current": current,
                "open": open_one,
                "standing": reading.standing(open_one, now) if open_one else "",
                "latest": current or open_one or profile.versions.first(),
                "tables": list(profile.tables.order_by("name")[:5]),
                "hands": Hand.objects.filter(profile_version__in=profile.versions.all()).count(),
            }
        )
    may = player_of(request).has_perm(PERMISSION)
    return office_page(request, "profiles/list.html", _("Profiles"), rows=rows, may_change=may)


@staff_page("profile-new", "profiles/new/", _("New profile"), PERMISSION, begins="profile-new")
@require_http_methods(["GET", "HEAD", "POST"])
def new_profile_page(request: HttpRequest) -> HttpResponse:
    form = NewProfileForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        with refused_in(form):
            version = drafts.make_profile(
                player_of(request),
                values["name"],
                values["game"],
                values["currency"],
                reason=values["reason"],
                now=timezone.now(),
            )
            return redirect("profile-edit", version.pk)
    return office_page(request, "profiles/new.html", _("New profile"), form=form)


@staff_page("profile", "profiles/<int:number>/", _("A version of a profile"), VIEW)
@require_http_methods(["GET", "HEAD", "POST"])
def version_page(request: HttpRequest, number: int) -> HttpResponse:
    """One version: the changes, their effects, and the next step for the reader."""
    version, now = _version(number), timezone.now()
    member = player_of(request)
    sent = request.POST if request.method == "POST" else None
    context = reading.reader_context(version, member, now)
    form = _form_of(version, context["warned"], sent)
    if sent is not None:
        answer = _act(request, version, form)
        if answer is not None:
            return answer
        version = _version(number)
        context = reading.reader_context(version, member, now)
    return office_page(
        request,
        "profiles/version.html",
        version,
        **context,
        form=form,
        all=bool(request.GET.get("all")),
        may_decide=reading.may_decide(member, version, now),
    )


def _form_of(version: ProfileVersion, warned: Any, sent: Any) -> object:
    proposes = version.state == State.DRAFT and (sent is None or "propose" in sent)
    return ProposeForm(version, warned, timezone.now(), sent) if proposes else ReasonForm(sent)


def _act(request: HttpRequest, version: ProfileVersion, form: Any) -> HttpResponse | None:
    """Do what a button says; without an answer the page is shown again with what is wrong."""
    if "reckon" in request.POST:
        return _reckon(request, version)
    if not form.is_valid():
        return None
    for button, work in BUTTONS.items():
        if button in request.POST:
            try:
                return work(request, version, form)
            except Refused as refusal:
                form.add_error(None, sentence_of(refusal))
                return None
    return redirect("profile", version.pk)


def _begin(request: HttpRequest, version: ProfileVersion, form: Any) -> HttpResponse:
    reason = form.cleaned_data["reason"]
    member = player_of(request)
    draft = drafts.begin_draft(member, version.pk, reason=reason, now=timezone.now())
    return redirect("profile-edit", draft.pk)


def _discard(request: HttpRequest, version: ProfileVersion, form: Any) -> HttpResponse:
    drafts.discard(player_of(request), version.pk, reason=form.cleaned_data["reason"])
    messages.success(request, _("The draft is discarded."))
    return redirect("profiles")


def _propose(request: HttpRequest, version: ProfileVersion, form: object) -> HttpResponse:
    if not isinstance(form, ProposeForm):
        raise Refused("already_proposed", _n("This version has already been proposed."))
    values = form.cleaned_data
    publishing.propose(
        player_of(request),
        version.pk,
        values["revision"],
        form.start,
        form.answers,
        reason=values["reason"],
        key=values["key"],
        now=timezone.now(),
    )
    messages.info(request, _("A colleague must approve this. Nothing has changed yet."))
    return redirect("profile", version.pk)


def _decide(request: HttpRequest, version: ProfileVersion, form: Any) -> HttpResponse:
    proposal, reason = reading.proposal_of(version), form.cleaned_data["reason"]
    decide(request, proposal, reason, _("Approved, and published."))
    return redirect("profile", version.pk)


Work = Callable[[HttpRequest, ProfileVersion, object], HttpResponse]
BUTTONS: Final[dict[str, Work]] = {
    "draft": _begin,
    "discard": _discard,
    "propose": _propose,
    "approve": _decide,
    "reject": _decide,
}


def _reckon(request: HttpRequest, version: ProfileVersion) -> HttpResponse:
    """Ask for the figures of a version, and of the one that it is compared with."""
    if not player_of(request).has_perm(PERMISSION):
        raise PermissionDenied
    now = timezone.now()
    reckoning.ask(version, now)
    if (before := reading.compared_with(version, now)) is not None:
        reckoning.ask(before, now)
    return redirect("profile", version.pk)


@staff_page("profile-progress", "profiles/<int:number>/progress/", _("Simulation progress"), VIEW)
@require_safe
def progress_part(request: HttpRequest, number: int) -> HttpResponse:
    """Show how far the worker is; when it has finished, the whole page is fetched again."""
    version = _version(number)
    row = reckoning.of_version(version)
    busy = row is not None and row.state in reading.reckoning_under_way()
    answer = TemplateResponse(
        request,
        "backoffice/profiles/progress.html",
        {
            "version": version,
            "reckoning": row,
            "busy": busy,
            "percent": reading.percent_of(row),
        },
    )
    if not busy:
        answer["HX-Refresh"] = "true"
    return answer


@staff_page("profile-edit", "profiles/<int:number>/edit/", _("A draft of a profile"), PERMISSION)
@require_http_methods(["GET", "HEAD", "POST"])
def edit_page(request: HttpRequest, number: int) -> HttpResponse:
    version = _version(number)
    if version.state != State.DRAFT:
        messages.info(request, _("This version has since been proposed or published."))
        return redirect("profile", version.pk)
    sent = request.POST if request.method == "POST" else None
    content = version.options, version.table_settings
    form: Any = DraftForm(version.profile, *content, version.revision, sent)
    stale: StaleDraft | None = None
    if sent is not None and form.is_valid():
        options, settings = form.content
        try:
            drafts.save_draft(
                player_of(request),
                version.pk,
                form.cleaned_data["revision"],
                options,
                settings,
                reason=form.cleaned_data["reason"],
            )
        except StaleDraft as refusal:
            # The next attempt builds on the colleague's version, which the page shows next to the
            # form.
            form.data = {**form.data.dict(), "revision": str(refusal.revision)}
            form.add_error(None, sentence_of(refusal))
            stale = refusal
        except Refused as refusal:
            form.add_error(None, sentence_of(refusal))
        else:
            if "reckon" in request.POST:
                return _reckon(request, _version(number))
            return redirect("profile", version.pk)
    return office_page(
        request,
        "profiles/edit.html",
        version,
        version=version,
        profile=version.profile,
        form=form,
        stale=stale.lines if stale else [],
    )


@staff_page("profile-compare", "profiles/<int:number>/compare/", _("Compare versions"), VIEW)
@require_safe
def compare_page(request: HttpRequest, number: int) -> HttpResponse:
    """Show the differences between any two versions of a profile."""
    version = _version(number)
    profile = version.profile
    form = CompareForm(profile, request.GET or None)
    rows: list[object] = []
    pair: list[ProfileVersion] = []
    if form.is_bound and form.is_valid():
        pair = [_version(int(form.cleaned_data[name])) for name in ("before", "after")]
        rows = [
            difference for difference in differences(*map(content_of, pair)) if difference.changed
        ]
    return office_page(
        request,
        "profiles/compare.html",
        _("Compare versions"),
        version=version,
        profile=profile,
        form=form,
        rows=rows,
        pair=pair,
        versions=reading.version_rows(profile, timezone.now()),
    )
