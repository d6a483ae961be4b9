"""The hands that a player has played in one tournament."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from tournaments.entries import entry_of
from tournaments.overview import my_hands
from tournaments.overview.listing import PAGE, my_row
from tournaments.views.event import event_of
from wallets.player import player_of

SHOWN: Final = PAGE


@require_safe
@login_required
def mine(request: HttpRequest, number: int) -> HttpResponse:
    tournament, player = event_of(number), player_of(request)
    played = my_hands.played_by(player, tournament)
    page = Paginator(played, SHOWN).get_page(request.GET.get("page"))
    entry = entry_of(player, tournament)
    if entry is not None:
        entry.tournament = tournament
    context = {
        "tournament": tournament,
        "mine": my_row(entry) if entry else None,
        "hands": my_hands.lines(page.object_list),
        "page": page,
    }
    return render(request, "tournaments/hands.html", context)
