"""The front page and the lobby: which tables there are, and where one sits already."""

from typing import Any, Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.views.decorators.http import require_safe
from django_htmx.http import replace_url, trigger_client_event
from django_htmx.middleware import HtmxDetails

from games.live import LOBBY_STREAM
from games.lobby.choosing import LEVEL_NAMES, ORDERS, asked_in, game_choices
from games.lobby.room import Row, currencies_of, mark_of, pools, rows
from games.lobby.running import my_seats
from games.views.running import parts_of
from games.words.families import FAMILIES
from games.words.naming import GAME_NAMES, game_name

# So many tables stand on the front page.
SHOWN: Final = 6


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """What this is, and the shortest way to a game."""
    told = rows(request.user, timezone.now())
    liveliest = sorted(told, key=lambda row: (-row.people, -row.hands_an_hour))[:SHOWN]
    context = {
        "families": [
            (family.name, [_offer(game, told) for game in family.games]) for family in FAMILIES
        ],
        "rows": liveliest,
        "pools": pools(),
    }
    return _renewed(request, "games/front.html", "games/front_room.html", context)


def _offer(game: str, told: list[Row]) -> dict[str, Any]:
    """A game, and for how little one can play it."""
    tables = [row for row in told if row.game == game and row.state != "closing"]
    return {
        "key": game,
        "name": game_name(game),
        "cheapest": min(tables, key=lambda row: row.buy_in_min, default=None),
        "people": sum(row.people for row in tables),
    }


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    asked = asked_in(request.GET)
    told = rows(request.user, timezone.now())
    context = {
        "asked": asked,
        "rows": asked.choose(told),
        "all": len(told),
        "mine": my_seats(request.user),
    }
    answer = _renewed(
        request,
        "games/lobby.html",
        "games/lobby_tables.html",
        context,
        choices={
            "game_names": list(GAME_NAMES.items()),
            "games": game_choices(),
            "currencies": currencies_of(told),
            "levels": LEVEL_NAMES.items(),
            "orders": [(key, name) for key, (name, _order) in ORDERS.items()],
        },
    )
    shown = parts_of(HtmxDetails(request).current_url or "")
    if shown.path == request.path and shown.query != asked.query.removeprefix("?"):
        # What is chosen in the page stands in its address, and no more than that.
        replace_url(answer, request.path + asked.query)
    return answer


def _renewed(
    request: HttpRequest,
    template: str,
    part: str,
    context: dict[str, Any],
    choices: dict[str, Any] | None = None,
) -> HttpResponse:
    """The page, or the part of it that changes; nothing where the reader has been shown it."""
    mark = mark_of(get_language(), context)
    context |= {"mark": mark, "stream": LOBBY_STREAM, **(choices or {})}
    if not HtmxDetails(request):
        return render(request, template, context)
    if request.GET.get("known") == mark:
        answer = HttpResponse(status=204)
    else:
        answer = render(request, part, context)
    # What is always in sight is renewed on the same occasion.
    return trigger_client_event(answer, "room")
