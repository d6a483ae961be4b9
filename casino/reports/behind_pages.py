"""The pages behind a figure: hands, lines of the ledger, accounts, people, shifts and counts.

Each names the figure by which it was opened, and what it comes to: the figure of the report.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from datetime import date, datetime
from itertools import islice
from typing import Final, NamedTuple
from urllib.parse import urlencode

from django.contrib import admin
from django.contrib.auth import get_user_model
from django.http import HttpRequest, HttpResponse, QueryDict
from django.template.response import TemplateResponse
from django.urls import reverse
from django.utils import timezone
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _
from django.views.decorators.http import require_safe

from casino.desk.models import Count, Shift
from casino.reports import behind_hands, behind_ledger
from casino.reports.behind_hands import Amounts
from casino.reports.behind_ledger import EntriesOnly
from casino.reports.behind_people import people_behind
from casino.reports.held import first_day
from casino.reports.page_parts import shown
from casino.reports.report import BYS, By, Column, Opens
from casino.reports.spans import Span, parse_day, parse_instant, span_of
from casino.reports.tills import counts_of, shifts_of
from casino.running_code import running_code
from games.rules.catalogue import GAMES
from games.words.naming import game_name
from wallets.errors import Refused
from wallets.in_words import account_in_words, kind_in_words, named
from wallets.models import Account, Currency
from wallets.replica import from_replica

LINES_MAX: Final = 200
TEXT_MAX: Final = 64
AMOUNT: Final = Column("amount", _("Amount"), "money")


class Line(NamedTuple):
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
    first, last = (parse_day(given.get(name, "")) for name in ("from", "to"))
    return span_of(first, last, timezone.now().date())


def hands_in(given: QueryDict) -> behind_hands.Only:
    """Return the hands that an address asks for."""
    return behind_hands.Only(
        currency=text_of(given, "currency"),
        game=text_of(given, "game"),
        table=number_of(given, "table"),
        profile=text_of(given, "profile"),
        player=number_of(given, "player"),
        bet=text_of(given, "bet"),
        jackpot=number_of(given, "jackpot"),
        against=text_of(given, "against"),
        people=bool(given.get("people")),
        less_grants=bool(given.get("less_grants")),
    )


def entries_in(given: QueryDict) -> EntriesOnly:
    """Return the lines of the ledger that an address asks for."""
    until = given.get("until")
    return EntriesOnly(
        currency=text_of(given, "currency"),
        kind=text_of(given, "kind"),
        actor=text_of(given, "actor"),
        book=text_of(given, "book"),
        account=number_of(given, "account"),
        player=number_of(given, "player"),
        sign=text_of(given, "sign"),
        negated=bool(given.get("negated")),
        gaming=bool(given.get("gaming")),
        until=parse_instant(until) if until else None,
    )


def _currency(given: QueryDict) -> Currency:
    found = Currency.objects.filter(pk=text_of(given, "currency")[:8]).first()
    if found is None:
        raise Refused("no_such_currency", _("There is no such currency."))
    return found


def _page(
    request: HttpRequest,
    template: str,
    title: str | Promise,
    fill: Callable[[QueryDict], dict[str, object]],
) -> HttpResponse:
    """A page, or the sentence that refuses an address that nobody was given."""
    context = {**admin.site.each_context(request), "title": title, "code": running_code()}
    try:
        context |= from_replica(fill)(request.GET)
    except Refused as refusal:
        context["wrong"] = refusal.sentence
    return TemplateResponse(request, f"backoffice/reports/{template}", context)


@require_safe
def hands_page(request: HttpRequest) -> HttpResponse:
    """The days behind a figure, or the hands of one day."""
    return _page(request, "behind.html", _("Hands behind a figure"), _hands)


def _hands(given: QueryDict) -> dict[str, object]:
    span, currency, only = span_in(given), _currency(given), hands_in(given)
    columns, figure = only.columns, text_of(given, "figure")
    whole: Amounts = Counter()
    days = behind_hands.days_behind(span, only)
    for amounts in days.values():
        whole.update(amounts)

    def cells(amounts: Amounts) -> list[str]:
        # A day of several is counted as one; a hand is no day.
        return [shown(amounts.get(one.name), one, currency) for one in columns]

    context: dict[str, object] = {
        "span": span,
        "only": only,
        "columns": columns,
        "figure": figure,
        "game": game_name(only.game) if only.game in GAMES else only.game,
        "total": cells(whole),
        "sum": [
            (one.words, shown(whole[one.name], one, currency))
            for one in columns
            if one.name == figure
        ],
    }
    if span.days > 1:
        context["lines"] = [
            {"words": day, "address": _of_day(given, day), "cells": cells(amounts)}
            for day, amounts in days.items()
        ]
        return context
    start = number_of(given, "start")
    found = list(islice(behind_hands.hands_behind(span.first, only), start, start + LINES_MAX + 1))
    context["lines"] = [
        {
            "words": one.code,
            "address": reverse("admin:games_hand_change", args=[one.hand]),
            "ledger": f"{reverse('admin:wallets_transaction_changelist')}?q=hand:{one.hand}",
            "cells": cells(one.amounts),
        }
        for one in found[:LINES_MAX]
    ]
    if granted := behind_hands.grants_behind(span, only).get(span.first):
        context["granted"] = {
            "address": f"{reverse('report_entries')}?{_grants(given)}",
            "cells": cells(Counter(kept=-granted)),
        }
    if len(found) > LINES_MAX:
        context["more"] = _with(given, start=start + LINES_MAX)
    return context


def _grants(given: QueryDict) -> str:
    kept = given.copy()
    kept["kind"], kept["figure"] = "grant", "grants"
    return kept.urlencode()


def _of_day(given: QueryDict, day: date) -> str:
    return _with(given, **{"from": day, "to": day})


def _with(given: QueryDict, **values: object) -> str:
    kept = given.copy()
    for name, value in values.items():
        kept[name] = str(value)
    return f"?{kept.urlencode()}"


@require_safe
def entries_page(request: HttpRequest) -> HttpResponse:
    """The ledger lines behind a figure, the newest first."""
    return _page(request, "entries.html", _("Ledger lines behind a figure"), _entries)


def _entries(given: QueryDict) -> dict[str, object]:
    span, currency, only = span_in(given), _currency(given), entries_in(given)
    entries = behind_ledger.entries_behind(span, only)
    page = entries.order_by("-pk")
    if before := number_of(given, "before"):
        page = page.filter(pk__lt=before)
    found = list(page[: LINES_MAX + 1])
    known = named({one.account.owner for one in found} | {one.transaction.actor for one in found})
    context = {
        "span": span,
        "currency": currency,
        "number": entries.count(),
        "total": shown(behind_ledger.total(entries, only), AMOUNT, currency),
        "lines": [
            {
                "entry": one,
                "kind": kind_in_words(one.transaction.kind),
                "owner": known.get(one.account.owner),
                "actor": known.get(one.transaction.actor),
                "amount": shown(-one.amount if only.negated else one.amount, AMOUNT, currency),
            }
            for one in found[:LINES_MAX]
        ],
    }
    if len(found) > LINES_MAX:
        context["more"] = _with(given, before=found[LINES_MAX - 1].pk)
    return context


@require_safe
def accounts_page(request: HttpRequest) -> HttpResponse:
    """The accounts behind what the house owed at an instant, the largest first."""
    return _page(request, "behind_list.html", _("Accounts behind a figure"), _accounts)


def _accounts(given: QueryDict) -> dict[str, object]:
    currency, at = _currency(given), parse_instant(given.get("at", ""))
    column = text_of(given, "figure")
    if column not in behind_ledger.HELD_BY:
        raise Refused("no_such_figure", _("There is no such figure."))
    found = behind_ledger.accounts_behind(at, currency.pk, column)
    start = number_of(given, "start")
    part = found[start : start + LINES_MAX]
    accounts = Account.objects.in_bulk([number for number, _amount in part])
    known = named(one.owner for one in accounts.values())
    lines = [
        Line(
            account_in_words(accounts[number], known),
            _lines_until(at, currency, number, negated=column == "ledger"),
            shown(amount, AMOUNT, currency),
        )
        for number, amount in part
    ]
    total = shown(sum(amount for _number, amount in found), AMOUNT, currency)
    return {
        "note": f"{at:%Y-%m-%d %H:%M:%S} UTC · {currency.pk}",
        **_list(given, lines, len(found), start),
        "total": total,
    }


def _lines_until(at: datetime, currency: Currency, account: int, *, negated: bool) -> str:
    """All lines of an account up to an instant."""
    given: dict[str, object] = {
        "from": first_day(),
        "to": at.date() if at <= timezone.now() else timezone.now().date(),
        "until": at.isoformat(),
        "currency": currency.pk,
        "account": account,
    }
    if negated:
        given["negated"] = 1
    return f"{reverse('report_entries')}?{urlencode(given)}"


@require_safe
def people_page(request: HttpRequest) -> HttpResponse:
    """The people whom a figure counts."""
    return _page(request, "behind_list.html", _("People behind a figure"), _people)


def _people(given: QueryDict) -> dict[str, object]:
    span, wanted = span_in(given), text_of(given, "by")
    by: By = next((one for one in BYS if one == wanted), "day")
    found = people_behind(span, by, hands_in(given), text_of(given, "figure"))
    start = number_of(given, "start")
    part = found[start : start + LINES_MAX]
    names = dict(get_user_model().objects.filter(pk__in=part).values_list("pk", "username"))
    lines = [Line(names[one], reverse("player-file", args=[one])) for one in part]
    return {"note": _days(span), **_list(given, lines, len(found), start)}


@require_safe
def shifts_page(request: HttpRequest) -> HttpResponse:
    """The shifts that began at a till in a range of gaming days."""
    return _page(request, "behind_list.html", _("Shifts behind a figure"), _shifts)


def _shifts(given: QueryDict) -> dict[str, object]:
    span, start = span_in(given), number_of(given, "start")
    found = shifts_of(span).filter(till=number_of(given, "till")).order_by("-pk")
    lines = [_shift(one) for one in found[start : start + LINES_MAX]]
    return {"note": _days(span), **_list(given, lines, found.count(), start)}


def _shift(shift: Shift) -> Line:
    words = f"{shift.till} · {shift.cashier_name} · {shift.opened_at:%Y-%m-%d %H:%M}"
    return Line(words, reverse("desk-shift", args=[shift.pk]))


@require_safe
def counts_page(request: HttpRequest) -> HttpResponse:
    """The counts of a till in a range of gaming days."""
    return _page(request, "behind_list.html", _("Counts behind a figure"), _counts)


def _counts(given: QueryDict) -> dict[str, object]:
    span, currency, start = span_in(given), _currency(given), number_of(given, "start")
    found = counts_of(span).filter(shift__till=number_of(given, "till"), currency=currency)
    lines = [_count(one, currency) for one in found.order_by("-pk")[start : start + LINES_MAX]]
    return {"note": f"{_days(span)} · {currency.pk}", **_list(given, lines, found.count(), start)}


def _count(count: Count, currency: Currency) -> Line:
    words = f"{count.get_kind_display()} · {count.shift.cashier_name} · {count.at:%Y-%m-%d %H:%M}"
    address = reverse("desk-shift", args=[count.shift_id])
    return Line(words, address, shown(count.counted, AMOUNT, currency))


def _days(span: Span) -> str:
    return f"{span.first} – {span.last}" if span.days > 1 else str(span.first)


def _list(given: QueryDict, lines: Sequence[Line], number: int, start: int) -> dict[str, object]:
    more = _with(given, start=start + LINES_MAX) if number > start + LINES_MAX else ""
    return {"lines": lines, "number": number, "more": more}


# By the last part of the address: what opens it, and how the page of roles calls it.
PAGES: Final[dict[Opens, tuple[Callable[[HttpRequest], HttpResponse], Promise]]] = {
    "hands": (hands_page, _("Hands behind a figure")),
    "entries": (entries_page, _("Ledger lines behind a figure")),
    "accounts": (accounts_page, _("Accounts behind a figure")),
    "people": (people_page, _("People behind a figure")),
    "shifts": (shifts_page, _("Shifts behind a figure")),
    "counts": (counts_page, _("Counts behind a figure")),
}
