"""Tables for programs: the lobby, one viewer's look at a table, and a player's acts there."""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final, NamedTuple
from uuid import uuid4

import msgspec
from django.db.models import Count, F, Q, QuerySet
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_noop as _n
from msgspec import UNSET

from games.api.table_json import lobby_json, table_json
from games.api.table_requests import (
    ActQuery,
    ActRequest,
    AfterRequest,
    LobbyQuery,
    MixRequest,
    NextBetsRequest,
    SitRequest,
    TableQuery,
    TopUpRequest,
    VerbQuery,
)
from games.boards.table_version import reads_of_look
from games.boards.table_view import table_for, table_view
from games.live import tickets
from games.lobby.seat_finder import tables_to_show
from games.models import Seat, Table
from games.models.combined import read_together
from games.rules.errors import Unreadable
from games.tables import device_links, hand_verbs, ready_players, seating
from games.tables.admission import may_watch, require_watch
from games.tables.carried import RECEIPT, Carried, compact
from games.tables.decisions import Decision
from games.tables.jackpots import ACTIVE_JACKPOTS
from games.tables.lock import ROW
from games.tables.table_cache import TABLE_CACHE, CachedTable
from games.web.idempotency import once
from games.web.operations import REFUSAL, ApiRequest, Operation, json_response, nothing
from games.web.payloads import NoFields
from games.words.refusals import refusal_payload
from wallets.storage.database_time import house_now
from wallets.values.errors import Hidden, Refused

TABLE_VIEW: Final = "TableView"


def tables_in_lobby() -> QuerySet[Table]:
    """The tables in the lobby, with their numbers of taken seats, of bots and of free seats."""
    sits = Q(seats__left_at__isnull=True)
    is_bot = sits & Q(seats__player__is_bot=True)
    remains = is_bot & Q(seats__reserved_for__isnull=True)
    tables = tables_to_show().prefetch_related(ACTIVE_JACKPOTS)
    return tables.annotate(
        taken=Count("seats", sits),
        bots=Count("seats", is_bot),
        free=F("places") - F("taken") + Count("seats", remains),
    )


def _lobby(request: ApiRequest) -> HttpResponse:
    query: LobbyQuery = request.query
    wanted = {"game": query.game, "currency": query.currency, "phase": query.phase}
    tables = tables_in_lobby().filter(
        **{name: value for name, value in wanted.items() if value is not UNSET}
    )
    if query.free is not UNSET:
        free = Q(free__gt=0, status=Table.Status.OPEN)
        tables = tables.filter(free if query.free else ~free)
    return json_response(lobby_json(tables))


def _look(request: ApiRequest, table_id: int) -> HttpResponse:
    query: TableQuery = request.query
    # A program that polls mostly has the newest version.
    reads = reads_of_look(table_id) if query.known is UNSET else []
    with read_together(reads):
        table = table_for(request.user, table_id, query.invitation)
        if query.known == table.version:
            return nothing()
        return shown(request, table, query.invitation, wants_help=query.help)


def shown(
    request: ApiRequest,
    table: Table,
    invitation: str,
    *,
    wants_help: bool = False,
    seats: Sequence[Seat] | None = None,
) -> HttpResponse:
    """The response with the table as the sender of a request sees it."""
    board = table_view(request.user, table, timezone.now(), seats)
    stream = tickets.address_for(request.user, request.sign_in, table.pk, invitation)
    return json_response(table_json(board, stream=stream, wants_help=wants_help))


LOOKS: Final = (
    Operation(
        name="lobby",
        route="tables/",
        address="api-lobby",
        description="The tables that are open to all.",
        answer=_lobby,
        query=LobbyQuery,
        for_all=True,
        responses={200: "LobbyResponse", 400: REFUSAL, 429: REFUSAL},
    ),
    Operation(
        name="table",
        route="tables/<int:table_id>/",
        address="api-table",
        description="A table as you see it: seats, the hand, what you may do, and until when.",
        answer=_look,
        query=TableQuery,
        for_all=True,
        responses={
            200: TABLE_VIEW,
            204: "You have the newest version.",
            **dict.fromkeys((400, 404, 429), REFUSAL),
        },
    ),
)


# Each verb calls the same service as the pages, once for each key (`idempotency.py`); an act
# needs no key, as hand and turn say which act it is. The response is the table as the player then
# sees it.

# The header that names the version which an act has made.
STREAM_VERSION: Final = "Stream-Version"
# The service of a verb: it is given the request, the table's row and the time.
Do = Callable[[ApiRequest, Table, datetime], object]


class TableVerb(NamedTuple):
    """Something a player does at a table: the service that does it, and its request."""

    name: str
    description: str
    do: Do
    request: type[msgspec.Struct] = NoFields


def sit(request: ApiRequest, table: Table, now: datetime) -> None:
    sent: SitRequest = request.body
    invitation = request.query.invitation
    seating.sit(request.player, table.pk, sent.seat, sent.amount, now, invitation)


def top_up(request: ApiRequest, table: Table, now: datetime) -> None:
    # The idempotency key of the request makes sure that this happens once.
    seating.top_up(request.player, table.pk, request.body.amount, str(uuid4()), now)


def switch(**switches: bool) -> Do:
    """A service that sets these switches of a player's seat."""

    def do(request: ApiRequest, table: Table, now: datetime) -> None:
        seating.change(request.player, table.pk, now, **switches)

    return do


def say_ready(request: ApiRequest, table: Table, now: datetime) -> None:
    ready_players.say_ready(request.player, table.pk, request.body.after, now)


def bet_again(request: ApiRequest, table: Table, now: datetime) -> None:
    ready_players.bet_again(request.player, table.pk, request.body.after, now)


def bet_next(request: ApiRequest, table: Table, now: datetime) -> None:
    ready_players.bet_next(request.player, table.pk, request.body.after, request.body.bets, now)


def leave(request: ApiRequest, table: Table, now: datetime) -> None:
    seating.leave(request.player, table.pk, now)


def mix(request: ApiRequest, table: Table, now: datetime) -> None:
    device_links.take(request.player, table.pk, request.body.mix, now)


def _done(verb: TableVerb, request: ApiRequest, table_id: int) -> HttpResponse:
    invitation = request.query.invitation
    table = ROW.first(table_id)

    def effect() -> None:
        if table is None:
            raise Hidden("no_such_table", _n("There is no such table."))
        require_watch(request.user, table, invitation)
        verb.do(request, table, house_now())

    def outcome() -> HttpResponse:
        # The effect is kept even if the player may not see the table any more.
        if table is None or not may_watch(request.user, table, invitation):
            return nothing()
        return shown(request, table_for(request.user, table_id, invitation), invitation)

    return once(request, effect, outcome, table.currency if table else None)


# By the last part of their paths.
VERBS: Final[dict[str, TableVerb]] = {
    "sit": TableVerb(
        "Sit",
        "Take a seat and buy in. A bot gives its seat up, after the hand if it plays one.",
        sit,
        SitRequest,
    ),
    "top-up": TableVerb(
        "TopUp",
        "Bring more money to your seat; if you have a stake in the hand, it comes after it.",
        top_up,
        TopUpRequest,
    ),
    "sit-out": TableVerb(
        "SitOut", "Be dealt in no more until you sit in again.", switch(sits_out=True)
    ),
    "sit-in": TableVerb("SitIn", "Be dealt in again.", switch(sits_out=False)),
    "trustee": TableVerb(
        "Trustee", "Let the house play for you until the hand is over.", switch(auto_play=True)
    ),
    "take-over": TableVerb("TakeOver", "Play for yourself again.", switch(auto_play=False)),
    "ready": TableVerb(
        "Ready",
        "Say that you have read the result: the next hand begins when all have.",
        say_ready,
        AfterRequest,
    ),
    "again": TableVerb(
        "Again",
        "Begin the next round against the house with your last bets, all or none.",
        bet_again,
        AfterRequest,
    ),
    "next-bets": TableVerb(
        "NextBets",
        "Bet on the next round against the house: when it opens, or at once if it is open already.",
        bet_next,
        NextBetsRequest,
    ),
    "leave": TableVerb(
        "Leave", "Give up your seat with the whole stack, at once or after the hand.", leave
    ),
    "mix": TableVerb(
        "Mix",
        "Start a chain for your seat, or give its next link to a locked shoe without an act; "
        "without a chain the house mixes for your seat. `receipt` is what the house signs for it.",
        mix,
        MixRequest,
    ),
}


def _operation(path: str, verb: TableVerb) -> Operation:
    return Operation(
        name=verb.name,
        route=f"tables/<int:table_id>/{path}/",
        address=f"api-{path}",
        description=verb.description,
        method="POST",
        answer=lambda request, table_id: _done(verb, request, table_id),
        query=VerbQuery,
        body=verb.request,
        has_key=True,
        responses={
            200: TABLE_VIEW,
            204: "It is done, and the table is hidden from you.",
            **dict.fromkeys((400, 401, 404, 409, 415, 429), REFUSAL),
        },
    )


def _act(request: ApiRequest, table_id: int) -> HttpResponse:
    """Act in the hand that runs: only a refusal has to ask whether the player may see the table."""
    invitation = request.query.invitation
    try:
        copy, carried = _copy_after(request, table_id)
    except (Table.DoesNotExist, Refused) as error:
        table = table_for(request.user, table_id, invitation)
        if isinstance(error, Table.DoesNotExist) or error.status == 400:
            raise
        refused = msgspec.json.encode(refusal_payload(error, table.currency))
        return json_response(refused, error.status)
    table = copy.own_table()
    if not request.query.streamed:
        return shown(request, table, invitation, seats=copy.own_seats(table))
    headers = {STREAM_VERSION: str(copy.version)}
    if carried.receipt is not None:
        headers[RECEIPT] = compact(carried.receipt)
    return HttpResponse(status=204, headers=headers)


def _copy_after(request: ApiRequest, table_id: int) -> tuple[CachedTable, Carried]:
    """Act, and return the table after it."""
    sent: ActRequest = request.body
    carried = Carried(sent.mix)
    try:
        decision = Decision(sent.hand, sent.turn, sent.decision)
        acted = (request.player, table_id, decision, [sent.action])
        table = hand_verbs.act_all(*acted, house_now(), carried)
    except Unreadable as error:
        raise error.at("$.action" + error.path.removeprefix("$")) from None
    return TABLE_CACHE.of(table), carried


ACT: Final = Operation(
    name="Act",
    route="tables/<int:table_id>/act/",
    address="api-act",
    description="Act in the hand that runs; the same action for the same turn is done once.",
    method="POST",
    answer=_act,
    query=ActQuery,
    body=ActRequest,
    responses={
        200: TABLE_VIEW,
        204: "It is done, and your stream brings the table.",
        **dict.fromkeys((400, 401, 404, 409, 415, 429), REFUSAL),
    },
)

# All operations of tables.
OPERATIONS: Final = (*LOOKS, ACT, *(_operation(path, verb) for path, verb in VERBS.items()))
