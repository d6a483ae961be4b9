"""The hands that a player has played in one tournament, the latest first."""

from collections.abc import Iterable
from typing import Any, NamedTuple

from django.db.models import F, QuerySet

from games.models import Hand, HandSeat
from games.tables.formats import format_of
from tournaments.models import Tournament
from wallets.values.player import Player


class HandLine(NamedTuple):
    """A hand of the player's, in chips."""

    hand: Hand
    table: int
    level: int
    round: int
    net: int
    is_void: bool


def played_by(player: Player, tournament: Tournament) -> QuerySet[HandSeat]:
    played = HandSeat.objects.filter(
        player=player.pk, hand__tournament_row__tournament=tournament.pk
    )
    related = played.select_related("hand__table", "hand__shoe", "hand__tournament_row")
    number = F("hand__tournament_row__table__event_table__number")
    return related.annotate(at_table=number).order_by("-hand_id")


def lines(seats: Iterable[Any]) -> list[HandLine]:
    """A deal that others still play is hidden."""
    return [
        HandLine(
            hand=seat.hand,
            table=seat.at_table,
            level=seat.hand.tournament_row.level,
            round=seat.hand.tournament_row.round,
            net=seat.net or 0,
            is_void=seat.hand.status == Hand.Status.VOID,
        )
        for seat in seats
        if format_of(seat.hand.table).history_open(seat.hand)
    ]
