"""One event: its page, the part of it that changes, and what a player does about it.

A verb is answered with the event as it then stands for that player. Without a script the browser is
sent back to the page; with one, the changed part is put in its place.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, QueryDict
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import trigger_client_event
from django_htmx.middleware import HtmxDetails

from games.live.sources import stream_path
from games.lobby.status_strip import parts_of
from games.views.answers import Refusal, refusal_of
from games.words.refusals import REFUSALS
from tournaments import entries
from tournaments.models import Tournament
from tournaments.organiser import STREAM
from tournaments.overview.event_view import Turned, event_view, tournament_for
from wallets.player import Player, player_of

Verb = Callable[[Player, int, datetime], object]


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
    except REFUSALS as error:
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
    except REFUSALS as refusal:
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


VERBS: Final[dict[str, Verb]] = {
    "register": entries.register,
    "unregister": entries.unregister,
    "enter-again": entries.enter_again,
    "add-on": entries.add_on,
}
