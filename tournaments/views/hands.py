"""The hands that a player has played in one tournament."""

from typing import Any, Final, NamedTuple

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.models import Hand, HandSeat
from games.tables.formats import format_of
from tournaments.entries import entry_of
from tournaments.overview.listing import PAGE, my_row
from tournaments.views.event import event_of
from wallets.player import player_of

SHOWN: Final = PAGE


class HandLine(NamedTuple):
    """A hand of the player's, in chips."""

    hand: Hand
    table: int
    level: int
    net: int
    is_void: bool


@require_safe
@login_required
def mine(request: HttpRequest, number: int) -> HttpResponse:
    tournament, player = event_of(number), player_of(request)
    played: Any = HandSeat.objects.filter(
        player=player.pk, hand__tournament_row__tournament=tournament
    )
    played = played.select_related("hand__table", "hand__tournament_row")
    page = Paginator(played.order_by("-hand_id"), SHOWN).get_page(request.GET.get("page"))
    numbers = dict(tournament.tables.values_list("table_id", "number"))
    entry = entry_of(player, tournament)
    if entry is not None:
        entry.tournament = tournament
    context = {
        "tournament": tournament,
        "mine": my_row(entry) if entry else None,
        "hands": [
            HandLine(
                hand=seat.hand,
                table=numbers.get(seat.hand.table_id, 0),
                level=seat.hand.tournament_row.level,
                net=seat.net or 0,
                is_void=seat.hand.status == Hand.Status.VOID,
            )
            for seat in page.object_list
            # A deal that others still play is told by nobody.
            if format_of(seat.hand.table).history_open(seat.hand)
        ],
        "page": page,
    }
    return render(request, "tournaments/hands.html", context)
