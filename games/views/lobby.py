"""The lobby: which tables there are, where one sits already, and the shortest way to a seat."""

from typing import Any

from django.contrib import messages
from django.contrib.auth.views import redirect_to_login
from django.db.models import Prefetch
from django.http import Http404, HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils import timezone
from django.views.decorators.http import require_http_methods, require_safe

from games.finding import find_seat, tables_to_show
from games.models import Seat, Table
from games.naming import GAME_NAMES, game_name
from games.refusals import REFUSALS
from games.rules.catalogue import GAMES
from games.stakes import stakes_of_table
from games.views.answers import refusal_of


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    chosen = request.GET.get("game", "")
    tables = tables_to_show()
    if chosen in GAMES:
        tables = tables.filter(game=chosen)
    seated = Seat.objects.filter(left_at__isnull=True).select_related("player").order_by("number")
    rows = [_row(table) for table in tables.prefetch_related(Prefetch("seats", seated))]
    part = request.headers.get("HX-Request") == "true"
    template = "games/lobby.html#tables" if part else "games/lobby.html"
    context = {
        "rows": rows,
        "mine": _mine(request.user),
        "games": [(key, game_name(key)) for key in GAMES],
        "chosen": chosen if chosen in GAMES else "",
    }
    return render(request, template, context)


def _row(table: Table) -> dict[str, Any]:
    seats = table.seats.all()
    return {
        "table": table,
        "game": game_name(table.game),
        "stakes": stakes_of_table(table),
        "seats": seats,
    }


def _mine(user: Any) -> list[dict[str, Any]]:
    """The tables where the user sits, those that wait for them first."""
    if not user.is_authenticated:
        return []
    seats = Seat.objects.filter(player=user, left_at__isnull=True)
    told = [
        {
            "seat": seat,
            "table": seat.table,
            "game": game_name(seat.table.game),
            "to_act": str(seat.number) in seat.table.turns,
        }
        for seat in seats.select_related("table__currency", "stack")
    ]
    return sorted(told, key=lambda one: not one["to_act"])


@require_http_methods(["GET", "POST"])
def play_now(request: HttpRequest, game: str) -> HttpResponseBase:
    """The best seat at a game: a page that offers it, and sitting down there at once."""
    if game not in GAMES:
        raise Http404
    if not request.user.is_authenticated:
        return redirect_to_login(request.get_full_path(), reverse("sign-up"))
    if request.method == "GET":
        context = {"game": game, "game_name": game_name(game), "games": GAME_NAMES}
        return render(request, "games/play_now.html", context)
    try:
        seat = find_seat(request.user, game, timezone.now())
    except REFUSALS as error:
        refusal = refusal_of(error, "play")
        messages.error(request, refusal.sentence)
        context = {"game": game, "game_name": game_name(game), "games": GAME_NAMES}
        return render(request, "games/play_now.html", context, status=refusal.status)
    return redirect("table", seat.table_id)
