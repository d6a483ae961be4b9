"""Tables for programs: the lobby, a table as one sees it, and everything a player does there.

Each verb is the service that the pages call. It is done once a key (`once.py`) and answered with
the table as it then stands for the player.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django.db.models import Count, F, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.permissions import AllowAny
from rest_framework.response import Response
from rest_framework.views import APIView

from games import ceremony, play, seating
from games.access import may_watch, require_watch
from games.api.asking import Asked, read
from games.api.once import once
from games.api.schema import INVITATION, KEY, refusals
from games.api.telling import (
    ActAsked,
    CommitAsked,
    Nothing,
    RevealAsked,
    SitAsked,
    TableInLobby,
    TableTold,
    TopUpAsked,
)
from games.boards.board import board, table_for
from games.live import stream_path
from games.lobby.finding import tables_to_show
from games.models import Table, game_choices
from games.presence import seen
from games.refusal import Hidden
from games.rules.errors import Unreadable

INVITATION_MAX: Final = 40


class LobbyAsked(Asked):
    game = serializers.ChoiceField(game_choices(), required=False)
    currency = serializers.CharField(required=False, max_length=8)
    phase = serializers.ChoiceField(Table.Phase.choices, required=False)
    free = serializers.BooleanField(
        required=False, help_text=_("Only tables with a free seat, or only full ones.")
    )


class LobbyTold(serializers.Serializer):
    tables = TableInLobby(many=True)


def tables_in_lobby() -> QuerySet[Table]:
    """What the lobby lists, with how many seats are taken."""
    sits = Q(seats__left_at__isnull=True)
    return tables_to_show().annotate(
        taken=Count("seats", sits), bots=Count("seats", sits & Q(seats__player__is_bot=True))
    )


class Lobby(APIView):
    """The tables that anybody may see."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="lobby",
        parameters=[LobbyAsked],
        responses={200: LobbyTold} | refusals(400, 429),
    )
    def get(self, request: Any) -> Response:
        asked = read(LobbyAsked, request.query_params)
        tables = tables_in_lobby().filter(
            **{name: asked[name] for name in ("game", "currency", "phase") if name in asked}
        )
        if "free" in asked:
            free = Q(taken__lt=F("places"))
            tables = tables.filter(free if asked["free"] else ~free)
        return Response(LobbyTold({"tables": tables}).data)


class TableAsked(Asked):
    known = serializers.IntegerField(
        required=False, help_text=_("The version you have: without a newer one the answer is 204.")
    )
    invitation = serializers.CharField(required=False, max_length=INVITATION_MAX)


class VerbAsked(Asked):
    invitation = serializers.CharField(required=False, max_length=INVITATION_MAX)


def shown(request: Any, table: Table, invitation: str) -> Response:
    """The table as it stands for whoever asks."""
    now = timezone.now()
    context = {"now": now, "stream": stream_path(table.pk, invitation)}
    return Response(TableTold(board(request.user, table, now), context=context).data)


class AtTable(APIView):
    """A table as you see it: seats, the hand, what you may do, and until when."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="table",
        parameters=[TableAsked],
        responses={200: TableTold, 204: OpenApiResponse(description="You have the newest version.")}
        | refusals(400, 404, 429),
    )
    def get(self, request: Any, table_id: int) -> Response:
        asked = read(TableAsked, request.query_params)
        invitation = asked.get("invitation", "")
        table = table_for(request.user, table_id, invitation)
        if request.user.is_authenticated:
            seen([(table.pk, request.user.pk)], timezone.now())
        if asked.get("known") == table.version:
            return Response(status=204)
        return shown(request, table, invitation)


Told = Mapping[str, Any]


class Verb(NamedTuple):
    """Something a player does at a table: what is sent for it, and the service that does it."""

    name: str
    description: str
    do: Callable[[Any, Table, Told, datetime], object]
    asked: type[Asked] = Nothing


def act(player: Any, table: Table, told: Told, now: datetime) -> None:
    try:
        play.act(player, table.pk, told["hand"], told["turn"], told["action"], now)
    except Unreadable as error:
        raise error.at("$.action" + error.path.removeprefix("$")) from None


def sit(player: Any, table: Table, told: Told, now: datetime) -> None:
    seating.sit(player, table.pk, told["seat"], told["amount"], now, told["invitation"])


def top_up(player: Any, table: Table, told: Told, now: datetime) -> None:
    # The request's own key sees to it that this happens once.
    seating.top_up(player, table.pk, told["amount"], str(uuid4()), now)


def switch(**switches: bool) -> Callable[[Any, Table, Told, datetime], object]:
    """What sets these switches of a player's seat."""

    def do(player: Any, table: Table, _told: Told, now: datetime) -> None:
        seating.change(player, table.pk, now, **switches)

    return do


def leave(player: Any, table: Table, _told: Told, now: datetime) -> None:
    seating.leave(player, table.pk, now)


def commit(player: Any, table: Table, told: Told, _now: datetime) -> None:
    ceremony.commit(player, table.pk, told["shoe"], told["commit"])


def reveal(player: Any, table: Table, told: Told, now: datetime) -> None:
    ceremony.reveal(player, table.pk, told["shoe"], told["reveal"], now)


def answered(verb: Verb) -> type[APIView]:
    """The address of a verb: it is done once a key, and answered with the table."""

    class AtVerb(APIView):
        @extend_schema(
            operation_id=verb.name,
            description=verb.description,
            request=verb.asked,
            parameters=[KEY, INVITATION],
            responses={
                200: TableTold,
                204: OpenApiResponse(description="It is done, and the table is hidden from you."),
            }
            | refusals(400, 401, 404, 409, 415, 429),
        )
        def post(self, request: Any, table_id: int) -> Response:
            return _done(verb, request, table_id)

    return AtVerb


def _done(verb: Verb, request: Any, table_id: int) -> Response:
    invitation = read(VerbAsked, request.query_params).get("invitation", "")
    told = read(verb.asked, request.data or {})
    table = Table.objects.select_related("currency").filter(pk=table_id).first()
    # By itself: who waits for a table's row must not hold a seat's meanwhile.
    seen([(table_id, request.user.pk)], timezone.now())

    def effect() -> None:
        if table is None:
            raise Hidden("no_such_table", _n("There is no such table."))
        require_watch(request.user, table, invitation)
        verb.do(request.user, table, told | {"invitation": invitation}, timezone.now())

    def outcome() -> Response:
        # What was done stands; whether it can still be looked at is another question.
        if table is None or not may_watch(request.user, table, invitation):
            return Response(status=204)
        return shown(request, table_for(request.user, table_id, invitation), invitation)

    return once(request, effect, outcome, table.currency if table else None)


# By the last part of their addresses.
VERBS: Final[dict[str, Verb]] = {
    "act": Verb(
        "Act",
        "Act in the hand that runs; the same action for the same turn is done once, key or not.",
        act,
        ActAsked,
    ),
    "sit": Verb(
        "Sit",
        "Take a seat and buy in. A bot gives its seat up, after the hand if it plays one.",
        sit,
        SitAsked,
    ),
    "top-up": Verb(
        "TopUp",
        "Bring more money to your seat; during a hand it comes after it.",
        top_up,
        TopUpAsked,
    ),
    "sit-out": Verb("SitOut", "Be dealt in no more until you sit in again.", switch(sits_out=True)),
    "sit-in": Verb("SitIn", "Be dealt in again.", switch(sits_out=False)),
    "trustee": Verb("Trustee", "Let the house play for you.", switch(trustee=True)),
    "take-over": Verb("TakeOver", "Play for yourself again.", switch(trustee=False)),
    "leave": Verb(
        "Leave", "Give your seat up with the whole purse, at once or after the hand.", leave
    ),
    "commit": Verb(
        "Commit",
        "Commit to your bytes for a sealed shoe; without a commit the house mixes for your seat.",
        commit,
        CommitAsked,
    ),
    "reveal": Verb(
        "Reveal",
        "Show the bytes you have committed to, once the shoe is locked.",
        reveal,
        RevealAsked,
    ),
}
