"""The pages behind a figure: hands, lines of the ledger, accounts, people, shifts and counts.

Each names the figure by which it was opened, and its total: the figure of the report.
"""

from collections.abc import Callable, Iterable, Iterator, Sequence
from datetime import datetime
from itertools import islice
from typing import Any, Final, NamedTuple, TypeVar
from urllib.parse import urlencode

from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse, QueryDict
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from casino.office.reports import details, entries
from casino.office.reports.balances import HELD_BY, accounts_behind, first_day
from casino.office.reports.columns import BYS, DAYS, By, Column
from casino.office.reports.entries import PEOPLE, EntriesOnly, counts_of, shifts_of
from casino.office.reports.facts import Only, Span, Sums
from casino.office.reports.report import READ, parse_instant, span_of
from casino.ops.running_code import running_code
from games.rules.catalogue import GAMES
from games.words.naming import game_name
from wallets.models import Account, Currency
from wallets.office.ledger_words import account_in_words, kind_in_words, named
from wallets.office.staff_pages import office_page, staff_page
from wallets.storage.replica import from_replica
from wallets.values.days import day_of, house_time, with_zone
from wallets.values.errors import Refused

LINES_MAX: Final = 200
TEXT_MAX: Final = 64
# The lines of the ledger behind what a figure has besides hands.
FURTHER: Final = {
    "fees": (_("Fees of tournaments"), {}),
    "grants": (_("Grants"), {"kind": "grant", "whose": PEOPLE, "fees": ""}),
}
AMOUNT: Final = Column("amount", _("Amount"), "money")
Selected = TypeVar("Selected", Only, EntriesOnly)
Fill = Callable[[QueryDict], dict[str, object]]


class DetailLine(NamedTuple):
    """One line of a list: what it is, where it leads, and what it adds, if that is an amount."""

    words: str
    address: str
    amount: str = ""


def text_of(given: QueryDict, name: str) -> str:
    return given.get(name, "")[:TEXT_MAX].replace("\0", "")


def number_of(given: QueryDict, name: str) -> int:
    text = given.get(name, "")
    return int(text) if text.isascii() and text.isdecimal() and len(text) < 19 else 0


def span_in(given: QueryDict) -> Span:
    return span_of(given.get("from", ""), given.get("to", ""), day_of(timezone.now()))


def only_in(given: QueryDict, kind: type[Selected]) -> Selected:
    """Return the hands, or the lines of the ledger, that an address asks for."""
    values: dict[str, Any] = {}
    for name, default in kind._field_defaults.items():
        if isinstance(default, bool):
            values[name] = bool(given.get(name))
        elif isinstance(default, int):
            values[name] = number_of(given, name)
        elif default is not None:
            values[name] = text_of(given, name)
        elif until := given.get(name):
            values[name] = parse_instant(until)
    return kind(**values)


def _currency(given: QueryDict) -> Currency:
    currency = Currency.objects.filter(pk=text_of(given, "currency")[:8]).first()
    if currency is None:
        raise Refused("no_such_currency", _("There is no such currency."))
    return currency


def behind(name: str, title: Promise, template: str = "behind_list.html") -> Callable[[Fill], Fill]:
    """Declare a page that shows what a function lists of an address, or why it refuses to."""

    def declared(fill: Fill) -> Fill:
        @staff_page(f"report_{name}", f"reports/{name}/", title, READ)
        @require_safe
        def page(request: HttpRequest) -> HttpResponse:
            try:
                listed = from_replica(fill)(request.GET)
            except Refused as refusal:
                listed = {"wrong": refusal.sentence}
            code = running_code()
            return office_page(request, f"reports/{template}", title, code=code, **listed)

        return fill

    return declared


@behind("hands", _("Hands behind a figure"), "behind.html")
def _hands(given: QueryDict) -> dict[str, object]:
    """The days behind a figure, or the hands of one day."""
    span, currency, only = span_in(given), _currency(given), only_in(given, Only)
    columns, figure = details.columns_of(only), text_of(given, "figure")
    whole, days = Sums(), details.days_behind(span, only)
    for of_day in days.values():
        whole.add(of_day)

    def cells(lines: Iterable[Sums], *, of_hands: bool = True) -> list[tuple[str, ...]]:
        """The measures as text; a hand is no day, and money alone has no measures of hands."""
        shown = []
        for column in columns:
            amounts = [getattr(sums, column.source) for sums in lines]
            if not of_hands or column is DAYS:
                amounts = [amount or None for amount in amounts]
            shown.append(column.all_shown(amounts, currency))
        return list(zip(*shown, strict=True))

    context: dict[str, object] = {
        "span": span,
        "only": only,
        "columns": columns,
        "figure": figure,
        "game": game_name(only.game) if only.game in GAMES else only.game,
        "total": cells([whole])[0],
        "sum": [
            (column.words, column.shown(getattr(whole, figure), currency))
            for column in columns
            if column.source == figure
        ],
    }
    if span.days > 1:
        context["lines"] = [
            {
                "words": day,
                "address": _with(given, **{"from": day, "to": day}),
                "cells": of_day,
            }
            for day, of_day in zip(days, cells(days.values()), strict=True)
        ]
        return context
    start = number_of(given, "start")
    lines = list(islice(details.hands_behind(span.first, only), start, start + LINES_MAX + 1))
    has_more = len(lines) > LINES_MAX
    del lines[LINES_MAX:]
    context["lines"] = [
        {
            "words": line.code,
            "address": reverse("office-hand", args=[line.code]),
            "ledger": f"{reverse('admin:wallets_transaction_changelist')}?q=hand:{line.hand}",
            "cells": of_line,
        }
        for line, of_line in zip(lines, cells([line.sums for line in lines]), strict=True)
    ]
    context["further"] = list(_further(given, span, only, cells))
    if has_more:
        context["more"] = _with(given, start=start + LINES_MAX)
    return context


def _further(
    given: QueryDict, span: Span, only: Only, cells: Callable[..., list[tuple[str, ...]]]
) -> Iterator[dict[str, object]]:
    """What a day adds to a figure beside its hands: fees of tournaments, and grants."""
    for name, days in details.money_behind(span, only).items():
        if sums := days.get(span.first):
            words, opens = FURTHER[name]
            address = f"{reverse('report_entries')}{_with(given, figure=name, **opens)}"
            yield {"words": words, "address": address, "cells": cells([sums], of_hands=False)[0]}


def _with(given: QueryDict, **values: object) -> str:
    kept = given.copy()
    for name, value in values.items():
        kept[name] = str(value)
    return f"?{kept.urlencode()}"


@behind("entries", _("Ledger lines behind a figure"), "entries.html")
def _entries(given: QueryDict) -> dict[str, object]:
    """The ledger lines behind a figure, the newest first."""
    span, currency, only = span_in(given), _currency(given), only_in(given, EntriesOnly)
    lines = entries.entries_behind(span, only)
    page = lines.order_by("-pk")
    if before := number_of(given, "before"):
        page = page.filter(pk__lt=before)
    rows = list(page[: LINES_MAX + 1])
    has_more = len(rows) > LINES_MAX
    del rows[LINES_MAX:]
    sign = -1 if only.negated else 1
    amounts = AMOUNT.all_shown([sign * entry.amount for entry in rows], currency)
    known = named(
        {entry.account.owner for entry in rows} | {entry.transaction.actor for entry in rows}
    )
    context = {
        "span": span,
        "currency": currency,
        "number": lines.count(),
        "total": AMOUNT.shown(entries.total(lines, only), currency),
        "lines": [
            {
                "entry": entry,
                "kind": kind_in_words(entry.transaction.kind),
                "owner": known.get(entry.account.owner),
                "actor": known.get(entry.transaction.actor),
                "amount": amount,
            }
            for entry, amount in zip(rows, amounts, strict=True)
        ],
    }
    if has_more:
        context["more"] = _with(given, before=rows[-1].pk)
    return context


@behind("accounts", _("Accounts behind a figure"))
def _accounts(given: QueryDict) -> dict[str, object]:
    """The accounts behind what the house owed at an instant, the largest first."""
    currency, at = _currency(given), parse_instant(given.get("at", ""))
    column = text_of(given, "figure")
    if column not in HELD_BY:
        raise Refused("no_such_figure", _("There is no such figure."))
    balances = accounts_behind(at, currency.pk, column)
    start = number_of(given, "start")
    part = balances[start : start + LINES_MAX]
    accounts = Account.objects.in_bulk([number for number, _amount in part])
    known = named(account.owner for account in accounts.values())
    lines = [
        DetailLine(
            account_in_words(accounts[number], known),
            _lines_until(at, currency, number, negated=column == "ledger"),
            AMOUNT.shown(amount, currency),
        )
        for number, amount in part
    ]
    total = AMOUNT.shown(sum(amount for _number, amount in balances), currency)
    return {
        "note": f"{with_zone(at)} · {currency.pk}",
        **_list(given, lines, len(balances), start),
        "total": total,
    }


def _lines_until(at: datetime, currency: Currency, account: int, *, negated: bool) -> str:
    given: dict[str, object] = {
        "from": first_day(),
        "to": day_of(min(at, timezone.now())),
        "until": at.isoformat(),
        "currency": currency.pk,
        "account": account,
    }
    if negated:
        given["negated"] = 1
    return f"{reverse('report_entries')}?{urlencode(given)}"


@behind("people", _("People behind a figure"))
def _people(given: QueryDict) -> dict[str, object]:
    """The people whom a figure counts."""
    span, wanted = span_in(given), text_of(given, "by")
    by: By = next((grouping for grouping in BYS if grouping == wanted), "day")
    people = details.people_behind(span, by, only_in(given, Only), text_of(given, "figure"))
    start = number_of(given, "start")
    part = people[start : start + LINES_MAX]
    names = dict(get_user_model().objects.filter(pk__in=part).values_list("pk", "username"))
    lines = [DetailLine(names[player], reverse("player-file", args=[player])) for player in part]
    return {"note": _days(span), **_list(given, lines, len(people), start)}


@behind("shifts", _("Shifts behind a figure"))
def _shifts(given: QueryDict) -> dict[str, object]:
    """The shifts that began at a till in a range of days."""
    span, start = span_in(given), number_of(given, "start")
    shifts = shifts_of(span).filter(till=number_of(given, "till")).order_by("-pk")
    lines = [
        DetailLine(
            f"{shift.till} · {shift.cashier_name} · {house_time(shift.opened_at)}",
            reverse("desk-shift", args=[shift.pk]),
        )
        for shift in shifts[start : start + LINES_MAX]
    ]
    return {"note": _days(span), **_list(given, lines, shifts.count(), start)}


@behind("counts", _("Counts behind a figure"))
def _counts(given: QueryDict) -> dict[str, object]:
    """The counts of a till in a range of days."""
    span, currency, start = span_in(given), _currency(given), number_of(given, "start")
    counts = counts_of(span).filter(shift__till=number_of(given, "till"), currency=currency)
    lines = [
        DetailLine(
            f"{count.get_kind_display()} · {count.shift.cashier_name} · {house_time(count.at)}",
            reverse("desk-shift", args=[count.shift_id]),
            AMOUNT.shown(count.counted, currency),
        )
        for count in counts.order_by("-pk")[start : start + LINES_MAX]
    ]
    return {"note": f"{_days(span)} · {currency.pk}", **_list(given, lines, counts.count(), start)}


def _days(span: Span) -> str:
    return f"{span.first} – {span.last}" if span.days > 1 else str(span.first)


def _list(
    given: QueryDict, lines: Sequence[DetailLine], number: int, start: int
) -> dict[str, object]:
    more = _with(given, start=start + LINES_MAX) if number > start + LINES_MAX else ""
    return {"lines": lines, "number": number, "more": more}
