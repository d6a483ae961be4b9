"""Finished hands: a player's own, and every one for auditors."""

from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from games import history, proof
from games.board import names_in
from games.models import Hand
from games.moves import moves_in_words
from games.naming import game_name
from games.refusals import REFUSALS
from games.rules.catalogue import GAMES
from games.views.answers import refusal_of

PAGE = 50


@require_safe
@login_required
def hands(request: HttpRequest) -> HttpResponse:
    found = history.hands_of(request.user).select_related("table", "table__currency")
    game, code = request.GET.get("game", ""), request.GET.get("code", "")
    asked = {}
    if game in GAMES:
        found, asked["game"] = found.filter(game=game), game
    if code:
        found, asked["code"] = history.by_code(found, code), code
    before = request.GET.get("before", "")
    if before.isdecimal() and len(before) < 19:
        found = found.filter(pk__lt=int(before))
    page = list(found.prefetch_related("seats__player")[: PAGE + 1])
    older = urlencode(asked | {"before": page[PAGE - 1].pk}) if len(page) > PAGE else ""
    context = {
        "rows": [_row(one, request.user) for one in page[:PAGE]],
        "older": older,
        "newest": f"?{urlencode(asked)}" if before else "",
        "games": [(key, game_name(key)) for key in GAMES],
        "chosen": game,
        "code": code,
    }
    return render(request, "games/history.html", context)


def _row(found: Hand, user: Any) -> dict[str, Any]:
    own = next((seat for seat in found.seats.all() if seat.player_id == user.pk), None)
    return {"hand": found, "game": game_name(found.game), "mine": own}


def _hand(request: HttpRequest, hand_id: int) -> tuple[Hand, int | str]:
    try:
        found, viewer = history.hand_for(request.user, hand_id)
    except REFUSALS as refusal:
        refusal_of(refusal, "page")
        raise
    if viewer == history.AUDITOR:
        history.note_opening(request.user, found)
    return found, viewer


@require_safe
@login_required
def hand(request: HttpRequest, hand_id: int) -> HttpResponse:
    found, viewer = _hand(request, hand_id)
    told = history.record(found, viewer)
    names = names_in(found, [])
    context = {
        "hand": found,
        "game": game_name(found.game),
        "family": GAMES[found.game].family,
        "seats": found.seats.select_related("player"),
        "view": history.views(found, viewer if isinstance(viewer, int) else None)[-1],
        "record": told,
        "record_address": reverse("hand-record", args=[found.pk]),
        "proof": proof.proof_told(found, viewer),
        "moves": moves_in_words(told, names, found.table.currency),
        "lines": (found.settlement or {}).get("lines", ()),
        "names": names,
        "currency": found.table.currency,
        "audits": viewer == history.AUDITOR,
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
