"""The strip of every page, asked for by the page itself: what has changed of it, or nothing."""

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe
from django_htmx.middleware import HtmxDetails

from games.lobby.status_strip import StatusStrip, strip_for, table_at
from games.tables.missed_turns import saw_lost_seat
from wallets.values.player import player_of


@require_safe
def strip(request: HttpRequest) -> HttpResponse:
    shown = _strip(request)
    if request.GET.get("known") == shown.fingerprint:
        return HttpResponse(status=204)
    return render(request, "frame/running_again.html", {"strip": shown})


@require_POST
@login_required
def saw_lost(request: HttpRequest, seat_id: int) -> HttpResponseBase:
    """The reader has seen that a seat was given up, and puts the message away."""
    saw_lost_seat(player_of(request), seat_id)
    if not HtmxDetails(request):
        return redirect("lobby")
    return render(request, "frame/running_again.html", {"strip": _strip(request)})


def _strip(request: HttpRequest) -> StatusStrip:
    here = table_at(HtmxDetails(request).current_url or "")
    return strip_for(request.user, here, timezone.now())
