"""The road maps of a baccarat table, and its last shoes with their seals and proofs."""

from collections import defaultdict
from typing import Final

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games.families.baccarat.roads import GAMES_WITH_ROADS, shoe_maps, shoe_shown
from games.models import Hand, Shoe, Table
from games.pieces.engine import rendered
from games.records import record
from games.views.table import table_of
from games.words.naming import game_name

SHOES: Final = 12
HANDS_NAMED: Final = 100


@require_safe
def roads(request: HttpRequest, table_id: int) -> HttpResponse:
    """The maps of the shoe that is shown: a part of the table's page, asked for once a round."""
    table = _with_roads(request, table_id)
    return HttpResponse(rendered("families/baccarat/roads.html", {"mapped": shoe_shown(table)}))


@require_safe
def shoes(request: HttpRequest, table_id: int) -> HttpResponse:
    table = _with_roads(request, table_id)
    found = list(Shoe.objects.filter(table=table).order_by("-sealed_at", "-pk")[:SHOES])
    own = _hands_of(request, found)
    rows = [
        {"mapped": mapped, "hands": own[mapped.shoe.code]} for mapped in shoe_maps(table, found)
    ]
    context = {"table": table, "game_name": game_name(table.game), "rows": rows}
    return render(request, "games/families/baccarat/shoes.html", context)


def _with_roads(request: HttpRequest, table_id: int) -> Table:
    table = table_of(request, table_id)
    if table.game not in GAMES_WITH_ROADS:
        raise Http404
    return table


def _hands_of(request: HttpRequest, found: list[Shoe]) -> dict[str, list[Hand]]:
    """The hands of these shoes that the reader may open, by shoe, in their order."""
    own: dict[str, list[Hand]] = defaultdict(list)
    if request.user.is_authenticated:
        hands = record.hands_of(request.user).filter(shoe__in=found, cards_dealt__gt=0)
        for hand in reversed(hands[: SHOES * HANDS_NAMED]):
            own[hand.shoe_id].append(hand)
    return own
