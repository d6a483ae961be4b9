"""Finished hands for programs: a player's own, and every one for auditors."""

from typing import Any, Final

from django.utils.translation import gettext_lazy as _
from drf_spectacular.utils import extend_schema, extend_schema_field
from rest_framework import serializers
from rest_framework.response import Response
from rest_framework.views import APIView

from games import history
from games.api.asking import NUMBER_MAX, Asked, read
from games.api.schema import refusals
from games.api.telling import CurrencyTold, LineTold, told_lines
from games.boards.standing import names_in
from games.books.searching import by_code
from games.models import Hand, HandSeat, game_choices
from games.words.naming import game_name

PAGE: Final = 50
PAGE_MAX: Final = 200


class PageAsked(Asked):
    """A page of a list, the newest first; what is added meanwhile shifts nothing."""

    before = serializers.IntegerField(
        required=False,
        min_value=1,
        max_value=NUMBER_MAX,
        help_text=_("The `next` of the page before this one."),
    )
    limit = serializers.IntegerField(default=PAGE, min_value=1, max_value=PAGE_MAX)


class HandsAsked(PageAsked):
    game = serializers.ChoiceField(game_choices(), required=False)
    table = serializers.IntegerField(required=False, min_value=1, max_value=NUMBER_MAX)
    code = serializers.CharField(
        required=False, max_length=30, help_text=_("A hand's name as in T3-H120, or a table's.")
    )


class ResultTold(serializers.ModelSerializer):
    """How a seat came out of a hand."""

    player = serializers.CharField(source="player.username")
    is_bot = serializers.BooleanField(source="player.is_bot")

    class Meta:
        model = HandSeat
        fields = ("number", "player", "is_bot", "purse", "net", "rake")


class HandTold(serializers.ModelSerializer):
    """A hand that has ended; where `reversed_at` is told, what it moved has been given back."""

    code = serializers.CharField()
    table_name = serializers.CharField(source="table.name")
    game_name = serializers.SerializerMethodField()
    currency = CurrencyTold(source="table.currency")
    seats = ResultTold(many=True)

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
            "seats",
        )

    def get_game_name(self, hand: Hand) -> str:
        return str(game_name(hand.game))


class HandsTold(serializers.Serializer):
    hands = HandTold(many=True)
    next = serializers.IntegerField(
        allow_null=True, help_text=_("What to ask for with `before`; null at the end.")
    )


class HandWithLines(HandTold):
    """A hand with the lines that explain every chip."""

    lines = serializers.SerializerMethodField()

    class Meta(HandTold.Meta):
        fields: tuple[str, ...] = (*HandTold.Meta.fields, "lines")

    @extend_schema_field(LineTold(many=True))
    def get_lines(self, hand: Hand) -> list[dict[str, Any]]:
        lines = (hand.settlement or {}).get("lines", ())
        return told_lines(lines, names_in(hand, []), hand.table.currency)


class Hands(APIView):
    """The hands you have played, the latest first; for auditors all hands."""

    @extend_schema(
        operation_id="hands",
        parameters=[HandsAsked],
        responses={200: HandsTold} | refusals(400, 401, 429),
    )
    def get(self, request: Any) -> Response:
        asked = read(HandsAsked, request.query_params)
        found = history.hands_of(request.user)
        for name, column in (("game", "game"), ("table", "table_id"), ("before", "pk__lt")):
            if name in asked:
                found = found.filter(**{column: asked[name]})
        if "code" in asked:
            found = by_code(found, asked["code"])
        limit = asked["limit"]
        rows = found.select_related("table__currency").prefetch_related("seats__player")
        page = list(rows[: limit + 1])
        more = page[limit - 1].pk if len(page) > limit else None
        return Response(HandsTold({"hands": page[:limit], "next": more}).data)


class OneHand(APIView):
    """A hand you have played: who won what, and why."""

    @extend_schema(operation_id="hand", responses={200: HandWithLines} | refusals(401, 404, 429))
    def get(self, request: Any, hand_id: int) -> Response:
        hand, _own = history.hand_for(request.user, hand_id)
        return Response(HandWithLines(hand).data)


class Record(APIView):
    """The portable record of a hand with its proof, as far as you may see its cards.

    The format is described in the documentation and by a JSON Schema of its own.
    """

    @extend_schema(
        operation_id="record",
        responses={200: {"type": "object", "additionalProperties": True}} | refusals(401, 404, 429),
    )
    def get(self, request: Any, hand_id: int) -> Response:
        hand, own = history.hand_for(request.user, hand_id)
        if history.is_auditor(request.user):
            history.note_opening(request.user, hand)
            return Response(history.record(hand, history.AUDITOR))
        return Response(history.record(hand, own))
