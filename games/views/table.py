"""A table: its page, the part of it that changes, and everything a player does there.

An action is answered with the player's new view of the table. Without a script the browser is sent
back to the page; with one, the changed part is put in its place. A refusal appears next to its
cause, within the current table. A page whose ticket for the stream is too old asks for a new one.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from http import HTTPStatus
from typing import Any, Final

from django.contrib.auth.decorators import login_required
from django.http import HttpRequest, HttpResponse, HttpResponseBase, JsonResponse
from django.shortcuts import redirect, render
from django.template.loader import render_to_string
from django.utils.html import escape
from django.utils.translation import get_language
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_POST, require_safe
from django_htmx.http import trigger_client_event
from django_htmx.middleware import HtmxDetails

from games.boards.family import family_of
from games.boards.forms import picked
from games.boards.help import Ticked
from games.boards.keys import keys_of
from games.boards.own_view import own_hand
from games.boards.pieces.assembly import NO_PIECES
from games.boards.seat_view import all_present
from games.boards.table_version import reads_of_look
from games.boards.table_view import table_for, table_view
from games.live import tickets
from games.lobby.listing import fingerprint, stakes_in_short, table_stakes
from games.models import Hand, Seat, Table
from games.models.combined import read_together
from games.rules.contract import AnyGame
from games.tables import hand_verbs, ready_players, seating
from games.tables.admission import is_invited, require_seat
from games.tables.carried import RECEIPT, Carried, compact
from games.tables.formats import format_of
from games.tables.hand_state import game_from, game_of
from games.tables.jackpots import game_at
from games.tables.lock import seat_of, seats_at
from games.tables.next_bets import first_state
from games.tables.table_cache import TABLE_CACHE, game_of_live
from games.views.act_form import (
    NUMBER_DIGITS_MAX,
    SPOTS,
    Sent,
    bets_in,
    moves_in,
    moves_to,
    number_in,
    wanted_from,
)
from games.views.board_facts import Requested, board_facts
from games.views.stream_parts import shared_pieces
from games.web.pages import Refusal, refusal_of
from games.words.naming import game_name, name_in_a_bar
from wallets.storage.database_time import house_now
from wallets.values.amounts import read_amount
from wallets.values.errors import Refused, Stale
from wallets.values.player import Player, Viewer, player_of

INVITATION: Final = "invitation"
# The parameter that asks for help with the hand.
HELP: Final = "help"
# The bets of the next round: in the address that opens them, and in a header while they are open.
AHEAD: Final = "ahead"
# The version that a page shows whose stream brings the next one; in the answer, that one.
STREAM_VERSION: Final = "Stream-Version"
# Other bets of the same player may come between.
PLACE_TRIES: Final = 3
PageVerb = Callable[[HttpRequest, Table], object]


@require_safe
def page(request: HttpRequest, table_id: int) -> HttpResponse:
    with read_together(reads_of_look(table_id)):
        return _shown(request, table_of(request, table_id))


@require_safe
def part(request: HttpRequest, table_id: int) -> HttpResponse:
    """The part that changes, for a page without a stream, or with help that its reader wants."""
    with read_together(reads_of_look(table_id)):
        return _shown(request, table_of(request, table_id))


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
    except Refused as error:
        refusal = refusal_of(error, "rows")
        data = {"code": refusal.code, "sentence": refusal.sentence}
        return JsonResponse(data, status=refusal.status)
    return JsonResponse(data)


@require_safe
def best(request: HttpRequest, table_id: int) -> HttpResponse:
    """What the best suggestion makes of the reader's own hand; nothing for others."""
    own = own_hand(request.user, table_of(request, table_id))
    return HttpResponse(escape(family_of(own.game).best(own.game, own.view)) if own else "")


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
    except Refused as refusal:
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
            seat.here_until = None


def _shown(request: HttpRequest, table: Table, refusal: Refusal | None = None) -> HttpResponse:
    now = house_now()
    seats = seats_at(table)
    _show_present(request.user, seats, now)
    snapshot = table_view(request.user, table, now, seats)
    whole = not HtmxDetails(request)
    requested = Requested(
        request.GET.get(HELP, ""),
        _has_opened_bets(request),
        refusal,
        request.POST if refusal else None,
    )
    context: dict[str, Any] = {
        **board_facts(request.user, snapshot, now, requested),
        **_heading(request, table, now),
        # A place says who is away, which the shared one leaves to the stream.
        "shared": (
            shared_pieces(table, seats) if snapshot.away == all_present(seats) else NO_PIECES
        ),
        "now": now,
    }
    if whole:
        rules, family = game_at(table), family_of(table.game)
        context |= {
            "stream": stream_of(request, table),
            "game_name": game_name(table.game),
            "name_in_a_bar": name_in_a_bar(table.game),
            "stakes": table_stakes(table),
            "stakes_in_short": stakes_in_short(table),
            "paytables": family.paytables(rules),
            "keys": keys_of(rules),
            "rules_mark": fingerprint(get_language(), rules, table.profile_version_id),
        }
    template = "games/table.html" if whole else "games/board.html"
    return render(request, template, context, status=refusal.status if refusal else 200)


def _heading(request: HttpRequest, table: Table, now: datetime) -> dict[str, str]:
    """The organiser's heading above the table, as markup, and the template of its styles."""
    heading = format_of(table).heading(request.user, now)
    if heading is None:
        return {"heading": "", "heading_head": ""}
    facts = {"event": heading.event, "now": now, "table": table}
    markup = render_to_string(heading.template, facts, request)
    return {"heading": markup, "heading_head": heading.head}


def _has_opened_bets(request: HttpRequest) -> bool:
    """Whether the browser shows the bets of the next round, or opens them by this request."""
    return AHEAD in (request.GET.get("open"), request.headers.get("Opened"))


def _done(request: HttpRequest, table_id: int, name: str) -> HttpResponseBase:
    """Perform an action at a table, then show the table, or why the action was refused."""
    table = known_at_seat(request, table_id) or table_of(request, table_id)
    refusal, done = None, None
    try:
        done = VERBS[name](request, table)
    except Refused as error:
        refusal = refusal_of(error, name, table.currency)
    if refusal is None and not HtmxDetails(request):
        return redirect("table", table_id)
    shown = _pushed(request, table_id) if refusal is None else None
    if shown is None:
        shown = _shown(request, table_of(request, table_id), refusal)
    if isinstance(done, Carried) and done.receipt is not None:
        shown.headers[RECEIPT] = compact(done.receipt)
    # The status strip lists the player's seats, too.
    return trigger_client_event(shown, "room") if name in ("sit", "leave") else shown


def known_at_seat(request: HttpRequest, table_id: int) -> Table | None:
    """This process's copy of a table for a player who sits there, and so may see it.

    The copy may be old: an act on it is refused if the table has changed since.
    """
    copy = TABLE_CACHE.known(table_id)
    if copy is None or seat_of(player_of(request), copy.seats) is None:
        return None
    return copy.own_table()


def _pushed(request: HttpRequest, table_id: int) -> HttpResponse | None:
    """The answer to a page whose stream brings the board: the version that the action has made.

    None for other pages, and where the action has made no version, as then the stream is silent.
    """
    shows = shown_version(request.headers.get(STREAM_VERSION, ""))
    if shows is None:
        return None
    copy = TABLE_CACHE.known(table_id)
    if copy is None or copy.version <= shows:
        copy = TABLE_CACHE.newest(table_id)
    if copy.version <= shows:
        return None
    return HttpResponse(status=HTTPStatus.NO_CONTENT, headers={STREAM_VERSION: str(copy.version)})


def shown_version(text: str) -> int | None:
    """The version that a page with a stream says it shows; None for other pages."""
    return int(text) if text.isdecimal() and len(text) <= NUMBER_DIGITS_MAX else None


def _number(request: HttpRequest, name: str) -> int:
    return number_in(request.POST, name)


def _place(request: HttpRequest, table: Table) -> Carried:
    """Make what lies on the viewer's spots what the page says; `deal` ends their betting."""
    player, copy = player_of(request), TABLE_CACHE.known(table.pk)
    for attempt in range(PLACE_TRIES):
        if attempt or copy is None:
            copy = TABLE_CACHE.newest(table.pk)
        table = copy.own_table()
        sent = bets_in(request.POST, player, table, copy.seats)
        if sent is None:
            # The round is over, with these bets or without.
            hand, turn = _number(request, "played_hand"), _number(request, "turn")
            ready_players.require_played(player, table.pk, hand, turn)
            break
        if not sent.moves:
            break
        try:
            return _acted(player, table, sent)
        except Stale:
            if attempt + 1 == PLACE_TRIES:
                raise
    return Carried()


def _acted(player: Player, table: Table, sent: Sent) -> Carried:
    carried = Carried(sent.mix)
    hand_verbs.act_all(player, table.pk, sent.decision, sent.moves, house_now(), carried)
    return carried


def _bet_next(request: HttpRequest, table: Table) -> None:
    player, game = player_of(request), game_at(table)
    seat = require_seat(player, seats_at(table))
    stack = format_of(table).funds(seat)
    view = game.view(first_state(game, seat.number, stack), seat.number)
    bets = moves_to(game, view, table.currency, wanted_from(request.POST.get("spots", "")))
    ready_players.bet_next(player, table.pk, _number(request, "after"), bets, house_now())


def _act(request: HttpRequest, table: Table) -> Carried:
    if SPOTS in request.POST:
        return _place(request, table)
    sent = moves_in(request.POST, table, _game_of(table, _number(request, "played_hand")))
    return _acted(player_of(request), table, sent)


def _game_of(table: Table, hand_id: int) -> AnyGame:
    """The rules of a hand, or of the table's next one where it has no such hand."""
    if (known := game_of_live(table.pk, hand_id)) is not None:
        return known
    hand = Hand.objects.filter(table=table, pk=hand_id).first()
    return game_of(hand) if hand else game_from(table.game, table.options)


def _sit(request: HttpRequest, table: Table) -> None:
    number = _number(request, "seat")
    amount = read_amount(request.POST.get("amount", ""), table.currency)
    invitation = invitation_kept(request, table.pk)
    seating.sit(player_of(request), table.pk, number, amount, house_now(), invitation)


def _top_up(request: HttpRequest, table: Table) -> None:
    amount = read_amount(request.POST.get("amount", ""), table.currency)
    seating.top_up(player_of(request), table.pk, amount, request.POST.get("key", ""), house_now())


def _switch(**switches: bool) -> PageVerb:
    def change(request: HttpRequest, table: Table) -> None:
        seating.change(player_of(request), table.pk, house_now(), **switches)

    return change


def _leave(request: HttpRequest, table: Table) -> None:
    seating.leave(player_of(request), table.pk, house_now())


def _ready(request: HttpRequest, table: Table) -> None:
    ready_players.say_ready(player_of(request), table.pk, _number(request, "after"), house_now())


def _again(request: HttpRequest, table: Table) -> None:
    ready_players.bet_again(player_of(request), table.pk, _number(request, "after"), house_now())


VERBS: dict[str, PageVerb] = {
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


@never_cache
@require_safe
def address(request: HttpRequest, table_id: int) -> JsonResponse:
    return JsonResponse({"stream": stream_of(request, table_of(request, table_id))})
