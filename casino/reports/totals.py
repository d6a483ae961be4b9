"""The sums of a report's rows: flows added up, stocks as of the end of the range."""

from collections.abc import Iterable, Sequence

from casino.reports.report import Column, Row
from casino.reports.spans import Span


def range_sums(rows: Iterable[Row], columns: Sequence[Column], span: Span) -> dict[str, int]:
    """Return the figure of the whole range by column, in one currency.

    A report by day has a row of stocks for each day, of which only the last day counts; other
    reports have stocks as of the end of the range in every row.
    """
    rows = list(rows)
    last = [row for row in rows if row.get("day", span.last) == span.last]
    of_measure = {"flow": rows, "stock": last}
    return {
        column.name: sum(row.get(column.name) or 0 for row in of_measure[column.measure])
        for column in columns
        if column.measure in of_measure
    }
