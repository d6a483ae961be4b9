"""Pages of hands: the search over all hands, and a finished hand for staff and auditors.

The hand is shown as a spectator saw it. Only an auditor opens all cards, which the journal notes.
"""

from collections.abc import Iterable
from typing import Final, TypeVar

from django.contrib import admin
from django.forms import BooleanField, CharField, TextInput
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from games.boards.hand_at_table import names_in
from games.boards.replay import Replay
from games.models import Hand
from games.records import record, reversals
from games.records.ledger_lines import GivenBack, LedgerLine, given_back, ledger_lines
from games.records.record import AUDIT, OPENED
from games.records.reversals import PERMISSION, TakeHandBack, preview
from games.records.search import by_code
from games.tables.formats import format_of
from games.views.board_facts import with_felt
from games.views.hand import (
    open_with_reason,
    replay_context,
    requested_step,
    settled_lines,
    step_of,
)
from games.views.history import staff_context
from games.words.naming import game_name
from games.words.refusals import sentence_of
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.office.journalled_admin import Keyed, key_field, submit_form, to_proposal
from wallets.office.staff_pages import GAMES, Menu, office_page, staff_page
from wallets.staff import journal
from wallets.typed_form import Typed
from wallets.values.errors import Refused
from wallets.values.player import player_of


@staff_page(
    "office-hands",
    "hands/",
    _("Find a hand"),
    AUDIT,
    PERMISSION,
    menu=Menu(GAMES, "search", 19, about=_("A hand is found here once it has ended.")),
)
@require_safe
def hand_search(request: HttpRequest) -> HttpResponse:
    return office_page(request, "hands.html", _("Find a hand"), **staff_context(request))


READ_JOURNAL: Final = "wallets.read_journal"
# How many entries of the journal the page shows; the journal has them all.
NOTES_SHOWN: Final = 12
Line = TypeVar("Line", LedgerLine, GivenBack)


class ReverseForm(Keyed, Typed):
    """The reason for reversing a hand, and whether the house pays what is missing."""

    reason = CharField(
        label=_("Reason"),
        max_length=reversals.REASON_MAX,
        widget=TextInput(attrs={"autocomplete": "off"}),
        help_text=_("All who may see the hand can read this."),
    )
    house_pays = BooleanField(
        label=_("The house pays what is missing"),
        required=False,
        help_text=_("Use this if a winner no longer has the money that the hand paid."),
    )
    word = "VOID"
    typed = CharField(max_length=20, widget=TextInput(attrs={"autocomplete": "off"}))
    key = key_field()


@staff_page("office-hand", "hands/<str:code>/", _("One hand"), PERMISSION, AUDIT)
@require_http_methods(["GET", "HEAD", "POST"])
def hand_page(request: HttpRequest, code: str) -> HttpResponse:
    hand = _hand(code)
    form = ReverseForm()
    if request.method == "POST":
        if "open" in request.POST:
            return _open_cards(request, hand)
        form = ReverseForm(request.POST)
        if form.is_valid() and (answer := _reverse(request, hand, form)):
            return answer
    return render(request, "backoffice/hand.html", _context(request, hand, form))


@staff_page(
    "office-hand-step",
    "hands/<str:code>/step/<int:number>/",
    _("One step of a hand"),
    PERMISSION,
    AUDIT,
)
@require_safe
def hand_step(request: HttpRequest, code: str, number: int) -> HttpResponse:
    """One step, for the replayer to put in the place of another."""
    hand = _hand(code)
    viewer = _seen_as(request, hand)
    return step_of(request, Replay(hand, viewer, names_in(hand, []), hand.table.currency), number)


def _hand(code: str) -> Hand:
    """A hand that is over; it also leaves out what a tournament hides until it ends."""
    ended = Hand.objects.exclude(status=Hand.Status.LIVE).select_related("shoe", "table__currency")
    hand = by_code(ended, code).first()
    if hand is None or hand.code != code or not format_of(hand.table).history_open(hand):
        raise Http404
    return hand


def _seen_as(request: HttpRequest, hand: Hand) -> str | None:
    """As a spectator (`None`), or as an auditor who has opened the cards in this session."""
    opened = hand.pk in request.session.get(OPENED, ())
    return record.AUDITOR if opened and record.is_auditor(player_of(request)) else None


def _open_cards(request: HttpRequest, hand: Hand) -> HttpResponse:
    member = player_of(request)
    if record.is_auditor(member) and _seen_as(request, hand) is None:
        open_with_reason(request, hand)
    return redirect("office-hand", hand.code)


def _reverse(request: HttpRequest, hand: Hand, form: ReverseForm) -> HttpResponse | None:
    """Reverse the hand, or propose it; nothing if that was refused, and the form says why."""
    values = form.cleaned_data
    try:
        submitted = submit_form(
            request, form, TakeHandBack.name, {"hand": hand.pk, "house_pays": values["house_pays"]}
        )
    except Refused as refusal:
        form.add_error(None, sentence_of(refusal, hand.table.currency))
        return None
    if submitted.proposal:
        return to_proposal(request, submitted.proposal)
    return redirect("office-hand", hand.code)


def _context(request: HttpRequest, hand: Hand, form: ReverseForm) -> dict[str, object]:
    member, viewer = player_of(request), _seen_as(request, hand)
    names = names_in(hand, [])
    replay = Replay(hand, viewer, names, hand.table.currency)
    # With what came to a stack before its first bet.
    stacks = {stake.seat: stake.stack for stake in replay.path[-1].stakes}
    may_reverse, is_auditor = member.has_perm(reversals.PERMISSION), record.is_auditor(member)
    finished = hand.status == Hand.Status.FINISHED
    reads_journal = member.has_perm(READ_JOURNAL)
    notes = JournalEntry.objects.filter(subject=hand.reference).order_by("-position")

    def opened(lines: Iterable[Line]) -> list[Line]:
        """Staff who reverse hands see all accounts; a statement of a seat is for auditors."""
        return [line if is_auditor else line._replace(address="") for line in lines]

    waits = Proposal.objects.filter(subject=hand.reference, status=Proposal.Status.PROPOSED)
    return {
        **with_felt(admin.site.each_context(request), hand.game),
        "title": hand.code,
        **replay_context(replay, requested_step(request, replay.last)),
        "game": game_name(hand.game),
        "belongs_to": format_of(hand.table).belongs_to(),
        "seats": replay.rows,
        "stacks": [
            (row, names.get(row.number, ""), stacks[row.number] + row.net) for row in replay.rows
        ],
        "marks": replay.marks(),
        "lines": settled_lines(hand),
        "ledger": opened(ledger_lines(hand, record.AUDITOR, names)),
        "given_back": opened(given_back(hand, record.AUDITOR, names)),
        "audits": viewer == record.AUDITOR,
        "may_open": is_auditor and viewer is None,
        "steps": f"{reverse('office-hand', args=[hand.code])}step/",
        "form": form,
        "preview": preview(hand, names) if may_reverse and finished else None,
        "played_it": bool(reversals.played_by(member, [hand.pk])),
        "proposal": waits.first(),
        "notes": [(entry, journal.words_of(entry.verb)) for entry in notes[:NOTES_SHOWN]]
        if reads_journal
        else [],
        "journal": f"{reverse('journal')}?subject={hand.reference}" if reads_journal else "",
    }
