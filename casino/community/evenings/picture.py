"""The final table of an evening as a picture to share: places, faces and points, and no names."""

from collections.abc import Sequence
from typing import Final

from casino.community.evenings.scores import Score
from games.boards import drawing
from wallets.models import Currency
from wallets.values.amounts import show_signed

FACES: Final = "casino/faces.svg"
MARGIN: Final = 40
ROW_MAX: Final = 150
# As many as the picture has room for; more than that rarely come and go in an evening.
ROWS_MAX: Final = 8
COLUMN: Final = 760
# The best has a ring of gold.
GOLD, LINE = "#e0b458", "#5d7a6b"


def svg(scores: Sequence[Score], currency: Currency) -> str:
    shown = scores[:ROWS_MAX]
    height = min(ROW_MAX, (drawing.HEIGHT - 2 * MARGIN) / max(1, len(shown)))
    top = (drawing.HEIGHT - len(shown) * height) / 2
    drawn = [_row(one, currency, top + row * height, height) for row, one in enumerate(shown)]
    faces = {f"face-{one.face:02}" for one in shown}
    marks = drawing.marks_of(drawing.CARDS) + drawing.marks_of(FACES, faces)
    return drawing.picture(marks, "".join(drawn))


def _row(one: Score, currency: Currency, top: float, height: float) -> str:
    left, middle = (drawing.WIDTH - COLUMN) / 2, top + height / 2
    share, size = height / 70, height * 0.8
    place, points = str(one.place), show_signed(one.points, currency)
    x = left + height
    ring = GOLD if one.place == 1 else LINE
    return (
        drawing.figure(place, left, middle, drawing.PLAIN, share)
        + f'<clipPath id="at-{one.player_id}"><circle cx="{x + size / 2:.1f}" cy="{middle:.1f}"'
        f' r="{size / 2:.1f}"/></clipPath><g clip-path="url(#at-{one.player_id})"><use'
        f' href="#face-{one.face:02}" x="{x:.1f}" y="{middle - size / 2:.1f}" width="{size:.1f}"'
        f' height="{size:.1f}"/></g><circle cx="{x + size / 2:.1f}" cy="{middle:.1f}"'
        f' r="{size / 2:.1f}" fill="none" stroke="{ring}" stroke-width="4"/>'
        + drawing.figure(
            points,
            left + COLUMN - drawing.length(points) * share,
            middle,
            drawing.colour_of(one.points),
            share,
        )
    )
