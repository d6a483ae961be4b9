"""A hand shared by a link: a spectator's view of it, for all who have the link."""

from collections.abc import Callable
from functools import wraps
from typing import Final

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.boards import drawing, hand_picture
from games.boards.hand_results import as_text, results_of, summary
from games.boards.replay import Replay
from games.models import SharedHand
from games.records import proof, sharing
from games.views.hand import record_file, replay_context, requested_step, step_of
from games.web.answers import refused_page
from games.words.naming import game_name
from wallets.values.errors import Hidden

# Another way to draw the picture is another number; how long others may show one without asking.
DRAWN: Final = 1
PICTURE_SECONDS: Final = 3_600


def of_a_link(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """A view of what a link leads to; one that leads nowhere says so.

    All who have the link may look; search engines and other sites do not learn of it.
    """

    @require_safe
    @wraps(view)
    def answer(request: HttpRequest, token: str, **arguments: object) -> HttpResponse:
        try:
            shared = sharing.shared_by(token)
        except Hidden as refusal:
            response = refused_page(request, refusal, _("There is nothing at this address"))
        else:
            response = view(request, shared, **arguments)
        response["X-Robots-Tag"] = "noindex"
        response["Referrer-Policy"] = "no-referrer"
        return response

    return answer


def _replay(shared: SharedHand) -> Replay:
    hand = shared.hand
    return Replay(hand, None, sharing.public_names(shared), hand.table.currency)


@of_a_link
def page(request: HttpRequest, shared: SharedHand) -> HttpResponse:
    hand, replay = shared.hand, _replay(shared)
    address = request.build_absolute_uri(reverse("shared", args=[shared.token]))
    context = replay_context(replay, requested_step(request, replay.last))
    context |= {
        "game": game_name(hand.game),
        "marks": list(replay.marks()),
        "lines": (hand.settlement or {}).get("lines", ()),
        "nets": hand.seats.values_list("number", "net"),
        "steps": f"{request.path}step/",
        "record_address": reverse("shared-record", args=[shared.token]),
        "proof": proof.proof_for(hand, None),
        "summary": summary(replay),
        "text": as_text(replay, address),
        "address": address,
        "picture": request.build_absolute_uri(reverse("shared-picture", args=[shared.token])),
    }
    return render(request, "games/shared.html", context)


@of_a_link
def step(request: HttpRequest, shared: SharedHand, number: int) -> HttpResponse:
    return step_of(request, _replay(shared), number)


@of_a_link
def record(_request: HttpRequest, shared: SharedHand) -> HttpResponse:
    return record_file(shared.hand, None)


@of_a_link
def picture(request: HttpRequest, shared: SharedHand) -> HttpResponse:
    """The hand as a picture, for sites that show one with the link.

    It changes with the hand's status alone, so a site that has it need not be sent it again. A
    revoked link has no picture, and none is shown for longer than an hour without asking.
    """
    etag = f'"{shared.hand.status}-{DRAWN}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        replay = _replay(shared)
        drawn = hand_picture.svg(results_of(replay), replay.currency)
        response = HttpResponse(drawing.png(drawn), content_type="image/png")
    response["ETag"] = etag
    response["Cache-Control"] = f"public, max-age={PICTURE_SECONDS}"
    return response
