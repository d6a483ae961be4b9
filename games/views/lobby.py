"""The front page and the lobby: which tables there are, and where one sits already."""

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

from django import forms
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.utils.translation import get_language
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe
from django_htmx.http import replace_url, trigger_client_event
from django_htmx.middleware import HtmxDetails

from games.families.baccarat.roads import GAMES_WITH_ROADS
from games.families.baccarat.tables_beside import tables_beside
from games.live.announcing import LOBBY_STREAM
from games.lobby import sections
from games.lobby.filters import LEVEL_NAMES, ORDERS, LobbyFilters, filters_from, game_choices
from games.lobby.listing import Row, currencies_of, fingerprint, pools, rows
from games.lobby.seat_finder import tables_to_show
from games.lobby.status_strip import my_seats, parts_of
from games.views.fields import choice, set_choices
from games.words.families import FAMILIES, GUIDED
from games.words.naming import GAME_NAMES, game_name

# The number of tables on the front page.
SHOWN: Final = 6


@require_safe
def front(request: HttpRequest) -> HttpResponse:
    """The front page: what this site is, and the shortest way to a game."""
    now = timezone.now()
    listed = rows(request.user, now)
    liveliest = sorted(listed, key=lambda row: (-row.people, -row.hands_an_hour))[:SHOWN]
    context = {
        "families": [
            (family.name, [_offer(game, listed) for game in family.games]) for family in FAMILIES
        ],
        "guided": [(game, game_name(game)) for game in GUIDED],
        "rows": liveliest,
        "pools": pools(),
        "sections": sections.shown(request.user, now),
    }
    around = {"section_heads": sections.heads()}
    return _renewed(request, "games/front.html", "games/front_room.html", context, lambda: around)


def _offer(game: str, listed: list[Row]) -> dict[str, object]:
    """A game, and the cheapest table to play it at."""
    tables = [row for row in listed if row.game == game and row.state != "closing"]
    return {
        "key": game,
        "name": game_name(game),
        "cheapest": min(tables, key=lambda row: row.buy_in_min, default=None),
        "people": sum(row.people for row in tables),
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


@require_safe
def lobby(request: HttpRequest) -> HttpResponse:
    filters, now = filters_from(request.GET), timezone.now()
    listed = rows(request.user, now)
    context = {
        "filters": filters,
        "rows": filters.choose(listed),
        "all": len(listed),
        "mine": my_seats(request.user),
        "sections": sections.shown(request.user, now),
    }
    answer = _renewed(
        request,
        "games/lobby.html",
        "games/lobby_tables.html",
        context,
        lambda: _around_the_tables(filters, listed),
    )
    shown = parts_of(HtmxDetails(request).current_url or "")
    if shown.path == request.path and shown.query != filters.query.removeprefix("?"):
        # The address holds the filters chosen on the page, and nothing else.
        replace_url(answer, request.path + filters.query)
    return answer


@require_safe
def baccarat(request: HttpRequest) -> HttpResponse:
    """The baccarat tables beside one another, those where the reader sits first."""
    tables = list(tables_to_show().filter(game__in=GAMES_WITH_ROADS))
    now = timezone.now()
    shown = zip(rows(request.user, now, tables), tables_beside(tables, now), strict=True)
    context: dict[str, object] = {"tables": sorted(shown, key=lambda pair: not pair[0].mine)}
    page = "games/families/baccarat/tables.html"
    return _renewed(request, page, "games/families/baccarat/tables_beside.html", context)


def _around_the_tables(filters: LobbyFilters, found: Sequence[Row]) -> dict[str, object]:
    """Return what a whole page shows beside the tables."""
    currencies = currencies_of(found)
    return {
        "section_heads": sections.heads(),
        "game_names": list(GAME_NAMES.items()),
        "form": FilterForm(filters, currencies),
        "several_currencies": len(currencies) > 1 or filters.currency,
        "several_roads": sum(row.game in GAMES_WITH_ROADS for row in found) > 1,
    }


def _renewed(
    request: HttpRequest,
    template: str,
    part: str,
    context: dict[str, object],
    around: Callable[[], dict[str, Any]] = dict,
) -> HttpResponse:
    """The page, or the part of it that changes; nothing where the reader has been shown it."""
    mark = fingerprint(get_language(), context)
    context |= {"mark": mark, "stream": LOBBY_STREAM}
    if not HtmxDetails(request):
        return render(request, template, context | around())
    if request.GET.get("known") == mark:
        answer = HttpResponse(status=204)
    else:
        answer = render(request, part, context)
    # The parts that are always visible are refreshed with it.
    return trigger_client_event(answer, "room")
