"""The charts of reports, drawn by the server as SVG: bars by day, and the hold against the promise.

Figures become places here; a template writes them down. Nothing but shares is a fraction.
"""

from collections.abc import Callable, Mapping, Sequence
from datetime import date
from typing import Final, NamedTuple

from django.template.loader import render_to_string
from django.utils.formats import date_format
from django.utils.functional import Promise
from django.utils.safestring import SafeString

from casino.reports.report import Measure
from casino.reports.returns import LIKELY, Held
from games.records.charts import round_marks
from wallets.amounts import show_amount
from wallets.models import Currency

WIDTH: Final = 640
HEIGHT: Final = 260
LEFT, RIGHT, TOP, BOTTOM = 72, 12, 12, 28
# More shades look alike; all further series are added up in the last one.
SHADES: Final = 6
LABELS_MAX: Final = 8


class Series(NamedTuple):
    """One shade of the bars, with its amount on each day."""

    words: str | Promise
    by_day: Mapping[date, int]
    measure: Measure = "flow"

    @property
    def total(self) -> int:
        """The sum of flows; of stocks the amount of the last day."""
        if self.measure == "stock":
            return self.by_day[max(self.by_day)] if self.by_day else 0
        return sum(self.by_day.values())


def bars(
    name: str,
    title: str,
    series: Sequence[Series],
    currency: Currency | None,
    label: Callable[[date], str] | None = None,
) -> SafeString:
    """A bar for each day, the series one upon the other; losses hang below the line.

    Where a bar stands for more than a day, `label` says what to write below it.
    """
    label = label or _short
    days = sorted({day for one in series for day in one.by_day})
    shown = _largest(series)
    unit = 10**currency.exponent if currency else 1
    high = max([0, *(_reach(shown, day, 1) for day in days)])
    low = min([0, *(_reach(shown, day, -1) for day in days)])
    marks = [mark * unit for mark in round_marks(low // unit, -(-high // unit))]
    scale = _Scale(marks[0], marks[-1])
    slot = (WIDTH - LEFT - RIGHT) / max(len(days), 1)
    drawn = []
    for number, day in enumerate(days):
        reached = {1: 0, -1: 0}
        for shade, one in enumerate(shown):
            amount = one.by_day.get(day, 0)
            if not amount:
                continue
            sign = 1 if amount > 0 else -1
            before = reached[sign]
            reached[sign] += amount
            top, bottom = max(before, reached[sign]), min(before, reached[sign])
            drawn.append(
                {
                    "shade": shade,
                    "x": _place(LEFT + slot * (number + 0.14)),
                    "y": _place(scale.up(top)),
                    "width": _place(slot * 0.72),
                    "height": _place(max(scale.up(bottom) - scale.up(top), 0.5)),
                    "words": f"{label(day)}, {one.words}: {_amount(amount, currency)}",
                }
            )
    context = {
        **_frame(name, title, marks, scale, currency),
        "bars": drawn,
        "labels": _labels(days, slot, label),
        "legend": [
            {
                "shade": shade,
                "words": one.words,
                # People who came on several days would be counted several times.
                "total": "" if one.measure == "distinct" else _amount(one.total, currency),
            }
            for shade, one in enumerate(shown)
        ],
    }
    return render_to_string("backoffice/reports/bars.html", context)


class Point(NamedTuple):
    """The sum of a game at the end of a day, since the beginning of the range."""

    day: date
    hold: float
    promised: float
    error: float


def points(days: Mapping[date, Held]) -> list[Point]:
    """The hold day by day, from the first on; days are left out until there is an error."""
    running, found = Held(), []
    for day in sorted(days):
        running.sums.add(days[day].sums)
        running.promised += days[day].promised
        error, handle = running.error, running.sums.handle
        if error and handle:
            hold = running.sums.kept / handle
            found.append(Point(day, hold, float(running.promised / handle), error))
    return found


def band(name: str, title: str, found: Sequence[Point]) -> SafeString | str:
    """The hold as a line, in the band in which it lies 95 times in 100, around the promise."""
    if not found:
        return ""
    edges = [one.promised + sign * LIKELY * one.error for one in found for sign in (1, -1)]
    values = [10_000 * value for value in (*edges, *(one.hold for one in found))]
    marks = round_marks(int(min(values)), int(max(values)) + 1)
    scale = _Scale(marks[0], marks[-1])
    wide = (WIDTH - LEFT - RIGHT) / max(len(found) - 1, 1)

    def at(number: int, share: float) -> str:
        x = LEFT + wide * number if len(found) > 1 else (LEFT + WIDTH - RIGHT) / 2
        return f"{_place(x)},{_place(scale.up(10_000 * share))}"

    above = [at(n, one.promised + LIKELY * one.error) for n, one in enumerate(found)]
    below = [at(n, one.promised - LIKELY * one.error) for n, one in enumerate(found)]
    last = found[-1]
    context = {
        **_frame(name, title, marks, scale, None),
        "marks": [
            {"y": _place(scale.up(mark)), "shown": f"{mark / 100:g}%", "is_zero": not mark}
            for mark in marks
        ],
        "band": " ".join([*above, *reversed(below)]),
        "hold": " ".join(at(number, one.hold) for number, one in enumerate(found)),
        "promise": " ".join(at(number, one.promised) for number, one in enumerate(found)),
        "end": at(len(found) - 1, last.hold).split(","),
        "labels": _labels([one.day for one in found], wide, _short, middle=False),
        "held": f"{100 * last.hold:.2f}%",
        "promised": f"{100 * last.promised:.2f}%",
    }
    return render_to_string("backoffice/reports/band.html", context)


class _Scale:
    def __init__(self, low: int, high: int) -> None:
        self._low, self._span = low, (high - low) or 1

    def up(self, value: float) -> float:
        tall = HEIGHT - TOP - BOTTOM
        return TOP + tall * (1 - (value - self._low) / self._span)


def _largest(series: Sequence[Series]) -> list[Series]:
    """The largest series by themselves; the rest together."""
    found = sorted((one for one in series if any(one.by_day.values())), key=lambda one: -one.total)
    if len(found) <= SHADES:
        return found
    rest: dict[date, int] = {}
    for one in found[SHADES - 1 :]:
        for day, amount in one.by_day.items():
            rest[day] = rest.get(day, 0) + amount
    return [*found[: SHADES - 1], Series("…", rest, found[0].measure)]


def _reach(series: Sequence[Series], day: date, sign: int) -> int:
    amounts = [one.by_day.get(day, 0) for one in series]
    return sum(amount for amount in amounts if amount * sign > 0)


def _frame(
    name: str, title: str, marks: Sequence[int], scale: _Scale, currency: Currency | None
) -> dict[str, object]:
    return {
        "name": name,
        "title": title,
        "width": WIDTH,
        "height": HEIGHT,
        "left": LEFT,
        "right": WIDTH - RIGHT,
        "text_at": LEFT - 8,
        "below": HEIGHT - 8,
        "marks": [
            {"y": _place(scale.up(mark)), "shown": _amount(mark, currency), "is_zero": not mark}
            for mark in marks
        ],
    }


def _labels(
    days: Sequence[date], slot: float, label: Callable[[date], str], *, middle: bool = True
) -> list[dict[str, str]]:
    every = -(-len(days) // LABELS_MAX) or 1
    return [
        {
            "x": _place(LEFT + slot * (number + (0.5 if middle else 0))),
            "words": label(day),
            # The last one would run over the edge.
            "anchor": "middle" if middle or number + 1 < len(days) else "end",
        }
        for number, day in enumerate(days)
        if number % every == 0
    ]


def _short(day: date) -> str:
    return date_format(day, "MONTH_DAY_FORMAT")


def _amount(amount: int, currency: Currency | None) -> str:
    return show_amount(amount, currency or Currency(exponent=0))


def _place(number: float) -> str:
    """A coordinate; as text, so that no language writes it with a comma."""
    return f"{number:.1f}"
