"""The page of a guided hand: it reads the picks in the address, and shows the state of the hand."""

from collections.abc import Sequence
from typing import Final

import msgspec
from django.core.exceptions import BadRequest
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.utils.translation import gettext as _
from django.views.decorators.http import require_safe

from games.boards.family import family_of
from games.boards.pieces.assembly import NOT_LIVE
from games.boards.seat_view import SeatView, seat_layout
from games.boards.settlement_view import settlement_view
from games.families.lesson import LEARNER, PICK_LENGTH_MAX, PICKS_MAX, Lesson, Stand
from games.families.lessons import LESSONS
from games.models import Hand, Shoe
from games.rules.cards import DECK
from games.rules.catalogue import GAMES
from games.rules.contract import HOUSE
from games.rules.record import recorded
from games.words.naming import game_name, player_title
from games.words.players import face_by_name
from games.words.refusals import sentence_of
from wallets.models import Currency
from wallets.values.errors import Refused
from wallets.values.player import Viewer

# The points of the lesson; nothing of it is stored.
POINTS: Final = Currency(code="PLAY", kind=Currency.Kind.PLAY)


@require_safe
def lesson(request: HttpRequest, game: str) -> HttpResponse:
    """A step; what the form adds becomes part of the address, if the rules allow it."""
    if game not in LESSONS:
        raise Http404
    picks, chosen = request.GET.getlist("p"), _chosen(request)
    if len(picks) > PICKS_MAX or any(len(pick) > PICK_LENGTH_MAX for pick in picks):
        raise BadRequest("no hand takes so many steps")
    try:
        stand = LESSONS[game].stand(picks)
    except Refused as error:
        raise BadRequest("the address holds no hand") from error
    if chosen is None:
        return _shown(request, game, picks, stand)
    try:
        LESSONS[game].stand([*picks, chosen[: PICK_LENGTH_MAX + 1]])
    except Refused as error:
        return _shown(request, game, picks, stand, sentence_of(error))
    return redirect(address(game, [*picks, chosen]))


def address(game: str, picks: Sequence[str] = ()) -> str:
    return reverse("learn", args=[game], query={"p": list(picks)} if picks else None)


def _chosen(request: HttpRequest) -> str | None:
    """The pick that the form sends: that of its button, or the cards that are ticked."""
    button = request.GET.get("pick")
    return "".join(request.GET.getlist("cards")) if button == "cards" else button


def _shown(
    request: HttpRequest, game: str, picks: Sequence[str], stand: Stand, refused: str = ""
) -> HttpResponse:
    lesson = LESSONS[game]
    step = lesson.steps if stand.asks == "over" else min(len(picks) + 1, lesson.steps)
    context = _table(game, lesson, stand, _names(request.user, lesson)) | {
        "game": game,
        "game_name": game_name(game),
        "stand": stand,
        "picks": picks,
        "refused": refused,
        "step": step,
        "steps": lesson.steps,
        "back": address(game, picks[:-1]) if picks else "",
        "again": address(game),
    }
    return render(request, "games/guided.html", context, status=422 if refused else 200)


def _table(game: str, lesson: Lesson, stand: Stand, names: dict[int, str]) -> dict[str, object]:
    """The context of a table's templates, for a hand without a table."""
    family = family_of(lesson.game)
    settlement = recorded(lesson.game.settle(stand.state)) if stand.view.to_act == () else None
    net = settlement.net if settlement else {}
    results = {int(seat): won for seat, won in net.items() if seat != HOUSE}
    lines = msgspec.to_builtins(settlement.lines) if settlement else ()
    seats = [_seat(number, name, stand) for number, name in names.items()]
    return {
        **NOT_LIVE,
        "family": GAMES[game].family,
        "family_templates": family.templates(game),
        "printed": family.printed(lesson.game),
        "roles": family.roles(stand.view),
        "names": names,
        "view": stand.view,
        "hand": _hand(game, lesson),
        "currency": POINTS,
        "layout": seat_layout(game, seats, mine=LEARNER),
        "results": results,
        "won": results.get(LEARNER),
        "lines": lines,
        "settled": settlement_view(lines, LEARNER, names, POINTS),
    }


def _hand(game: str, lesson: Lesson) -> Hand:
    """A hand in the middle of a shoe that is not stored; the spots of baccarat are read from it."""
    options = msgspec.to_builtins(lesson.game)
    return Hand(game=game, options=options, shoe=Shoe(), first_card=len(DECK))


def _names(viewer: Viewer, lesson: Lesson) -> dict[int, str]:
    others = {seat: player_title(name, is_bot=True) for seat, name in lesson.others.items()}
    return {LEARNER: viewer.username if viewer.is_authenticated else _("Guest"), **others}


def _seat(number: int, name: str, stand: Stand) -> SeatView:
    return SeatView(
        number=number,
        player=name,
        is_bot=number != LEARNER,
        strength="",
        stack=next(stake.stack for stake in stand.view.stakes if stake.seat == number),
        sits_out=False,
        absent=False,
        auto_play=False,
        leaves=False,
        to_act=number in stand.view.to_act,
        mine=number == LEARNER,
        face=face_by_name(str(number)),
    )
