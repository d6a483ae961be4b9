"""The pages of messages in the back office: all of them, one, its form, and reports by mail.

What came of a message: delivered, opened, and who came back beside who was held out.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.contrib import messages as notes
from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.template.response import TemplateResponse
from django.utils import timezone, translation
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from casino.community.messages import letters, segments
from casino.community.messages.models import Message, Recipient, ReportMail, Sending
from casino.community.messages.office import drafts, publishing
from casino.community.messages.office.drafts import PERMISSION, VIEW, State
from casino.community.messages.office.forms import DraftMessageForm, ReportMailForm, SegmentForm
from casino.community.messages.office.publishing import lines
from casino.community.messages.outbox import CHANNELS
from casino.community.messages.segments import Segment
from casino.office.alarms import condition_checks
from casino.office.reports.columns import percent
from casino.office.reports.report import READ
from games.words.refusals import refused_in, sentence_of
from wallets.models.staff_models import Proposal
from wallets.office.journalled_admin import ReasonForm, decide, to_proposal
from wallets.office.staff_pages import OPERATION, PEOPLE, Menu, office_page, staff_page
from wallets.staff import approvals
from wallets.values.errors import Refused
from wallets.values.player import player_of


class Reached(NamedTuple):
    """The players of one side, and how many of them came back."""

    players: int
    returned: int

    @property
    def share(self) -> str:
        return share_of(self.returned, self.players)


class Figures(NamedTuple):
    sent: Reached
    held_out: Reached
    opened: int
    # By channel: its words, delivered, waiting, failed, unknown, not sent.
    channels: list[tuple[str, list[int]]]

    @property
    def opened_share(self) -> str:
        return share_of(self.opened, self.sent.players)


def share_of(part: int, whole: int) -> str:
    value = percent(part, whole)
    return "–" if value is None else f"{value:.0f} %"


OUTCOMES = (
    Sending.Outcome.SENT,
    Sending.Outcome.WAITS,
    Sending.Outcome.FAILED,
    Sending.Outcome.CLAIMED,
    Sending.Outcome.DROPPED,
)


def figures_of(message: Message) -> Figures:
    rows = Recipient.objects.filter(message=message)
    back = Q(returned_at__isnull=False)
    counted = rows.aggregate(
        sent=Count("pk", filter=Q(is_held_out=False)),
        sent_back=Count("pk", filter=back & Q(is_held_out=False)),
        held=Count("pk", filter=Q(is_held_out=True)),
        held_back=Count("pk", filter=back & Q(is_held_out=True)),
        opened=Count("pk", filter=Q(opened_at__isnull=False)),
    )
    counts = {outcome.value: Count("pk", filter=Q(outcome=outcome)) for outcome in OUTCOMES}
    by_channel = Sending.objects.filter(recipient__message=message).values("channel")
    states = by_channel.annotate(**counts).values_list("channel", *counts).order_by("channel")
    labels = dict(Sending.Channel.choices)
    return Figures(
        Reached(counted["sent"], counted["sent_back"]),
        Reached(counted["held"], counted["held_back"]),
        counted["opened"],
        [(str(labels[channel]), list(numbers)) for channel, *numbers in states],
    )


EXAMPLES: Final = 10
SHOWN: Final = 100


@staff_page("messages", "messages/", _("Messages"), VIEW, menu=Menu(PEOPLE, "mail", 47))
@require_safe
def messages_page(request: HttpRequest) -> HttpResponse:
    """All messages, the newest first, with what came of them."""
    rows = Message.objects.order_by("-pk")[:SHOWN]
    return office_page(
        request,
        "messages/list.html",
        _("Messages"),
        rows=[(message, figures_of(message) if message.gathered_at else None) for message in rows],
        may_change=player_of(request).has_perm(PERMISSION),
    )


@staff_page("message-new", "messages/new/", _("New message"), PERMISSION, begins="message-new")
@require_http_methods(["GET", "HEAD", "POST"])
def new_page(request: HttpRequest) -> HttpResponse:
    return _edited(request, None)


@staff_page("message-edit", "messages/<int:number>/edit/", _("Edit a message"), PERMISSION)
@require_http_methods(["GET", "HEAD", "POST"])
def edit_page(request: HttpRequest, number: int) -> HttpResponse:
    message = get_object_or_404(Message, pk=number)
    if message.state != State.DRAFT:
        return redirect("message", message.pk)
    return _edited(request, message)


def _edited(request: HttpRequest, message: Message | None) -> HttpResponse:
    now = timezone.now()
    sent = request.POST if request.method == "POST" else None
    form = DraftMessageForm(sent, message=message)
    if sent is not None and form.is_valid():
        with refused_in(form):
            saved = drafts.save(
                player_of(request),
                form.content,
                number=message.pk if message else None,
                revision=form.cleaned_data["revision"] or 0,
                reason=form.cleaned_data["reason"],
                now=now,
            )
            return redirect("message", saved.pk)
    segment = segments.read(message.segment) if message else Segment()
    kind = message.kind if message else form.fields["kind"].choices[0][0]  # type: ignore[attr-defined]
    return office_page(
        request,
        "messages/edit.html",
        str(message or _("New message")),
        form=form,
        message=message,
        **_audience(segment, kind, now),
    )


@staff_page("message-segment", "messages/segment/", _("Players of a segment"), PERMISSION)
@require_safe
def segment_part(request: HttpRequest) -> HttpResponse:
    """The count and ten examples, while a segment is being put together."""
    form = SegmentForm(request.GET)
    context: dict[str, Any] = {}
    if form.is_valid():
        try:
            segments.require_sound(form.segment)
            context = _audience(form.segment, form.cleaned_data["kind"], timezone.now())
        except Refused as refusal:
            context = {"refusal": sentence_of(refusal)}
    else:
        context = {"refusal": next(iter(form.errors.values()))[0]}
    return TemplateResponse(request, "backoffice/messages/audience.html", context)


def _audience(segment: Segment, kind: str, now: datetime) -> dict[str, Any]:
    players = segments.players_of(segment, kind, now)
    numbers = list(players.order_by("pk").values_list("pk", flat=True))
    return {
        "count": len(numbers),
        "reached": {name: len(way.reaches(numbers)) for name, way in CHANNELS.items()},
        "examples": list(players.order_by("?")[:EXAMPLES].values_list("pk", "username")),
    }


@staff_page("message", "messages/<int:number>/", _("One message"), VIEW)
@require_http_methods(["GET", "HEAD", "POST"])
def message_page(request: HttpRequest, number: int) -> HttpResponse:
    """A message as players read it, for whom it is, what came of it, and the next step."""
    message, now, member = get_object_or_404(Message, pk=number), timezone.now(), player_of(request)
    form = ReasonForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        for button, work in BUTTONS.items():
            if button in request.POST:
                with refused_in(form):
                    return work(request, message, form.cleaned_data)
        message = get_object_or_404(Message, pk=number)
    proposal = _proposal(message)
    open_to_change = message.state in (State.DRAFT, State.PROPOSED)
    return office_page(
        request,
        "messages/message.html",
        str(message),
        message=message,
        form=form,
        lines=lines(message),
        readings=_readings(message),
        count=publishing.audience(message, now) if open_to_change else None,
        figures=figures_of(message) if message.gathered_at else None,
        outcomes=[outcome.label for outcome in OUTCOMES],
        letter=_letter(message, member),
        may_change=member.has_perm(PERMISSION),
        may_decide=proposal is not None and approvals.may_decide(member, proposal),
    )


def _readings(message: Message) -> list[tuple[str, str, str, str]]:
    """Code, language, title and text as players of each language read them."""
    readings = []
    for code, name in settings.LANGUAGES:
        with translation.override(code):
            readings.append((code, str(name), message.title, message.text))
    return readings


def _letter(message: Message, member: Any) -> str:
    """The mail, as it would be to the reader."""
    if not message.by_mail or not letters.house_address():
        return ""
    letter = letters.letter_of(message, member, "you@example.org", f"{message.pk}:0:mail")
    heads = "\n".join(f"{name}: {value}" for name, value in letter.extra_headers.items())
    return f"Subject: {letter.subject}\n{heads}\n\n{letter.body}"


def _proposal(message: Message) -> Proposal | None:
    rows = Proposal.objects.filter(
        verb=publishing.VERB, subject=message.reference, status=Proposal.Status.PROPOSED
    )
    return rows.order_by("-pk").first()


Values = dict[str, Any]


def _send(request: HttpRequest, message: Message, values: Values) -> HttpResponse:
    submitted = approvals.submit(
        player_of(request),
        publishing.VERB,
        {"message": message.pk},
        reason=values["reason"],
        key=values["key"],
        now=timezone.now(),
    )
    if submitted.proposal:
        return to_proposal(request, submitted.proposal)
    notes.success(request, _("The message is on its way."))
    return redirect("message", message.pk)


def _decide(request: HttpRequest, message: Message, values: Values) -> HttpResponse:
    decide(request, _proposal(message), values["reason"], _("The message is on its way."))
    return redirect("message", message.pk)


def _discard(request: HttpRequest, message: Message, values: Values) -> HttpResponse:
    drafts.discard(player_of(request), message.pk, reason=values["reason"], now=timezone.now())
    notes.success(request, _("The draft is discarded."))
    return redirect("messages")


def _stop(request: HttpRequest, message: Message, values: Values) -> HttpResponse:
    publishing.stop(player_of(request), message.pk, reason=values["reason"], now=timezone.now())
    notes.success(request, _("Nothing more of this message is sent."))
    return redirect("message", message.pk)


BUTTONS: Final[dict[str, Callable[[HttpRequest, Message, Values], HttpResponse]]] = {
    "send": _send,
    "approve": _decide,
    "reject": _decide,
    "discard": _discard,
    "stop": _stop,
}


@staff_page(
    "report-mail",
    "report-mail/",
    _("Reports by mail"),
    READ,
    condition_checks.SEE,
    menu=Menu(OPERATION, "forward_to_inbox", 65),
    begins="report-mail",
)
@require_http_methods(["GET", "HEAD", "POST"])
def report_mail_page(request: HttpRequest) -> HttpResponse:
    """Which reports the reader gets by mail, and where."""
    member, now = player_of(request), timezone.now()
    offered = (("yesterday", _("Yesterday, at 06:05"), READ),
               ("alarms", _("Alarms of my role, at once"), condition_checks.SEE))  # fmt: skip
    choices = [(kind, words) for kind, words, needs in offered if member.has_perm(needs)]
    row = ReportMail.objects.filter(member=member.pk).first()
    initial: dict[str, Any] = {"language": translation.get_language()}
    if row is not None:
        chosen = [kind for kind, _words in choices if getattr(row, kind)]
        initial = {"address": row.address, "language": row.language, "kinds": chosen}
    form = ReportMailForm(request.POST if request.method == "POST" else None, choices, **initial)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        with refused_in(form):
            address = letters.checked(values["address"])
            letters.choose(member, address, values["language"], set(values["kinds"]), now)
            notes.success(request, _("Your choice is stored."))
            return redirect("report-mail")
    return office_page(request, "messages/report_mail.html", _("Reports by mail"), form=form)
