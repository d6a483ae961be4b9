"""A report as a file: CSV and JSON row by row, so that no length fills the memory, and PDF.

Figures for programs are plain numbers, amounts in whole units with the currency's own decimals. The
last line of a CSV file begins with `#` and names the code that wrote it, so a file without it is
not whole. JSON has the code next to the rows. A PDF is made in memory, so it has at most
`PDF_ROWS_MAX` rows of a currency. Each file is an entry of the journal, as every export is.
"""

import csv
import json
from collections.abc import Iterable, Iterator, Sequence
from datetime import datetime
from typing import TYPE_CHECKING, Final

from django.db import transaction
from django.utils.formats import date_format, number_format
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy as _l

from casino.office.reports.columns import Column, Row, all_cells
from casino.office.reports.facts import Span
from casino.office.reports.report import READ, Query
from casino.ops.running_code import running_code
from casino.web.spreadsheets import COMMENT, Exponents, guarded
from wallets.models import Currency
from wallets.staff import journal
from wallets.values.days import with_zone
from wallets.values.house import house_name

if TYPE_CHECKING:
    from casino.web.pdf import Paper

FORMATS: Final = ("csv", "json")
PDF_ROWS_MAX: Final = 2_000
A4_ACROSS: Final = (297.0, 210.0)
EXPORTED: Final = journal.register(
    "report.export", _l("Exported a report"), needs_reason=False, permission=READ
)
# At the command line `--by` is the grouping of a report, so the journal names the system account.
COMMAND: Final = journal.By("command:report", "manage.py report")


@transaction.atomic
def note(who: journal.By, query: Query, kind: str) -> None:
    """Write into the journal who took which report, and as what."""
    span = query.span
    what = {"from": str(span.first), "to": str(span.last), "by": query.by, "format": kind}
    subject = f"report:{query.report.name}"
    journal.write(who, EXPORTED, subject, before={}, after=what, reason="")


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
            text = column.plain(row[column.name], row.currency, exponents)
            cells.append(text if column.is_figure else guarded(text))
        writer.writerow(cells)
        yield line.text
    yield f"{COMMENT} {running_code().line}\r\n"


def json_rows(query: Query) -> Iterator[dict[str, object]]:
    """The rows as programs read them: amounts and shares as text, so that no digit is lost."""
    columns, exponents = query.columns, Exponents()
    for row in query.rows():
        json_row: dict[str, object] = {}
        for column in columns:
            value = row[column.name]
            if value is None or (isinstance(value, int) and column.unit in ("count", "text")):
                json_row[column.name] = value
            else:
                json_row[column.name] = column.plain(value, row.currency, exponents)
        yield json_row


def json_pieces(query: Query) -> Iterator[str]:
    """The code that wrote them, and a list of the rows, piece by piece."""
    yield f'{{"code": {json.dumps(running_code().to_json())},\n"rows": ['
    for number, row in enumerate(json_rows(query)):
        yield (",\n " if number else "\n ") + json.dumps(row, ensure_ascii=False)
    yield "\n]}\n"


def range_sums(rows: Iterable[Row], columns: Sequence[Column], span: Span) -> dict[str, int]:
    """Return the figure of the whole range by column, in one currency.

    A report by day has a row of stocks for each day, of which only the last day counts; other
    reports have stocks as of the end of the range in every row.
    """
    rows = [row for row in rows if not row.is_part]
    last = [row for row in rows if row.cells.get("day", span.last) == span.last]
    of_measure = {"flow": rows, "stock": last}
    return {
        column.name: sum(row[column.name] or 0 for row in of_measure[column.measure])
        for column in columns
        if column.measure in of_measure
    }


def rows_left_out(rows: int) -> str:
    """What a PDF says that has not all rows, and what its link says before; or nothing."""
    if rows <= PDF_ROWS_MAX:
        return ""
    words = _("The PDF has the first {shown} of {rows} rows. CSV and JSON have all of them.")
    return words.format(
        shown=number_format(PDF_ROWS_MAX, force_grouping=True),
        rows=number_format(rows, force_grouping=True),
    )


def as_pdf(query: Query, made_by: str, now: datetime) -> bytes:
    """The file, in the reader's language; `made_by` is the name of the reader."""
    from casino.web.pdf import Paper  # noqa: PLC0415 - few processes make one

    title = str(query.report.title)
    paper = Paper(title, A4_ACROSS, margin=12)
    paper.is_numbered = True
    paper.write_line(title, house_name(), size=16)
    paper.write_line(_about(query), size=10)
    made = _("Made by {name}, {time}").format(name=made_by, time=with_zone(now))
    paper.write_line(made, size=8)
    paper.write_line(running_code().line, size=7)
    rows = list(query.rows())
    for code in sorted({row.currency for row in rows}):
        paper.rule()
        mine = [row for row in rows if row.currency == code]
        _write_currency(paper, query, mine, Currency.objects.filter(pk=code).first())
    if not rows:
        paper.rule()
        paper.write_line(_("No activity"), size=10)
    return paper.content()


def _about(query: Query) -> str:
    """The instant or the range of days, with the zone in which they are days."""
    if query.report.instant is not None:
        return with_zone(query.report.instant)
    first, last = (date_format(day, "SHORT_DATE_FORMAT") for day in query.span)
    return _("{first} to {last}, days of the house").format(first=first, last=last)


def _write_currency(
    paper: "Paper", query: Query, rows: Sequence[Row], currency: Currency | None
) -> None:
    if currency is not None:
        paper.write_line(currency.code, size=11)
    if said := rows_left_out(len(rows)):
        paper.write_line(said, size=8)
    columns = query.shown_columns
    sums = range_sums(rows, columns, query.span)
    foot = [column.shown(sums.get(column.name), currency) for column in columns]
    foot[0] = _("In all")
    paper.write_table(
        [str(column.words) for column in columns],
        [list(row) for row in all_cells(rows[:PDF_ROWS_MAX], columns, currency)],
        foot=foot if sums else [],
        right=[column.is_figure for column in columns],
    )
