"""The page of all tournaments, and the one of those that a player has entered."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from games.live.announcing import LOBBY_STREAM
from games.lobby.listing import fingerprint
from tournaments.models import Tournament
from tournaments.overview import listing
from tournaments.overview.series_view import tickets_of
from wallets.values.player import player_of

# Events that are over are listed on pages.
PAGE: Final = listing.PAGE


@require_safe
def every(request: HttpRequest) -> HttpResponse:
    """All tournaments: open ones, those that are played, and the last that ended."""
    alive = listing.rows(request.user, listing.upcoming())
    over = Paginator(listing.finished(), PAGE).get_page(request.GET.get("page"))
    context: dict[str, object] = {
        "open": [row for row in alive if row.state == Tournament.State.ANNOUNCED],
        "played": [row for row in alive if row.state != Tournament.State.ANNOUNCED],
        "over": listing.rows(request.user, over.object_list),
    }
    mark = fingerprint(context)
    if HtmxDetails(request) and request.GET.get("known") == mark:
        return HttpResponse(status=204)
    context |= {"mark": mark, "page": over, "now": timezone.now(), "stream": LOBBY_STREAM}
    part = HtmxDetails(request)
    return render(request, f"tournaments/{'all_part' if part else 'all'}.html", context)


@require_safe
@login_required
def mine(request: HttpRequest) -> HttpResponse:
    """List the reader's events with places, prizes and links to the hands."""
    entered = listing.results_of(player_of(request))
    page = Paginator(entered, PAGE).get_page(request.GET.get("page"))
    context = {
        "tickets": tickets_of(player_of(request), timezone.now()),
        "rows": [listing.my_row(entry) for entry in page.object_list],
        "page": page,
        "now": timezone.now(),
    }
    return render(request, "tournaments/mine.html", context)
