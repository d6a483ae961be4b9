"""The deals of a duplicate compared across its tables, as far as all tables have played them."""

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.overview.deals_view import deals_view
from tournaments.overview.event_view import number_in
from tournaments.stakes import DUPLICATE
from tournaments.views.event import event_of


@require_safe
def page(request: HttpRequest, number: int) -> HttpResponse:
    tournament = event_of(number)
    if tournament.kind != DUPLICATE:
        raise Http404
    round_number, turned = (number_in(request.GET, name) for name in ("round", "tables"))
    view = deals_view(request.user, tournament, round_number, turned)
    return render(request, "tournaments/deals.html", {"tournament": tournament, "view": view})
