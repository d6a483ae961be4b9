"""A report as a PDF file: what it is about, a table for each currency, and who made it when.

Import it where a file is made, as `casino/web/pdf.py`. The file is made in memory, so it has at
most `PDF_ROWS_MAX` rows of a currency; it says above them that CSV and JSON have all.
"""

from collections.abc import Sequence
from datetime import datetime
from typing import Final

from django.utils.formats import date_format
from django.utils.translation import gettext as _

from casino.office.reports.columns import CURRENCY, Column, Row
from casino.office.reports.page_parts import PDF_ROWS_MAX, of_all, range_sums, shown
from casino.office.reports.report import Query
from casino.ops.running_code import running_code
from casino.web.pdf import Paper
from wallets.models import Currency
from wallets.values.days import with_zone

A4_ACROSS: Final = (297.0, 210.0)
NOTHING: Final = "–"


def as_pdf(query: Query, made_by: str, now: datetime) -> bytes:
    """The file, in the reader's language; `made_by` is the name of the reader."""
    title = str(query.report.title)
    paper = Paper(title, A4_ACROSS, margin=12)
    paper.is_numbered = True
    paper.write_line(title, _("Card room"), size=16)
    paper.write_line(_about(query), size=10)
    made = _("Made by {name}, {time}").format(name=made_by, time=with_zone(now))
    paper.write_line(made, size=8)
    paper.write_line(running_code().line, size=7)
    columns = [one for one in query.columns if one != CURRENCY]
    rows = list(query.rows())
    for code in sorted({row.currency for row in rows}):
        mine = [row for row in rows if row.currency == code]
        paper.rule()
        _write_currency(paper, query, columns, mine, Currency.objects.filter(pk=code).first())
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
    paper: Paper,
    query: Query,
    columns: Sequence[Column],
    rows: Sequence[Row],
    currency: Currency | None,
) -> None:
    if currency is not None:
        paper.write_line(currency.code, size=11)
    if len(rows) > PDF_ROWS_MAX:
        paper.write_line(of_all(len(rows)), size=8)
    sums = range_sums([row for row in rows if not row.is_part], columns, query.span)
    foot = [
        shown(sums[one.name], one, currency) if one.name in sums else NOTHING for one in columns
    ]
    foot[0] = _("In all")
    paper.write_table(
        [str(one.words) for one in columns],
        [[shown(row[one.name], one, currency) for one in columns] for row in rows[:PDF_ROWS_MAX]],
        foot=foot if sums else [],
        right=[one.is_figure for one in columns],
    )
