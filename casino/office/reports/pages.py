"""The pages of reports: a report with its charts, of a range of days or of one instant."""

from collections import Counter
from collections.abc import Iterable
from datetime import date, timedelta
from typing import Final
from urllib.parse import urlencode

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.office.reports import exporting, page_parts, writing
from casino.office.reports.columns import CURRENCY, Column, Row
from casino.office.reports.registry import REPORTS, query_at, query_of
from casino.office.reports.report import Query, Shown
from casino.office.reports.spans import Span
from casino.ops.running_code import running_code
from wallets.models import Currency
from wallets.staff import journal
from wallets.storage.replica import each_from_replica, from_replica
from wallets.values.days import day_of
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
        exporting.note(journal.by(player_of(request)), query, given["format"])
        return _file(query, given["format"], player_of(request).username)
    context = _frame(request, query.report.title) | _context(request, query, today, wrong)
    return TemplateResponse(request, "backoffice/reports/report.html", context)


def _query(name: str, given: QueryDict, fallback: Span, today: date) -> Query:
    if at := given.get("at"):
        return query_at(name, at, timezone.now())
    first, last = given.get("from") or str(fallback.first), given.get("to") or str(fallback.last)
    return query_of(name, first, last, given.get("by", ""), today)


def _file(query: Query, kind: str, reader: str) -> HttpResponseBase:
    answer: HttpResponseBase
    if kind == "pdf":
        from casino.office.reports.report_pdf import as_pdf  # noqa: PLC0415 - few processes make one

        made = from_replica(as_pdf)(query, reader, timezone.now())
        answer = HttpResponse(made, content_type=MEDIA[kind])
    else:
        pieces = writing.csv_lines(query) if kind == "csv" else writing.json_pieces(query)
        answer = StreamingHttpResponse(each_from_replica(pieces), content_type=MEDIA[kind])
    name = f"{query.report.name}-{query.span.first}-{query.span.last}.{kind}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _frame(request: HttpRequest, title: str | Promise) -> dict[str, object]:
    """Return what every page of a report has, with the code that made it at the end."""
    return {**admin.site.each_context(request), "title": title, "code": running_code()}


@from_replica
def _context(request: HttpRequest, query: Query, today: date, wrong: str) -> dict[str, object]:
    report, rows = query.report, list(query.rows())
    codes = sorted({row.currency for row in rows} - {""})
    code = request.GET.get("currency", "")
    code = code if code in codes else next(iter(codes), "")
    kept = {"by": query.by} | ({"currency": code} if code else {})
    before, after = page_parts.neighbours(query, today, kept)
    context: dict[str, object] = {
        "query": query,
        "wrong": wrong,
        "reports": [
            {
                "words": one.title,
                "address": reverse(f"report_{name}"),
                "chosen": name == report.name,
            }
            for name, one in REPORTS.items()
        ],
        "presets": page_parts.presets(query, today, kept),
        "before": before,
        "after": after,
        "groupings": [
            {"words": BY_WORDS[by], "chosen": by == query.by, "address": _address(query, by, code)}
            for by in report.allowed
        ],
        "currencies": [
            {"code": one, "chosen": one == code, "address": _address(query, query.by, one)}
            for one in codes
        ],
        "files": {kind: f"{_address(query, query.by, '')}&format={kind}" for kind in MEDIA},
        "columns": _columns(query),
        "pdf_has": page_parts.of_all(_most_rows(rows)),
        "rows": [],
    }
    if not rows:
        return context
    currency = Currency.objects.filter(pk=code).first()
    mine = [row for row in rows if row.currency == code]
    return context | _figures(Shown(query, currency, mine, today))


def _most_rows(rows: Iterable[Row]) -> int:
    """How many rows a PDF would have of the currency with the most."""
    return max(Counter(row.currency for row in rows).values(), default=0)


def _columns(query: Query) -> list[Column]:
    """Return the columns of the table; the currency is above it."""
    return [one for one in query.columns if one != CURRENCY]


def _figures(shown: Shown) -> dict[str, object]:
    query, currency, rows, _today = shown
    columns, report = _columns(query), query.report
    added = [row for row in rows if not row.is_part]
    totals = page_parts.totals(added, columns, query, currency)
    return {
        "currency": currency,
        "rows": [
            {"cells": page_parts.cells(row, columns, query, currency), "alarm": row.is_alarm}
            for row in rows[:ROWS_MAX]
        ],
        "left_off": max(0, len(rows) - ROWS_MAX),
        "totals": totals,
        "footer": page_parts.footer(totals, columns[1:]) if totals else (),
        "span_before": page_parts.span_before(query.span),
        "charts": [chart for chart in report.charts(shown) if chart],
        "notices": report.notices(shown),
        "aside": report.aside(shown),
    }


def _address(query: Query, by: str, code: str) -> str:
    kept: dict[str, object] = {"from": query.span.first, "to": query.span.last, "by": by}
    if query.report.instant is not None:
        kept = {"at": query.report.instant.isoformat()}
    return "?" + urlencode(kept | ({"currency": code} if code else {}))
