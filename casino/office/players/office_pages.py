"""The pages of a player's file: all of it, its ledger and notes, each action, and complaints."""

from collections.abc import Callable
from typing import Final
from urllib.parse import urlencode

from django.contrib import messages
from django.http import HttpRequest, HttpResponse
from django.shortcuts import get_object_or_404, redirect
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from casino.accounts.models import Player
from casino.office.players import complaints, permissions, traces, verbs
from casino.office.players.actions import ACTIONS, Action, AnswerForm
from casino.office.players.models import Complaint, Flag
from casino.office.players.page import context_of
from casino.office.players.permissions import OPENS_HANDS, SEE, SEE_WALLETS, SEE_WHOLE
from casino.office.players.traces import partners_of
from games.words.refusals import refused_in
from wallets.models.holders import wallets_of
from wallets.money.accounts import statement
from wallets.office.journalled_admin import to_proposal
from wallets.office.staff_pages import PEOPLE, Menu, office_page, staff_page
from wallets.pages.views import Filters, entry_rows, read_id
from wallets.values.days import day_of
from wallets.values.player import player_of

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
        waiting=complaints.waiting,
        about=_("A complaint is listed here as soon as it is taken."),
    ),
)
@never_cache
@require_safe
def complaints_page(request: HttpRequest) -> HttpResponse:
    """The open complaints; those that were answered on request, the latest first."""
    only_open = "answered" not in request.GET
    context = {
        "rows": complaints.register(only_open=only_open)[:SHOWN],
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
            complaints.answer(
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
