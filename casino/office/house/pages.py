"""The pages of the house's name, look and texts: what is in force, its draft, and what differs."""

from typing import Any, Final

from csp.constants import SELF
from django.contrib import messages
from django.contrib.auth.models import AnonymousUser
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import resolve, reverse
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _
from django.views.decorators.clickjacking import xframe_options_sameorigin
from django.views.decorators.http import require_http_methods, require_safe

from casino.office.house import transfer, versions
from casino.office.house.forms import HouseFileForm, HouseForm, RevisionForm
from casino.office.house.versions import PERMISSION, VIEW, State, content_of
from casino.office.models import HouseVersion
from games.views.lobby import front
from games.words.refusals import refused_in, sentence_of
from wallets.models.staff_models import JournalEntry
from wallets.office.journalled_admin import to_proposal
from wallets.office.staff_pages import OPERATION, Menu, office_page, staff_page
from wallets.staff.approvals import Submitted
from wallets.values import house
from wallets.values.errors import Refused
from wallets.values.player import player_of

SHOWN: Final = 20
# The number of the house as the code has it, among those of versions.
AS_BUILT: Final = 0
# Both forms of a page have a field for the reason.
OF_FILE: Final = "file_%s"
THEMES: Final = ("dark", "light")


@staff_page("house", "house/", _("Name, look and texts"), VIEW, menu=Menu(OPERATION, "palette", 80))
@require_http_methods(["GET", "HEAD", "POST"])
def house_page(request: HttpRequest) -> HttpResponse:
    """The version in force beside the draft, what differs, and the next step for the reader."""
    current, draft = versions.in_force(), versions.open_version()
    shown = draft or current
    sent = request.POST if request.method == "POST" else None
    form = RevisionForm(sent, initial={"revision": draft.revision if draft else 0})
    if sent is not None and draft is not None and form.is_valid():
        with refused_in(form):
            return _act(request, draft, form)
    member = player_of(request)
    return office_page(
        request,
        "house/house.html",
        _("Name, look and texts"),
        current=current,
        draft=draft,
        lines=versions.lines_of(shown) if shown else [],
        relied_on=bool(draft and versions.relied_on(draft)),
        form=form,
        may_change=member.has_perm(PERMISSION),
        versions=HouseVersion.objects.select_related("made_by")[:SHOWN],
        entries=_entries(shown),
        proposal=draft.proposal.partition(":")[2] if draft else "",
        themes=THEMES,
    )


def _entries(version: HouseVersion | None) -> list[JournalEntry]:
    if version is None:
        return []
    entries = JournalEntry.objects.filter(subject=version.reference)
    return list(entries.order_by("-position")[:5])


def _act(request: HttpRequest, draft: HouseVersion, form: RevisionForm) -> HttpResponse:
    values, member = form.cleaned_data, player_of(request)
    if "discard" in request.POST:
        versions.discard(member, reason=values["reason"])
        messages.success(request, _("The draft is discarded."))
        return redirect("house")
    submitted: Submitted = versions.publish(
        member,
        draft.pk,
        values["revision"],
        reason=values["reason"],
        key=values["key"],
        now=timezone.now(),
    )
    if submitted.proposal is not None:
        return to_proposal(request, submitted.proposal)
    messages.success(request, _("Published: pages show it from now on."))
    return redirect("house")


@staff_page("house-edit", "house/edit/", _("A draft of the house"), PERMISSION, begins="house-edit")
@require_http_methods(["GET", "HEAD", "POST"])
def edit_page(request: HttpRequest) -> HttpResponse:
    draft = versions.open_version()
    if draft is not None and draft.state != State.DRAFT:
        messages.info(request, _("A version waits for approval: it has to be decided first."))
        return redirect("house")
    begun = draft or _begun_from(request) or versions.in_force()
    content, revision = content_of(begun), draft.revision if draft else 0
    if request.method == "POST" and "import" in request.POST:
        taking = HouseFileForm(request.POST, request.FILES, auto_id=OF_FILE)
        form = HouseForm(content, revision)
        if taking.is_valid() and _imported(request, taking):
            return redirect("house")
    else:
        taking = HouseFileForm(initial={"revision": revision}, auto_id=OF_FILE)
        sent = request.POST if request.method == "POST" else None
        form = HouseForm(content, revision, sent, request.FILES)
        if sent is not None and form.is_valid() and _saved(request, form):
            return redirect("house")
    title = _("A draft of the house")
    return office_page(request, "house/edit.html", title, form=form, taking=taking, draft=draft)


def _begun_from(request: HttpRequest) -> HouseVersion | None:
    number = request.GET.get("from", "")
    return HouseVersion.objects.filter(pk=int(number)).first() if number.isdecimal() else None


def _saved(request: HttpRequest, form: HouseForm) -> bool:
    values = form.cleaned_data
    try:
        versions.save_draft(
            player_of(request),
            form.content,
            values["revision"],
            mark=None if values["no_mark"] else form.new_mark,
            reason=values["reason"],
            now=timezone.now(),
        )
    except Refused as refusal:
        form.error_at(refusal, sentence_of(refusal))
        return False
    return True


def _imported(request: HttpRequest, form: HouseFileForm) -> bool:
    values = form.cleaned_data
    with refused_in(form):
        content, mark = form.read()
        versions.save_draft(
            player_of(request),
            content,
            values["revision"],
            mark=mark,
            reason=values["reason"],
            now=timezone.now(),
        )
        return True
    return False


def _content(number: int) -> house.HouseContent:
    """The content of a version, or of the house as the code has it."""
    if number == AS_BUILT:
        return house.AS_BUILT
    return content_of(get_object_or_404(HouseVersion, pk=number))


@staff_page("house-export", "house/<int:number>/export/", _("A version as a file"), VIEW)
@require_safe
def export(_request: HttpRequest, number: int) -> HttpResponse:
    answer = HttpResponse(transfer.exported(_content(number)), content_type="application/json")
    answer["Content-Disposition"] = f'attachment; filename="house-{number}.json"'
    return answer


@staff_page("house-preview", "house/<int:number>/preview/<str:theme>/", _("A preview"), VIEW)
@require_safe
@xframe_options_sameorigin
def preview(request: HttpRequest, number: int, theme: str) -> HttpResponse:
    """The front page as a stranger sees it under a version, for a frame of the page of the house.

    It is a picture: the frame lets no script run, and nothing of the reader's is on it.
    """
    if theme not in THEMES:
        raise Http404
    content = _content(number)
    wanted = content.language(translation.get_language() or "")
    with house.shown_as(content), translation.override(wanted):
        answer = front(_of_a_stranger(request, theme))
    answer._csp_replace = {"frame-ancestors": [SELF]}  # type: ignore[attr-defined]
    return answer


def _of_a_stranger(request: HttpRequest, theme: str) -> HttpRequest:
    """A request for the front page from the same place, by somebody who is not signed in."""
    stranger: Any = HttpRequest()
    stranger.method, stranger.path, stranger.META = "GET", reverse("front"), dict(request.META)
    stranger.META["QUERY_STRING"] = ""
    stranger.COOKIES, stranger.session = {"theme": theme}, {}
    stranger.user, stranger.resolver_match = AnonymousUser(), resolve(stranger.path)
    bare: HttpRequest = stranger
    return bare
