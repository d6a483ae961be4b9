"""Tournaments for programs: the list, one as you see it, its places, its shoe, and your verbs.

Each verb calls the same service as the pages, once for each key. The response is the tournament as
the player then sees it.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any, Final, NamedTuple

from django.db.models import QuerySet
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from rest_framework import serializers
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from games.api.shoes import ReceiptSerializer
from games.live.sources import stream_path
from games.web.idempotency import once
from games.web.payloads import EmptyRequest
from games.web.requests import RequestSerializer, read
from games.web.schema import KEY, refusals
from games.words.naming import player_title
from tournaments.event import mixing
from tournaments.event.compared_deals import average_points
from tournaments.event.organiser import STREAM, structure_of
from tournaments.event.ranked import entries_ranked, places_gained
from tournaments.mathematics.match_points import share_bp
from tournaments.mathematics.stage import DUPLICATE
from tournaments.models import Entry, Tournament
from tournaments.overview import listing, my_hands
from tournaments.overview.event_view import (
    Turned,
    event_view,
    prize_lines,
    tournament_for,
)
from tournaments.overview.progress_view import score_of
from tournaments.overview.shoe_view import published
from tournaments.pages.api.payloads import (
    EntrantCommit,
    EntrantReveal,
    EventShoePublished,
    HandsInEvent,
    HandsQuery,
    KnownQuery,
    ListQuery,
    PageQuery,
    PlacesResponse,
    TournamentInList,
    TournamentSerializer,
)
from tournaments.running import entries
from wallets.values.player import Player

Data = Mapping[str, Any]
LIST_LIMIT: Final = 50
PLACES_LIMIT: Final = 100


class ListResponse(serializers.Serializer):
    tournaments = TournamentInList(many=True)


class Tournaments(APIView):
    """Tournaments that are announced or played, or those that are over."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="tournaments",
        parameters=[ListQuery],
        responses={200: ListResponse} | refusals(400, 401, 429),
    )
    def get(self, request: Request) -> Response:
        query = read(ListQuery, request.query_params)
        found = _chosen(request, query.get("state"))
        if "game" in query:
            found = found.filter(game=query["game"])
        if "before" in query:
            found = found.filter(pk__lt=query["before"])
        events = list(found[: query.get("limit", LIST_LIMIT)])
        own = listing.my_events(request.user, [one.pk for one in events])
        for one in events:
            one.entered = one.pk in own  # type: ignore[attr-defined]
        return Response(ListResponse({"tournaments": events}).data)


def _chosen(request: Request, state: str | None) -> QuerySet[Tournament]:
    if state == "over":
        return listing.finished()
    if state == "mine":
        if not request.user.is_authenticated:
            raise NotAuthenticated
        own = listing.results_of(request.user).values("tournament")
        return Tournament.objects.filter(pk__in=own).select_related("currency").order_by("-pk")
    alive = listing.upcoming()
    if state == "open":
        return alive.filter(state=Tournament.State.ANNOUNCED)
    if state == "running":
        return alive.exclude(state=Tournament.State.ANNOUNCED)
    return alive


def shown(request: Request, tournament: Tournament) -> Response:
    """The response with the tournament as the reader sees it."""
    view = event_view(request.user, tournament, Turned(), timezone.now())
    level = structure_of(tournament).levels[max(1, tournament.level) - 1]
    facts = {
        **view._asdict(),
        "prizes": prize_lines(tournament, None),
        "stakes": {
            name: value
            for name in ("point", "bet_min", "bet_max", "seconds", "hands")
            if (value := getattr(level, name)) is not None
        },
        "paused": tournament.paused_at is not None,
    }
    return Response(
        TournamentSerializer(
            _Facts(facts), context={"stream": stream_path(STREAM, tournament.pk)}
        ).data
    )


class _Facts:
    """The facts of an event that its serializer reads as attributes."""

    def __init__(self, facts: dict[str, Any]) -> None:
        self.__dict__.update(facts)


class OneTournament(APIView):
    """A tournament as you see it: its state, its clock, its prizes, and your part in it."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="tournament",
        parameters=[KnownQuery],
        responses={
            200: TournamentSerializer,
            204: OpenApiResponse(description="You have the newest version."),
        }
        | refusals(400, 404, 429),
    )
    def get(self, request: Request, number: int) -> Response:
        query = read(KnownQuery, request.query_params)
        tournament = tournament_for(number)
        if query.get("known") == tournament.version:
            return Response(status=204)
        return shown(request, tournament)


class Places(APIView):
    """The entrants of a tournament in the order of their places."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="tournament_places",
        parameters=[PageQuery],
        responses={200: PlacesResponse} | refusals(400, 404, 429),
    )
    def get(self, request: Request, number: int) -> Response:
        query = read(PageQuery, request.query_params)
        tournament = tournament_for(number)
        first = query.get("offset", 0)
        last = first + query.get("limit", PLACES_LIMIT)
        ranked = entries_ranked(tournament).select_related("player", "seat")
        by_points = tournament.kind == DUPLICATE
        average = average_points(tournament) if by_points else 0
        places = [
            {
                "place": entry.place or place,
                "player": player_title(entry.player.username, entry.player.is_bot),
                "is_bot": entry.player.is_bot,
                "state": entry.state,
                "chips": entry.chips,
                "points": entry.points if by_points else None,
                "share_bp": share_bp(entry.points, average) if by_points and average else None,
                "score": score_of(tournament, entry.chips) if entry.state in Entry.LEFT else None,
                "gained": places_gained(entry, place),
                "table": entry.seat.table_id if entry.seat else None,
                "prize": entry.prize,
            }
            for place, entry in enumerate(ranked[first:last], first + 1)
        ]
        return Response(PlacesResponse({"places": places, "count": tournament.entrants}).data)


class Hands(APIView):
    """The hands that you have played in a tournament, the latest first."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="tournament_hands",
        parameters=[HandsQuery],
        responses={200: HandsInEvent} | refusals(400, 401, 404, 429),
    )
    def get(self, request: Request, number: int) -> Response:
        query = read(HandsQuery, request.query_params)
        played = my_hands.played_by(request.user, tournament_for(number))
        if "before" in query:
            played = played.filter(hand__lt=query["before"])
        lines = my_hands.lines(played[: query.get("limit", PLACES_LIMIT)])
        return Response(HandsInEvent({"hands": lines}).data)


class Shoe(APIView):
    """The published values of a tournament's shoe, and what was drawn from it."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="tournament_shoe",
        responses={200: EventShoePublished} | refusals(404, 429),
    )
    def get(self, _request: Request, number: int) -> Response:
        return Response(EventShoePublished(published(tournament_for(number))).data)


class Reveal(APIView):
    """Show the bytes you have committed to, once you have computed the lock yourself."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="tournament_reveal",
        request=EntrantReveal,
        responses={200: ReceiptSerializer} | refusals(400, 401, 404, 409, 415, 429),
    )
    def post(self, request: Request, number: int) -> Response:
        """The same bytes get the same receipt, so this takes no key."""
        data = read(EntrantReveal, request.data or {})
        tournament_for(number)
        return Response(mixing.reveal(request.user, number, data["reveal"], timezone.now()))


class EventVerb(NamedTuple):
    """Something a player does about a tournament: the request, and the service that does it."""

    name: str
    description: str
    do: Callable[[Player, int, Data, datetime], object]
    request: type[RequestSerializer] = EmptyRequest


def answered(verb: EventVerb) -> type[APIView]:
    """The view of a verb: do it once for each key, and answer with the tournament."""

    class OfVerb(APIView):
        permission_classes = (IsAuthenticated,)

        @extend_schema(
            operation_id=verb.name,
            description=verb.description,
            request=verb.request,
            parameters=[KEY],
            responses={200: TournamentSerializer} | refusals(400, 401, 404, 409, 415, 429),
        )
        def post(self, request: Request, number: int) -> Response:
            data = read(verb.request, request.data or {})
            return once(
                request,
                lambda: verb.do(request.user, number, data, timezone.now()),
                lambda: shown(request, tournament_for(number)),
                None,
            )

    return OfVerb


# By the last part of their paths.
VERBS: Final[dict[str, EventVerb]] = {
    "register": EventVerb(
        "tournament_register",
        "Enter a tournament, before its start or late; stake and fee leave your wallet.",
        lambda player, number, _data, now: entries.register(player, number, now),
    ),
    "unregister": EventVerb(
        "tournament_unregister",
        "Leave a tournament that has not begun, and get everything back.",
        lambda player, number, _data, now: entries.unregister(player, number, now),
    ),
    "enter-again": EventVerb(
        "tournament_enter_again",
        "Buy a new entry after you went out, while the tournament allows it.",
        lambda player, number, _data, now: entries.enter_again(player, number, now),
    ),
    "add-on": EventVerb(
        "tournament_add_on",
        "Buy the add-on, once; its chips come between two hands.",
        lambda player, number, _data, now: entries.add_on(player, number, now),
    ),
    "commit": EventVerb(
        "tournament_commit",
        "Commit to your bytes for the sealed shoe; the first commit counts. Without one the house "
        "mixes for you.",
        lambda player, number, data, _now: mixing.commit(player, number, data["commit"]),
        EntrantCommit,
    ),
    "withdraw": EventVerb(
        "tournament_withdraw",
        "Take your commit back while the shoe is only sealed; the house then mixes for you.",
        lambda player, number, data, _now: mixing.withdraw(player, number, data["commit"]),
        EntrantCommit,
    ),
}
