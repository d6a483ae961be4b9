"""The lobby: which tables there are, and where one can sit down."""

from django.db.models import Count, Q
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.models import Table
from games.naming import game_name


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    tables = (
        Table.objects.filter(private=False)
        .exclude(status=Table.Status.CLOSED)
        .select_related("currency")
        .annotate(
            taken=Count("seats", Q(seats__left_at__isnull=True)),
            bots=Count("seats", Q(seats__left_at__isnull=True, seats__player__is_bot=True)),
        )
        .order_by("game", "buy_in_min", "name")
    )
    rows = [{"table": table, "game": game_name(table.game)} for table in tables]
    template = (
        "games/lobby.html#tables" if request.headers.get("HX-Request") else "games/lobby.html"
    )
    return render(request, template, {"rows": rows})
