"""The page of a report, of a range of days or of one instant: sums, charts, a table, and files."""

from collections import Counter
from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from functools import partial
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from casino.office.reports import (
    charts,
    detail_pages,  # noqa: F401 - it declares its pages
    formats,
)
from casino.office.reports.columns import Column, Row, all_cells, change
from casino.office.reports.facts import Span
from casino.office.reports.report import READ, REPORTS, Query, Shown, query_at, query_of
from casino.ops.running_code import running_code
from wallets.models import Currency
from wallets.office.staff_pages import ALL_REPORTS, Menu, staff_page
from wallets.staff import journal
from wallets.storage.replica import each_from_replica, from_replica
from wallets.values.days import ONE_DAY, day_of
from wallets.values.errors import Refused
from wallets.values.player import player_of

ROWS_MAX: Final = 500
MEDIA: Final = {
    "csv": "text/csv; charset=utf-8",
    "json": "application/json",
    "pdf": "application/pdf",
}
BY_WORDS: Final = {
    "day": _("by day"),
    "game": _("by game"),
    "table": _("by table"),
    "player": _("by player"),
    "profile": _("by profile"),
    "till": _("by till"),
}
PRESETS: Final = ((1, _("Day")), (7, _("Week")), (30, _("Month")), (365, _("Year")))


class Cell(NamedTuple):
    text: str
    address: str = ""
    is_figure: bool = False
    is_negative: bool = False


def report_page(request: HttpRequest, name: str) -> HttpResponseBase:
    """A report, of the last week by default; as a file, if a format is given."""
    today, given = day_of(timezone.now()), request.GET
    fallback = Span(today - timedelta(days=6), today)
    wrong = ""
    try:
        query = _query(name, given, fallback, today)
    except Refused as refusal:
        wrong, query = refusal.sentence, _query(name, QueryDict(), fallback, today)
    if not wrong and given.get("format") in MEDIA:
        formats.note(journal.by(player_of(request)), query, given["format"])
        return _file(query, given["format"], player_of(request).username)
    frame = {**admin.site.each_context(request), "title": query.report.title}
    context = frame | {"code": running_code(), "wrong": wrong}
    context |= _context(query, given.get("currency", ""), today)
    return TemplateResponse(request, "backoffice/reports/report.html", context)


for _name, _report in REPORTS.items():
    _menu = Menu(ALL_REPORTS, _report.symbol, _report.place)
    _declare = staff_page(f"report_{_name}", f"reports/{_name}/", _report.title, READ, menu=_menu)
    _declare(require_safe(partial(report_page, name=_name)))


def _query(name: str, given: QueryDict, fallback: Span, today: date) -> Query:
    if at := given.get("at"):
        return query_at(name, at, timezone.now())
    first, last = given.get("from") or str(fallback.first), given.get("to") or str(fallback.last)
    return query_of(name, first, last, given.get("by", ""), today)


def _file(query: Query, kind: str, reader: str) -> HttpResponseBase:
    answer: HttpResponseBase
    if kind == "pdf":
        made = from_replica(formats.as_pdf)(query, reader, timezone.now())
        answer = HttpResponse(made, content_type=MEDIA[kind])
    else:
        pieces = formats.csv_lines(query) if kind == "csv" else formats.json_pieces(query)
        answer = StreamingHttpResponse(each_from_replica(pieces), content_type=MEDIA[kind])
    name = f"{query.report.name}-{query.span.first}-{query.span.last}.{kind}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


@from_replica
def _context(query: Query, code: str, today: date) -> dict[str, object]:
    report, rows = query.report, list(query.rows())
    numbers = Counter(row.currency for row in rows)
    codes = sorted(numbers.keys() - {""})
    code = code if code in codes else next(iter(codes), "")
    kept: dict[str, object] = {"by": query.by} | ({"currency": code} if code else {})
    context: dict[str, object] = {
        "query": query,
        "reports": [
            _choice(entry.title, reverse(f"report_{name}"), name == report.name)
            for name, entry in REPORTS.items()
        ],
        **_other_ranges(query, today, kept),
        "groupings": [
            _choice(BY_WORDS[by], _address(query, by, code), by == query.by)
            for by in report.allowed
        ],
        "currencies": [
            _choice(currency_code, _address(query, query.by, currency_code), currency_code == code)
            | {"code": currency_code}
            for currency_code in codes
        ],
        "files": {kind: f"{_address(query, query.by, '')}&format={kind}" for kind in MEDIA},
        "columns": query.shown_columns,
        "pdf_has": formats.rows_left_out(max(numbers.values(), default=0)),
        "rows": [],
    }
    if not rows:
        return context
    currency = Currency.objects.filter(pk=code).first()
    mine = [row for row in rows if row.currency == code]
    return context | _figures(Shown(query, currency, mine, today))


def _choice(words: object, address: str, chosen: bool) -> dict[str, object]:
    return {"words": words, "address": address, "chosen": chosen}


def _other_ranges(query: Query, today: date, kept: dict[str, object]) -> dict[str, object]:
    """Yesterday; a day, a week, a month, a year that end with the range that is shown; and the
    ranges before and after, as long as this one. None is in the future."""
    span, yesterday = query.span, Span(today - ONE_DAY, today - ONE_DAY)

    def address(of: Span) -> str:
        return "?" + urlencode({"from": of.first, "to": of.last, **kept})

    spans = [
        (Span(span.last - timedelta(days=days - 1), span.last), words) for days, words in PRESETS
    ]
    spans = [(yesterday, _("Yesterday")), *(span for span in spans if span[0] != yesterday)]
    last = min(span.last + timedelta(days=span.days), today)
    after = Span(last - timedelta(days=span.days - 1), last)
    return {
        "presets": [_choice(words, address(preset), preset == span) for preset, words in spans],
        "before": address(span_before(span)),
        "after": address(after) if span.last < today else "",
    }


def span_before(span: Span) -> Span:
    return Span(span.first - timedelta(days=span.days), span.first - ONE_DAY)


def _address(query: Query, by: str, code: str) -> str:
    kept: dict[str, object] = {"from": query.span.first, "to": query.span.last, "by": by}
    if query.report.instant is not None:
        kept = {"at": query.report.instant.isoformat()}
    return "?" + urlencode(kept | ({"currency": code} if code else {}))


def _figures(shown: Shown) -> dict[str, object]:
    query, currency, rows, _today = shown
    columns = query.shown_columns
    sums = totals(shown, columns)
    below = {total["name"]: total["shown"] for total in sums}
    return {
        "currency": currency,
        "rows": [
            {"cells": _cells(row, texts, columns, query), "alarm": row.is_alarm}
            for row, texts in zip(rows, all_cells(rows[:ROWS_MAX], columns, currency), strict=False)
        ],
        "left_off": max(0, len(rows) - ROWS_MAX),
        "totals": sums,
        # Said once where all figures are of the end of that day.
        "as_of": query.span.last if sums and all(total["as_of"] for total in sums) else None,
        # A figure that does not add up has none.
        "footer": [below.get(column.name, "") for column in columns[1:]] if sums else (),
        "span_before": span_before(query.span),
        "charts": charts.charts_of(shown),
        "notices": query.report.notices(shown),
        "aside": query.report.aside(shown),
    }


def totals(shown: Shown, columns: Sequence[Column]) -> list[dict[str, object]]:
    """The figures of the range, compared with those of the equally long range before it.

    In a report by day, those of stocks name the day. A report about an instant has no range before.
    """
    query, currency = shown.query, shown.currency
    sums = formats.range_sums(shown.rows, columns, query.span)
    by_day = any(column.unit == "day" for column in columns)
    before: dict[str, int] = {}
    if query.report.instant is None:
        earlier = query.over(span_before(query.span))
        rows = (row for row in earlier.rows() if row.currency == shown.code)
        before = formats.range_sums(rows, columns, earlier.span)
    texts = {
        column.name: column.all_shown([sums[column.name], before.get(column.name)], currency)
        for column in columns
        if column.name in sums
    }
    return [
        {
            "name": column.name,
            "words": column.words,
            "shown": texts[column.name][0],
            "as_of": query.span.last if by_day and column.measure == "stock" else None,
            "before": texts[column.name][1] if before else "",
            "change": change(before.get(column.name), sums[column.name]),
        }
        for column in columns
        if column.name in sums
    ]


def _cells(row: Row, texts: Iterable[str], columns: Iterable[Column], query: Query) -> list[Cell]:
    """A row as people read it, each figure with the page of what makes it."""
    cells = []
    for column, text in zip(columns, texts, strict=True):
        value, is_figure = row[column.name], column.is_figure
        address = opened(row, column, query) if value else ""
        if column.name == "player" and value:
            # Readers of reports may open the files of players, too.
            address = reverse("player-file", args=[row["number"]])
        negative = isinstance(value, (int, float)) and is_figure and value < 0
        cells.append(Cell(text, address, is_figure, negative))
    return cells


def opened(row: Row, column: Column, query: Query) -> str:
    """The page behind a figure; nothing for one that follows from the others of its row."""
    further = row.opens.get(column.name, {})
    if not column.opens or further is None:
        return ""
    days = {"from": query.span.first, "to": query.span.last}
    given = {**days, **row.only, **further, "figure": column.source}
    return f"{reverse(f'report_{column.opens}')}?{urlencode(given)}"
