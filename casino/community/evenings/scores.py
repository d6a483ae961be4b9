"""The scoreboard of an evening: the sums of its hands' results, for all who have played.

A hand counts when it has moved points. One without a call, or one that was voided, is played again.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.db.models import Count, QuerySet, Sum

from casino.community.evenings.models import Evening
from games.models import Hand, HandSeat, Table

FINISHED: Final = Hand.Status.FINISHED


class Score(NamedTuple):
    """The result of a player; players with the same points share a place."""

    place: int
    player_id: int
    name: str
    face: int
    hands: int
    points: int


def counted(table_id: int) -> int:
    """Return how many hands of a table count."""
    moved = _results(table_id).exclude(net=0)
    return moved.aggregate(hands=Count("hand", distinct=True))["hands"] or 0


def is_over(evening: Evening) -> bool:
    """Whether its last hand has been played, or its host has ended it."""
    return evening.table.status != Table.Status.OPEN or counted(evening.table_id) >= evening.hands


def scoreboard(table_id: int) -> Sequence[Score]:
    """All who have played there, the best first."""
    sums = (
        _results(table_id)
        .values("player", "player__username", "player__face")
        .annotate(hands=Count("hand"), points=Sum("net"))
    )
    rows = sorted(sums, key=lambda row: (-row["points"], row["player__username"]))
    points = [row["points"] for row in rows]
    return [
        Score(
            points.index(row["points"]) + 1,
            row["player"],
            row["player__username"],
            row["player__face"],
            row["hands"],
            row["points"],
        )
        for row in rows
    ]


def has_played(table_id: int, player_id: int) -> bool:
    return _results(table_id).filter(player=player_id).exists()


def _results(table_id: int) -> QuerySet[HandSeat]:
    return HandSeat.objects.filter(table=table_id, status=FINISHED)
