"""One event: its page, the part of it that changes, its other pages, and a player's verbs.

A verb is answered with the player's new view of the event. Without a script the browser is sent
back to the page; with one, the changed part is put in its place.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import trigger_client_event
from django_htmx.middleware import HtmxDetails

from games.live.sources import stream_path
from games.lobby.status_strip import parts_of
from games.tables.formats import format_of
from games.views.table import table_of
from games.web.answers import Refusal, refusal_of
from tournaments.event.organiser import STREAM
from tournaments.mathematics.stage import DUPLICATE
from tournaments.models import Tournament
from tournaments.overview import listing
from tournaments.overview.event_view import Turned, event_view, number_in, tournament_for
from tournaments.overview.listing import PAGE, my_row
from tournaments.overview.tables_view import deals_view
from tournaments.running import entries
from tournaments.running.entries import entry_of
from wallets.values.errors import Refused
from wallets.values.player import Player, player_of

PageVerb = Callable[[Player, int, datetime], object]


@require_safe
def page(request: HttpRequest, number: int) -> HttpResponse:
    return _shown(request, event_of(number), Turned.read(request.GET))


@require_safe
def part(request: HttpRequest, number: int) -> HttpResponse:
    """The part that changes; nothing where the reader has the newest already."""
    return _shown(request, event_of(number), _turned(request))


@require_POST
@login_required
def verb(request: HttpRequest, number: int, name: str) -> HttpResponseBase:
    """Do something about an event, then show it, or why that was refused."""
    refusal, tournament = None, event_of(number)
    try:
        VERBS[name](player_of(request), number, timezone.now())
    except Refused as error:
        refusal = refusal_of(error, name, tournament.currency)
    if refusal is None and not HtmxDetails(request):
        return redirect("tournament", number)
    shown = _shown(request, event_of(number), _turned(request), refusal)
    # The balance of the bar and the strip of tables follow.
    return trigger_client_event(shown, "room")


def event_of(number: int) -> Tournament:
    """The event, or a page that says that there is none."""
    try:
        return tournament_for(number)
    except Refused as refusal:
        refusal_of(refusal, "page")
        raise


def _turned(request: HttpRequest) -> Turned:
    """Return the reader's page of each list, from the address of the requesting page."""
    details = HtmxDetails(request)
    if not details:
        return Turned.read(request.GET)
    return Turned.read(QueryDict(parts_of(details.current_url or "").query).dict())


def _shown(
    request: HttpRequest, tournament: Tournament, turned: Turned, refusal: Refusal | None = None
) -> HttpResponse:
    now = timezone.now()
    view = event_view(request.user, tournament, turned, now)
    whole = not HtmxDetails(request)
    mark = view.mark
    if not whole and refusal is None and request.GET.get("known") == mark:
        return HttpResponse(status=204)
    context: dict[str, object] = {
        "event": view,
        "tournament": tournament,
        "currency": tournament.currency,
        "mark": mark,
        "now": now,
        "turned": turned,
        "refusal": refusal,
        "stream": stream_path(STREAM, tournament.pk),
    }
    template = "tournaments/event.html" if whole else "tournaments/event_part.html"
    return render(request, template, context, status=refusal.status if refusal else 200)


VERBS: Final[dict[str, PageVerb]] = {
    "register": entries.register,
    "register-with-ticket": entries.register_with_ticket,
    "unregister": entries.unregister,
    "enter-again": entries.enter_again,
    "add-on": entries.add_on,
}


@require_safe
def heading(request: HttpRequest, table_id: int) -> HttpResponse:
    now = timezone.now()
    shown = format_of(table_of(request, table_id)).heading(request.user, now)
    if shown is None:
        raise Http404
    return render(request, shown.template, {"event": shown.event, "now": now})


@require_safe
def deals(request: HttpRequest, number: int) -> HttpResponse:
    tournament = event_of(number)
    if tournament.kind != DUPLICATE:
        raise Http404
    round_number, turned = (number_in(request.GET, name) for name in ("round", "tables"))
    view = deals_view(request.user, tournament, round_number, turned)
    return render(request, "tournaments/deals.html", {"tournament": tournament, "view": view})


@require_safe
@login_required
def hands(request: HttpRequest, number: int) -> HttpResponse:
    tournament, player = event_of(number), player_of(request)
    played = listing.played_by(player, tournament)
    page = Paginator(played, PAGE).get_page(request.GET.get("page"))
    entry = entry_of(player, tournament)
    if entry is not None:
        entry.tournament = tournament
    context = {
        "tournament": tournament,
        "mine": my_row(entry) if entry else None,
        "hands": listing.lines(page.object_list),
        "page": page,
    }
    return render(request, "tournaments/hands.html", context)
