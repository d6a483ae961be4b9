"""A table: its page, the part of it that changes, and everything a player does there.

An action is answered with the table as it then stands for that player. Without a script the browser
is sent back to the page; with one, the changed part is put in its place.
"""

from collections.abc import Callable
from typing import Any

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase
from django.shortcuts import redirect, render
from django.utils import timezone
from django.views.decorators.http import require_POST, require_safe

from games import ceremony, play, seating
from games.board import board, table_for
from games.forms import action_from, forms_for
from games.hands import game_from, game_of
from games.live import stream_path
from games.models import Hand, Table
from games.naming import game_name
from games.presence import seen
from games.refusals import REFUSALS
from games.rules.catalogue import GAMES
from games.rules.errors import Unreadable
from games.views.answers import tell
from wallets.accounts import account
from wallets.amounts import read_amount

INVITATION = "invitation"
Verb = Callable[[HttpRequest, Table], Any]


@require_safe
def page(request: HttpRequest, table_id: int) -> HttpResponse:
    return _shown(request, _table(request, table_id), 200)


@require_safe
def part(request: HttpRequest, table_id: int) -> HttpResponse:
    """The part that changes; nothing where the viewer has the newest already."""
    table = _table(request, table_id)
    _note_presence(request, table)
    if request.GET.get("known") == str(table.version):
        return HttpResponse(status=204)
    return _shown(request, table, 200)


def _table(request: HttpRequest, table_id: int) -> Table:
    """The table, for whoever may look; an invitation is kept for this visit."""
    told = request.GET.get(INVITATION)
    if told:
        request.session[f"{INVITATION} {table_id}"] = told
    try:
        return table_for(request.user, table_id, _invitation(request, table_id))
    except REFUSALS as refusal:
        tell(request, refusal)
        raise


def _invitation(request: HttpRequest, table_id: int) -> str:
    return str(request.session.get(f"{INVITATION} {table_id}", ""))


def _note_presence(request: HttpRequest, table: Table) -> None:
    if request.user.is_authenticated:
        seen([(table.pk, request.user.pk)], timezone.now())


def _shown(request: HttpRequest, table: Table, status: int) -> HttpResponse:
    told = board(request.user, table, timezone.now())
    context: dict[str, Any] = {"board": told, "table": table, "game_name": game_name(table.game)}
    context["stream"] = stream_path(table.pk, _invitation(request, table.pk))
    context["family"] = GAMES[table.game].family
    if told.hand is not None:
        context["forms"] = forms_for(game_of(told.hand), told.choices)
    if request.user.is_authenticated and told.mine is None:
        wallet = account("player", f"player:{request.user.pk}", table.currency)
        context["wallet"] = wallet.balance
    part = request.headers.get("HX-Request") == "true"
    template = "games/board.html" if part else "games/table.html"
    return render(request, template, context, status=status)


def _done(request: HttpRequest, table_id: int, verb: Verb) -> HttpResponseBase:
    """Do something at a table, and show how it stands then, or why it was refused."""
    table = _table(request, table_id)
    _note_presence(request, table)
    status = 200
    try:
        verb(request, table)
    except REFUSALS as refusal:
        status = tell(request, refusal, table.currency)
    if status == 200 and request.headers.get("HX-Request") != "true":
        return redirect("table", table_id)
    return _shown(request, _table(request, table_id), status)


def _number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    if not text.isdecimal() or len(text) > 18:
        raise Unreadable("number", "{name} is not a whole number", name=name)
    return int(text)


def _act(request: HttpRequest, table: Table) -> None:
    hand = Hand.objects.filter(table=table, pk=_number(request, "played_hand")).first()
    game = game_of(hand) if hand else game_from(table.game, table.options)
    told = action_from(game, request.POST, table.currency)
    number, turn = _number(request, "played_hand"), _number(request, "turn")
    play.act(request.user, table.pk, number, turn, told, timezone.now())


def _sit(request: HttpRequest, table: Table) -> None:
    number = _number(request, "seat")
    amount = read_amount(request.POST.get("amount", ""), table.currency)
    invitation = _invitation(request, table.pk)
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
    return _done(request, table_id, VERBS[name])
