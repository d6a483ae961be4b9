"""The pages of a player's file: all of it, the whole ledger and all notes, and each action."""

from collections.abc import Callable
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_http_methods, require_safe

from casino.player_file import looking, traces
from casino.player_file.actions import ACTIONS, Action
from casino.player_file.models import Flag
from casino.player_file.page import context_of
from casino.player_file.permissions import SEE, SEE_WALLETS, SEE_WHOLE
from casino.players.models import Player
from games.words.refusals import REFUSALS, sentence_of
from wallets.holders import wallets_of
from wallets.journalled_admin import to_proposal
from wallets.player import player_of
from wallets.statements import statement
from wallets.views import Filters, entry_rows, read_id

NUMBER_BITS: Final = 63
NOTES: Final = 50


@never_cache
@require_safe
def file_page(request: HttpRequest, number: int) -> HttpResponse:
    """All of it; opening it is in the journal."""
    player, member, now = _player(number), player_of(request), timezone.now()
    looking.note(member, player, now)
    context = context_of(member, player, request.GET.get("currency", ""), now)
    return _shown(request, "page", player.username, context)


@never_cache
@require_safe
def ledger_page(request: HttpRequest, number: int) -> HttpResponse:
    """Every line of a wallet in words, a page at a time."""
    player = _player(number)
    looking.note(player_of(request), player, timezone.now())
    held = wallets_of(player)
    code = request.GET.get("currency", "")
    wallet = next((one for one in held if one.currency_id == code), next(iter(held), None))
    form = Filters(request.GET)
    context: dict[str, object] = {"player": player, "wallets": held, "chosen": wallet, "form": form}
    if wallet is not None:
        found = statement(wallet, read_id(request.GET.get("before", "")), filters=form.chosen())
        kept = {name: text for name in form.fields if (text := request.GET.get(name, ""))}
        kept["currency"] = wallet.currency_id
        context |= {
            "rows": entry_rows(found.entries),
            "older": urlencode(kept | {"before": found.before}) if found.before else "",
        }
    title = _("Ledger of {name}").format(name=player.username)
    return _shown(request, "ledger", title, context)


@never_cache
@require_safe
def notes_page(request: HttpRequest, number: int) -> HttpResponse:
    """All notes by staff, the latest first."""
    player = _player(number)
    looking.note(player_of(request), player, timezone.now())
    found = traces.notes(player, read_id(request.GET.get("before", "")), NOTES + 1)
    context = {
        "player": player,
        "notes": found[:NOTES],
        "older": found[NOTES - 1].pk if len(found) > NOTES else None,
    }
    title = _("Notes about {name}").format(name=player.username)
    return _shown(request, "notes", title, context)


def page_of(action: Action) -> Callable[..., HttpResponse]:
    """The page that says what follows and asks why, and then carries the action out."""

    @never_cache
    @require_http_methods(["GET", "HEAD", "POST"])
    def page(request: HttpRequest, number: int) -> HttpResponse:
        player = _player(number)
        form = action.form(request.POST if request.method == "POST" else None)
        kind = request.GET.get("kind", "")
        if kind in Flag.Kind.values and "kind" in form.fields:
            form.initial["kind"] = kind
        if request.method == "POST" and form.is_valid():
            try:
                proposal = action.run(player_of(request), player, form.cleaned_data, timezone.now())
            except REFUSALS as refusal:
                form.add_error(None, sentence_of(refusal))
            else:
                if proposal is not None:
                    return to_proposal(request, proposal)
                messages.success(request, str(action.done))
                return redirect("player-file", player.pk)
        context = {"player": player, "form": form, "notes": action.notes, "submit": action.words}
        return _shown(request, "ask", action.words, context)

    return page


def _player(number: int) -> Player:
    found = Player.objects.filter(pk=number) if number.bit_length() <= NUMBER_BITS else None
    player = found.first() if found is not None else None
    if player is None:
        raise Http404
    return player


def _shown(
    request: HttpRequest, name: str, title: object, context: dict[str, object]
) -> TemplateResponse:
    return TemplateResponse(
        request,
        f"backoffice/player_file/{name}.html",
        admin.site.each_context(request) | {"title": title} | context,
    )


# Each is a name, an address, a view, words, a symbol if it is in the menu, and who opens it.
PLAYER_PAGES: Final[tuple[tuple[Any, ...], ...]] = (
    ("player-file", "players/<int:number>/file/", file_page, _("File of a player"), "", SEE),
    (
        "player-ledger",
        "players/<int:number>/file/ledger/",
        ledger_page,
        _("Ledger of a player"),
        "",
        SEE_WALLETS,
    ),
    (
        "player-notes",
        "players/<int:number>/file/notes/",
        notes_page,
        _("Notes about a player"),
        "",
        SEE_WHOLE,
    ),
    *(
        (action.name, action.address, page_of(action), action.words, "", action.permission)
        for action in ACTIONS
    ),
)
