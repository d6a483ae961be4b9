"""A table: its page, the part of it that changes, and everything a player does there.

An action is answered with the table as it then stands for that player. Without a script the
browser is sent back to the page; with one, the changed part is put in its place. A refusal appears
beside its cause, within the current table.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any, Final
from urllib.parse import urlencode

import msgspec
from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse, QueryDict
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.translation import gettext_noop as _n
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import trigger_client_event
from django_htmx.middleware import HtmxDetails

from games.boards.betting import betting, betting_ahead, forms_of, may_bet_ahead
from games.boards.family import family_of
from games.boards.forms import action_from, picked
from games.boards.help import Filled, Ticked
from games.boards.house_help import house_view
from games.boards.insurance import ANSWER, answers_from, insurance_offer
from games.boards.keys import keys_of
from games.boards.own_view import own_hand
from games.boards.table_view import TableView, table_for, table_view
from games.live import tickets
from games.lobby.stakes import table_stakes
from games.models import Hand, Seat, Table
from games.pieces.assembly import NO_HAND
from games.rules.cards import Card
from games.rules.catalogue import GAMES
from games.rules.errors import Unreadable
from games.rules.house.actions import Done
from games.tables import play, ready, seating
from games.tables.access import is_invited
from games.tables.decisions import Decision
from games.tables.formats import format_of
from games.tables.jackpots import game_at
from games.tables.lock import seats_at
from games.tables.next_bets import BETS_MAX
from games.tables.play_money import within_reach
from games.tables.replay import game_from, game_of, read_action
from games.views.answers import Refusal, refusal_of
from games.views.sit_form import SitForm
from games.words.naming import game_name
from games.words.refusal import Refused
from games.words.refusals import REFUSALS, sentence_of
from wallets.amounts import read_amount
from wallets.database_time import house_now
from wallets.player import Viewer, player_of

INVITATION: Final = "invitation"
# The parameters that ask for help with the hand, and that confirm a foul.
HELP: Final = "help"
MEANT: Final = "meant"
# The bets of the next round: in the address that opens them, and in a header while they are open.
AHEAD: Final = "ahead"
# The header with the marks of the pieces that a browser has.
KNOWN_PIECES: Final = "Known"
# How long a player can stop an automatic pass.
PASSES_AFTER: Final = timedelta(seconds=3)
Verb = Callable[[HttpRequest, Table], object]


@require_safe
def page(request: HttpRequest, table_id: int) -> HttpResponse:
    return _shown(request, table_of(request, table_id))


@require_safe
def part(request: HttpRequest, table_id: int) -> HttpResponse:
    """The part that changes; nothing where the viewer has the newest already."""
    table = table_of(request, table_id)
    if request.GET.get("known") == str(table.version):
        return HttpResponse(status=204)
    return _shown(request, table)


@require_POST
def rows(request: HttpRequest, table_id: int) -> HttpResponse:
    """The names of rows at this table; the request says which cards lie there.

    It is posted so that no log of addresses holds the cards of a hand that runs.
    """
    table = table_of(request, table_id)
    _ticked, placed = picked(request.POST)
    try:
        game = game_from(table.game, table.options)
        data = family_of(game).row_names(game, placed)
    except REFUSALS as error:
        refusal = refusal_of(error, "rows")
        data = {"code": refusal.code, "sentence": refusal.sentence}
        return JsonResponse(data, status=refusal.status)
    return JsonResponse(data)


@require_POST
def reading(request: HttpRequest, table_id: int) -> HttpResponse:
    """The name of ticked cards, and whether their holder can play them now.

    It is posted for the same reason.
    """
    own = own_hand(request.user, table_of(request, table_id))
    ticks, _placed = picked(request.POST)
    ticked = Ticked()
    if own is not None:
        ticked = family_of(own.game).ticked(own.game, own.view, tuple(ticks))
    return JsonResponse(ticked._asdict())


def table_of(request: HttpRequest, table_id: int) -> Table:
    """The table, if the reader may see it; an invitation is remembered for the session."""
    invited_by = request.GET.get(INVITATION)
    if invited_by and is_invited(table_id, invited_by):
        request.session[f"{INVITATION} {table_id}"] = invited_by
    try:
        return table_for(request.user, table_id, invitation_kept(request, table_id))
    except REFUSALS as refusal:
        refusal_of(refusal, "page")
        raise


def invitation_kept(request: HttpRequest, table_id: int) -> str:
    return str(request.session.get(f"{INVITATION} {table_id}", ""))


def stream_of(request: HttpRequest, table: Table) -> str:
    """The address of the stream, with a ticket for the reader of this page."""
    invitation = invitation_kept(request, table.pk)
    return tickets.address_for(request.user, tickets.session_of(request), table.pk, invitation)


def _show_present(user: Viewer, seats: Sequence[Seat], now: datetime) -> None:
    """Show the viewer as present on the page they get; every request is noted afterwards."""
    for seat in seats if user.is_authenticated else ():
        if user.pk in (seat.player_id, seat.reserved_for_id):
            seat.seen_at = max(seat.seen_at, now)


def _shown(request: HttpRequest, table: Table, refusal: Refusal | None = None) -> HttpResponse:
    now, family = house_now(), family_of(table.game)
    seats = seats_at(table)
    _show_present(request.user, seats, now)
    snapshot = table_view(request.user, table, now, seats)
    whole = not HtmxDetails(request)
    context: dict[str, Any] = {
        "board": snapshot,
        "table": table,
        "game_name": game_name(table.game),
        "stakes": table_stakes(table),
        "family": GAMES[table.game].family,
        "family_templates": family.templates(table.game),
        "printed": family.printed(game_of(snapshot.hand) if snapshot.hand else game_at(table)),
        "roles": family.roles(snapshot.view) if snapshot.view else {},
        "stream": stream_of(request, table),
        **_heading(request, table, now),
        "refusal": refusal,
        "now": now,
        "pass_at": now + PASSES_AFTER,
        "hand": snapshot.hand,
        # A browser names what it has of the board by the marks of its pieces.
        "known": "" if whole else request.headers.get(KNOWN_PIECES, ""),
        "passes": request.COOKIES.get("passes") != "off",
        "sent": None,
        "wallet": None,
        "sit_form": None,
        **_moves(snapshot, request.GET.get(HELP, ""), _has_opened_bets(request)),
    }
    if refusal is not None:
        # A refused form shows the values as they were sent, to be corrected.
        context["sent"] = request.POST
        ticked, rows = picked(request.POST)
        context["fill"] = Filled("", ticked & set(context.get("my_cards", ())), rows)
    if request.user.is_authenticated and snapshot.offers.sit and not table.currency.is_chips:
        context["wallet"] = within_reach(request.user, table.currency)
        context["sit_form"] = SitForm(snapshot, request.POST if refusal else {})
    if whole:
        rules = game_at(table)
        context |= {"paytables": family.paytables(rules), "keys": keys_of(rules)}
    template = "games/table.html" if whole else "games/board.html"
    return render(request, template, context, status=refusal.status if refusal else 200)


def _heading(request: HttpRequest, table: Table, now: datetime) -> dict[str, str]:
    """What an organiser has above the table, as markup, and the template of its styles."""
    heading = format_of(table).heading(request.user, now)
    if heading is None:
        return {"heading": "", "heading_head": ""}
    facts = {"event": heading.event, "now": now, "table": table}
    markup = render_to_string(heading.template, facts, request)
    return {"heading": markup, "heading_head": heading.head}


def _has_opened_bets(request: HttpRequest) -> bool:
    """Whether the browser shows the bets of the next round, or opens them by this request."""
    return AHEAD in (request.GET.get("open"), request.headers.get("Opened"))


def _moves(snapshot: TableView, requested: str, opened: bool) -> Mapping[str, object]:
    """Return what the viewer can do in the hand, and the cards they do it with.

    `requested` is the help that they ask for, `opened` whether the bets of the next round are.
    """
    if snapshot.hand is None or snapshot.view is None:
        return NO_HAND
    game = game_of(snapshot.hand)
    family = family_of(game)
    hand = tuple(family.in_hand(_cards_of(snapshot.view)))
    forms = forms_of(game, snapshot, hand)
    offer = insurance_offer(snapshot.choices, snapshot.at_hand)
    if offer:
        forms = [form for form in forms if form.do not in ("insure", "decline")]
    fill = (
        family.fill(game, snapshot.view, requested) if requested and snapshot.choices else Filled()
    )
    house = house_view(game, snapshot, requested)
    if house and house.hint:
        fill = Filled(requested, frozenset(house.hint.cards))
    # Chips for the boxes of the next round are made when somebody opens them.
    may_ahead, boxes = may_bet_ahead(snapshot), family.printed(game).boxes
    return {
        **NO_HAND,
        "house": house,
        "wheel": house.wheel if house else None,
        **family.context(game, snapshot.view, fill),
        "betting": betting(game, snapshot),
        "may_bet_ahead": may_ahead,
        "ahead": betting_ahead(snapshot) if may_ahead and (opened or not boxes) else None,
        "forms": forms,
        "insurance_offer": offer,
        "form_of": {form.do: form for form in forms},
        "my_cards": hand,
        "cards_key": "".join(card.text for card in hand),
        "fill": fill,
        "suggestions": family.suggestions(game, snapshot.view) if snapshot.choices else (),
        "next_hint": int(fill.requested) + 1 if fill.requested.isdecimal() else 0,
        "waiting_for": [seat for seat in snapshot.seats if seat.to_act and not seat.mine],
    }


def _cards_of(view: object) -> tuple[Card, ...]:
    """The cards that a view deals its seat; at blackjack `hand` says which hand is to decide."""
    hand = getattr(view, "hand", None)
    return hand if isinstance(hand, tuple) else ()


def _done(request: HttpRequest, table_id: int, name: str) -> HttpResponseBase:
    """Perform an action at a table, then show the table, or why the action was refused."""
    table = table_of(request, table_id)
    refusal = None
    try:
        VERBS[name](request, table)
    except REFUSALS as error:
        refusal = refusal_of(error, name, table.currency)
    if refusal is None and not HtmxDetails(request):
        return redirect("table", table_id)
    shown = _shown(request, table_of(request, table_id), refusal)
    # The status strip lists the player's seats, too.
    return trigger_client_event(shown, "room") if name in ("sit", "leave") else shown


def _number(request: HttpRequest, name: str) -> int:
    text = request.POST.get(name, "")
    if not text.isdecimal() or len(text) > 18:
        raise Unreadable("number", _n("{name} is not a whole number"), name=name)
    return int(text)


def _bets_sent(request: HttpRequest) -> list[QueryDict]:
    """The fields of each of several bets, which a script sends as JSON."""
    try:
        bets = msgspec.json.decode(request.POST.get("bets", ""), type=list[dict[str, str]])
    except msgspec.DecodeError as error:
        raise Unreadable("bets", _n("These are no bets")) from error
    if not 1 <= len(bets) <= BETS_MAX:
        raise Unreadable("bets", _n("These are no bets"))
    return [QueryDict(urlencode(bet)) for bet in bets]


def _place(request: HttpRequest, table: Table) -> None:
    """Place bets on several boxes in one move of the table; `deal` says that they are the last."""
    game = game_from(table.game, table.options)
    actions = [action_from(game, sent, table.currency) for sent in _bets_sent(request)]
    if "deal" in request.POST:
        actions.append({"do": Done.__struct_config__.tag})
    _answer(request, table, actions)


def _insure(request: HttpRequest, table: Table) -> None:
    """Answer for all boxes at once whether they are insured."""
    _answer(request, table, answers_from(request.POST, table.currency))


def _answer(request: HttpRequest, table: Table, actions: Sequence[object]) -> None:
    """Play the moves, which answer the decision that the page has named in its form."""
    decision = Decision(
        _number(request, "played_hand"), _number(request, "turn"), request.POST.get("decision", "")
    )
    play.act_all(player_of(request), table.pk, decision, actions, house_now())


def _bet_next(request: HttpRequest, table: Table) -> None:
    game = game_from(table.game, table.options)
    bets = [action_from(game, sent, table.currency) for sent in _bets_sent(request)]
    ready.bet_next(player_of(request), table.pk, _number(request, "after"), bets, house_now())


def _act(request: HttpRequest, table: Table) -> None:
    if "bets" in request.POST:
        _place(request, table)
        return
    if ANSWER in request.POST:
        _insure(request, table)
        return
    hand = Hand.objects.filter(table=table, pk=_number(request, "played_hand")).first()
    game = game_of(hand) if hand else game_from(table.game, table.options)
    action = action_from(game, request.POST, table.currency)
    if MEANT not in request.POST and (
        foul := family_of(game).foul(game, read_action(game, action))
    ):
        raise Refused(
            "would_foul",
            _n("Foul: {reason} It loses every row."),
            reason=sentence_of(foul),
        )
    _answer(request, table, [action])


def _sit(request: HttpRequest, table: Table) -> None:
    number = _number(request, "seat")
    amount = read_amount(request.POST.get("amount", ""), table.currency)
    invitation = invitation_kept(request, table.pk)
    seating.sit(player_of(request), table.pk, number, amount, house_now(), invitation)


def _top_up(request: HttpRequest, table: Table) -> None:
    amount = read_amount(request.POST.get("amount", ""), table.currency)
    seating.top_up(player_of(request), table.pk, amount, request.POST.get("key", ""), house_now())


def _switch(**switches: bool) -> Verb:
    def change(request: HttpRequest, table: Table) -> None:
        seating.change(player_of(request), table.pk, house_now(), **switches)

    return change


def _leave(request: HttpRequest, table: Table) -> None:
    seating.leave(player_of(request), table.pk, house_now())


def _ready(request: HttpRequest, table: Table) -> None:
    ready.say_ready(player_of(request), table.pk, _number(request, "after"), house_now())


def _again(request: HttpRequest, table: Table) -> None:
    ready.bet_again(player_of(request), table.pk, _number(request, "after"), house_now())


VERBS: dict[str, Verb] = {
    "act": _act,
    "ready": _ready,
    "again": _again,
    "next-bets": _bet_next,
    "sit": _sit,
    "top-up": _top_up,
    "sit-out": _switch(sits_out=True),
    "sit-in": _switch(sits_out=False),
    "trustee": _switch(auto_play=True),
    "take-over": _switch(auto_play=False),
    "leave": _leave,
}


@require_POST
@login_required
def verb(request: HttpRequest, table_id: int, name: str) -> HttpResponseBase:
    return _done(request, table_id, name)
