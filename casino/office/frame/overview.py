"""The first page of the back office: news and tasks of its reader, and the day's figures.

All readers share one count for a minute, since the hands of an open day are counted one by one.

Each part belongs to a permission, so the page of a role follows from what the role may see.
"""

from collections.abc import Callable, Iterable, Mapping
from datetime import date, datetime, timedelta
from typing import Final, NamedTuple

from django.core.cache import cache
from django.db.models import Q, Sum
from django.db.models.functions import Abs
from django.http import HttpRequest
from django.urls import reverse
from django.utils import timezone
from django.utils.http import urlencode
from django.utils.translation import get_language
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _n

from casino.office.alarms import condition_checks
from casino.office.desk import cash, requests
from casino.office.desk.models import Receipt
from casino.office.desk.receipts import SEE_ALL, WORK
from casino.office.desk.shifts import MANAGE, own_shift
from casino.office.desk.summary import lately_different, lines, shows_expected
from casino.office.floor import closing, halting, listing
from casino.office.floor.floor_context import open_alarms, waiting
from casino.office.frame.audit_pages import check_states
from casino.office.frame.house_pages import health_rows
from casino.office.reports.balances import OWED, first_day, held_at
from casino.office.reports.columns import Column, change, percent
from casino.office.reports.facts import WHOLE, Span
from casino.office.reports.figures import Figures
from casino.office.reports.hold import held_by
from casino.office.reports.models import HeldDay
from casino.office.reports.office_reports.revenue import Revenue
from casino.office.reports.report import READ as READ_REPORTS
from games.models import Hand, HandSeat, Table
from games.records.record import AUDIT
from games.tables.jackpots import jackpot_view
from games.words import charts
from games.words.naming import player_title
from tournaments.models import Tournament
from wallets.models import Currency, Jackpot
from wallets.staff.permitted import money
from wallets.values.amounts import show_amount
from wallets.values.days import ONE_DAY, day_of, start_of
from wallets.values.player import Player, player_of
from wallets.values.registry import Registry

WEEK: Final = timedelta(days=7)
# A line shows so many days, today's unfinished one last.
LINE: Final = timedelta(days=13)
KEPT_SECONDS: Final = 60
LARGEST: Final = 10
# A figure that has changed by more than this part of what it was is marked.
MARKED: Final = 5
PERCENT: Final = Column("held", "", "percent", "ratio")
DAY_FIGURES: Final = (
    ("gross", _n("Gross revenue"), "money"),
    ("from_people", _n("From people"), "money"),
    ("hands", _n("Hands"), "count"),
    ("players", _n("Players"), "count"),
    ("bots", _n("Bots"), "count"),
)


class Figure(NamedTuple):
    """One figure of today and of the same hours a week before, and the page behind it."""

    words: str
    today: str
    before: str
    address: str
    # By how much it has changed, if percent say it well, and whether that is much.
    change: str = ""
    is_marked: bool = False
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


def same_time_before(now: datetime) -> datetime:
    """The instant a week before that is as far into its gaming day."""
    today = day_of(now)
    return start_of(today - WEEK) + (now - start_of(today))


def _counted(now: datetime) -> Day:
    today, then = day_of(now), same_time_before(now)
    line = Figures(Span(today - LINE, today))
    before = Figures(Span(today - WEEK, today - WEEK), until=then)
    # Before its first day a house has no figures, which is not the same as zero.
    opened = first_day()
    is_known = opened is not None and opened <= today - WEEK
    rows = list(Revenue().rows(line, "day"))
    rows_before = {row.currency: row for row in Revenue().rows(before, "day")}
    owed, owed_before = (_owed_at(at) if at == now or is_known else {} for at in (now, then))
    held, held_before = _hold(line.over(Span(today, today))), _hold(before)
    owed_by_day = _owed_by_day(today)
    currencies = Currency.objects.in_bulk({row.currency for row in rows} | owed.keys())

    def rank(code: str) -> tuple[bool, int]:
        hands = sum(row["hands"] for row in rows if row.currency == code)
        return currencies[code].kind != Currency.Kind.MONEY, -hands

    def of_currency(currency: Currency) -> list[Figure]:
        code = currency.pk
        by_day = {row["day"]: row for row in rows if row.currency == code}
        last_week = rows_before.get(code)
        figures = []
        for name, words, unit in DAY_FIGURES:
            values = {day: row[name] for day, row in by_day.items()}
            past = last_week[name] if last_week else 0 if is_known else None
            column = Column(name, "", unit)  # type: ignore[arg-type]
            figure = compared(column, values, past, today, currency)
            figures.append(figure._replace(words=_(words), address=_report("revenue", today, code)))
        values = owed_by_day.get(code, {}) | {today: owed.get(code, 0)}
        past = owed_before.get(code, 0) if is_known else None
        figure = compared(Column("owed", "", "money"), values, past, today, currency)
        address = _report("liability", today, code)
        figures.append(figure._replace(words=_("Owed to players"), address=address))
        kept, kept_before = (by_currency.get(code, "–") for by_currency in (held, held_before))
        address, words = _report("returns", today, code), _("Held against promised")
        figures.append(Figure(words, kept, kept_before, address))
        return figures

    of_currencies = [
        OfCurrency(code, of_currency(currencies[code]))
        for code in sorted(currencies, key=rank)
        if not currencies[code].is_chips
    ]
    return Day(
        of_currencies, _largest(now, currencies[of_currencies[0].code]) if of_currencies else []
    )


def compared(
    column: Column, by_day: Mapping[date, int], past: int | None, today: date, currency: Currency
) -> Figure:
    value = by_day.get(today, 0)
    days = [today - LINE + ONE_DAY * number for number in range(LINE.days + 1)]
    return Figure(
        "",
        column.shown(value, currency),
        column.shown(past, currency),
        "",
        change(past, value),
        past is not None and MARKED * abs(value - past) > abs(past),
        charts.spark_line([by_day.get(day, 0) for day in days]),
    )


def _owed_at(at: datetime) -> dict[str, int]:
    """By currency: what people were owed at an instant."""
    owed: dict[str, int] = {}
    for (code, kind), amount in held_at(at).items():
        if kind in OWED:
            owed[code] = owed.get(code, 0) + amount
    return owed


def _owed_by_day(today: date) -> dict[str, dict[date, int]]:
    """By currency: what people were owed at the end of each closed day."""
    owed: dict[str, dict[date, int]] = {}
    past = HeldDay.objects.filter(kind__in=OWED, on__range=(today - LINE, today), on__lt=today)
    for code, day, amount in past.values_list("currency_id", "on").annotate(sum=Sum("amount")):
        owed.setdefault(code, {})[day] = int(amount)
    return owed


def _hold(figures: Figures) -> dict[str, str]:
    """By currency: the hold of all bets against the house, and what was promised."""
    holds = {}
    for ((_day, code), bet), held in held_by(figures, "day").items():
        handle = held.sums.handle
        if bet != WHOLE or not handle:
            continue
        share = None if held.share is None else float(100 * held.share)
        parts = [PERCENT.shown(figure, None) for figure in (percent(held.sums.kept, handle), share)]
        holds[code] = " / ".join(parts)
    return holds


def _largest(now: datetime, currency: Currency) -> list[Result]:
    """The people who won or lost most in hands that ended within a day."""
    seats = HandSeat.objects.filter(
        currency=currency,
        ended_at__gt=now - ONE_DAY,
        status=Hand.Status.FINISHED,
        player__is_bot=False,
    ).exclude(net=0)
    hand_seats = seats.order_by(Abs("net").desc(), "-pk").select_related("hand", "player")
    return [
        Result(
            player_title(seat.player.username, seat.player.is_bot),
            show_amount(seat.net, currency, is_exact=True),
            seat.net < 0,
            seat.hand.code,
        )
        for seat in hand_seats[:LARGEST]
    ]


def _report(name: str, day: date, code: str) -> str:
    first = day - LINE
    query = urlencode({"from": str(first), "to": str(day), "by": "day", "currency": code})
    return f"{reverse(f'report_{name}')}?{query}"


SHOWN: Final = 8
DECIDES: Final = "wallets.approve_proposal"
READ_HEALTH: Final = "upkeep.read_health"
RUNS_EVENTS: Final = "tournaments.view_tournament"
SEES_JACKPOTS: Final = "wallets.change_jackpot"


class Line(NamedTuple):
    """What an optional app says on the first page, and the page behind it."""

    words: str
    address: str


LINES: Final = Registry[Callable[[Player, datetime], Line | None]]("line of the overview")


class NearJackpot(NamedTuple):
    """A prize that must be hit before it has grown to its highest amount."""

    name: str
    holds: str
    highest: str
    percent: int
    address: str


def overview(request: HttpRequest, context: dict[str, object]) -> dict[str, object]:
    """Add to the context of the first page what this reader may see."""
    member, now = player_of(request), timezone.now()
    shown: dict[str, object] = {
        "now": now,
        "proposals": waiting(member, now),
        "lines": [said for line in LINES.values() if (said := line(member, now))],
        "may": {"take": member.has_perm(condition_checks.TAKE), "decide": member.has_perm(DECIDES)},
    }
    if member.has_perm(condition_checks.SEE):
        shown["alarms"] = open_alarms(member)
    if member.has_perm(closing.SEE):
        shown |= _floor(member, now)
    if member.has_perm(READ_REPORTS):
        shown["day"] = day_figures(now)
    if member.has_perm(RUNS_EVENTS):
        shown["events"] = events_of_today(now)
    if member.has_perm(SEES_JACKPOTS):
        shown["jackpots"] = _near_jackpots()
    if member.has_perm(WORK):
        shown |= _desk(member)
    if member.has_perm(SEE_ALL):
        shown["variances"] = lately_different(now)[:SHOWN]
    if member.has_perm(AUDIT) or member.has_perm(READ_HEALTH):
        shown["checks"] = check_states(now, for_auditor=member.has_perm(AUDIT))
    if member.has_perm(READ_HEALTH) and not member.has_perm(READ_REPORTS):
        # Others have the alarms, which say what does not work.
        shown["health"] = health_rows(now)
    return context | shown


def _floor(member: Player, now: datetime) -> dict[str, object]:
    """The room, and the tables that need a member of staff: for the floor, all by their need."""
    rows = listing.rows(now)
    context: dict[str, object] = {
        "totals": listing.totals(rows),
        "house": closing.state(),
        "needing": _needing(rows)[:SHOWN],
        "may_halt": member.has_perm(halting.HALT),
    }
    if member.has_perm(halting.HALT) and not member.has_perm(READ_REPORTS):
        usable = [row for row in rows if row.status != Table.Status.CLOSED]
        context["by_need"] = sorted(usable, key=listing.ORDERS["need"])[:SHOWN]
    return context


def _needing(rows: Iterable[listing.FloorRow]) -> list[listing.FloorRow]:
    """Tables that are stuck, the latest first, and those that are closing."""
    floor_rows = [row for row in rows if row.is_stuck or row.status == Table.Status.CLOSING]
    return sorted(floor_rows, key=lambda row: (not row.is_stuck, -row.late, row.name))


def events_of_today(now: datetime) -> list[Tournament]:
    """Running events, and those that begin today."""
    today = start_of(day_of(now))
    begins = Q(starts_at__gte=today, starts_at__lt=start_of(day_of(now) + ONE_DAY))
    runs = Q(started_at__isnull=False, ended_at__isnull=True)
    tournaments = Tournament.objects.filter(begins | runs).select_related("currency")
    return list(tournaments.order_by("starts_at", "pk")[:SHOWN])


def _near_jackpots() -> list[NearJackpot]:
    """The prizes with a highest amount, the fullest first."""
    jackpots = Jackpot.objects.filter(active=True, kind=Jackpot.Kind.MYSTERY, highest__gt=0)
    near = []
    for row in jackpots.select_related("pool__currency"):
        currency, jackpot = row.pool.currency, jackpot_view(row)
        near.append(
            NearJackpot(
                jackpot.name,
                money(jackpot.amount, currency),
                money(row.highest, currency),
                min(100, 100 * jackpot.amount // row.highest),
                reverse("admin:wallets_jackpot_change", args=[row.pk]),
            )
        )
    return sorted(near, key=lambda near_jackpot: -near_jackpot.percent)[:SHOWN]


def _desk(member: Player) -> dict[str, object]:
    """The member's own till, and who waits for money."""
    shift = own_shift(member)
    # Counting is blind: a cashier reads what the till should hold after a count.
    shows = shift is not None and shows_expected(member, shift, lines(shift))
    held = cash.held_by(shift.till) if shift and shows else {}
    known = Currency.objects.in_bulk(held) if held else {}
    return {
        "shift": shift,
        "holds": [money(amount, known[code]) for code, amount in held.items()],
        # Managers may work at a till, too; those who do not see no empty one.
        "at_desk": shift is not None or not member.has_perm(MANAGE),
        "requests": list(requests.waiting()[:SHOWN]),
        "receipts": list(
            Receipt.objects.filter(cashier=member.pk)
            .select_related("currency", "player", "till")
            .order_by("-pk")[:SHOWN]
        ),
    }
