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

from casino.backoffice.floor import listing, pieces
from casino.backoffice.floor.actions import Action
from casino.backoffice.floor.floor_context import allowed, floor_context
from casino.backoffice.floor.floor_search import find, hand_address
from games.models import Hand, Table
from games.words.refusals import REFUSALS, sentence_of
from wallets.amounts import show_amount
from wallets.models import Currency
from wallets.player import player_of

HANDS_SHOWN = 8
NUMBER_BITS = 63


@require_safe
def floor_page(request: HttpRequest) -> HttpResponse:
    """The floor, or the pieces of it that the reader has not been shown; nothing without any."""
    context = floor_context(request)
    if "part" in request.GET:
        fresh = pieces.changed(context, pieces.shown_by(request))
        return HttpResponse("".join(fresh)) if fresh else HttpResponse(status=204)
    page = admin.site.each_context(request) | context | {"pieces": pieces.by_place(context)}
    return TemplateResponse(request, "backoffice/floor/page.html", page)


@require_safe
def table_page(request: HttpRequest, number: int) -> HttpResponse:
    """One table: who sits there with how much, the last hands, and what can be done."""
    member, now = player_of(request), timezone.now()
    row = listing.one(number, now) if number.bit_length() <= NUMBER_BITS else None
    if row is None:
        raise Http404
    currency = Currency.objects.get(pk=row.currency)
    live = Hand.objects.filter(table=number, status=Hand.Status.LIVE).first()
    hands = Hand.objects.filter(table=number).order_by("-id")[:HANDS_SHOWN]
    context = {
        **admin.site.each_context(request),
        "title": row.name,
        "row": row,
        "left": row.deadline and max(0, int((row.deadline - now).total_seconds())),
        "seats": [(one, show_amount(one.stack, currency)) for one in row.sitters],
        "live": live,
        "hands": [(hand, hand_address(member, hand)) for hand in hands],
        "may": allowed(member),
        "closed": row.status == Table.Status.CLOSED,
    }
    return TemplateResponse(request, "backoffice/floor/table.html", context)


@require_safe
def find_page(request: HttpRequest) -> HttpResponse:
    """Show the search results; open a single result at once."""
    typed = request.GET.get("q", "")
    found = find(player_of(request), typed)
    if len(found) == 1:
        return redirect(found[0].address)
    context = {
        **admin.site.each_context(request),
        "title": _("Search"),
        "typed": typed,
        "found": found,
    }
    return TemplateResponse(request, "backoffice/floor/found.html", context)


def page_of(action: Action) -> Callable[..., HttpResponse]:
    """The page that asks why, and then carries the action out."""

    @require_http_methods(["GET", "HEAD", "POST"])
    def page(request: HttpRequest, number: int = 0) -> HttpResponse:
        if action.of_table and not _is_table(number):
            raise Http404
        form = action.form(request.POST if request.method == "POST" else None)
        back = reverse("floor-table", args=[number]) if action.of_table else reverse("floor")
        if request.method == "POST" and form.is_valid():
            try:
                action.run(player_of(request), number, form.cleaned_data, timezone.now())
            except REFUSALS as refusal:
                form.add_error(None, sentence_of(refusal))
            else:
                messages.success(request, str(action.done))
                return redirect(back)
        game = request.GET.get("game")
        if game and "game" in form.fields:
            form.initial["game"] = game
        context = {
            **admin.site.each_context(request),
            "title": action.words,
            "table": Table.objects.filter(pk=number).first() if action.of_table else None,
            "effects": action.effects(number),
            "note": action.note,
            "form": form,
            "back": back,
        }
        return TemplateResponse(request, "backoffice/floor/ask.html", context)

    return page


def _is_table(number: int) -> bool:
    return number.bit_length() <= NUMBER_BITS and Table.objects.filter(pk=number).exists()
