"""Every chart of the house, drawn on the server as SVG: functions from figures to markup.

`over_slots` draws bars, lines and a band over days, hours or places; `by_row` draws a bar for each
name; `with_error` draws two shares with their errors; `spark_line` and `spark_bars` return the path
of a small chart without axes. Values are whole numbers, and a function of the caller writes them,
many at once.
Charts have a line at zero and name all their series. `charts.js` lets readers go from slot to slot
by pointer and arrow keys, and the figures are in a table below.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from math import ceil, floor, log10
from typing import Any, Final, NamedTuple
from unicodedata import east_asian_width

from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.safestring import SafeString
from django.utils.translation import gettext

# Small enough for readable labels on a phone, where `charts.css` makes letters larger.
WIDTH: Final = 480
HEIGHT: Final = 240
TOP, RIGHT, BOTTOM = 12, 8, 28
# The width of a letter on a phone; a Chinese one is twice as wide.
LETTER: Final = 8.5
GAP: Final = 12
# More colours would look alike: of more series the smallest are drawn and named together.
COLOURS: Final = 6
# A slot says so many of its values; all are in the table.
SAID: Final = 2
# `by_row`: a bar with its words above it.
ROW: Final = 44
BAR: Final = 14
# `with_error`: the axis in pixels, and how many standard errors long an error bar is on each side,
# which holds the truth 95 times in 100.
AXIS_LEFT, AXIS_WIDTH = 10.0, 206.0
LIKELY: Final = 1.96
# The boxes of small charts, width and height.
SPARK_LINE: Final = (78, 20)
SPARK_BARS: Final = (4, 14)


class Series(NamedTuple):
    """A name with values by slot, and what they come to in all, if they add up."""

    words: str | Promise
    values: Mapping[Any, int]
    total: int | None = None

    @property
    def size(self) -> int:
        return sum(map(abs, self.values.values()))


def added_up(words: str | Promise, values: Mapping[Any, int]) -> Series:
    """Return a series whose total is the sum of its values."""
    return Series(words, values, sum(values.values()))


class Band(NamedTuple):
    """The range around a line, by slot."""

    words: str | Promise
    low: Mapping[Any, int]
    high: Mapping[Any, int]


class Bar(NamedTuple):
    words: str
    value: int
    shown: str


@dataclass(frozen=True, slots=True)
class Plot:
    """The data of `over_slots`: series over slots, which have a label each."""

    name: str
    title: str
    slots: Mapping[Any, str]
    write: Callable[[Sequence[int]], Sequence[str]]
    bars: Sequence[Series] = ()
    lines: Sequence[Series] = ()
    band: Band | None = None
    # Marks at the side are multiples of this.
    unit: int = 1
    # Whether the last slot is not over.
    unfinished: bool = False
    # Not where the caller has a table with more than these figures.
    has_table: bool = True

    @property
    def shown(self) -> list[Series]:
        """The series that have values, the largest bars first."""
        bars = [bar for bar in self.bars if bar.size]
        return [*sorted(bars, key=lambda bar: -bar.size), *self.lines]

    def written(self, values: Mapping[Any, int]) -> dict[Any, str]:
        return dict(zip(values, self.write([*values.values()]), strict=True))

    def totals(self, series: Sequence[Series]) -> list[str]:
        """What each comes to, empty where it does not add up."""
        texts = iter(self.write([each.total for each in series if each.total is not None]))
        return ["" if each.total is None else next(texts) for each in series]


class Point(NamedTuple):
    """A share's position and the ends of its error bar, in pixels."""

    at: float
    low: float
    high: float
    # Whether it is on the players' side.
    against: bool


class ErrorBars(NamedTuple):
    zero: float
    # How far the players' side reaches, from the left edge.
    players: float
    lowest: str
    highest: str
    points: Sequence[Point | None]


def days_between(days: Iterable[date]) -> dict[date, str]:
    """Return all days from the first to the last as slots, so that a gap in time is seen."""
    dates = set(days)
    if not dates:
        return {}
    first, count = min(dates), (max(dates) - min(dates)).days + 1
    every = (first + timedelta(days=number) for number in range(count))
    return {day: date_format(day, "MONTH_DAY_FORMAT") for day in every}


def over_slots(plot: Plot) -> SafeString:
    """Draw bars, one series upon the other with losses below zero, and lines above them.

    Without any value there is no chart, and no line through a single slot.
    """
    shown, keys = plot.shown, list(plot.slots)
    if not shown or (len(keys) < 2 and not plot.bars):
        return SafeString()
    # Those that have a colour of their own, and the sum of the others.
    bars = shown[: len(shown) - len(plot.lines)]
    if len(bars) > COLOURS:
        bars = [*bars[: COLOURS - 1], _together(bars[COLOURS - 1 :])]
    drawn = [*bars, *plot.lines]
    colours = [f"series-{at}" for at in range(len(bars))]
    swatches = [*colours, *(f"line-{at}" for at in range(len(plot.lines)))]
    axes = _Axes.of(plot, bars)
    texts, ranges = [plot.written(series.values) for series in shown], _ranges(plot)
    readings = _readings(plot, shown, texts, ranges)
    context = {
        "plot": plot,
        "width": WIDTH,
        "height": HEIGHT,
        "right": WIDTH - RIGHT,
        "below": HEIGHT - 8,
        "top": TOP,
        "tall": HEIGHT - TOP - BOTTOM,
        "marks": axes.marks,
        "left": _place(axes.left),
        "text_at": _place(axes.left - 6),
        "labels": _labels(list(plot.slots.values()), axes),
        "slots": [
            {
                "x": _place(axes.left + axes.slot * at),
                "width": _place(axes.slot),
                "bars": _stack(bars, colours, key, at, axes),
                "words": readings[at],
            }
            for at, key in enumerate(keys)
        ],
        "band": _outline(plot.band, keys, axes) if plot.band else "",
        "lines": [
            (f"line-{at}", " ".join(axes.path(line.values, keys)))
            for at, line in enumerate(plot.lines)
        ],
        "legend": [
            (swatch, series.words, total)
            for swatch, series, total in zip(swatches, drawn, plot.totals(drawn), strict=True)
        ],
    }
    if plot.has_table:
        context["table"] = _table(plot, shown, texts, ranges)
    return render_to_string("games/charts/plot.html", context)


def by_row(
    name: str, labels: tuple[str, str], bars: Sequence[Bar], *, has_title: bool = False
) -> SafeString:
    """Draw a bar for each name: gains to the right of zero, losses to the left.

    `labels` are the title of the chart and a sentence that says what it shows; the title is shown
    where `has_title`.
    """
    low, high = min([0, *(bar.value for bar in bars)]), max([0, *(bar.value for bar in bars)])
    span = high - low or 1
    zero = WIDTH * -low / span

    def row(number: int, bar: Bar) -> dict[str, object]:
        long, y = WIDTH * abs(bar.value) / span, number * ROW
        return {
            "words": bar.words,
            "shown": bar.shown,
            "sign": "won" if bar.value > 0 else "lost" if bar.value < 0 else "even",
            "text_y": y + 14,
            "x": _place(zero if bar.value >= 0 else zero - long),
            "y": y + 20,
            "long": _place(max(long, 1)),
            "zero_top": y + 18,
            "zero_bottom": y + 22 + BAR,
        }

    context = {
        "name": name,
        "has_title": has_title,
        "title": labels[0],
        "description": labels[1],
        "width": WIDTH,
        "height": len(bars) * ROW,
        "tall": BAR,
        "zero": _place(zero),
        "bars": [row(number, bar) for number, bar in enumerate(bars)],
    }
    return render_to_string("games/charts/rows.html", context)


def with_error(shares: Sequence[tuple[float, float] | None]) -> ErrorBars:
    """Place shares with their standard errors on one axis, whose ends are round percents."""
    ends = [0.0]
    for mean, error in filter(None, shares):
        ends += [100 * (mean - LIKELY * error), 100 * (mean + LIKELY * error)]
    low, high = -_round_up(-min(ends)), _round_up(max(ends))
    span = (high - low) or 1.0

    def x(percent: float) -> float:
        return round(AXIS_LEFT + AXIS_WIDTH * (percent - low) / span, 1)

    def point(mean: float, error: float) -> Point:
        least, most = (x(100 * (mean + sign * LIKELY * error)) for sign in (-1, 1))
        return Point(x(100 * mean), least, most, mean < 0)

    points = [point(*share) if share else None for share in shares]
    words = [f"{end:g}".replace("-", "\N{MINUS SIGN}") if end else "" for end in (low, high)]
    return ErrorBars(x(0), round(x(0) - AXIS_LEFT, 1), words[0], words[1], points)


def spark_line(values: Sequence[int]) -> str:
    """A line from left to right through the values, the lowest at the bottom."""
    (width, height), low = SPARK_LINE, min(values)
    reach = max(values) - low or 1
    points = []
    for place, value in enumerate(values):
        across = width * place / (len(values) - 1)
        down = height - 1 - (height - 2) * (value - low) / reach
        points.append(f"{across:.1f} {down:.1f}")
    return "M" + "L".join(points)


def spark_bars(counts: Sequence[int]) -> str:
    """Bars side by side, as tall as the counts."""
    (width, height), most = SPARK_BARS, max(counts) or 1
    return "".join(
        f"M{width * at + width // 2} {height}v-{max(1, height * count // most)}"
        for at, count in enumerate(counts)
    )


def round_marks(low: int, high: int, most: int = 5) -> list[int]:
    """Round amounts from the lowest value or below to the highest or above, with 0."""
    low, high = min(low, 0), max(high, 0)
    step = 1
    while (high - low) / step > most - 1:
        step = step * 5 // 2 if str(step).startswith("2") else step * 2
    first, last = low // step, -(-high // step)
    return [number * step for number in range(first, last + 1)]


class _Axes(NamedTuple):
    """Where slots and values are in the drawing."""

    left: float
    slot: float
    low: int
    high: int
    marks: Sequence[dict[str, object]]

    @classmethod
    def of(cls, plot: Plot, bars: Sequence[Series]) -> "_Axes":
        """Return axes that hold every value and show zero."""
        values = [value for line in plot.lines for value in line.values.values()]
        if plot.band:
            values += [*plot.band.low.values(), *plot.band.high.values()]
        for key in plot.slots:
            amounts = [bar.values.get(key, 0) for bar in bars]
            values += [
                sum(max(amount, 0) for amount in amounts),
                sum(min(amount, 0) for amount in amounts),
            ]
        low, high = min(values, default=0) // plot.unit, -(-max(values, default=0) // plot.unit)
        marks = [mark * plot.unit for mark in round_marks(low, high)]
        texts = plot.write(marks)
        left = GAP + max(map(_text_width, texts))
        slot = (WIDTH - left - RIGHT) / max(len(plot.slots), 1)
        axes = cls(left, slot, marks[0], marks[-1], ())
        drawn = [
            {"y": axes.y(mark), "shown": text, "is_zero": not mark}
            for mark, text in zip(marks, texts, strict=True)
        ]
        return axes._replace(marks=drawn)

    def up(self, value: float) -> float:
        share = (value - self.low) / ((self.high - self.low) or 1)
        return TOP + (HEIGHT - TOP - BOTTOM) * (1 - share)

    def y(self, value: float) -> str:
        return _place(self.up(value))

    def middle(self, at: int) -> float:
        return self.left + self.slot * (at + 0.5)

    def path(self, values: Mapping[Any, int], keys: Sequence[Any]) -> list[str]:
        return [
            f"{_place(self.middle(at))},{self.y(values[key])}"
            for at, key in enumerate(keys)
            if key in values
        ]


def _together(series: Sequence[Series]) -> Series:
    """One series with the sums of several."""
    values = Counter[Any]()
    for each in series:
        values.update(each.values)
    totals = [each.total for each in series if each.total is not None]
    words = gettext("{count} others").format(count=len(series))
    return Series(words, values, sum(totals) if len(totals) == len(series) else None)


def _stack(
    bars: Sequence[Series], colours: Sequence[str], key: object, at: int, axes: _Axes
) -> list[dict[str, str]]:
    reached, drawn = {True: 0, False: 0}, []
    for bar, colour in zip(bars, colours, strict=True):
        amount = bar.values.get(key, 0)
        if not amount:
            continue
        before = reached[amount > 0]
        reached[amount > 0] = after = before + amount
        top = axes.up(max(before, after))
        drawn.append(
            {
                "colour": colour,
                "x": _place(axes.left + axes.slot * (at + 0.14)),
                "y": _place(top),
                "width": _place(axes.slot * 0.72),
                "height": _place(max(axes.up(min(before, after)) - top, 0.5)),
            }
        )
    return drawn


def _outline(band: Band, keys: Sequence[Any], axes: _Axes) -> str:
    return " ".join([*axes.path(band.high, keys), *reversed(axes.path(band.low, keys))])


def _labels(words: Sequence[str], axes: _Axes) -> list[dict[str, str]]:
    """Return as many labels as fit side by side, at equal distances up to the last slot."""
    widest = max(map(_text_width, words), default=0)
    # The outer labels move inwards by so much, as none may reach over an edge.
    moved = sum(max(0, (widest - axes.slot) / 2 - edge) for edge in (axes.left, RIGHT))
    every = max(1, ceil((widest + GAP + moved) / axes.slot))
    labels = []
    for at in range((len(words) - 1) % every, len(words), every):
        half = _text_width(words[at]) / 2
        x = min(max(axes.middle(at), half), WIDTH - half)
        labels.append({"x": _place(x), "words": words[at]})
    return labels


Texts = Sequence[Mapping[Any, str]]


def _readings(
    plot: Plot, shown: Sequence[Series], texts: Texts, ranges: Mapping[Any, str]
) -> list[str]:
    """Say what slots show to those who point at or hear them: the sum, and what is largest."""
    sums, nothing, readings = dict[Any, str](), plot.write([0])[0], []
    if len(plot.bars) > 1 and all(series.total is not None for series in shown):
        sums = plot.written(
            {key: sum(series.values.get(key, 0) for series in shown) for key in plot.slots}
        )
    for key, label in plot.slots.items():
        values = [
            (series.values[key], series.words, written[key])
            for series, written in zip(shown, texts, strict=True)
            if series.values.get(key)
        ]
        largest = sorted(values, key=lambda value: -abs(value[0]))[:SAID]
        parts = [f"{words} {text}" for _value, words, text in largest]
        parts += [ranges[key]] if key in ranges else []
        if len(values) > 1 and sums:
            parts.insert(0, sums[key])
        if len(values) > SAID:
            parts.append("…")
        readings.append(f"{label}: {', '.join(parts) or nothing}")
    return readings


def _ranges(plot: Plot) -> dict[Any, str]:
    if plot.band is None:
        return {}
    low, high = plot.written(plot.band.low), plot.written(plot.band.high)
    return {key: f"{low[key]} – {high[key]}" for key in low}


def _table(
    plot: Plot, shown: Sequence[Series], texts: Texts, ranges: Mapping[Any, str]
) -> dict[str, object]:
    """Return the figures of a chart as rows, with what adds up below."""
    columns = [*texts, ranges] if plot.band else texts
    rows = [
        (label, [column.get(key, "–") for column in columns]) for key, label in plot.slots.items()
    ]
    heads = [series.words for series in shown] + ([plot.band.words] if plot.band else [])
    totals = plot.totals(shown)
    return {"heads": heads, "rows": rows, "totals": totals if any(totals) else ()}


def _text_width(text: str) -> float:
    return LETTER * sum(2 if east_asian_width(character) in "WF" else 1 for character in text)


def _round_up(value: float) -> float:
    if value <= 0:
        return 0.0
    step = float(10 ** floor(log10(value))) / 2
    return ceil(value / step) * step


def _place(number: float) -> str:
    """A coordinate; as text, so that no language writes it with a comma."""
    return f"{number:.1f}"
