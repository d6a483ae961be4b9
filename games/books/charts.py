"""Charts as SVG, drawn on the server: pure functions from figures to markup.

A chart has a title and a sentence that says what it shows (`told`); the figures stand in a table
beside it, which is the caller's. Colours come from the style sheet (`charts.css`), by class.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString

# Small enough that the words are readable where a phone shows the whole.
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
    """A value, what it is called, and how its amount is written."""

    words: str
    value: int
    shown: str


def line_chart(
    name: str,
    told: tuple[str, str],
    values: Sequence[int],
    ends: tuple[str, str],
    marks: Sequence[Point],
) -> SafeString:
    """Values from left to right, what both ends are called, and `marks` as lines across."""
    whole = [0, *values, *(mark.value for mark in marks)]
    low, high = min(whole), max(whole)
    span = high - low or 1
    wide = WIDTH - LEFT - RIGHT
    tall = HEIGHT - TOP - BOTTOM

    def across(number: int) -> float:
        return LEFT + wide * (number / (len(values) - 1) if len(values) > 1 else 0.5)

    def up(value: int) -> float:
        return TOP + tall * (high - value) / span

    path = " ".join(f"{across(at):.1f},{up(value):.1f}" for at, value in enumerate(values))
    grid = format_html_join(
        "",
        '<line class="grid{}" x1="{}" x2="{}" y1="{}" y2="{}"/>'
        '<text class="amount" x="{}" y="{}" text-anchor="end">{}</text>',
        (
            (
                " zero" if not mark.value else "",
                LEFT,
                WIDTH - RIGHT,
                f"{up(mark.value):.1f}",
                f"{up(mark.value):.1f}",
                LEFT - 8,
                f"{up(mark.value) + 4:.1f}",
                mark.shown,
            )
            for mark in marks
        ),
    )
    below = format_html(
        '<text x="{}" y="{}">{}</text><text x="{}" y="{}" text-anchor="end">{}</text>',
        LEFT,
        HEIGHT - 8,
        ends[0],
        WIDTH - RIGHT,
        HEIGHT - 8,
        ends[1],
    )
    last = values[-1] if values else 0
    drawn = format_html('{}<polyline class="{}" points="{}"/>{}', grid, sign_of(last), path, below)
    return _frame(name, told, HEIGHT, drawn)


def bar_chart(name: str, told: tuple[str, str], bars: Sequence[Point]) -> SafeString:
    """A bar a value: to the right of nothing for what was won, to the left for what was lost."""
    low, high = min([0, *(bar.value for bar in bars)]), max([0, *(bar.value for bar in bars)])
    span = high - low or 1
    zero = WIDTH * -low / span
    rows = []
    for number, bar in enumerate(bars):
        long, y = WIDTH * abs(bar.value) / span, number * BAR
        rows.append(
            format_html(
                '<text x="0" y="{}">{}</text>'
                '<text class="amount" x="{}" y="{}" text-anchor="end">{}</text>'
                '<rect class="{}" x="{}" y="{}" width="{}" height="{}" rx="3"/>'
                '<line class="grid zero" x1="{}" x2="{}" y1="{}" y2="{}"/>',
                y + 14,
                bar.words,
                WIDTH,
                y + 14,
                bar.shown,
                sign_of(bar.value),
                f"{zero if bar.value >= 0 else zero - long:.1f}",
                y + 20,
                f"{max(long, 1):.1f}",
                BAR_TALL,
                # Where nothing was won or lost; a line through all would cross the words.
                f"{zero:.1f}",
                f"{zero:.1f}",
                y + 18,
                y + 22 + BAR_TALL,
            )
        )
    tall = len(bars) * BAR
    drawn = format_html_join("", "{}", ((row,) for row in rows))
    return _frame(name, told, tall, drawn)


def sign_of(value: int) -> str:
    """The class of a value: what is won and lost differ by colour, and by place besides."""
    return "won" if value > 0 else "lost" if value < 0 else "even"


def round_marks(low: int, high: int, most: int = 5) -> list[int]:
    """Round amounts from below the lowest to above the highest, 0 among them."""
    low, high = min(low, 0), max(high, 0)
    step = 1
    while (high - low) / step > most - 1:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    first, last = low // step, -(-high // step)
    return [number * step for number in range(first, last + 1)]


def _frame(name: str, told: tuple[str, str], tall: int, drawn: SafeString) -> SafeString:
    return format_html(
        '<svg class="chart" viewBox="0 0 {w} {h}" role="img" '
        'aria-labelledby="{n}-title {n}-desc">'
        '<title id="{n}-title">{t}</title><desc id="{n}-desc">{d}</desc>{g}</svg>',
        w=WIDTH,
        h=tall,
        n=name,
        t=told[0],
        d=told[1],
        g=drawn,
    )
