"""Tournaments for programs: the list, one as you see it, its places, its shoe, and your verbs.

Each verb calls the same service as the pages, once for each key. The response is the tournament as
the player then sees it.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Any, Final, NamedTuple

import msgspec
from django.db.models import QuerySet
from django.http import HttpResponse
from django.utils import timezone
from drf_spectacular.utils import OpenApiResponse, extend_schema
from msgspec import UNSET
from rest_framework.exceptions import NotAuthenticated
from rest_framework.permissions import AllowAny, IsAuthenticated
from rest_framework.request import Request
from rest_framework.views import APIView

from games.api.table_payloads import Receipt
from games.live.sources import stream_path
from games.web.idempotency import once
from games.web.operations import answer, nothing
from games.web.payloads import NoFields, Sent, payload, read, read_query
from games.web.schema import KEY, refusals
from games.words.naming import player_title
from tournaments.event import mixing
from tournaments.event.compared_deals import average_points
from tournaments.event.organiser import STREAM, structure_of
from tournaments.event.ranked import entries_ranked, places_gained
from tournaments.mathematics.match_points import share_bp
from tournaments.mathematics.stage import DUPLICATE
from tournaments.models import Entry, Tournament
from tournaments.overview import listing
from tournaments.overview.clock_view import score_of
from tournaments.overview.event_view import Turned, event_view, tournament_for
from tournaments.overview.shoe_view import published
from tournaments.pages.api import payloads
from tournaments.running import entries
from wallets.values.player import Player


class Tournaments(APIView):
    """Tournaments that are announced or played, or those that are over."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="tournaments",
        parameters=[payloads.ListQuery],
        responses={200: payloads.ListResponse} | refusals(400, 401, 429),
    )
    def get(self, request: Request) -> HttpResponse:
        query = read_query(payloads.ListQuery, request.query_params)
        tournaments = _chosen(request, query.state)
        if query.game is not UNSET:
            tournaments = tournaments.filter(game=query.game)
        if query.before is not UNSET:
            tournaments = tournaments.filter(pk__lt=query.before)
        events = list(tournaments[: query.limit])
        own = listing.my_events(request.user, [event.pk for event in events])
        listed = [payloads.in_list(event, entered=event.pk in own) for event in events]
        return answer(payloads.ListResponse(tournaments=listed))


def _chosen(request: Request, state: str) -> QuerySet[Tournament]:
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


def shown(request: Request, tournament: Tournament) -> HttpResponse:
    """The response with the tournament as the reader sees it."""
    view = event_view(request.user, tournament, Turned(), timezone.now())
    level = structure_of(tournament).levels[max(1, tournament.level) - 1]
    return answer(payloads.tournament_view(view, level, stream_path(STREAM, tournament.pk)))


class OneTournament(APIView):
    """A tournament as you see it: its state, its clock, its prizes, and your part in it."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="tournament",
        parameters=[payloads.KnownQuery],
        responses={
            200: payloads.TournamentView,
            204: OpenApiResponse(description="You have the newest version."),
        }
        | refusals(400, 404, 429),
    )
    def get(self, request: Request, number: int) -> HttpResponse:
        query = read_query(payloads.KnownQuery, request.query_params)
        tournament = tournament_for(number)
        if query.known == tournament.version:
            return nothing()
        return shown(request, tournament)


class Places(APIView):
    """The entrants of a tournament in the order of their places."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="tournament_places",
        parameters=[payloads.PlacesQuery],
        responses={200: payloads.PlacesResponse} | refusals(400, 404, 429),
    )
    def get(self, request: Request, number: int) -> HttpResponse:
        query = read_query(payloads.PlacesQuery, request.query_params)
        tournament = tournament_for(number)
        first, last = query.offset, query.offset + query.limit
        ranked = entries_ranked(tournament).select_related("player", "seat")
        by_points = tournament.kind == DUPLICATE
        average = average_points(tournament) if by_points else 0
        places = [
            payload(
                payloads.Place,
                entry,
                place=entry.place or place,
                player=player_title(entry.player.username, entry.player.is_bot),
                is_bot=entry.player.is_bot,
                points=entry.points if by_points else None,
                share_bp=share_bp(entry.points, average) if by_points and average else None,
                score=score_of(tournament, entry.chips) if entry.state in Entry.LEFT else None,
                gained=places_gained(entry, place),
                table=entry.seat.table_id if entry.seat else None,
            )
            for place, entry in enumerate(ranked[first:last], first + 1)
        ]
        return answer(payloads.PlacesResponse(places=places, count=tournament.entrants))


class Hands(APIView):
    """The hands that you have played in a tournament, the latest first."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="tournament_hands",
        parameters=[payloads.HandsQuery],
        responses={200: payloads.HandsInEvent} | refusals(400, 401, 404, 429),
    )
    def get(self, request: Request, number: int) -> HttpResponse:
        query = read_query(payloads.HandsQuery, request.query_params)
        played = listing.played_by(request.user, tournament_for(number))
        if query.before is not UNSET:
            played = played.filter(hand__lt=query.before)
        hands = [
            payload(
                payloads.HandInEvent,
                line,
                id=line.hand.pk,
                code=line.hand.code,
                ended_at=line.hand.ended_at,
            )
            for line in listing.lines(played[: query.limit])
        ]
        return answer(payloads.HandsInEvent(hands=hands))


class Shoe(APIView):
    """The published values of a tournament's shoe, and what was drawn from it."""

    permission_classes = (AllowAny,)

    @extend_schema(
        operation_id="tournament_shoe",
        responses={200: payloads.EventShoePublished} | refusals(404, 429),
    )
    def get(self, _request: Request, number: int) -> HttpResponse:
        shoe = published(tournament_for(number))
        return answer(msgspec.convert(shoe, payloads.EventShoePublished))


class Reveal(APIView):
    """Show the bytes you have committed to, once you have computed the lock yourself."""

    permission_classes = (IsAuthenticated,)

    @extend_schema(
        operation_id="tournament_reveal",
        request=payloads.EntrantReveal,
        responses={200: Receipt} | refusals(400, 401, 404, 409, 415, 429),
    )
    def post(self, request: Request, number: int) -> HttpResponse:
        """The same bytes get the same receipt, so this takes no key."""
        sent = read(payloads.EntrantReveal, request.data or {})
        tournament_for(number)
        return answer(mixing.reveal(request.user, number, sent.reveal, timezone.now()))


class EventVerb(NamedTuple):
    """Something a player does about a tournament: the request, and the service that does it."""

    name: str
    description: str
    do: Callable[[Player, int, Any, datetime], object]
    request: type[Sent] = NoFields


def answered(verb: EventVerb) -> type[APIView]:
    """The view of a verb: do it once for each key, and answer with the tournament."""

    class OfVerb(APIView):
        permission_classes = (IsAuthenticated,)

        @extend_schema(
            operation_id=verb.name,
            description=verb.description,
            request=verb.request,
            parameters=[KEY],
            responses={200: payloads.TournamentView} | refusals(400, 401, 404, 409, 415, 429),
        )
        def post(self, request: Request, number: int) -> HttpResponse:
            sent = read(verb.request, request.data or {})
            return once(
                request,
                lambda: verb.do(request.user, number, sent, timezone.now()),
                lambda: shown(request, tournament_for(number)),
                None,
            )

    return OfVerb


# By the last part of their paths.
VERBS: Final[dict[str, EventVerb]] = {
    "register": EventVerb(
        "tournament_register",
        "Enter a tournament, before its start or late; stake and fee leave your wallet.",
        lambda player, number, _sent, now: entries.register(player, number, now),
    ),
    "register-with-ticket": EventVerb(
        "tournament_register_with_ticket",
        "Enter a tournament with your ticket for it; your wallet pays nothing.",
        lambda player, number, _sent, now: entries.register_with_ticket(player, number, now),
    ),
    "unregister": EventVerb(
        "tournament_unregister",
        "Leave a tournament that has not begun, and get everything back.",
        lambda player, number, _sent, now: entries.unregister(player, number, now),
    ),
    "enter-again": EventVerb(
        "tournament_enter_again",
        "Buy a new entry after you went out, while the tournament allows it.",
        lambda player, number, _sent, now: entries.enter_again(player, number, now),
    ),
    "add-on": EventVerb(
        "tournament_add_on",
        "Buy the add-on, once; its chips come between two hands.",
        lambda player, number, _sent, now: entries.add_on(player, number, now),
    ),
    "commit": EventVerb(
        "tournament_commit",
        "Commit to your bytes for the sealed shoe; the first commit counts. Without one the house "
        "mixes for you.",
        lambda player, number, sent, _now: mixing.commit(player, number, sent.commit),
        payloads.EntrantCommit,
    ),
    "withdraw": EventVerb(
        "tournament_withdraw",
        "Take your commit back while the shoe is only sealed; the house then mixes for you.",
        lambda player, number, sent, _now: mixing.withdraw(player, number, sent.commit),
        payloads.EntrantCommit,
    ),
}
