"""The parts of the page of any report: cells, sums, presets of days."""

from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from typing import Any, Final, NamedTuple
from urllib.parse import urlencode

from django.urls import reverse
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext_lazy as _

from casino.office.reports.columns import Column, Row
from casino.office.reports.report import Query
from casino.office.reports.spans import Span
from games.words.naming import game_name
from wallets.models import Currency
from wallets.values.amounts import show_amount
from wallets.values.days import ONE_DAY

# A figure that has grown more often than this is compared by itself, without percent.
TIMES_MAX: Final = 10
# A PDF is made in memory; CSV and JSON are sent row by row, and have no end.
PDF_ROWS_MAX: Final = 2_000


def range_sums(rows: Iterable[Row], columns: Sequence[Column], span: Span) -> dict[str, int]:
    """Return the figure of the whole range by column, in one currency.

    A report by day has a row of stocks for each day, of which only the last day counts; other
    reports have stocks as of the end of the range in every row.
    """
    rows = list(rows)
    last = [row for row in rows if row.cells.get("day", span.last) == span.last]
    of_measure = {"flow": rows, "stock": last}
    return {
        column.name: sum(row[column.name] or 0 for row in of_measure[column.measure])
        for column in columns
        if column.measure in of_measure
    }


def of_all(rows: int) -> str:
    """What a PDF says that has not all rows, and what its link says before; or nothing."""
    if rows <= PDF_ROWS_MAX:
        return ""
    words = _("The PDF has the first {shown} of {rows} rows. CSV and JSON have all of them.")
    return words.format(
        shown=number_format(PDF_ROWS_MAX, force_grouping=True),
        rows=number_format(rows, force_grouping=True),
    )


def opened(row: Row, column: Column, query: Query) -> str:
    """The page behind a figure; nothing for one that follows from the others of its row."""
    if not column.opens or row.opens.get(column.name, {}) is None:
        return ""
    given = {
        "from": query.span.first,
        "to": query.span.last,
        **row.only,
        **(row.opens.get(column.name) or {}),
        "figure": column.figure or column.name,
    }
    return f"{reverse(f'report_{column.opens}')}?{urlencode(given)}"


PRESETS: Final = ((1, _("Day")), (7, _("Week")), (30, _("Month")), (365, _("Year")))


class Cell(NamedTuple):
    text: str
    address: str = ""
    is_figure: bool = False
    is_negative: bool = False


def cells(
    row: Row, columns: Sequence[Column], query: Query, currency: Currency | None
) -> list[Cell]:
    """A row as people read it, each figure with the page of what makes it."""
    found = []
    for column in columns:
        value = row[column.name]
        text = shown(value, column, currency)
        address = opened(row, column, query) if value else ""
        if column.name == "player" and value:
            # Readers of reports may open the files of players, too.
            address = reverse("player-file", args=[row["number"]])
        negative = isinstance(value, (int, float)) and column.is_figure and value < 0
        found.append(Cell(text, address, column.is_figure, negative))
    return found


def shown(value: Any, column: Column, currency: Currency | None) -> str:
    """A cell as people read it: amounts with all decimals, and a dash where there is nothing."""
    if value is None or value == "":
        return "–"
    if column.unit == "money":
        assert currency is not None, "a row with amounts names their currency"
        return show_amount(value, currency, is_exact=True)
    if column.unit in ("percent", "number"):
        text = f"{value:.2f}%" if column.unit == "percent" else f"{value:+.1f}"
        return text.replace("-", "\N{MINUS SIGN}")
    if column.unit == "count":
        return number_format(value, force_grouping=True).replace("-", "\N{MINUS SIGN}")
    if isinstance(value, date):
        return date_format(value, "SHORT_DATE_FORMAT")
    return str(game_name(value)) if column.name == "game" else str(value)


def totals(
    rows: Iterable[Row], columns: Sequence[Column], query: Query, currency: Currency | None
) -> list[dict[str, object]]:
    """The figures of the range, compared with those of the equally long range before it.

    In a report by day, those of stocks name the day. A report about an instant has no range before.
    """
    found = range_sums(rows, columns, query.span)
    by_day = any(column.unit == "day" for column in columns)
    before: Mapping[str, Any] = {}
    if query.report.instant is None:
        earlier = query.over(span_before(query.span))
        code = currency.pk if currency else ""
        added = [row for row in earlier.rows() if row.currency == code and not row.is_part]
        before = range_sums(added, columns, earlier.span)
    return [
        {
            "name": column.name,
            "words": column.words,
            "shown": shown(found[column.name], column, currency),
            "as_of": query.span.last if by_day and column.measure == "stock" else None,
            "before": shown(before[column.name], column, currency) if column.name in before else "",
            "change": change(before.get(column.name), found[column.name]),
        }
        for column in columns
        if column.name in found
    ]


def change(before: Any, now: Any) -> str:
    """Return by how much a figure has grown or fallen, if percent say it well."""
    if not before or now is None or before < 0 or now < 0 or now > TIMES_MAX * before:
        return ""
    return f"{100 * (now - before) / before:+.0f}%".replace("-", "\N{MINUS SIGN}")


def footer(totals: Iterable[dict[str, object]], columns: Iterable[Column]) -> list[object]:
    """Return the totals below their columns; one that does not add up has none."""
    by_name = {one["name"]: one["shown"] for one in totals}
    return [by_name.get(column.name, "") for column in columns]


def presets(query: Query, today: date, kept: dict[str, str]) -> list[dict[str, object]]:
    """Yesterday; and a day, a week, a month, a year that end with the range that is shown."""
    yesterday = Span(today - ONE_DAY, today - ONE_DAY)
    spans = [(yesterday, _("Yesterday"))]
    for days, words in PRESETS:
        span = Span(query.span.last - timedelta(days=days - 1), query.span.last)
        if span != yesterday:
            spans.append((span, words))
    return [
        {"words": words, "chosen": span == query.span, "address": _range(span, kept)}
        for span, words in spans
    ]


def neighbours(query: Query, today: date, kept: dict[str, str]) -> tuple[str, str]:
    """The ranges before and after, as long as this one; none is in the future."""
    length = timedelta(days=query.span.days)
    before = span_before(query.span)
    last = min(query.span.last + length, today)
    after = Span(last - length + ONE_DAY, last)
    return _range(before, kept), _range(after, kept) if query.span.last < today else ""


def span_before(span: Span) -> Span:
    return Span(span.first - timedelta(days=span.days), span.first - ONE_DAY)


def _range(span: Span, kept: dict[str, str]) -> str:
    return "?" + urlencode({"from": span.first, "to": span.last, **kept})
