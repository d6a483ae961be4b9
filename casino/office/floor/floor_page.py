"""The pages of the floor: all tables, one table, the search, the chart, and each action."""

from collections.abc import Callable

from django.contrib import admin, messages
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_http_methods, require_safe

from casino.office.floor import at_table, listing, pieces
from casino.office.floor.actions import ACTIONS, Action
from casino.office.floor.floor_context import allowed, floor_context
from casino.office.floor.floor_search import find, hand_address
from casino.office.floor.house_state import SEE
from games.models import Hand, Table
from games.views.board_facts import spectators_board, with_felt
from games.words.refusals import refused_in
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry
from wallets.office.staff_pages import NOW, Menu, office_page, staff_page
from wallets.staff import journal
from wallets.values.player import player_of

HANDS_SHOWN = 8
LOG_SHOWN = 8
READ_JOURNAL = "wallets.read_journal"
NUMBER_BITS = 63


@staff_page("floor", "floor/", _("Floor"), SEE, menu=Menu(NOW, "grid_view", 10))
@require_safe
def floor_page(request: HttpRequest) -> HttpResponse:
    """The floor, or the pieces of it that the reader has not been shown; nothing without any."""
    context = floor_context(request)
    if "part" in request.GET:
        fresh = pieces.changed(context, pieces.shown_by(request))
        return HttpResponse("".join(fresh)) if fresh else HttpResponse(status=204)
    page = admin.site.each_context(request) | context | {"pieces": pieces.by_place(context)}
    return TemplateResponse(request, "backoffice/floor/page.html", page)


@staff_page("floor-table", "floor/tables/<int:number>/", _("One table"), SEE)
@require_safe
def table_page(request: HttpRequest, number: int) -> HttpResponse:
    """One table: the felt, its seats and moves, the last hands, and what can be done."""
    member, now = player_of(request), timezone.now()
    row = listing.one(number, now) if number.bit_length() <= NUMBER_BITS else None
    if row is None:
        raise Http404
    currency = Currency.objects.get(pk=row.currency)
    live = Hand.objects.filter(table=number, status=Hand.Status.LIVE).first()
    table = Table.objects.get(pk=number)
    hands = Hand.objects.filter(table=number).order_by("-id")[:HANDS_SHOWN]
    moves = at_table.log_of(row, at_table.hand_shown(table), currency)
    journalled = JournalEntry.objects.filter(subject=f"table:{number}").order_by("-position")
    context = {
        **with_felt(admin.site.each_context(request), table.game),
        "title": row.name,
        "row": row,
        "left": row.deadline and max(0, int((row.deadline - now).total_seconds())),
        "seats": list(at_table.seats_of(row, moves, currency)),
        "moves": moves[: at_table.MOVES_SHOWN],
        "live": live,
        "board": spectators_board(table, now),
        "hands": [
            (hand, hand_address(member, hand), results)
            for hand, results in at_table.with_results(table, hands, currency)
        ],
        "log": [(entry, journal.words_of(entry.verb)) for entry in journalled[:LOG_SHOWN]]
        if member.has_perm(READ_JOURNAL)
        else None,
        "may": allowed(member),
        "closed": row.status == Table.Status.CLOSED,
    }
    return TemplateResponse(request, "backoffice/floor/table.html", context)


@staff_page("floor-find", "floor/find/", _("Search on the floor"), SEE)
@require_safe
def find_page(request: HttpRequest) -> HttpResponse:
    """Show the search results; open a single result immediately."""
    typed = request.GET.get("q", "")
    found = find(player_of(request), typed)
    if len(found) == 1:
        return redirect(found[0].address)
    return office_page(request, "floor/found.html", _("Search"), typed=typed, found=found)


def page_of(action: Action) -> Callable[..., HttpResponse]:
    """The page that asks why, and then carries the action out."""

    @require_http_methods(["GET", "HEAD", "POST"])
    def page(request: HttpRequest, number: int = 0) -> HttpResponse:
        if action.of_table and not _is_table(number):
            raise Http404
        form = action.form(request.POST if request.method == "POST" else None)
        back = reverse("floor-table", args=[number]) if action.of_table else reverse("floor")
        if request.method == "POST" and form.is_valid():
            with refused_in(form):
                action.run(player_of(request), number, form.cleaned_data, timezone.now())
                messages.success(request, str(action.done))
                return redirect(back)
        game = request.GET.get("game")
        if game and "game" in form.fields:
            form.initial["game"] = game
        return office_page(
            request,
            "floor/ask.html",
            action.words,
            table=Table.objects.filter(pk=number).first() if action.of_table else None,
            effects=action.effects(number),
            note=action.note,
            form=form,
            back=back,
        )

    return page


def _is_table(number: int) -> bool:
    return number.bit_length() <= NUMBER_BITS and Table.objects.filter(pk=number).exists()


for _action in ACTIONS:
    staff_page(
        _action.name,
        _action.address,
        _action.words,
        _action.permission,
        begins="floor" if _action.of_table else _action.name,
    )(page_of(_action))
