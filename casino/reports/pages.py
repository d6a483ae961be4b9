"""The pages of reports: a report with its charts, of a range of days or of one instant."""

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from typing import Any, Final
from urllib.parse import urlencode

from django.conf import settings
from django.contrib import admin
from django.http import HttpRequest, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from casino.reports import exporting, page_parts, writing
from casino.reports.desk import Desk
from casino.reports.figures import Figures
from casino.reports.held import held_after
from casino.reports.liability import Liability, LiabilityAt, owed_rows
from casino.reports.registry import REPORTS, Query, query_at, query_of
from casino.reports.spans import ONE_DAY, Span, start_of
from casino.running_code import running_code
from wallets import journal
from wallets.errors import Refused
from wallets.models import Currency
from wallets.player import player_of
from wallets.replica import each_from_replica, from_replica

ROWS_MAX: Final = 500
MEDIA: Final = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
BY_WORDS: Final = {
    "day": _("by day"),
    "game": _("by game"),
    "table": _("by table"),
    "player": _("by player"),
    "profile": _("by profile"),
    "till": _("by till"),
}


def pages() -> dict[str, Callable[..., HttpResponseBase]]:
    """A view for each report."""
    return {name: require_safe(partial(report_page, name=name)) for name in REPORTS}


def report_page(request: HttpRequest, name: str) -> HttpResponseBase:
    """A report of the last week unless somebody says which; as a file, if a format is given."""
    today, given = timezone.now().date(), request.GET
    fallback = Span(today - timedelta(days=6), today)
    wrong = ""
    try:
        query = _query(name, given, fallback, today)
    except Refused as refusal:
        wrong, query = refusal.sentence, _query(name, QueryDict(), fallback, today)
    if not wrong and given.get("format") in writing.FORMATS:
        exporting.note(journal.by(player_of(request)), query, given["format"])
        return _file(query, given["format"])
    context = _frame(request, query.report.title) | _context(request, query, today, wrong)
    return TemplateResponse(request, "backoffice/reports/report.html", context)


def _query(name: str, given: QueryDict, fallback: Span, today: date) -> Query:
    if at := given.get("at"):
        return query_at(name, at, timezone.now())
    first, last = given.get("from") or str(fallback.first), given.get("to") or str(fallback.last)
    return query_of(name, first, last, given.get("by", ""), today)


def _file(query: Query, kind: str) -> StreamingHttpResponse:
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
    columns = query.report.columns(query.by)
    rows = list(query.report.rows(query.span, query.by))
    codes = sorted({row["currency"] for row in rows})
    code = request.GET.get("currency", "")
    code = code if code in codes else next(iter(codes), "")
    currency = Currency.objects.filter(pk=code).first()
    kept = {"by": query.by} | ({"currency": code} if code else {})
    before, after = page_parts.neighbours(query, today, kept)
    context: dict[str, object] = {
        "query": query,
        "wrong": wrong,
        "owed_at": query.report.name == Liability.name,
        "gaming_hour": settings.GAMING_DAY_HOUR if query.report.name == Desk.name else 0,
        "at": query.report.at if isinstance(query.report, LiabilityAt) else None,
        "reports": [
            {
                "words": one.title,
                "address": reverse(f"report_{name}"),
                "chosen": one is query.report,
            }
            for name, one in REPORTS.items()
        ],
        "presets": page_parts.presets(query, today, kept),
        "before": before,
        "after": after,
        "groupings": [
            {"words": BY_WORDS[by], "chosen": by == query.by, "address": _address(query, by, code)}
            for by in query.report.allowed
        ],
        "currencies": [
            {"code": one, "chosen": one == code, "address": _address(query, query.by, one)}
            for one in codes
        ],
        "files": {kind: f"{_address(query, query.by, '')}&format={kind}" for kind in MEDIA},
        "columns": [one for one in columns if one.name != "currency"],
    }
    if currency is None:
        return context
    mine = [row for row in rows if row["currency"] == code]
    return context | _shown(query, currency, mine, today)


def _shown(query: Query, currency: Currency, rows: list[Any], today: date) -> dict[str, object]:
    columns = [one for one in query.report.columns(query.by) if one.name != "currency"]
    added = rows
    if query.report.name == "returns":
        added = [row for row in rows if not row["_bet"]]
    found: dict[str, object] = {
        "currency": currency,
        "rows": [
            {"cells": page_parts.cells(row, columns, query, currency), "alarm": row.get("_drifts")}
            for row in rows[:ROWS_MAX]
        ],
        "left_off": max(0, len(rows) - ROWS_MAX),
        "totals": page_parts.totals(added, columns, query, currency),
    }
    if not isinstance(query.report, LiabilityAt):
        found["chart"] = page_parts.main_chart(query, currency)
    if query.report.name in ("revenue", "returns"):
        figures = Figures(query.span)
        found["hold"] = page_parts.hold_chart(figures, currency)
        found["alarms"] = page_parts.alarms(figures, currency)
    if query.report.name == "revenue":
        found["owed"] = _owed(min(query.span.last, today), currency)
    return found


def _owed(day: date, currency: Currency) -> dict[str, object] | None:
    """Return what the house owes at the end of the range."""
    rows = owed_rows({"day": day}, start_of(day) + ONE_DAY, held_after(day))
    row = next((one for one in rows if one["currency"] == currency.pk), None)
    if row is None:
        return None
    columns = [one for one in Liability().columns("day") if one.unit == "money"]
    return {
        "day": day,
        "equal": not row["difference"],
        "lines": [
            {"words": one.words, "shown": page_parts.shown(row[one.name], one, currency)}
            for one in columns
        ],
    }


def _address(query: Query, by: str, code: str) -> str:
    kept: dict[str, object] = {"from": query.span.first, "to": query.span.last, "by": by}
    if isinstance(query.report, LiabilityAt):
        kept = {"at": query.report.at.isoformat()}
    return "?" + urlencode(kept | ({"currency": code} if code else {}))
