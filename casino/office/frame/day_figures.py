"""Today compared with the same weekday of the week before, from the figures of the reports.

All readers share one count for a minute, since the hands of an open day are counted one by one.
"""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from django.core.cache import cache
from django.db.models import Sum
from django.db.models.functions import Abs
from django.urls import reverse
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _

from casino.office.reports.columns import Column, Row, percent
from casino.office.reports.debts import OWED
from casino.office.reports.figures import Figures
from casino.office.reports.hold import held_by
from casino.office.reports.models import HeldDay
from casino.office.reports.office_reports.revenue import Revenue
from casino.office.reports.page_parts import shown
from casino.office.reports.spans import Span
from casino.office.reports.sums import WHOLE
from games.models import Hand, HandSeat
from games.words import charts
from games.words.naming import player_title
from wallets.models import Account, Currency
from wallets.values.amounts import show_amount
from wallets.values.days import ONE_DAY, day_of

WEEK: Final = timedelta(days=7)
# A line shows so many days, today's unfinished one last.
LINE: Final = timedelta(days=13)
KEPT_SECONDS: Final = 60
LARGEST: Final = 10
PERCENT: Final = Column("held", "", "percent", "ratio")


class Figure(NamedTuple):
    """One figure of today and of the same weekday before, and the page behind it."""

    words: str
    today: str
    before: str
    address: str
    # A path of `charts.spark_line`.
    line: str = ""


class Result(NamedTuple):
    """What a player won or lost in one hand."""

    player: str
    shown: str
    is_loss: bool
    code: str


class OfCurrency(NamedTuple):
    code: str
    figures: list[Figure]


class Day(NamedTuple):
    """The figures of today by currency, money before play money and the busiest first.

    The largest results are those of the first currency, since amounts of two are not compared.
    """

    currencies: list[OfCurrency]
    results: list[Result]


def day_figures(now: datetime) -> Day:
    key = f"office-day:{get_language()}:{day_of(now)}"
    kept: Day | None = cache.get(key)
    if kept is None:
        kept = _counted(now)
        cache.set(key, kept, KEPT_SECONDS)
    return kept


def _counted(now: datetime) -> Day:
    today = day_of(now)
    rows = list(Revenue().rows(Span(today - LINE, today), "day"))
    currencies = Currency.objects.in_bulk({row.currency for row in rows} | _holding())
    owed, hold = _owed(today), _hold(today)

    def rank(code: str) -> tuple[bool, int]:
        hands = sum(row["hands"] for row in rows if row.currency == code)
        return currencies[code].kind != Currency.Kind.MONEY, -hands

    found = [
        OfCurrency(
            code,
            [
                *_earned([row for row in rows if row.currency == code], today, currencies[code]),
                _figure(_("Owed to players"), owed.get(code, {}), today, currencies[code]),
                _held(hold.get(code, {}), today, code),
            ],
        )
        for code in sorted(currencies, key=rank)
        if not currencies[code].is_chips
    ]
    return Day(found, _largest(now, currencies[found[0].code]) if found else [])


def _earned(rows: Sequence[Row], today: date, currency: Currency) -> list[Figure]:
    by_day = {row["day"]: row for row in rows}
    found = []
    for name, words in (
        ("gross", _("Gross revenue")),
        ("hands", _("Hands")),
        ("players", _("Players")),
    ):
        values = {day: row[name] for day, row in by_day.items()}
        unit = "money" if name == "gross" else "count"
        found.append(_figure(words, values, today, currency, unit=unit, report="revenue"))
    return found


def _figure(
    words: str,
    by_day: dict[date, int],
    today: date,
    currency: Currency,
    *,
    unit: str = "money",
    report: str = "liability",
) -> Figure:
    def text(day: date) -> str:
        # A day of the past without a row is not known to be zero.
        value = by_day.get(day, 0 if day == today else None)
        return shown(value, Column("", "", unit), currency)  # type: ignore[arg-type]

    days = [today - LINE + timedelta(days=number) for number in range(LINE.days + 1)]
    values = [by_day.get(day, 0) for day in days]
    address = _report(report, today, currency.pk)
    return Figure(words, text(today), text(today - WEEK), address, charts.spark_line(values))


def _held(hold: dict[date, str], today: date, code: str) -> Figure:
    return Figure(
        _("Held against promised"),
        hold.get(today, "–"),
        hold.get(today - WEEK, "–"),
        _report("returns", today, code),
    )


def _holding() -> set[str]:
    return set(Account.objects.filter(balance__gt=0).values_list("currency", flat=True).distinct())


def _owed(today: date) -> dict[str, dict[date, int]]:
    """By currency and day: what players were owed at its end; today, what they are owed now."""
    found: dict[str, dict[date, int]] = {}
    past = HeldDay.objects.filter(kind__in=OWED, on__range=(today - LINE, today), on__lt=today)
    for code, day, amount in past.values_list("currency_id", "on").annotate(sum=Sum("amount")):
        found.setdefault(code, {})[day] = int(amount)
    held = Account.objects.filter(kind__in=OWED).order_by()
    for code, amount in held.values_list("currency_id").annotate(sum=Sum("balance")):
        found.setdefault(code, {})[today] = int(amount)
    return found


def _hold(today: date) -> dict[str, dict[date, str]]:
    """By currency and day: the hold of all bets against the house, and what was promised."""
    found: dict[str, dict[date, str]] = {}
    for (group, bet), held in held_by(Figures(Span(today - WEEK, today)), "day").items():
        day, code = group
        handle = held.sums.handle
        if bet != WHOLE or not handle:
            continue
        promise = held.promise(handle)
        share = None if promise is None else 100 * float(promise.edge)
        parts = [shown(one, PERCENT, None) for one in (percent(held.sums.kept, handle), share)]
        found.setdefault(code, {})[day] = " / ".join(parts)
    return found


def _largest(now: datetime, currency: Currency) -> list[Result]:
    """The seats that won or lost most in hands that ended within a day."""
    seats = HandSeat.objects.filter(
        currency=currency, ended_at__gt=now - ONE_DAY, status=Hand.Status.FINISHED
    ).exclude(net=0)
    found = seats.order_by(Abs("net").desc(), "-pk").select_related("hand", "player")
    return [
        Result(
            player_title(seat.player.username, seat.player.is_bot),
            show_amount(seat.net, currency, is_exact=True),
            seat.net < 0,
            seat.hand.code,
        )
        for seat in found[:LARGEST]
    ]


def _report(name: str, day: date, code: str) -> str:
    first = day - LINE
    query = urlencode({"from": str(first), "to": str(day), "by": "day", "currency": code})
    return f"{reverse(f'report_{name}')}?{query}"
