"""The drawing of the wheel at a table with a bonus bet."""

from math import cos, pi, sin
from typing import Final, NamedTuple

from games.rules.house.sides import Segment

RADIUS: Final = 46
NARROW: Final = 0.08


class Slice(NamedTuple):
    """A segment of the wheel as it is drawn: its outline, and its multiple where that is read.

    It leans: what is too narrow for its multiple has it written outwards.
    """

    path: str
    multiple: int
    x: float
    y: float
    lean: float


class Wheel(NamedTuple):
    """The wheel of the table, turned so that the drawn segment is at the top."""

    slices: tuple[Slice, ...]
    turn: float
    multiple: int


def drawn_wheel(segments: tuple[Segment, ...], multiple: int) -> Wheel:
    """The slices, each as wide as it is likely, and how far the wheel has turned."""
    whole = sum(segment.weight for segment in segments)
    slices: list[Slice] = []
    turn, begins = 0.0, 0.0
    for segment in segments:
        share = segment.weight / whole
        middle = begins + share / 2
        # Narrow slices side by side have their multiples at two heights; otherwise they do not fit.
        height = 0.78 if share >= NARROW else (0.86, 0.6)[len(slices) % 2]
        slices.append(_slice(begins, share, segment.multiple, height * RADIUS))
        if segment.multiple == multiple:
            turn = -360 * middle
        begins += share
    return Wheel(tuple(slices), round(turn, 1), multiple)


def _slice(begins: float, share: float, multiple: int, height: float) -> Slice:
    (x, y), (to_x, to_y) = _at(begins, RADIUS), _at(begins + share, RADIUS)
    far = int(share > 0.5)
    path = f"M0 0L{x:.1f} {y:.1f}A{RADIUS} {RADIUS} 0 {far} 1 {to_x:.1f} {to_y:.1f}Z"
    middle = begins + share / 2
    lean = 360 * middle - (90 if share < NARROW else 0)
    return Slice(path, multiple, *(round(number, 1) for number in (*_at(middle, height), lean)))


def _at(share: float, radius: float) -> tuple[float, float]:
    """A place on the wheel, from the top on clockwise."""
    return radius * sin(2 * pi * share), -radius * cos(2 * pi * share)
