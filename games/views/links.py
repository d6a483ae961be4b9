"""The links that a player has created to hands: where each leads, and revoking it."""

from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe

from games.records.sharing import links_of
from games.words.naming import game_name
from wallets.pages.views import read_id

PAGE: Final = 50


@require_safe
@login_required
def page(request: HttpRequest) -> HttpResponse:
    hands = links_of(request.user)
    before = read_id(request.GET.get("before", ""))
    if before is not None:
        hands = hands.filter(pk__lt=before)
    links = list(hands[: PAGE + 1])
    rows: list[dict[str, object]] = [
        {
            "link": link,
            "game": game_name(link.hand.game),
            "by_house": link.revoked_by_id not in (None, link.player_id),
            "address": request.build_absolute_uri(reverse("shared", args=[link.token])),
        }
        for link in links[:PAGE]
    ]
    context = {
        "rows": rows,
        "older": links[PAGE - 1].pk if len(links) > PAGE else None,
        "paged": before is not None,
    }
    return render(request, "games/links.html", context)
