"""The pages of reports: a report with its charts, and the hands or ledger lines behind a figure."""

from collections.abc import Callable
from datetime import date, timedelta
from functools import partial
from itertools import islice
from typing import Any, Final
from urllib.parse import urlencode

from django.contrib import admin
from django.http import HttpRequest, HttpResponse, QueryDict, StreamingHttpResponse
from django.http.response import HttpResponseBase
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from casino.reports import behind, exporting, page_parts, writing
from casino.reports.figures import Figures
from casino.reports.held import held_after
from casino.reports.liability import Liability, owed_rows
from casino.reports.registry import REPORTS, Query, query_of
from casino.reports.report import Column
from casino.reports.revenue import HANDLE, HANDS, RAKE
from casino.reports.spans import Span, parse_day, span_of
from casino.reports.sums import TableSums
from casino.running_code import running_code
from games.rules.catalogue import GAMES
from games.words.naming import game_name
from wallets.errors import Refused
from wallets.models import Currency
from wallets.player import player_of
from wallets.references import links

READ: Final = "reports.read_reports"
ROWS_MAX: Final = 500
LINES_MAX: Final = 200
MEDIA: Final = {"csv": "text/csv; charset=utf-8", "json": "application/json"}
BY_WORDS: Final = {
    "day": _("by day"),
    "game": _("by game"),
    "table": _("by table"),
    "player": _("by player"),
    "profile": _("by profile"),
}
LINE_COLUMNS: Final = (
    HANDS,
    HANDLE,
    Column("won", _("Won by the house"), "money"),
    RAKE,
    Column("pools", _("To jackpots"), "money"),
    Column("kept", _("Kept by the house"), "money"),
)


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
        exporting.note(player_of(request), query, given["format"])
        return _file(query, given["format"])
    return TemplateResponse(
        request, "backoffice/reports/report.html", _context(request, query, today, wrong)
    )


def _query(name: str, given: QueryDict, fallback: Span, today: date) -> Query:
    first, last = given.get("from") or str(fallback.first), given.get("to") or str(fallback.last)
    return query_of(name, first, last, given.get("by", ""), today)


def _file(query: Query, kind: str) -> StreamingHttpResponse:
    pieces = writing.csv_lines(query) if kind == "csv" else writing.json_pieces(query)
    answer = StreamingHttpResponse(pieces, content_type=MEDIA[kind])
    name = f"{query.report.name}-{query.span.first}-{query.span.last}.{kind}"
    answer["Content-Disposition"] = f'attachment; filename="{name}"'
    return answer


def _frame(request: HttpRequest, title: str | Promise) -> dict[str, Any]:
    """What every page of a report has: the code that made it stands at its end."""
    return {**admin.site.each_context(request), "title": title, "code": running_code()}


def _context(request: HttpRequest, query: Query, today: date, wrong: str) -> dict[str, Any]:
    columns = query.report.columns(query.by)
    rows = list(query.report.rows(query.span, query.by))
    codes = sorted({row["currency"] for row in rows})
    code = request.GET.get("currency", "")
    code = code if code in codes else next(iter(codes), "")
    currency = Currency.objects.filter(pk=code).first()
    kept = {"by": query.by} | ({"currency": code} if code else {})
    before, after = page_parts.neighbours(query, today, kept)
    context = {
        **_frame(request, query.report.title),
        "query": query,
        "wrong": wrong,
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


def _shown(query: Query, currency: Currency, rows: list[Any], today: date) -> dict[str, Any]:
    columns = [one for one in query.report.columns(query.by) if one.name != "currency"]
    added = rows
    if query.report.name == "returns":
        added = [row for row in rows if not row["_bet"]]
    found: dict[str, Any] = {
        "currency": currency,
        "rows": [
            {"cells": page_parts.cells(row, columns, query, currency), "alarm": row.get("_drifts")}
            for row in rows[:ROWS_MAX]
        ],
        "left_off": max(0, len(rows) - ROWS_MAX),
        "totals": page_parts.totals(added, columns, currency),
        "chart": page_parts.main_chart(query, currency),
    }
    if query.report.name in ("revenue", "returns"):
        figures = Figures(query.span)
        found["hold"] = page_parts.hold_chart(figures, currency)
        found["alarms"] = page_parts.alarms(figures, currency)
    if query.report.name == "revenue":
        found["owed"] = _owed(min(query.span.last, today), currency)
    return found


def _owed(day: date, currency: Currency) -> dict[str, Any] | None:
    """What the house owes when the range ends."""
    row = next(
        (one for one in owed_rows(day, held_after(day)) if one["currency"] == currency.pk), None
    )
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
    kept = {"from": query.span.first, "to": query.span.last, "by": by}
    return "?" + urlencode(kept | ({"currency": code} if code else {}))


def _number(given: QueryDict, name: str) -> int:
    text = given.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


def _span(given: QueryDict) -> Span:
    today = timezone.now().date()
    first, last = (parse_day(given.get(name, "")) for name in ("from", "to"))
    return span_of(first, last, today)


@require_safe
def hands_page(request: HttpRequest) -> HttpResponse:
    """The days behind a figure, or the hands of one day."""
    given = request.GET
    context = _frame(request, _("Hands behind a figure"))
    currency = Currency.objects.filter(pk=given.get("currency", "")[:8].replace("\0", "")).first()
    try:
        span = _span(given)
        if currency is None:
            raise Refused("no_such_currency", _("There is no such currency."))
    except Refused as refusal:
        context["wrong"] = refusal.sentence
        return TemplateResponse(request, "backoffice/reports/behind.html", context)
    only = behind.Only(
        currency.pk,
        given.get("game", "")[:40].replace("\0", ""),
        _number(given, "table"),
        given.get("profile", "")[:64],
        _number(given, "player"),
    )
    context |= {
        "span": span,
        "only": only,
        "game": game_name(only.game) if only.game in GAMES else only.game,
    }
    context["columns"] = LINE_COLUMNS
    days = behind.days_behind(span, only)
    if span.days > 1:
        context["lines"] = [
            {"words": day, "address": _day_address(given, day), "cells": _cells(sums, currency)}
            for day, sums in days.items()
        ]
    else:
        start = _number(given, "start")
        found = list(islice(behind.hands_behind(span.first, only), start, start + LINES_MAX + 1))
        context["lines"] = [
            {
                "words": one.code,
                "address": reverse("admin:games_hand_change", args=[one.hand]),
                "ledger": f"{reverse('admin:wallets_transaction_changelist')}?q=hand:{one.hand}",
                "cells": _cells(one.sums, currency),
            }
            for one in found[:LINES_MAX]
        ]
        if len(found) > LINES_MAX:
            more = given.copy()
            more["start"] = str(start + LINES_MAX)
            context["more"] = f"?{more.urlencode()}"
    whole = TableSums()
    for sums in days.values():
        whole.add(sums)
    context["total"] = _cells(whole, currency)
    return TemplateResponse(request, "backoffice/reports/behind.html", context)


def _cells(sums: TableSums, currency: Currency) -> list[str]:
    return [
        page_parts.shown(getattr(sums, column.name), column, currency) for column in LINE_COLUMNS
    ]


def _day_address(given: QueryDict, day: date) -> str:
    of_day = given.copy()
    of_day["from"] = of_day["to"] = str(day)
    return f"?{of_day.urlencode()}"


@require_safe
def entries_page(request: HttpRequest) -> HttpResponse:
    """The ledger lines behind a figure, the newest first."""
    given = request.GET
    context = _frame(request, _("Ledger lines behind a figure"))
    try:
        span = _span(given)
    except Refused as refusal:
        context["wrong"] = refusal.sentence
        return TemplateResponse(request, "backoffice/reports/entries.html", context)
    only: dict[str, Any] = {
        name: given.get(name, "")[:64].replace("\0", "") for name in ("currency", "kind", "actor")
    }
    only |= {name: _number(given, name) for name in ("account", "player")}
    entries = behind.entries_behind(span, only)
    first = entries.first()
    currency = first.account.currency if first else None
    if currency and entries.exclude(account__currency=currency).exists():
        # Amounts of two currencies are never added up.
        entries = entries.filter(account__currency=currency)
    page = entries.order_by("-pk")
    if before := _number(given, "before"):
        page = page.filter(pk__lt=before)
    found = list(page[: LINES_MAX + 1])
    known = links({one.account.owner for one in found} | {one.transaction.actor for one in found})
    money = Column("amount", _("Amount"), "money")
    context |= {
        "span": span,
        "currency": currency,
        "total": currency and page_parts.shown(behind.total(entries), money, currency),
        "lines": [
            {
                "entry": one,
                "owner": known.get(one.account.owner),
                "actor": known.get(one.transaction.actor),
                "amount": page_parts.shown(one.amount, money, one.account.currency),
            }
            for one in found[:LINES_MAX]
        ],
    }
    if len(found) > LINES_MAX:
        more = given.copy()
        more["before"] = str(found[LINES_MAX - 1].pk)
        context["more"] = f"?{more.urlencode()}"
    return TemplateResponse(request, "backoffice/reports/entries.html", context)
