"""The coach's part of a hand's page: fetched on request, because it has to think."""

from django.contrib.auth.decorators import login_required
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.views.decorators.http import require_safe
from django_htmx.middleware import HtmxDetails

from games.boards.family import family_of
from games.boards.help import Advice, Path
from games.models import Hand
from games.records import record
from games.records.record import every_state
from games.tables.hand_state import moves_of
from games.web.pages import refusal_of
from wallets.models import Currency
from wallets.storage.replica import from_replica
from wallets.values.errors import Refused
from wallets.values.player import Viewer

# Each family has a coach that goes through the decisions of the seat and knows at each of them
# what the seat knew then: it is given views. The figures are the rules package's own: the odds,
# the thirteen-card coach, the planner of Dou Dizhu. Only finished hands come here.


def coach(hand: Hand, seat: int, currency: Currency) -> Advice:
    """Return advice about the decisions of a seat in a finished hand."""
    game, states = every_state(hand)
    moves = moves_of(game, hand.moves.order_by("number"))
    return family_of(game).advise(Path(game, states, moves, seat, currency))


@require_safe
@login_required
def advice(request: HttpRequest, hand_id: int) -> HttpResponse:
    """Show what a player could have done better in a finished hand of theirs."""
    part = bool(HtmxDetails(request))
    context = {"part": part, **_advice(request.user, hand_id)}
    return render(request, "games/coach.html" if part else "games/coach_page.html", context)


@from_replica
def _advice(user: Viewer, hand_id: int) -> dict[str, object]:
    try:
        hand, _viewer = record.hand_for(user, hand_id)
    except Refused as refusal:
        refusal_of(refusal, "page")
        raise
    own = hand.seats.filter(player=user.pk).first()
    if own is None or hand.status != Hand.Status.FINISHED:
        raise Http404
    return {
        "hand": hand,
        "advice": coach(hand, own.number, hand.table.currency),
        "replay": reverse("hand", args=[hand.pk]),
    }
