"""The chart beside a bet: what the house keeps now and then, as points on a line with their error.

The server draws it. The zero is always on the line; left of it is the players' side.
"""

from math import ceil, floor, log10
from typing import Final, NamedTuple

from games.profiles.figures import Figure

LEFT: Final = 10.0
WIDTH: Final = 206.0
# A whisker is this many standard errors long on either side: 95 times in 100.
WHISKER: Final = 1.96


class Point(NamedTuple):
    """A figure's position and the ends of its whisker, in pixels."""

    at: float
    low: float
    high: float
    # Whether it lies on the players' side.
    against: bool


class Chart(NamedTuple):
    zero: float
    # How far the players' side reaches, from the left edge.
    players: float
    lowest: str
    highest: str
    now: Point | None
    then: Point


def chart(now: Figure | None, then: Figure) -> Chart:
    """Both figures on one line, whose ends are round numbers of percent."""
    ends = [0.0]
    for figure in (now, then):
        if figure is not None:
            spread = WHISKER * (figure.error or 0)
            ends += [100 * (figure.mean - spread), 100 * (figure.mean + spread)]
    low, high = _round_down(min(ends)), _round_up(max(ends))
    span = (high - low) or 1.0

    def x(percent: float) -> float:
        return round(LEFT + WIDTH * (percent - low) / span, 1)

    def point(figure: Figure) -> Point:
        mean, spread = 100 * figure.mean, 100 * WHISKER * (figure.error or 0)
        return Point(x(mean), x(mean - spread), x(mean + spread), mean < 0)

    zero = x(0)
    return Chart(
        zero=zero,
        players=round(zero - LEFT, 1),
        lowest=_text(low) if low else "",
        highest=_text(high) if high else "",
        now=None if now is None else point(now),
        then=point(then),
    )


def _step(most: float) -> float:
    """A round step of the size of what is shown."""
    return float(10 ** floor(log10(most))) / 2


def _round_up(value: float) -> float:
    if value <= 0:
        return 0.0
    step = _step(value)
    return ceil(value / step) * step


def _round_down(value: float) -> float:
    return -_round_up(-value)


def _text(value: float) -> str:
    return f"{value:g}".replace("-", "\N{MINUS SIGN}")
