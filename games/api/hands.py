"""Finished hands for programs: a player's own, and every one for auditors."""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from msgspec import to_builtins
from rest_framework import serializers
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.table_json import settlement_lines
from games.boards.live_hand import names_in
from games.models import Hand, HandSeat, game_choices
from games.records import record
from games.records.search import by_code
from games.tables.formats import format_of
from games.web.payloads import CurrencySerializer, SettlementLineSerializer
from games.web.requests import NUMBER_MAX, RequestSerializer, read
from games.web.schema import refusals
from games.words.naming import game_name
from wallets.storage.replica import from_replica
from wallets.values.player import Viewer

PAGE: Final = 50
PAGE_MAX: Final = 200


class PageQuery(RequestSerializer):
    """A page of a list, newest first; rows added between two requests do not shift it."""

    before = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=NUMBER_MAX,
        help_text=_("The `next` of the page before this one."),
    )
    limit = serializers.IntegerField(default=PAGE, min_value=1, max_value=PAGE_MAX)


class HandsQuery(PageQuery):
    game = serializers.ChoiceField(game_choices(), required=False)
    table = serializers.IntegerField(required=False, min_value=1, max_value=NUMBER_MAX)
    code = serializers.CharField(
        required=False, max_length=30, help_text=_("A hand's name as in T3-H120, or a table's.")
    )


class SeatResultSerializer(serializers.ModelSerializer):
    """The result of a seat in a hand."""

    player = serializers.CharField(source="player.username")
    is_bot = serializers.BooleanField(source="player.is_bot")
    purse = serializers.IntegerField(source="starting_stack")

    class Meta:
        model = HandSeat
        fields = ("number", "player", "is_bot", "purse", "net", "rake")


class LinkSerializer(serializers.Serializer):
    """The thing that a hand belongs to: the event of a tournament hand."""

    address = serializers.CharField()
    words = serializers.CharField()


class FinishedHandSerializer(serializers.ModelSerializer):
    """A hand that has ended; if `reversed_at` is set, the chips that it moved were returned."""

    code = serializers.CharField()
    table_name = serializers.CharField(source="table.name")
    game_name = serializers.SerializerMethodField()
    currency = CurrencySerializer(source="table.currency")
    seats = SeatResultSerializer(many=True)
    void_reason = serializers.CharField()
    belongs_to = serializers.SerializerMethodField()

    class Meta:
        model = Hand
        fields: tuple[str, ...] = (
            "id",
            "code",
            "table",
            "table_name",
            "number",
            "game",
            "game_name",
            "currency",
            "status",
            "void_reason",
            "reversed_at",
            "started_at",
            "ended_at",
            "belongs_to",
            "seats",
        )

    def get_game_name(self, hand: Hand) -> str:
        return str(game_name(hand.game))

    @extend_schema_field(LinkSerializer(allow_null=True))
    def get_belongs_to(self, hand: Hand) -> dict[str, str] | None:
        link = format_of(hand.table).belongs_to()
        return link and link._asdict()


class HandsResponse(serializers.Serializer):
    hands = FinishedHandSerializer(many=True)
    next = serializers.IntegerField(
        allow_null=True,
        help_text=_("The value for `before` on the next page; null on the last page."),
    )


class HandWithLines(FinishedHandSerializer):
    """A hand with the lines that explain every chip."""

    lines = serializers.SerializerMethodField()

    class Meta(FinishedHandSerializer.Meta):
        fields: tuple[str, ...] = (*FinishedHandSerializer.Meta.fields, "lines")

    @extend_schema_field(SettlementLineSerializer(many=True))
    def get_lines(self, hand: Hand) -> list[dict[str, object]]:
        lines = (hand.settlement or {}).get("lines", ())
        found = settlement_lines(lines, names_in(hand, []), hand.table.currency)
        data: list[dict[str, object]] = to_builtins(found)
        return data


class Hands(APIView):
    """The hands you have played, the latest first; for auditors all hands."""

    @extend_schema(
        operation_id="hands",
        parameters=[HandsQuery],
        responses={200: HandsResponse} | refusals(400, 401, 429),
    )
    def get(self, request: Request) -> Response:
        return Response(_page_of_hands(request.user, read(HandsQuery, request.query_params)))


@from_replica
def _page_of_hands(user: Viewer, query: dict[str, Any]) -> object:
    found = record.hands_of(user)
    for name, column in (("game", "game"), ("table", "table_id"), ("before", "pk__lt")):
        if name in query:
            found = found.filter(**{column: query[name]})
    if "code" in query:
        found = by_code(found, query["code"])
    limit = query["limit"]
    rows = found.select_related("table__currency").prefetch_related("seats__player")
    page = list(rows[: limit + 1])
    more = page[limit - 1].pk if len(page) > limit else None
    return HandsResponse({"hands": page[:limit], "next": more}).data


class OneHand(APIView):
    """A hand you have played: who won what, and why."""

    @extend_schema(operation_id="hand", responses={200: HandWithLines} | refusals(401, 404, 429))
    def get(self, request: Request, hand_id: int) -> Response:
        return Response(_with_lines(request.user, hand_id))


@from_replica
def _with_lines(user: Viewer, hand_id: int) -> object:
    hand, _own = record.hand_for(user, hand_id)
    return HandWithLines(hand).data


class Record(APIView):
    """The portable record of a hand with its proof, as far as you may see its cards.

    The format is described in the documentation and by a JSON Schema of its own.
    """

    @extend_schema(
        operation_id="record",
        responses={200: {"type": "object", "additionalProperties": True}} | refusals(401, 404, 429),
    )
    def get(self, request: Request, hand_id: int) -> Response:
        if not record.is_auditor(request.user):
            return Response(_own_record(request.user, hand_id))
        hand, _own = record.hand_for(request.user, hand_id)
        record.note_opening(request.user, hand, reason="fetched by the API")
        return Response(record.handed_out(hand, record.AUDITOR))


@from_replica
def _own_record(user: Viewer, hand_id: int) -> dict[str, object]:
    hand, own = record.hand_for(user, hand_id)
    return record.handed_out(hand, own)
