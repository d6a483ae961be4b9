"""Tables for programs: the lobby, one player's view of a table, and everything a player does
there.

Each verb calls the same service as the pages, once for each key (`once.py`); an act needs no key,
as hand and turn say which act it is. The response is the table as the player then sees it.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django.db.models import Count, F, Q, QuerySet
from django.http import HttpResponse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.once import once
from games.api.payloads import (
    ActRequest,
    AfterRequest,
    CommitRequest,
    EmptyRequest,
    NextBetsRequest,
    RevealRequest,
    SitRequest,
    TopUpRequest,
)
from games.api.requests import RequestSerializer, read
from games.api.schema import INVITATION, KEY, KEY_OF_ACT, refusals
from games.api.table_json import lobby_json, table_json
from games.api.table_payloads import reference
from games.boards.table_view import table_for, table_view
from games.live.announcing import stream_path
from games.lobby.seat_finder import tables_to_show
from games.models import Seat, Table, game_choices
from games.rules.errors import Unreadable
from games.tables import commit_reveal, play, ready, seating
from games.tables.access import may_watch, require_watch
from games.tables.copies import COPIES, Copy
from games.tables.decisions import Decision
from games.tables.jackpots import ACTIVE_JACKPOTS
from games.tables.lock import ROW
from games.words.refusal import Hidden
from games.words.refusals import REFUSALS, refusal_payload, status_of
from wallets.database_time import house_now
from wallets.player import Player

INVITATION_MAX: Final = 40
TABLE_VIEW: Final = reference("TableView")


class LobbyQuery(RequestSerializer):
    game = serializers.ChoiceField(game_choices(), required=False)
    currency = serializers.CharField(required=False, max_length=8)
    phase = serializers.ChoiceField(Table.Phase.choices, required=False)
    free = serializers.BooleanField(
        required=False,
        help_text=_(
            "Only tables where a player could take a seat, a bot's among them; or only the others."
        ),
    )


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


class Lobby(APIView):
    """The tables that anybody may see."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="lobby",
        parameters=[LobbyQuery],
        responses={200: reference("LobbyResponse")} | refusals(400, 429),
    )
    def get(self, request: Request) -> Response:
        query = read(LobbyQuery, request.query_params)
        tables = tables_in_lobby().filter(
            **{name: query[name] for name in ("game", "currency", "phase") if name in query}
        )
        if "free" in query:
            free = Q(free__gt=0, status=Table.Status.OPEN)
            tables = tables.filter(free if query["free"] else ~free)
        return HttpResponse(lobby_json(tables), content_type="application/json")


class TableQuery(RequestSerializer):
    known = serializers.IntegerField(
        required=False, help_text=_("The version you have: without a newer one the answer is 204.")
    )
    invitation = serializers.CharField(required=False, max_length=INVITATION_MAX)
    help = serializers.BooleanField(
        required=False,
        help_text=_("Also the legal plays and the suggestions for your decision, in `help`."),
    )


class VerbQuery(RequestSerializer):
    invitation = serializers.CharField(required=False, max_length=INVITATION_MAX)


def shown(
    request: Request,
    table: Table,
    invitation: str,
    *,
    wants_help: bool = False,
    seats: Sequence[Seat] | None = None,
) -> Response:
    """The response with the table as the reader sees it."""
    now = timezone.now()
    board = table_view(request.user, table, now, seats)
    content = table_json(board, stream=stream_path(table.pk, invitation), wants_help=wants_help)
    return HttpResponse(content, content_type="application/json")


class AtTable(APIView):
    """A table as you see it: seats, the hand, what you may do, and until when."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="table",
        parameters=[TableQuery],
        responses={
            200: TABLE_VIEW,
            204: OpenApiResponse(description="You have the newest version."),
        }
        | refusals(400, 404, 429),
    )
    def get(self, request: Request, table_id: int) -> Response:
        query = read(TableQuery, request.query_params)
        invitation = query.get("invitation", "")
        table = table_for(request.user, table_id, invitation)
        if query.get("known") == table.version:
            return Response(status=204)
        return shown(request, table, invitation, wants_help=query.get("help", False))


Data = Mapping[str, Any]


class Verb(NamedTuple):
    """Something a player does at a table: the request, and the service that does it."""

    name: str
    description: str
    do: Callable[[Player, Table, Data, datetime], object]
    request: type[RequestSerializer] = EmptyRequest


def sit(player: Player, table: Table, data: Data, now: datetime) -> None:
    seating.sit(player, table.pk, data["seat"], data["amount"], now, data["invitation"])


def top_up(player: Player, table: Table, data: Data, now: datetime) -> None:
    # The idempotency key of the request makes sure that this happens once.
    seating.top_up(player, table.pk, data["amount"], str(uuid4()), now)


def switch(**switches: bool) -> Callable[[Player, Table, Data, datetime], object]:
    """A service that sets these switches of a player's seat."""

    def do(player: Player, table: Table, _data: Data, now: datetime) -> None:
        seating.change(player, table.pk, now, **switches)

    return do


def say_ready(player: Player, table: Table, data: Data, now: datetime) -> None:
    ready.say_ready(player, table.pk, data["after"], now)


def bet_again(player: Player, table: Table, data: Data, now: datetime) -> None:
    ready.bet_again(player, table.pk, data["after"], now)


def bet_next(player: Player, table: Table, data: Data, now: datetime) -> None:
    ready.bet_next(player, table.pk, data["after"], data["bets"], now)


def leave(player: Player, table: Table, _data: Data, now: datetime) -> None:
    seating.leave(player, table.pk, now)


def commit(player: Player, table: Table, data: Data, now: datetime) -> None:
    commit_reveal.commit(player, table.pk, data["shoe"], data["commit"], now)


def withdraw(player: Player, table: Table, data: Data, _now: datetime) -> None:
    commit_reveal.withdraw(player, table.pk, data["shoe"], data["commit"])


def reveal(player: Player, table: Table, data: Data, now: datetime) -> None:
    commit_reveal.reveal(player, table.pk, data["shoe"], data["reveal"], now)


def act(player: Player, table_id: int, data: Data, now: datetime) -> Copy:
    """Act in the hand that runs, and return the table after it."""
    try:
        decision = Decision(data["hand"], data["turn"], data.get("decision", ""))
        table = play.act_all(player, table_id, decision, [data["action"]], now)
    except Unreadable as error:
        raise error.at("$.action" + error.path.removeprefix("$")) from None
    return COPIES.of(table)


class Act(APIView):
    """The view of an act: only its refusal has to ask whether the player may see the table."""

    @extend_schema(
        operation_id="Act",
        description="Act in the hand that runs; the same action for the same turn is done once.",
        request=ActRequest,
        parameters=[KEY_OF_ACT, INVITATION],
        responses={200: TableViewSerializer} | refusals(400, 401, 404, 409, 415, 429),
    )
    def post(self, request: Request, table_id: int) -> Response:
        invitation = read(VerbQuery, request.query_params).get("invitation", "")
        data = read(ActRequest, request.data or {})
        try:
            copy = act(request.user, table_id, data, house_now())
        except (Table.DoesNotExist, *REFUSALS) as error:
            table = table_for(request.user, table_id, invitation)
            if isinstance(error, Table.DoesNotExist) or status_of(error) == 400:
                raise
            return Response(refusal_payload(error, table.currency), status_of(error))
        table = copy.own_table()
        return shown(request, table, invitation, seats=copy.own_seats(table))


def answered(verb: Verb) -> type[APIView]:
    """The view of a verb: do it once for each key, and answer with the table."""

    class AtVerb(APIView):
        @extend_schema(
            operation_id=verb.name,
            description=verb.description,
            request=verb.request,
            parameters=[KEY, INVITATION],
            responses={
                200: TABLE_VIEW,
                204: OpenApiResponse(description="It is done, and the table is hidden from you."),
            }
            | refusals(400, 401, 404, 409, 415, 429),
        )
        def post(self, request: Request, table_id: int) -> Response:
            return _done(verb, request, table_id)

    return AtVerb


def _done(verb: Verb, request: Request, table_id: int) -> Response:
    invitation = read(VerbQuery, request.query_params).get("invitation", "")
    data = read(verb.request, request.data or {})
    table = ROW.first(table_id)

    def effect() -> None:
        if table is None:
            raise Hidden("no_such_table", _n("There is no such table."))
        require_watch(request.user, table, invitation)
        verb.do(request.user, table, data | {"invitation": invitation}, house_now())

    def outcome() -> Response:
        # The effect is kept even if the player may not see the table any more.
        if table is None or not may_watch(request.user, table, invitation):
            return Response(status=204)
        return shown(request, table_for(request.user, table_id, invitation), invitation)

    return once(request, effect, outcome, table.currency if table else None)


# By the last part of their paths.
VERBS: Final[dict[str, Verb]] = {
    "sit": Verb(
        "Sit",
        "Take a seat and buy in. A bot gives its seat up, after the hand if it plays one.",
        sit,
        SitRequest,
    ),
    "top-up": Verb(
        "TopUp",
        "Bring more money to your seat; if you have a stake in the hand, it comes after it.",
        top_up,
        TopUpRequest,
    ),
    "sit-out": Verb("SitOut", "Be dealt in no more until you sit in again.", switch(sits_out=True)),
    "sit-in": Verb("SitIn", "Be dealt in again.", switch(sits_out=False)),
    "trustee": Verb(
        "Trustee", "Let the house play for you until the hand is over.", switch(auto_play=True)
    ),
    "take-over": Verb("TakeOver", "Play for yourself again.", switch(auto_play=False)),
    "ready": Verb(
        "Ready",
        "Say that you have read the result: the next hand begins when all have.",
        say_ready,
        AfterRequest,
    ),
    "again": Verb(
        "Again",
        "Begin the next round against the house with your last bets, all or none.",
        bet_again,
        AfterRequest,
    ),
    "next-bets": Verb(
        "NextBets",
        "Bet on the next round against the house: when it opens, or at once if it is open already.",
        bet_next,
        NextBetsRequest,
    ),
    "leave": Verb(
        "Leave", "Give up your seat with the whole stack, at once or after the hand.", leave
    ),
    "commit": Verb(
        "Commit",
        "Commit to your bytes for a sealed shoe; without a commit the house mixes for your seat.",
        commit,
        CommitRequest,
    ),
    "withdraw": Verb(
        "Withdraw",
        "Take your commit back while the shoe is only sealed; the house then mixes for your seat.",
        withdraw,
        CommitRequest,
    ),
    "reveal": Verb(
        "Reveal",
        "Show the bytes you have committed to, once the shoe is locked and you have computed its "
        "lock yourself; `receipt` is what the house signs for it.",
        reveal,
        RevealRequest,
    ),
}
