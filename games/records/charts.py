"""Charts as SVG, drawn on the server: functions from figures to markup.

`labels` are the title of a chart and a sentence that says what it shows. The caller puts a table
with the figures beside it. Colours come from the style sheet (`charts.css`), by class.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.template.loader import render_to_string
from django.utils.safestring import SafeString

# Small enough for readable labels on a phone.
WIDTH: Final = 420
HEIGHT: Final = 220
# Room for the amounts at the side, and for the words below.
LEFT: Final = 68
RIGHT: Final = 4
TOP: Final = 10
BOTTOM: Final = 26
# A bar with its words above it.
BAR: Final = 44
BAR_TALL: Final = 14


class Point(NamedTuple):
    """A value, its label, and its amount as text."""

    words: str
    value: int
    shown: str


def line_chart(
    name: str,
    labels: tuple[str, str],
    values: Sequence[int],
    ends: tuple[str, str],
    marks: Sequence[Point],
) -> SafeString:
    """A line of values from left to right; `ends` label both ends, `marks` are grid lines."""
    whole = [0, *values, *(mark.value for mark in marks)]
    low, high = min(whole), max(whole)
    span = high - low or 1
    wide = WIDTH - LEFT - RIGHT
    tall = HEIGHT - TOP - BOTTOM

    def across(number: int) -> float:
        return LEFT + wide * (number / (len(values) - 1) if len(values) > 1 else 0.5)

    def up(value: int) -> float:
        return TOP + tall * (high - value) / span

    grid = [
        {
            "is_zero": not mark.value,
            "y": _place(up(mark.value)),
            "text_y": _place(up(mark.value) + 4),
            "shown": mark.shown,
        }
        for mark in marks
    ]
    context = {
        "height": HEIGHT,
        "marks": grid,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "text_at": LEFT - 8,
        "below": HEIGHT - 8,
        "first": ends[0],
        "last": ends[1],
        "sign": sign_of(values[-1] if values else 0),
        "points": " ".join(
            f"{_place(across(at))},{_place(up(value))}" for at, value in enumerate(values)
        ),
    }
    return _drawn("games/charts/line.html", name, labels, context)


def bar_chart(name: str, labels: tuple[str, str], bars: Sequence[Point]) -> SafeString:
    """A bar for each value: wins to the right of zero, losses to the left."""
    low, high = min([0, *(bar.value for bar in bars)]), max([0, *(bar.value for bar in bars)])
    span = high - low or 1
    zero = WIDTH * -low / span

    def row(number: int, bar: Point) -> dict[str, object]:
        long, y = WIDTH * abs(bar.value) / span, number * BAR
        return {
            "words": bar.words,
            "shown": bar.shown,
            "sign": sign_of(bar.value),
            "text_y": y + 14,
            "x": _place(zero if bar.value >= 0 else zero - long),
            "y": y + 20,
            "long": _place(max(long, 1)),
            "zero_top": y + 18,
            "zero_bottom": y + 22 + BAR_TALL,
        }

    context = {
        "height": len(bars) * BAR,
        "tall": BAR_TALL,
        "zero": _place(zero),
        "bars": [row(number, bar) for number, bar in enumerate(bars)],
    }
    return _drawn("games/charts/bars.html", name, labels, context)


def _place(number: float) -> str:
    """A coordinate; as text, so that no language writes it with a comma."""
    return f"{number:.1f}"


def _drawn(
    template: str, name: str, labels: tuple[str, str], context: dict[str, object]
) -> SafeString:
    title, description = labels
    fixed = {"name": name, "title": title, "description": description, "width": WIDTH}
    return render_to_string(template, fixed | context)


def sign_of(value: int) -> str:
    """The CSS class of a value, for its colour; wins and losses differ by their place, too."""
    return "won" if value > 0 else "lost" if value < 0 else "even"


def round_marks(low: int, high: int, most: int = 5) -> list[int]:
    """Round amounts from the lowest value or below to the highest or above, with 0."""
    low, high = min(low, 0), max(high, 0)
    step = 1
    while (high - low) / step > most - 1:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    first, last = low // step, -(-high // step)
    return [number * step for number in range(first, last + 1)]
