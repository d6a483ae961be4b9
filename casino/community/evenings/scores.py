"""The scoreboard of an evening: the sums of its hands' results, and a picture of it to share.

A hand counts when it has moved points. One without a call, or one that was voided, is played again.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.db.models import Count, QuerySet, Sum

from casino.community.evenings.models import Evening
from games.boards import drawing
from games.models import Hand, HandSeat, Table
from wallets.models import Currency
from wallets.values.amounts import show_signed

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


FACES: Final = "casino/faces.svg"
MARGIN: Final = 52
ROW_MAX: Final = 150
# As many as the picture has room for; more than that rarely come and go in an evening.
ROWS_MAX: Final = 8
COLUMN: Final = 760
LINE: Final = "#86a797"


def picture(scores: Sequence[Score], currency: Currency) -> str:
    shown = scores[:ROWS_MAX]
    height = min(ROW_MAX, (drawing.HEIGHT - 2 * MARGIN) / max(1, len(shown)))
    top = (drawing.HEIGHT - len(shown) * height) / 2
    drawn = [_row(score, currency, top + row * height, height) for row, score in enumerate(shown)]
    faces = {f"face-{score.face:02}" for score in shown}
    marks = drawing.marks_of(drawing.CARDS) + drawing.marks_of(FACES, faces)
    return drawing.picture(marks, "".join(drawn))


def _row(score: Score, currency: Currency, top: float, height: float) -> str:
    left, middle = (drawing.WIDTH - COLUMN) / 2, top + height / 2
    share, size = height / 70, height * 0.8
    place, points = str(score.place), show_signed(score.points, currency)
    x = left + height
    # The best has a ring of gold.
    ring = drawing.colours()["brass"] if score.place == 1 else LINE
    return (
        drawing.figure(place, left, middle, drawing.PLAIN, share)
        + f'<clipPath id="at-{score.player_id}"><circle cx="{x + size / 2:.1f}" cy="{middle:.1f}"'
        f' r="{size / 2:.1f}"/></clipPath><g clip-path="url(#at-{score.player_id})"><use'
        f' href="#face-{score.face:02}" x="{x:.1f}" y="{middle - size / 2:.1f}" width="{size:.1f}"'
        f' height="{size:.1f}"/></g><circle cx="{x + size / 2:.1f}" cy="{middle:.1f}"'
        f' r="{size / 2:.1f}" fill="none" stroke="{ring}" stroke-width="4"/>'
        + drawing.figure(
            points,
            left + COLUMN - drawing.length(points) * share,
            middle,
            drawing.colour_of(score.points),
            share,
        )
    )
