"""The road maps of a baccarat table, and its last shoes with their seals and proofs."""

from collections import defaultdict
from collections.abc import Callable
from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_POST, require_safe

from games.boards.pieces.engine import rendered
from games.families.baccarat.roads import GAMES_WITH_ROADS, shoe_maps, shoe_shown
from games.models import Hand, Shoe, Table
from games.records import record
from games.tables import device_links
from games.views.table import known_at_seat, table_of
from games.web.answers import refusal_of
from games.words.naming import game_name
from wallets.storage.database_time import house_now
from wallets.values.errors import Refused
from wallets.values.player import player_of

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
    shoes = list(Shoe.objects.filter(table=table).order_by("-sealed_at", "-pk")[:SHOES])
    own = _hands_of(request, shoes)
    rows = [
        {"mapped": mapped, "hands": own[mapped.shoe.code]} for mapped in shoe_maps(table, shoes)
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


Verb = Callable[[HttpRequest, Table], dict[str, object]]


@require_POST
@login_required
def verb(request: HttpRequest, table_id: int, name: str) -> JsonResponse:
    table = known_at_seat(request, table_id) or table_of(request, table_id)
    try:
        return JsonResponse(VERBS[name](request, table))
    except Refused as error:
        refusal = refusal_of(error, name)
        data = {"code": refusal.code, "sentence": refusal.sentence}
        return JsonResponse(data, status=refusal.status)


def _mix(request: HttpRequest, table: Table) -> dict[str, object]:
    """A new chain of the player's device, or a link that comes without an act."""
    sent = request.POST.get("mix", "")
    return {"receipt": device_links.take(player_of(request), table.pk, sent, house_now())}


VERBS: Final[dict[str, Verb]] = {"mix": _mix}
