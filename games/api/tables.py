"""Tables for programs: the lobby, and one viewer's look at a table."""

from collections.abc import Sequence
from typing import Final

from django.db.models import Count, F, Q, QuerySet
from django.http import HttpResponse
from django.utils import timezone
from msgspec import UNSET

from games.api.table_json import lobby_json, table_json
from games.api.table_requests import LobbyQuery, TableQuery
from games.boards.table_version import reads_of_look
from games.boards.table_view import table_for, table_view
from games.live import tickets
from games.lobby.seat_finder import tables_to_show
from games.models import Seat, Table
from games.models.combined_reads import read_together
from games.tables.jackpots import ACTIVE_JACKPOTS
from games.web.operations import REFUSAL, ApiRequest, Operation, json_response, nothing

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
