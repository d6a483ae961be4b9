"""Finished hands: a player's own, and every one for auditors."""

from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from games import history
from games.board import names_in
from games.models import Hand
from games.naming import GAME_NAMES, game_name
from games.refusals import REFUSALS
from games.rules.catalogue import GAMES
from games.views.answers import tell

PAGE = 50


@require_safe
@login_required
def hands(request: HttpRequest) -> HttpResponse:
    found = history.hands_of(request.user).select_related("table", "table__currency")
    game = request.GET.get("game", "")
    if game in GAMES:
        found = found.filter(game=game)
    if request.GET.get("code"):
        found = history.by_code(found, request.GET["code"])
    page = Paginator(found.prefetch_related("seats__player"), PAGE).get_page(
        request.GET.get("page")
    )
    rows = [
        {
            "hand": hand,
            "game": game_name(hand.game),
            "mine": next(
                (row for row in hand.seats.all() if row.player_id == request.user.pk), None
            ),
        }
        for hand in page
    ]
    context = {"page": page, "rows": rows, "games": GAME_NAMES, "chosen": game}
    return render(request, "games/history.html", context)


def _hand(request: HttpRequest, hand_id: int) -> tuple[Hand, int | str]:
    try:
        found, viewer = history.hand_for(request.user, hand_id)
    except REFUSALS as refusal:
        tell(request, refusal)
        raise
    if viewer == history.AUDITOR:
        history.note_opening(request.user, found)
    return found, viewer


@require_safe
@login_required
def hand(request: HttpRequest, hand_id: int) -> HttpResponse:
    found, viewer = _hand(request, hand_id)
    context = {
        "hand": found,
        "game": game_name(found.game),
        "seats": found.seats.select_related("player"),
        "record": history.record(found, viewer),
        "lines": (found.settlement or {}).get("lines", ()),
        "names": names_in(found, []),
        "currency": found.table.currency,
    }
    return render(request, "games/hand.html", context)


@require_safe
@login_required
def record(request: HttpRequest, hand_id: int) -> HttpResponse:
    """The portable record, as a file."""
    found, viewer = _hand(request, hand_id)
    answer = JsonResponse(history.record(found, viewer))
    answer["Content-Disposition"] = f'attachment; filename="{found.code}.json"'
    return answer
