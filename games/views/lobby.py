"""The front page, the page after sign-up, the lobby, and the strip of every page."""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple

from django import forms
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import replace_url, trigger_client_event
from django_htmx.middleware import HtmxDetails

from games.families.baccarat.roads import GAMES_WITH_ROADS, tables_beside
from games.live.announcing import lobby_stream
from games.lobby import listing, sections
from games.lobby.filters import LEVEL_NAMES, ORDERS, LobbyFilters, filters_from, game_choices
from games.lobby.listing import (
    READ_OF_POOLS,
    ROOM,
    LobbyRow,
    currencies_of,
    fingerprint,
    pools,
    rows,
)
from games.lobby.seat_finder import tables_to_show
from games.lobby.seat_offers import last_game
from games.lobby.status_strip import (
    SEATS_OF_PLAYER,
    StatusStrip,
    my_seats,
    parts_of,
    strip_for,
    table_at,
)
from games.lobby.tiles import Tile, faces_of, scene, tiles
from games.models.combined import Read, read_together
from games.tables.missed_turns import saw_lost_seat
from games.web.pages import choice, set_choices
from games.words.naming import GUIDED, game_name, games_of
from wallets.models.holders import held_by, player_reference
from wallets.values.player import Viewer, is_player, player_of


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """The front page: what this site is, and the shortest way to a game."""
    # Before anything is read, so that the stream tells what changes while the page is made.
    shown, now = ROOM.latest, timezone.now()
    listed = rows(request.user, now)
    context: dict[str, object] = {
        "tiles": tiles(listed, last_game(request)),
        "faces": faces_of(listed),
        "people": sum(len(row.faces) for row in listed),
        "tables": sum(bool(row.faces) for row in listed),
    }
    page, part = "games/front.html", "games/front_room.html"
    return _renewed(request, shown, page, part, context, _around_the_tiles)


def _around_the_tiles() -> dict[str, object]:
    return {"guided": [(game, game_name(game)) for game in GUIDED], "scene": scene()}


def _living_and_empty(chosen: Sequence[LobbyRow]) -> dict[str, object]:
    """The tables in their order, the empty ones apart."""
    return {
        "shown": len(chosen),
        "living": [row for row in chosen if row.faces],
        "empty": [row for row in chosen if not row.faces],
    }


class FilterForm(forms.Form):
    """The lists of the lobby's filters; what an address says is read by `filters_from`."""

    game = choice(_("Game"))
    currency = choice(_("Currency"))
    stakes = choice(_("Stakes"), [("", _("All stakes")), *LEVEL_NAMES.items()])
    sort = choice(
        _("Order"), [("", _("By game")), *((key, name) for key, (name, _order) in ORDERS.items())]
    )

    def __init__(self, filters: LobbyFilters, currencies: Iterable[str]) -> None:
        super().__init__(initial=filters._asdict(), auto_id="%s")
        set_choices(
            self,
            game=[("", _("All games")), *game_choices()],
            currency=[("", _("All currencies")), *((code, code) for code in currencies)],
        )


def _reads(viewer: Viewer, now: datetime) -> list[Read]:
    """What all parts of the lobby ask; the frame around it asks only what is not among these."""
    seats: list[Read] = [(SEATS_OF_PLAYER, (viewer.pk,))] if is_player(viewer) else []
    return [*listing.reads(), READ_OF_POOLS, *seats, *sections.reads(viewer, now)]


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    shown, filters, now = ROOM.latest, filters_from(request.GET), timezone.now()
    with read_together(_reads(request.user, now)):
        listed, mine = rows(request.user, now), my_seats(request.user)
        context = {
            "filters": filters,
            **_living_and_empty(filters.choose(listed)),
            "all": len(listed),
            "tiles": tiles(listed, last_game(request)),
            "several_roads": sum(row.game in GAMES_WITH_ROADS for row in listed) > 1,
            "mine": mine,
            "pools": pools(),
            "sections": sections.shown(request.user, now),
        }
        answer = _renewed(
            request,
            shown,
            "games/lobby.html",
            "games/lobby_tables.html",
            context,
            lambda: {**_around_the_tables(filters, listed), "my_seats": mine},
        )
    page = parts_of(HtmxDetails(request).current_url or "")
    if page.path == request.path and page.query != filters.query.removeprefix("?"):
        # The address holds the filters chosen on the page, and nothing else.
        replace_url(answer, request.path + filters.query)
    return answer


@require_safe
def baccarat(request: HttpRequest) -> HttpResponse:
    """The baccarat tables side by side, the reader's own first."""
    shown, now = ROOM.latest, timezone.now()
    tables = list(tables_to_show().filter(game__in=GAMES_WITH_ROADS))
    beside = zip(rows(request.user, now, tables), tables_beside(tables, now), strict=True)
    context: dict[str, object] = {"tables": sorted(beside, key=lambda pair: not pair[0].mine)}
    page = "games/families/baccarat/tables.html"
    return _renewed(request, shown, page, "games/families/baccarat/tables_beside.html", context)


def _around_the_tables(filters: LobbyFilters, lobby_rows: Sequence[LobbyRow]) -> dict[str, object]:
    """Return the context of a whole page except the tables."""
    currencies = currencies_of(lobby_rows)
    return {
        "form": FilterForm(filters, currencies),
        "several_currencies": len(currencies) > 1 or filters.currency,
    }


def _renewed(
    request: HttpRequest,
    shown: int,
    template: str,
    part: str,
    context: dict[str, object],
    around: Callable[[], dict[str, Any]] = dict,
) -> HttpResponse:
    """The page, or the part of it that changes; nothing where the reader has been shown it."""
    mark = fingerprint(get_language(), context)
    context |= {"mark": mark, "stream": lobby_stream(shown)}
    if not HtmxDetails(request):
        return render(request, template, context | around())
    if request.GET.get("known") == mark:
        answer = HttpResponse(status=204)
    else:
        answer = render(request, part, context)
    # The parts that are always visible are refreshed with it.
    return trigger_client_event(answer, "room")


# What a newcomer wants to know of each group, the easiest first.
IN_A_SENTENCE: Final[dict[str, str | Promise]] = {
    "all-blackjack": _("Closest to 21 wins. Two minutes to learn."),
    "all-doudizhu": _("One landlord against two farmers."),
    "all-thirteen": _("Make three rows and compare them with three others."),
    "all-poker": _("Your two cards, five on the board, one decision."),
    "all-baccarat": _("Choose a side and watch the cards. Nothing to decide."),
}
# The piles of chips of the picture: how many of which value.
PILES: Final = ((25, 4), (100, 6), (500, 9), (1000, 6), (5, 3))


class FirstGame(NamedTuple):
    """A game whose first hand is guided, with the picture of its group."""

    key: str
    tile: Tile
    words: str | Promise


@never_cache
@require_safe
def page(request: HttpRequest) -> HttpResponse:
    """What the form sends is the game of the first hand."""
    if not is_player(request.user):
        return redirect("lobby")
    game = request.GET.get("game", "")
    if game in GUIDED:
        return redirect("learn", game)
    wallet = held_by(player_reference(request.user.pk)).order_by("-balance").first()
    context = {
        "wallet": wallet,
        "games": _games(),
        "piles": [(value, range(count)) for value, count in PILES],
    }
    return render(request, "games/welcome.html", context)


def _games() -> list[FirstGame]:
    shown = {tile.key: tile for tile in tiles((), "")}
    return [
        FirstGame(guided[0], shown[key], words)
        for key, words in IN_A_SENTENCE.items()
        if key in shown and (guided := [game for game in games_of(key) if game in GUIDED])
    ]


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
