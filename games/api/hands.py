"""Finished hands for programs: a player's own, every one for auditors; and the state of a shoe."""

from typing import Annotated, Any

import msgspec
from django.http import HttpResponse
from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import extend_schema
from msgspec import UNSET, Meta, UnsetType
from rest_framework.permissions import AllowAny
from rest_framework.request import Request
from rest_framework.views import APIView

from games.api.table_json import settlement_lines
from games.api.table_payloads import RECEIPT, HandStatus
from games.boards.hand_at_table import names_in
from games.models import Hand, Shoe
from games.records import record
from games.records.search import by_code
from games.shoes import custody
from games.tables.formats import format_of
from games.web.operations import answer
from games.web.payloads import (
    Currency,
    GameKey,
    Moment,
    Number,
    PageQuery,
    Payload,
    SettlementLine,
    Text,
    described,
    one_of,
    payload,
    read_query,
    turned,
)
from games.web.schema import refusals
from games.words.naming import game_name
from wallets.storage.replica import from_replica
from wallets.values.errors import Hidden
from wallets.values.player import Viewer

Next = Annotated[
    int | None, described(_n("The value for `before` on the next page; null on the last page."))
]


class HandsQuery(PageQuery, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The hands to list."""

    game: GameKey | UnsetType = UNSET
    table: Number | UnsetType = UNSET
    code: (
        Annotated[
            Text, Meta(max_length=30), described(_n("A hand's name as in T3-H120, or a table's."))
        ]
        | UnsetType
    ) = UNSET


class SeatResult(Payload, frozen=True, kw_only=True):
    """The result of a seat in a hand."""

    number: int
    player: str
    is_bot: bool
    purse: int
    net: int
    rake: int


class Link(Payload, frozen=True, kw_only=True):
    """The thing that a hand belongs to: the event of a tournament hand."""

    address: str
    words: str


class FinishedHand(Payload, frozen=True, kw_only=True):
    """A hand that has ended; if `reversed_at` is set, the chips that it moved were returned."""

    id: int
    code: str
    table: int
    table_name: str
    number: int
    game: GameKey
    game_name: str
    currency: Currency
    status: HandStatus
    void_reason: str
    reversed_at: Moment | None
    started_at: Moment
    ended_at: Moment | None
    belongs_to: Link | None
    seats: list[SeatResult]


class HandsResponse(Payload, frozen=True, kw_only=True):
    hands: list[FinishedHand]
    next: Next


class HandWithLines(FinishedHand, frozen=True, kw_only=True):
    """A hand with the lines that explain every chip."""

    lines: list[SettlementLine]


def _facts(hand: Hand) -> dict[str, Any]:
    """What a hand's row says of it only by others."""
    seats = [
        payload(
            SeatResult,
            seat,
            player=seat.player.username,
            is_bot=seat.player.is_bot,
            purse=seat.starting_stack,
        )
        for seat in hand.seats.all()
    ]
    link = format_of(hand.table).belongs_to()
    return {
        "table": hand.table_id,
        "table_name": hand.table.name,
        "game_name": str(game_name(hand.game)),
        "currency": hand.table.currency,
        "belongs_to": link and link._asdict(),
        "seats": seats,
    }


class Hands(APIView):
    """The hands you have played, the latest first; for auditors all hands."""

    @extend_schema(
        operation_id="hands",
        parameters=[HandsQuery],
        responses={200: HandsResponse} | refusals(400, 401, 429),
    )
    def get(self, request: Request) -> HttpResponse:
        return answer(_page_of_hands(request.user, read_query(HandsQuery, request.query_params)))


@from_replica
def _page_of_hands(user: Viewer, query: HandsQuery) -> HandsResponse:
    wanted = {"game": query.game, "table": query.table}
    given = {name: value for name, value in wanted.items() if value is not UNSET}
    matches = record.hands_of(user).filter(**given)
    if query.code is not UNSET:
        matches = by_code(matches, query.code)
    rows = matches.select_related("table__currency").prefetch_related("seats__player")
    page, following = turned(rows, query)
    hands = [payload(FinishedHand, hand, **_facts(hand)) for hand in page]
    return HandsResponse(hands=hands, next=following)


class OneHand(APIView):
    """A hand you have played: who won what, and why."""

    @extend_schema(operation_id="hand", responses={200: HandWithLines} | refusals(401, 404, 429))
    def get(self, request: Request, hand_id: int) -> HttpResponse:
        return answer(_with_lines(request.user, hand_id))


@from_replica
def _with_lines(user: Viewer, hand_id: int) -> HandWithLines:
    hand, _own = record.hand_for(user, hand_id)
    lines = (hand.settlement or {}).get("lines", ())
    explained = settlement_lines(lines, names_in(hand, []), hand.table.currency)
    return payload(HandWithLines, hand, **_facts(hand), lines=explained)


class Record(APIView):
    """The portable record of a hand with its proof, as far as you may see its cards.

    The format is described in the documentation and by a JSON Schema of its own.
    """

    @extend_schema(
        operation_id="record",
        responses={200: {"type": "object", "additionalProperties": True}} | refusals(401, 404, 429),
    )
    def get(self, request: Request, hand_id: int) -> HttpResponse:
        if not record.is_auditor(request.user):
            return answer(_own_record(request.user, hand_id))
        hand, _own = record.hand_for(request.user, hand_id)
        record.note_opening(request.user, hand, reason="fetched by the API")
        return answer(record.handed_out(hand, record.AUDITOR))


@from_replica
def _own_record(user: Viewer, hand_id: int) -> dict[str, object]:
    hand, own = record.hand_for(user, hand_id)
    return record.handed_out(hand, own)


MixedBy = Annotated[str, one_of(("player", "house"))]


class ShoePart(Payload, frozen=True, kw_only=True):
    """The part of a seat in mixing a shoe."""

    seat: int
    who: MixedBy
    commit: str
    reveal: str
    late: Annotated[
        bool,
        described(_n("Whether the bytes came only after the shoe had been voided without them.")),
    ]


class ShoePublished(Payload, frozen=True, kw_only=True):
    """The published values of a shoe, and the receipt for your own reveal."""

    id: str
    status: Annotated[str, one_of(Shoe.Status.values)]
    seal: str
    key: str
    x_0: str
    lock: str
    mix: str
    seats: list[ShoePart]
    void: Annotated[str, described(_n("Why it was voided."))]
    receipt: Annotated[Any, RECEIPT]


class OneShoe(APIView):
    """A shoe as it was published, also when it has gone from its table, with your receipt."""

    permission_classes = (AllowAny,)

    @extend_schema(operation_id="shoe", responses={200: ShoePublished} | refusals(404, 429))
    def get(self, request: Request, code: str) -> HttpResponse:
        shoe = Shoe.objects.filter(pk=code).first()
        if shoe is None:
            raise Hidden("no_such_shoe", _n("There is no such shoe."))
        own = shoe.seats.filter(player_id=request.user.pk).exclude(receipt=None).first()
        published = custody.published(shoe) | {"receipt": own.receipt if own else None}
        return answer(msgspec.convert(published, ShoePublished))
