"""Writing a report as CSV or JSON, row by row, so that no length of it fills the memory.

Figures are written as plain numbers, amounts in whole units with the currency's own decimals. The
last line of a CSV file begins with `#` and names the code that wrote it, so a file without it is
not whole. JSON has the code next to the rows.
"""

import csv
import json
from collections.abc import Iterator
from datetime import date
from typing import Any, Final

from casino.office.reports.columns import Column, Row
from casino.office.reports.report import Query
from casino.ops.running_code import running_code
from casino.web.spreadsheets import COMMENT, Exponents, guarded

FORMATS: Final = ("csv", "json")


def as_text(value: Any, column: Column, currency: str, exponents: Exponents) -> str:
    """A cell before it is guarded."""
    if value is None:
        return ""
    if column.unit == "money":
        return exponents.whole_units(value, currency)
    if column.unit in ("percent", "number"):
        return f"{value:.4f}"
    return value.isoformat() if isinstance(value, date) else str(value)


class _Line:
    """A file for the writer of CSV: it keeps the last line alone."""

    def __init__(self) -> None:
        self.text = ""

    def write(self, text: str) -> None:
        self.text = text


def csv_lines(query: Query, rows: Iterator[Row] | None = None) -> Iterator[str]:
    """The header, a line for each row, and the code that wrote them."""
    columns, line, exponents = query.columns, _Line(), Exponents()
    writer = csv.writer(line)
    writer.writerow([column.name for column in columns])
    yield line.text
    for row in query.rows() if rows is None else rows:
        cells = []
        for column in columns:
            text = as_text(row[column.name], column, row.currency, exponents)
            cells.append(text if column.is_figure else guarded(text))
        writer.writerow(cells)
        yield line.text
    yield f"{COMMENT} {running_code().line}\r\n"


def json_rows(query: Query) -> Iterator[dict[str, object]]:
    """The rows as programs read them: amounts and shares as text, so that no digit is lost."""
    columns, exponents = query.columns, Exponents()
    for row in query.rows():
        found: dict[str, object] = {}
        for column in columns:
            value = row[column.name]
            if value is None or (isinstance(value, int) and column.unit in ("count", "text")):
                found[column.name] = value
            else:
                found[column.name] = as_text(value, column, row.currency, exponents)
        yield found


def json_pieces(query: Query) -> Iterator[str]:
    """The code that wrote them, and a list of the rows, piece by piece."""
    yield f'{{"code": {json.dumps(running_code().to_json())},\n"rows": ['
    for number, row in enumerate(json_rows(query)):
        yield (",\n " if number else "\n ") + json.dumps(row, ensure_ascii=False)
    yield "\n]}\n"
