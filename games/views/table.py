"""A table: its page, the part of it that changes, and everything a player does there.

An action is answered with the table as it then stands for that player. Without a script the browser
is sent back to the page; with one, the changed part is put in its place. A refusal stands beside
what caused it, and the table as it is around it.
"""

from collections.abc import Callable, Sequence
from datetime import datetime, timedelta
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.utils import timezone
from django.utils.translation import gettext_noop as _n
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import trigger_client_event
from django_htmx.middleware import HtmxDetails

from games import ceremony, play, seating
from games.access import is_invited
from games.boards.betting import betting
from games.boards.board import Board, board, own_view, table_for
from games.boards.doudizhu_help import Ticked, ticked, told_of
from games.boards.help import Filled, filled, foul_in, in_hand, names_of_rows, suggestions
from games.boards.house_help import house_told
from games.hands import game_from, game_of, read_action
from games.hosting import welcome
from games.live import stream_path
from games.lobby.stakes import stakes_of_table
from games.models import Hand, Seat, Table
from games.pools import jackpots_at, options_with_pools
from games.presence import seen
from games.refusal import Refused
from games.rows import seats_at
from games.rules.cards import Card
from games.rules.catalogue import GAMES
from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.view import DoudizhuView
from games.rules.errors import Unreadable
from games.views.answers import Refusal, refusal_of
from games.words.forms import action_from, forms_for, picked
from games.words.naming import game_name
from games.words.paytables import paytables
from games.words.refusals import REFUSALS, sentence_of
from wallets.accounts import account
from wallets.amounts import read_amount
from wallets.holders import player_reference

INVITATION: Final = "invitation"
# What asks for help with the hand, and what says that a foul is meant.
HELP: Final = "help"
MEANT: Final = "meant"
# Who was seen so long ago need not be noted again.
PRESENCE: Final = timedelta(seconds=2)
# How long one can stop a pass that would be made by itself.
PASSES_AFTER: Final = timedelta(seconds=3)
Verb = Callable[[HttpRequest, Table], Any]


@require_safe
def page(request: HttpRequest, table_id: int) -> HttpResponse:
    return _shown(request, table_of(request, table_id))


@require_safe
def part(request: HttpRequest, table_id: int) -> HttpResponse:
    """The part that changes; nothing where the viewer has the newest already."""
    table = table_of(request, table_id)
    if request.GET.get("known") == str(table.version):
        _note_presence(request, table)
        return HttpResponse(status=204)
    return _shown(request, table)


@require_POST
def rows(request: HttpRequest, table_id: int) -> HttpResponse:
    """What rows are called at this table; whoever asks says which cards lie there.

    It is posted so that no log of addresses holds the cards of a hand that runs.
    """
    table = table_of(request, table_id)
    _ticked, placed = picked(request.POST)
    try:
        told = names_of_rows(game_from(table.game, table.options), placed)
    except REFUSALS as error:
        refusal = refusal_of(error, "rows")
        told = {"code": refusal.code, "sentence": refusal.sentence}
        return JsonResponse(told, status=refusal.status)
    return JsonResponse(told)


@require_POST
def reading(request: HttpRequest, table_id: int) -> HttpResponse:
    """What ticked cards are called, and whether their holder can play them now.

    It is posted for the same reason.
    """
    own = own_view(request.user, table_of(request, table_id))
    ticks, _placed = picked(request.POST)
    told = Ticked()
    if own is not None and isinstance(own.view, DoudizhuView) and isinstance(own.game, Doudizhu):
        told = ticked(own.game, own.view, tuple(ticks))
    return JsonResponse(told._asdict())


def table_of(request: HttpRequest, table_id: int) -> Table:
    """The table, for whoever may look; an invitation that opens it is kept for this visit."""
    told = request.GET.get(INVITATION)
    if told and is_invited(table_id, told):
        request.session[f"{INVITATION} {table_id}"] = told
    try:
        return table_for(request.user, table_id, invitation_kept(request, table_id))
    except REFUSALS as refusal:
        refusal_of(refusal, "page")
        raise


def invitation_kept(request: HttpRequest, table_id: int) -> str:
    return str(request.session.get(f"{INVITATION} {table_id}", ""))


def _note_presence(request: HttpRequest, table: Table) -> None:
    if request.user.is_authenticated:
        seen([(table.pk, request.user.pk)], timezone.now())


def _note_looking(user: Any, table: Table, seats: Sequence[Seat], now: datetime) -> None:
    """Whoever looks is there; that is written once in a few seconds."""
    for seat in seats if user.is_authenticated else ():
        own = user.pk in (seat.player_id, seat.heir_id)
        if own and now - seat.seen_at > PRESENCE:
            seen([(table.pk, user.pk)], now)
            seat.seen_at = now


def _shown(request: HttpRequest, table: Table, refusal: Refusal | None = None) -> HttpResponse:
    now = timezone.now()
    seats = seats_at(table)
    _note_looking(request.user, table, seats, now)
    told = board(request.user, table, now, seats)
    context: dict[str, Any] = {
        "board": told,
        "table": table,
        "game_name": game_name(table.game),
        "stakes": stakes_of_table(table),
        "family": GAMES[table.game].family,
        "stream": stream_path(table.pk, invitation_kept(request, table.pk)),
        "refusal": refusal,
        "now": now,
        "pass_at": now + PASSES_AFTER,
        **_moves(told, request.GET.get(HELP, "")),
    }
    if refusal is not None:
        # What was refused stands there as it was sent, to be put right.
        context["sent"] = request.POST
        ticked, rows = picked(request.POST)
        context["fill"] = Filled("", ticked & set(context.get("my_cards", ())), rows)
    if request.user.is_authenticated and told.mine is None:
        context["wallet"] = account(
            "player", player_reference(request.user.pk), table.currency
        ).balance
    whole = not HtmxDetails(request)
    if whole:
        options = options_with_pools(table, jackpots_at(table))
        context["paytables"] = paytables(game_from(table.game, options))
    template = "games/table.html" if whole else "games/board.html"
    return render(request, template, context, status=refusal.status if refusal else 200)


def _moves(told: Board, asked: str) -> dict[str, Any]:
    """What the viewer can do in the hand, and the cards they do it with."""
    if told.hand is None or told.view is None:
        return {}
    game = game_of(told.hand)
    hand = tuple(in_hand(game, _cards_of(told.view)))
    forms = forms_for(game, told.choices, hand)
    fill = filled(game, told.view, asked) if asked and told.choices else Filled()
    house = house_told(game, told, asked)
    if house and house.hint:
        fill = Filled(asked, frozenset(house.hint.cards))
    helped = {}
    if isinstance(game, Doudizhu) and isinstance(told.view, DoudizhuView):
        helped = told_of(game, told.view, fill.cards)._asdict()
    return {
        "house": house,
        "wheel": house.wheel if house else None,
        **helped,
        "betting": betting(game, told.view, told.choices, told.table, told.mine),
        "forms": forms,
        "form_of": {form.do: form for form in forms},
        "my_cards": hand,
        "cards_key": "".join(card.text for card in hand),
        "fill": fill,
        "suggestions": suggestions(game, told.view) if told.choices else (),
        "next_hint": int(fill.asked) + 1 if fill.asked.isdecimal() else 0,
        "waiting_for": [seat for seat in told.seats if seat.to_act and not seat.mine],
    }


def _cards_of(view: Any) -> tuple[Card, ...]:
    """The cards that a view deals its seat; at blackjack `hand` says which hand is to decide."""
    hand = getattr(view, "hand", None)
    return hand if isinstance(hand, tuple) else ()


def _done(request: HttpRequest, table_id: int, name: str) -> HttpResponseBase:
    """Do something at a table, and show how it stands then, or why it was refused."""
    table = table_of(request, table_id)
    _note_presence(request, table)
    refusal = None
    try:
        VERBS[name](request, table)
    except REFUSALS as error:
        refusal = refusal_of(error, name, table.currency)
    if refusal is None and not HtmxDetails(request):
        return redirect("table", table_id)
    shown = _shown(request, table_of(request, table_id), refusal)
    # Where one sits stands in the bar, too.
    return trigger_client_event(shown, "room") if name in ("sit", "leave") else shown


def _number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    if not text.isdecimal() or len(text) > 18:
        raise Unreadable("number", _n("{name} is not a whole number"), name=name)
    return int(text)


def _act(request: HttpRequest, table: Table) -> None:
    hand = Hand.objects.filter(table=table, pk=_number(request, "played_hand")).first()
    game = game_of(hand) if hand else game_from(table.game, table.options)
    told = action_from(game, request.POST, table.currency)
    number, turn = _number(request, "played_hand"), _number(request, "turn")
    if MEANT not in request.POST and (foul := foul_in(game, read_action(game, told))):
        raise Refused(
            "would_foul",
            _n("That is a foul, which costs: {reason}"),
            reason=sentence_of(foul),
        )
    play.act(request.user, table.pk, number, turn, told, timezone.now())


def _sit(request: HttpRequest, table: Table) -> None:
    number = _number(request, "seat")
    amount = read_amount(request.POST.get("amount", ""), table.currency)
    welcome(request.user, table.currency)
    invitation = invitation_kept(request, table.pk)
    seating.sit(request.user, table.pk, number, amount, timezone.now(), invitation)


def _top_up(request: HttpRequest, table: Table) -> None:
    amount = read_amount(request.POST.get("amount", ""), table.currency)
    seating.top_up(request.user, table.pk, amount, request.POST.get("key", ""), timezone.now())


def _commit(request: HttpRequest, table: Table) -> None:
    shoe, told = request.POST.get("shoe", ""), request.POST.get("commit", "")
    ceremony.commit(request.user, table.pk, shoe, told)


def _reveal(request: HttpRequest, table: Table) -> None:
    shoe, told = request.POST.get("shoe", ""), request.POST.get("reveal", "")
    ceremony.reveal(request.user, table.pk, shoe, told, timezone.now())


def _switch(**switches: bool) -> Verb:
    def change(request: HttpRequest, table: Table) -> None:
        seating.change(request.user, table.pk, timezone.now(), **switches)

    return change


def _leave(request: HttpRequest, table: Table) -> None:
    seating.leave(request.user, table.pk, timezone.now())


VERBS: dict[str, Verb] = {
    "act": _act,
    "sit": _sit,
    "top-up": _top_up,
    "sit-out": _switch(sits_out=True),
    "sit-in": _switch(sits_out=False),
    "trustee": _switch(trustee=True),
    "take-over": _switch(trustee=False),
    "leave": _leave,
    "commit": _commit,
    "reveal": _reveal,
}


@require_POST
@login_required
def verb(request: HttpRequest, table_id: int, name: str) -> HttpResponseBase:
    return _done(request, table_id, name)
