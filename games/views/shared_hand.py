"""Hands shared by links: a spectator's view, its picture, and the list of a player's links.

The picture is the preview that other sites show with the link. It is drawn from the marks of the
cards on the page, and has no words: a seat is its number, a result its amount.
"""

from collections.abc import Callable, Sequence
from functools import wraps
from math import ceil
from typing import Final, NamedTuple

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.cache import get_conditional_response
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.boards import drawing
from games.boards.family import family_of
from games.boards.replay import Replay
from games.boards.settlement_view import sentence_of_line
from games.models import SharedHand
from games.records import proof, sharing
from games.records.sharing import links_of
from games.rules.cards import Card
from games.views.hand import record_file, replay_context, requested_step, step_of
from games.web.pages import refused_page
from games.words.naming import card_sign, game_name
from wallets.models import Currency
from wallets.pages.views import read_id
from wallets.values import house
from wallets.values.amounts import show_amount, show_signed
from wallets.values.errors import Hidden

# It is made from the spectator's view of the last step, so it has no card that the shared page
# does not show.


class Result(NamedTuple):
    """A seat or a part of the house: its hands, each in rows, and for a seat what it won."""

    who: str
    seat: int | None
    hands: tuple[tuple[Card, ...], ...]
    net: int | None


def results_of(replay: Replay) -> list[Result]:
    """The house first, then each seat, also seats without open cards."""
    view = replay.game.view(replay.path[-1], None)
    open_hands = family_of(replay.game).open_hands(view)
    nets = replay.results(replay.last)
    results = [
        Result(hand.words, None, hand.rows, None) for hand in open_hands if hand.seat is None
    ]
    for stake in view.stakes:
        hands = [row for hand in open_hands if hand.seat == stake.seat for row in hand.rows]
        name = replay.names.get(stake.seat, str(stake.seat))
        results.append(Result(name, stake.seat, tuple(hands), nets.get(stake.seat)))
    return results


def summary(replay: Replay) -> str:
    """Return a line that says who won how much."""
    return " · ".join(
        f"{result.who} {show_signed(result.net, replay.currency)}"
        for result in results_of(replay)
        if result.net is not None
    )


def as_text(replay: Replay, address: str) -> str:
    """The hand as people write it to one another: cards, results, the reasons, and the link."""
    hand, currency = replay.hand, replay.currency
    lines = [f"{game_name(hand.game)} · {hand.code}"]
    for result in results_of(replay):
        cards = " / ".join(" ".join(card_sign(card.text) for card in row) for row in result.hands)
        net = "" if result.net is None else f" {show_signed(result.net, currency)}"
        said = _("{who}: {cards}").format(who=f"{result.who}{net}", cards=cards)
        lines.append(said if cards else f"{result.who}{net}")
    if replay.results(replay.last):
        for line in (hand.settlement or {}).get("lines", ()):
            sentence = sentence_of_line(line, replay.names, currency)
            lines.append(f"{sentence} {show_amount(line['amount'], currency)}")
    return "\n".join([*lines, address])


# Another way to draw the picture is another number; how long others may show one without asking.
DRAWN: Final = 2
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
        "marks": replay.marks(),
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
    etag = f'"{shared.hand.status}-{DRAWN}-{house.current().key}"'
    response = get_conditional_response(request, etag=etag)
    if response is None:
        replay = _replay(shared)
        drawn = svg(results_of(replay), replay.currency)
        response = HttpResponse(drawing.png(drawn), content_type="image/png")
    response["ETag"] = etag
    response["Cache-Control"] = f"public, max-age={PICTURE_SECONDS}"
    return response


MARGIN: Final = 52
ROW_MAX: Final = 180
# Beside the cards of a row: the seat before them, the result behind them.
LABEL: Final = 84
NET: Final = 230
# A card is 60 by 84, and so much of it is seen of one that another covers.
CARD: Final = (60, 84)
STEP: Final = 1.06
STEP_MIN: Final = 0.38
GAP: Final = 0.3
SIZE: Final = 1.5
RED, INK = "#c0261f", "#16181a"


class Fit(NamedTuple):
    """The width of a row's cards, and the step from one to the next, in widths of a card."""

    width: float
    step: float


def svg(results: Sequence[Result], currency: Currency) -> str:
    """The picture before it is made of points; what it holds of cards is what the results hold."""
    columns = 1 if len(results) <= 5 else 2 if len(results) <= 12 else 3
    rows = ceil(len(results) / columns)
    height = min(ROW_MAX, (drawing.HEIGHT - 2 * MARGIN) / rows)
    width = (drawing.WIDTH - 2 * MARGIN) / columns
    top = (drawing.HEIGHT - rows * height) / 2
    drawn = [
        _row(
            result,
            currency,
            (MARGIN + number // rows * width, top + number % rows * height),
            (width, height),
        )
        for number, result in enumerate(results)
    ]
    cards = {f"card-{card.text}" for result in results for hand in result.hands for card in hand}
    return drawing.picture(drawing.marks_of(drawing.CARDS, cards), "".join(drawn))


def _row(
    result: Result, currency: Currency, at: tuple[float, float], size: tuple[float, float]
) -> str:
    (left, top), (width, height) = at, size
    middle = top + height / 2
    parts = []
    if result.seat is not None:
        parts.append(
            f'<circle cx="{left + 32:.1f}" cy="{middle:.1f}" r="28" fill="none"'
            f' stroke="{drawing.colours()["brass"]}" stroke-width="3"/>'
        )
        text = str(result.seat)
        parts.append(
            drawing.figure(text, left + 32 - drawing.length(text) / 2, middle, drawing.PLAIN, 1)
        )
    if result.net is not None:
        text = show_signed(result.net, currency)
        colour = drawing.colour_of(result.net)
        share = min(SIZE, NET * 0.95 / drawing.length(text))
        parts.append(
            drawing.figure(text, left + width - drawing.length(text) * share, middle, colour, share)
        )
    fit = _fit(result.hands, width - LABEL - NET, height * 0.88)
    x, tall = left + LABEL, fit.width * CARD[1] / CARD[0]
    for hand in result.hands:
        for card in hand:
            parts.append(_card(card, x, middle - tall / 2, fit.width))
            x += fit.width * fit.step
        x += fit.width * (1 - fit.step + GAP)
    return "".join(parts)


def _fit(hands: Sequence[Sequence[Card]], room: float, tall: float) -> Fit:
    """The largest cards that a row has room for, beside one another or overlapping."""
    width = tall * CARD[0] / CARD[1]
    steps = sum(max(0, len(hand) - 1) for hand in hands)
    whole = sum(1 for hand in hands if hand) + GAP * max(0, len(hands) - 1)
    step = STEP if not steps else min(STEP, (room / width - whole) / steps)
    if step < STEP_MIN:
        return Fit(min(width, room / (whole + steps * STEP_MIN)), STEP_MIN)
    return Fit(min(width, room / (whole + steps * step)) if whole else width, step)


def _card(card: Card, x: float, y: float, width: float) -> str:
    colour = RED if card.text[-1] in "hd" or card.text == "RJ" else INK
    return (
        f'<svg x="{x:.1f}" y="{y:.1f}" width="{width:.1f}" height="{width * 1.4:.1f}"'
        f' viewBox="0 0 {CARD[0]} {CARD[1]}" color="{colour}"><rect x=".5" y=".5" width="59"'
        ' height="83" rx="6" fill="#fdfcf7" stroke="#9aa39c"/>'
        f'<use href="#card-{card.text}" width="{CARD[0]}" height="{CARD[1]}"/></svg>'
    )


PAGE: Final = 50


@require_safe
@login_required
def own_links(request: HttpRequest) -> HttpResponse:
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
