"""What the page of a jackpot says: how it grew, what it paid, and what it costs."""

from collections.abc import Iterator
from datetime import date, datetime, timedelta
from fractions import Fraction
from functools import partial
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django.db.models import QuerySet
from django.urls import reverse
from django.utils import timezone
from django.utils.formats import number_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.office.reports.columns import Row
from casino.office.reports.facts import Span
from casino.office.reports.figures import Figures
from casino.office.reports.office_reports.jackpots import REPORT
from games.models import Hand, HandSeat
from games.tables.settings import JackpotCost, costs_of_jackpot
from games.views.hand import settled_lines
from games.words.charts import Plot, Series, days_between, over_slots
from games.words.naming import player_title
from wallets.models import Entry, Jackpot
from wallets.money import jackpots
from wallets.staff.approvals import Arguments, Order
from wallets.staff.staff_verbs import ChangeJackpot
from wallets.values.amounts import show_amounts
from wallets.values.days import ONE_DAY, day_of
from wallets.values.player import Viewer

DAYS: Final = 30
HITS_SHOWN: Final = 12
FLOWS: Final = ("fed", "hit", "hits", "seeded", "drained")


class Month(NamedTuple):
    """What moved in the last thirty days, in all, and what the pool held in the evenings."""

    sums: dict[str, int]
    evenings: dict[date, int]


class Hit(NamedTuple):
    """A hand that was paid from the pool, and to whom."""

    hand: Hand
    amount: int
    winners: list[tuple[str, str]]


class CostLine(NamedTuple):
    """What the pools cost at a table: shares of a bonus bet, now and with other settings."""

    cost: JackpotCost
    then: JackpotCost | None = None

    @property
    def costs(self) -> str:
        return percent(self.cost.cost)

    @property
    def keeps(self) -> str:
        return percent(self.cost.kept)

    @property
    def costs_then(self) -> str:
        return percent(self.then.cost) if self.then else "–"

    @property
    def keeps_then(self) -> str:
        return percent(self.then.kept) if self.then else "–"

    @property
    def bets_a_hit(self) -> str:
        """How many bonus bets there are for each hit, on average."""
        chance = self.cost.chance
        return number_format(round(1 / chance), force_grouping=True) if chance else "–"


def asks_a_colleague(member: Viewer, arguments: Arguments) -> bool:
    """Whether a change of settings would wait for a second person."""
    order = Order(arguments, member, "", uuid4(), timezone.now())
    return ChangeJackpot().needs_approval(order)


def percent(share: Fraction) -> str:
    return f"{100 * float(share):.2f} %".replace("-", "\N{MINUS SIGN}")


def cost_lines(jackpot: Jackpot, wanted: Jackpot | None = None) -> list[CostLine]:
    """The tables that play for a jackpot, or would with other settings."""
    now = {cost.table.pk: cost for cost in costs_of_jackpot(jackpot)}
    if wanted is None:
        return [CostLine(cost) for cost in now.values()]
    then = {cost.table.pk: cost for cost in costs_of_jackpot(wanted)}
    nothing = Fraction(0)
    tables = {key: cost.table for key, cost in (*now.items(), *then.items())}
    return [
        CostLine(now.get(key) or JackpotCost(table, nothing, nothing, nothing), then.get(key))
        for key, table in tables.items()
    ]


def month_of(jackpot: Jackpot, now: datetime) -> Month:
    """The same figures as in the report of jackpots by day."""
    today = day_of(now)
    span = Span(today - timedelta(days=DAYS - 1), today)
    rows = {
        row["day"]: row
        for row in REPORT.rows(Figures(span), "day")
        if row.only["jackpot"] == jackpot.pk
    }
    sums = {name: sum(row[name] for row in rows.values()) for name in FLOWS}
    evenings: dict[date, int] = {}
    holds, day = _before(rows, jackpot), span.first
    while day <= today:
        holds = rows[day]["owed"] if day in rows else holds
        evenings[day] = holds
        day += ONE_DAY
    return Month(sums, evenings)


def _before(rows: dict[Any, Row], jackpot: Jackpot) -> int:
    """Return what the pool held before the first day on which it moved."""
    if not rows:
        return jackpot.pool.balance
    first = rows[min(rows)]
    moved: int = first["fed"] - first["hit"] + first["seeded"] - first["drained"]
    return int(first["owed"]) - moved


def growth(jackpot: Jackpot, month: Month) -> SafeString:
    currency, title = jackpot.pool.currency, _("Held in the evening")
    plot = Plot(
        name="growth",
        title=f"{title}, {currency.code}",
        slots=days_between(month.evenings),
        write=partial(show_amounts, currency=currency),
        lines=[Series(_("Pool"), month.evenings)],
        unit=10**currency.exponent,
        unfinished=True,
    )
    return over_slots(plot)


def hits(jackpot: Jackpot) -> list[Hit]:
    """The last hands that took more out of the pool than they brought, the latest first."""
    paid: QuerySet[Entry] = Entry.objects.filter(account=jackpot.pool_id, amount__lt=0)
    paid = paid.exclude(transaction__book=jackpots.BOOK).filter(transaction__kind="hand")
    references = paid.order_by("-pk").values_list("transaction__reference", flat=True)
    keys = [int(reference.partition(":")[2]) for reference in references[:HITS_SHOWN]]
    hands = Hand.objects.select_related("table").in_bulk(keys)
    return [_hit(hands[key], jackpot) for key in keys if key in hands]


def _hit(hand: Hand, jackpot: Jackpot) -> Hit:
    lines = [
        line
        for line in settled_lines(hand)
        if line["key"] == "pool_paid" and line["source"] == jackpot.kind
    ]
    numbers = {int(str(line["values"].get("seat", 0))) for line in lines}
    return Hit(hand, sum(line["amount"] for line in lines), list(_winners(hand, numbers)))


def _winners(hand: Hand, numbers: set[int]) -> Iterator[tuple[str, str]]:
    """The names of the winners, and the files of those who are people."""
    seats = HandSeat.objects.filter(hand=hand, number__in=numbers).select_related("player")
    for seat in seats.order_by("number"):
        player = seat.player
        address = "" if player.is_bot else reverse("player-file", args=[player.pk])
        yield player_title(player.username, player.is_bot), address
