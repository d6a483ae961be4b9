"""The pages of a player's file: all of it as rights allow, its ledger and notes, each action, and
complaints.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from casino.accounts import appointing, freezing
from casino.accounts.models import Player
from casino.accounts.staff import is_staff_member
from casino.care import exclusions
from casino.care.limits import limits_that_hold, limits_that_wait
from casino.care.models import ErasureRequest
from casino.office.players import figures, permissions, traces, verbs
from casino.office.players.actions import ACTIONS, NO_MERGING, Action, AnswerForm
from casino.office.players.models import Complaint, Flag
from casino.office.players.permissions import OPENS_HANDS, SEE, SEE_WALLETS, SEE_WHOLE
from casino.office.players.traces import partners_of
from games.models import Seat
from games.words.refusals import refused_in
from wallets.models import Currency
from wallets.models.holders import player_reference, wallets_of
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.money.accounts import statement
from wallets.office.journalled_admin import to_proposal
from wallets.office.staff_pages import PEOPLE, Menu, office_page, staff_page
from wallets.pages.views import Filters, entry_rows, read_id
from wallets.staff import journal
from wallets.values.days import day_of
from wallets.values.player import Viewer, player_of

LOOKS: Final = 8
READ_JOURNAL: Final = "wallets.read_journal"
CHAT: Final = "admin:games_chat_chatline_changelist"


def context_of(member: Viewer, player: Player, code: str, now: datetime) -> dict[str, object]:
    """A number of queries that depends on the reader's rights, and not on the player's life."""
    may = member.has_perm
    context = _identity(member, player, now)
    if may(permissions.SEE_WALLETS) or may(permissions.SEE_WHOLE):
        seats = figures.seats_now(player)
        if may(permissions.SEE_WALLETS):
            context |= _money(member, player, seats, code, now)
        if may(permissions.SEE_WHOLE):
            context |= _whole(player, seats, now)
    if may(permissions.SEE_HANDS):
        context |= _hands(member, player)
    if may(permissions.SEE_CHAT):
        context |= {
            "chat": traces.said(player),
            "all_chat": f"{reverse(CHAT)}?{urlencode({'q': player.username})}",
        }
    if may(READ_JOURNAL):
        subject = urlencode({"subject": player_reference(player.pk)})
        context["journal"] = f"{reverse('journal')}?{subject}"
        context["acts"] = verbs.acts_on(player, LOOKS)
    return context


def _identity(member: Viewer, player: Player, now: datetime) -> dict[str, object]:
    """Return the player's identity, flags and limits, and the actions that the reader may take."""
    flags = traces.flags(player)
    flags_up = [flag for flag in flags if flag.lowered_at is None]
    sees_documents = member.has_perm(permissions.SEE_DOCUMENTS)
    seen = traces.checks(player, day_of(now))
    return {
        "player": player,
        "status": _status(player),
        "frozen_by": None if player.is_active else _frozen_by(player),
        "is_staff_member": is_staff_member(player),
        "is_guest": player.is_guest,
        "checked": {shown_check.check.what for shown_check in seen if not shown_check.expired},
        "checks": seen if sees_documents else None,
        "flags": flags_up,
        "flags_before": [flag for flag in flags if flag.lowered_at][: traces.FLAGS_BEFORE],
        "limits": limits_that_hold(player, now),
        "limits_waiting": limits_that_wait(player, now),
        "break": exclusions.current(player.pk, now),
        "actions": _actions(member, player, flags_up=bool(flags_up)),
        "proposals": [
            (proposal, journal.words_of(proposal.verb))
            for proposal in Proposal.objects.filter(
                subject=player_reference(player.pk), status=Proposal.Status.PROPOSED
            ).order_by("-pk")
        ],
        "no_merging": NO_MERGING,
    }


def _status(player: Player) -> str:
    if player.closed_at is not None:
        return "closed"
    return "open" if player.is_active else "frozen"


def _frozen_by(player: Player) -> JournalEntry | None:
    """Return the journal's entry about the last freeze."""
    entries = JournalEntry.objects.filter(subject=player_reference(player.pk), verb=freezing.FREEZE)
    return entries.order_by("-position").first()


def _actions(member: Viewer, player: Player, *, flags_up: bool) -> list[dict[str, object]]:
    """The buttons that do something; the verbs ask again."""
    if player.is_bot:
        return []
    closed, frozen = player.closed_at is not None, not player.is_active
    offered = {
        "player-unflag": flags_up,
        "player-freeze": not closed and (not frozen or player.frozen_until is not None),
        "player-unfreeze": frozen and not closed,
        "player-close": not closed and not is_staff_member(player),
    }
    actions: list[dict[str, object]] = [
        {
            "words": action.words,
            "address": reverse(action.name, args=[player.pk]),
        }
        for action in ACTIONS
        if member.has_perm(action.permission) and offered.get(action.name, True)
    ]
    return actions + _sign_in_actions(member, player)


def _sign_in_actions(member: Viewer, player: Player) -> list[dict[str, object]]:
    """The player's row in the list leads to the pages of sign-ins, roles and data."""
    has_codes = freezing.has_codes_or_passkeys(player.pk)
    erasing = ErasureRequest.objects.filter(player=player, done_at=None)
    may = member.has_perm
    offered = (
        ("end_sessions", gettext("End all sessions"), may(freezing.MAY_END)),
        ("forget_codes", gettext("Reset codes"), may(freezing.MAY_FORGET) and has_codes),
        ("erase", gettext("Erase personal data"), may(freezing.PERMISSION) and erasing.exists()),
    )
    actions: list[dict[str, object]] = [
        {"words": words, "address": reverse(f"admin:players_player_{page}", args=[player.pk])}
        for page, words, holds in offered
        if holds
    ]
    if may(appointing.PERMISSION) and not player.is_guest and player.is_active:
        named = urlencode({"name": player.username})
        actions.append(
            {"words": gettext("Appoint"), "address": f"{reverse('staff')}?{named}#appoint"}
        )
    return actions


def _money(
    member: Viewer, player: Player, seats: Sequence[Seat], code: str, now: datetime
) -> dict[str, object]:
    held = figures.held_by(player, seats)
    holdings = figures.chosen(player, held, code)
    context: dict[str, object] = {"held": held, "chosen": holdings}
    if holdings is None:
        return context
    return context | {"ledger": figures.newest_lines(holdings), "flow": figures.flow(holdings, now)}


def _whole(player: Player, seats: Sequence[Seat], now: datetime) -> dict[str, object]:
    return {
        "seats": seats,
        "seats_before": figures.seats_before(player),
        "sign_ins": traces.sign_ins(player, now),
        "notes": traces.notes(player),
        "looks": verbs.looks_at(player, LOOKS),
        "shows_whole": True,
    }


def _hands(member: Viewer, player: Player) -> dict[str, object]:
    """Hands with the page that this reader may open; auditors search all of them."""
    currencies = Currency.objects.in_bulk()
    opens = any(map(member.has_perm, permissions.OPENS_HANDS))
    hands = [
        (
            hand,
            reverse("office-hand", args=[hand.code])
            if opens
            else reverse("admin:games_hand_change", args=[hand.number]),
        )
        for hand in figures.last_hands(player, currencies)
    ]
    all_hands = f"{reverse('office-hands')}?{urlencode({'player': player.username})}"
    results = figures.results(player, currencies)
    return {
        "hands": hands,
        "all_hands": all_hands if opens else "",
        "partners": reverse("player-partners", args=[player.pk]) if opens else "",
        "results": results,
        "result_sums": figures.in_all(results),
        "shows_hands": True,
    }


SHOWN: Final = 200


@staff_page(
    "complaints",
    "complaints/",
    _("Complaints"),
    permissions.SEE_WHOLE,
    menu=Menu(
        PEOPLE,
        "support_agent",
        25,
        waiting=verbs.complaints_waiting,
        about=_("A complaint is listed here as soon as it is taken."),
    ),
)
@never_cache
@require_safe
def complaints_page(request: HttpRequest) -> HttpResponse:
    """The open complaints; those that were answered on request, the latest first."""
    only_open = "answered" not in request.GET
    context = {
        "rows": verbs.register(only_open=only_open)[:SHOWN],
        "only_open": only_open,
        "today": day_of(timezone.now()),
    }
    return office_page(request, "player_file/complaints.html", _("Complaints"), **context)


@staff_page("complaint", "complaints/<int:number>/", _("One complaint"), permissions.SEE_WHOLE)
@never_cache
@require_http_methods(["GET", "HEAD", "POST"])
def complaint_page(request: HttpRequest, number: int) -> HttpResponse:
    complaint = get_object_or_404(
        Complaint.objects.select_related("player", "hand__table"), pk=number
    )
    form = AnswerForm(request.POST if request.method == "POST" else None)
    if request.method == "POST" and form.is_valid():
        values = form.cleaned_data
        with refused_in(form):
            verbs.answer_complaint(
                player_of(request), number, values["outcome"], values["text"], timezone.now()
            )
            messages.success(request, _("The complaint is answered."))
            return redirect("complaints")
    may = player_of(request).has_perm(permissions.FLAG)
    context: dict[str, object] = {
        "one": complaint,
        "form": form if may and complaint.answered_at is None else None,
    }
    return office_page(request, "player_file/complaint.html", _("One complaint"), **context)


NOTES: Final = 50
# Where the player is chosen about whom something is done.
PLAYERS: Final = "admin:players_player_changelist"


@staff_page("player-file", "players/<int:number>/file/", _("File of a player"), SEE)
@never_cache
@require_safe
def file_page(request: HttpRequest, number: int) -> HttpResponse:
    """All of it; opening it is in the journal."""
    player, member, now = get_object_or_404(Player, pk=number), player_of(request), timezone.now()
    verbs.note_visit(member, player, now)
    context = context_of(member, player, request.GET.get("currency", ""), now)
    return office_page(request, "player_file/page.html", player.username, **context)


@staff_page(
    "player-ledger", "players/<int:number>/file/ledger/", _("Ledger of a player"), SEE_WALLETS
)
@never_cache
@require_safe
def ledger_page(request: HttpRequest, number: int) -> HttpResponse:
    """Every line of a wallet in words, a page at a time."""
    player = get_object_or_404(Player, pk=number)
    verbs.note_visit(player_of(request), player, timezone.now())
    held = wallets_of(player)
    code = request.GET.get("currency", "")
    wallet = next(
        (account for account in held if account.currency_id == code), next(iter(held), None)
    )
    form = Filters(request.GET)
    context: dict[str, object] = {"player": player, "wallets": held, "chosen": wallet, "form": form}
    if wallet is not None:
        page = statement(wallet, read_id(request.GET.get("before", "")), filters=form.chosen())
        kept = {name: text for name in form.fields if (text := request.GET.get(name, ""))}
        kept["currency"] = wallet.currency_id
        context |= {
            "rows": entry_rows(page.entries),
            "older": urlencode(kept | {"before": page.before}) if page.before else "",
        }
    title = _("Ledger of {name}").format(name=player.username)
    return office_page(request, "player_file/ledger.html", title, **context)


@staff_page(
    "player-notes", "players/<int:number>/file/notes/", _("Notes about a player"), SEE_WHOLE
)
@never_cache
@require_safe
def notes_page(request: HttpRequest, number: int) -> HttpResponse:
    """All notes by staff, the latest first."""
    player = get_object_or_404(Player, pk=number)
    verbs.note_visit(player_of(request), player, timezone.now())
    notes = traces.notes(player, read_id(request.GET.get("before", "")), NOTES + 1)
    context = {
        "player": player,
        "notes": notes[:NOTES],
        "older": notes[NOTES - 1].pk if len(notes) > NOTES else None,
    }
    title = _("Notes about {name}").format(name=player.username)
    return office_page(request, "player_file/notes.html", title, **context)


@staff_page(
    "player-partners",
    "players/<int:number>/file/partners/",
    _("Partners of a player"),
    *OPENS_HANDS,
)
@never_cache
@require_safe
def partners_page(request: HttpRequest, number: int) -> HttpResponse:
    """Who played with the player; every figure leads to its hands."""
    player = get_object_or_404(Player, pk=number)
    verbs.note_visit(player_of(request), player, timezone.now())
    context = {"player": player, "partners": partners_of(player)}
    title = _("Partners of {name}").format(name=player.username)
    return office_page(request, "player_file/partners.html", title, **context)


def page_of(action: Action) -> Callable[..., HttpResponse]:
    """The page that says what follows and asks why, and then carries the action out."""

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    def page(request: HttpRequest, number: int) -> HttpResponse:
        player = get_object_or_404(Player, pk=number)
        form = action.form(request.POST if request.method == "POST" else None)
        kind = request.GET.get("kind", "")
        if kind in Flag.Kind.values and "kind" in form.fields:
            form.initial["kind"] = kind
        if request.method == "POST" and form.is_valid():
            with refused_in(form):
                proposal = action.run(player_of(request), player, form.cleaned_data, timezone.now())
                if proposal is not None:
                    return to_proposal(request, proposal)
                messages.success(request, str(action.done))
                return redirect("player-file", player.pk)
        context = {"player": player, "form": form, "notes": action.notes, "submit": action.words}
        return office_page(request, "player_file/ask.html", action.words, **context)

    return page


for _action in ACTIONS:
    staff_page(_action.name, _action.address, _action.words, _action.permission, begins=PLAYERS)(
        page_of(_action)
    )
