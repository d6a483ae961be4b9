"""An event's shoe: its page, what is published of it, and an entrant's part in mixing it.

Scripts read the answers to all but the page.
"""

from collections.abc import Callable
from typing import Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from games.web.answers import refusal_of
from tournaments.event import mixing
from tournaments.overview.shoe_view import draws_in_order, published
from tournaments.pages.views.event import event_of
from tournaments.running.entries import entry_of
from wallets.values.errors import Refused
from wallets.values.player import is_player, player_of

PageVerb = Callable[[HttpRequest, int], dict[str, object]]


@require_safe
def page(request: HttpRequest, number: int) -> HttpResponse:
    """The shoe for people, who can check it there."""
    tournament = event_of(number)
    own = entry_of(request.user, tournament) if is_player(request.user) else None
    context = {
        "tournament": tournament,
        "shoe": tournament.shoe,
        "draws": draws_in_order(tournament),
        "own": own.number if own else None,
    }
    return render(request, "tournaments/shoe_page.html", context)


@require_safe
def shoe(_request: HttpRequest, number: int) -> JsonResponse:
    """Send what has been published of an event's shoe."""
    return JsonResponse(published(event_of(number)))


@require_POST
@login_required
def verb(request: HttpRequest, number: int, name: str) -> JsonResponse:
    event_of(number)
    try:
        return JsonResponse(VERBS[name](request, number))
    except Refused as error:
        refusal = refusal_of(error, name)
        data = {"code": refusal.code, "sentence": refusal.sentence}
        return JsonResponse(data, status=refusal.status)


def _commit(request: HttpRequest, number: int) -> dict[str, object]:
    commit = request.POST.get("commit", "")
    return {"commit": mixing.commit(player_of(request), number, commit)}


def _withdraw(request: HttpRequest, number: int) -> dict[str, object]:
    mixing.withdraw(player_of(request), number, request.POST.get("commit", ""))
    return {}


def _reveal(request: HttpRequest, number: int) -> dict[str, object]:
    revealed = request.POST.get("reveal", "")
    return {"receipt": mixing.reveal(player_of(request), number, revealed, timezone.now())}


VERBS: Final[dict[str, PageVerb]] = {"commit": _commit, "withdraw": _withdraw, "reveal": _reveal}
