"""A player's money and play: wallets, chips at tables, in and out, hands, results by game.

Every query reads the player's own accounts by an index, and a chart at most `LINES_MAX` lines of
them, however long the ledger is.

Results come from the sums of closed days and the few hands since, never from all hands; hands from
the index of the player's history. A hand that runs is in none of it.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import UTC, date, datetime
from functools import partial
from typing import Final, NamedTuple

from django.db.models import Count, Q, Sum
from django.db.models.functions import TruncMonth
from django.utils.formats import date_format
from django.utils.safestring import SafeString
from django.utils.translation import gettext as _

from casino.accounts.models import Player
from casino.office.reports.entries import at_the_desk
from games.models import DayResult, Hand, HandSeat, Seat
from games.records import day_index
from games.words.charts import Plot, added_up, over_slots
from games.words.naming import game_name, table_title
from wallets.models import Account, Currency, Entry
from wallets.models.holders import player_reference
from wallets.money.accounts import statement
from wallets.pages.views import entry_rows
from wallets.values.amounts import show_amounts
from wallets.values.days import start_of

LINES: Final = 8
MONTHS: Final = 12
# The chart reads so many of the newest lines of an account.
LINES_MAX: Final = 5_000


class CurrencyHoldings(NamedTuple):
    """The money that the house holds for a player in one currency."""

    currency: Currency
    wallet: Account | None
    aside: Account | None
    tables: int

    @property
    def in_wallet(self) -> int:
        return self.wallet.balance if self.wallet else 0

    @property
    def set_aside(self) -> int:
        return self.aside.balance if self.aside else 0

    @property
    def owed(self) -> int:
        return self.in_wallet + self.set_aside + self.tables


class Flow(NamedTuple):
    """The money that went in and out at the desk within the months of the chart."""

    chart: SafeString
    paid_in: int
    paid_out: int
    # Whether there are older lines than the chart has read.
    cut: bool


def held_by(player: Player, seats: Sequence[Seat]) -> list[CurrencyHoldings]:
    """By currency, the fullest wallet first; tournament chips are no money."""
    accounts = Account.objects.filter(
        kind__in=(Account.Kind.PLAYER, Account.Kind.ESCROW), owner=player_reference(player.pk)
    ).exclude(currency__kind=Currency.Kind.CHIPS)
    by_kind = {
        (account.currency_id, account.kind): account
        for account in accounts.select_related("currency")
    }
    tables: dict[str, int] = defaultdict(int)
    currencies = {account.currency_id: account.currency for account in by_kind.values()}
    for seat in seats:
        if not seat.table.currency.is_chips:
            tables[seat.table.currency_id] += seat.stack.balance
            currencies[seat.table.currency_id] = seat.table.currency
    held = [
        CurrencyHoldings(
            currency,
            by_kind.get((code, Account.Kind.PLAYER)),
            by_kind.get((code, Account.Kind.ESCROW)),
            tables[code],
        )
        for code, currency in currencies.items()
    ]
    return sorted(held, key=lambda holdings: (-holdings.in_wallet, holdings.currency.code))


def chosen(player: Player, held: Sequence[CurrencyHoldings], code: str) -> CurrencyHoldings | None:
    """Return the currency that the address names, or that of the last hand for money."""
    if not code:
        codes = [holdings.currency.code for holdings in held]
        ended = HandSeat.objects.filter(player=player, ended_at__isnull=False, currency__in=codes)
        last = ended.order_by("-ended_at", "-hand").values_list("currency", flat=True)[:1]
        code = next(iter(last), "")
    return next(
        (holdings for holdings in held if holdings.currency.code == code), next(iter(held), None)
    )


def newest_lines(held: CurrencyHoldings) -> list[dict[str, object]]:
    return entry_rows(statement(held.wallet, limit=LINES).entries) if held.wallet else []


def flow(held: CurrencyHoldings, now: datetime) -> Flow:
    """Return what was paid in and out, by month."""
    accounts = [account for account in (held.wallet, held.aside) if account is not None]
    cut = False
    read = Q(pk__in=[])
    for account in accounts:
        lines = Entry.objects.filter(account=account).order_by("-pk").values("pk")
        # The oldest line that is read: from it on, the account's index gives the others.
        edge = lines[LINES_MAX - 1 : LINES_MAX].values_list("pk", flat=True).first()
        cut |= edge is not None
        read |= Q(account=account, pk__gte=edge or 0)
    months = _months(now)
    since = datetime(months[0].year, months[0].month, 1, tzinfo=UTC)
    rows = Entry.objects.filter(read & at_the_desk(), transaction__time__gte=since)
    by_month = rows.order_by().annotate(month=TruncMonth("transaction__time", tzinfo=UTC))
    sums: dict[str, dict[date, int]] = defaultdict(lambda: dict.fromkeys(months, 0))
    for month, kind, amount in by_month.values_list("month", "transaction__kind").annotate(
        Sum("amount")
    ):
        # A clock that was set back leaves lines after now.
        if month.date() in sums[kind]:
            sums[kind][month.date()] += amount
    return _drawn(sums, months, held.currency, cut=cut)


def _drawn(
    sums: dict[str, dict[date, int]], months: list[date], currency: Currency, *, cut: bool
) -> Flow:
    paid_in = sums.pop("deposit", dict.fromkeys(months, 0))
    paid_out = sums.pop("withdrawal", dict.fromkeys(months, 0))
    others = dict.fromkeys(months, 0)
    for by_month in sums.values():
        for month, amount in by_month.items():
            others[month] += amount
    series = [
        added_up(_("Paid in"), paid_in),
        added_up(_("Paid out"), paid_out),
        added_up(_("Given by the house, corrections"), others),
    ]
    title = _("In and out by month, {currency}").format(currency=currency.unit)
    plot = Plot(
        name="flow",
        title=title,
        slots={month: date_format(month, "M y") for month in months},
        write=partial(show_amounts, currency=currency),
        bars=series,
        unit=10**currency.exponent,
        unfinished=True,
    )
    return Flow(
        over_slots(plot),
        sum(paid_in.values()),
        -sum(paid_out.values()),
        cut,
    )


def _months(now: datetime) -> list[date]:
    """The first days of the last twelve months, the oldest first."""
    last = now.astimezone(UTC)
    number = last.year * 12 + last.month - 1
    return [
        date(month // 12, month % 12 + 1, 1) for month in range(number - MONTHS + 1, number + 1)
    ]


HANDS: Final = 8
SEATS: Final = 6


class HandLine(NamedTuple):
    """One finished hand, and what it brought the player."""

    number: int
    code: str
    game: str
    table: str
    ended_at: datetime | None
    net: int
    currency: Currency
    void: bool


class GameLine(NamedTuple):
    """A player's result at one game in one currency."""

    game: str
    hands: int
    net: int
    currency: Currency


def seats_now(player: Player) -> list[Seat]:
    held = Seat.objects.filter(player=player, left_at=None)
    return list(held.select_related("table__currency", "stack").order_by("sat_down_at"))


def seats_before(player: Player) -> list[Seat]:
    left = Seat.objects.filter(player=player, left_at__isnull=False)
    # By the time: the index of the player's seats is read, and not all seats backwards.
    return list(left.select_related("table").order_by("-sat_down_at")[:SEATS])


def last_hands(player: Player, currencies: dict[str, Currency]) -> list[HandLine]:
    """The newest finished hands for money, for which one index is enough."""
    money = [currency.code for currency in currencies.values() if not currency.is_chips]
    rows = HandSeat.objects.filter(
        player=player, ended_at__isnull=False, currency__in=money
    ).order_by("-ended_at", "-hand")
    values = rows.values_list(
        "hand", "hand__number", "table", "table__name", "game", "ended_at", "net", "currency",
        "status",
    )  # fmt: skip
    return [
        HandLine(
            number=hand,
            code=Hand(table_id=table, number=number).code,
            game=str(game_name(game)),
            table=table_title(name),
            ended_at=ended,
            net=net,
            currency=currencies[code],
            void=status == Hand.Status.VOID,
        )
        for hand, number, table, name, game, ended, net, code, status in values[:HANDS]
    ]


def results(player: Player, currencies: dict[str, Currency]) -> list[GameLine]:
    """By game and currency, the most played first."""
    sums: dict[tuple[str, str], tuple[int, int]] = {}
    since = day_index.open_since()
    open_hands = HandSeat.objects.filter(
        player=player, ended_at__isnull=False, status=Hand.Status.FINISHED
    )
    if since is not None:
        open_hands = open_hands.filter(ended_at__gte=start_of(since))
        closed = DayResult.objects.filter(player=player).order_by()
        _add(
            sums,
            closed.values_list("currency", "game").annotate(
                count=Sum(day_index.HANDS[""]), won=Sum(day_index.NET[""])
            ),
        )
    played = open_hands.order_by().values_list("currency", "game")
    _add(sums, played.annotate(count=Count("*"), won=Sum("net")))
    lines = [
        GameLine(str(game_name(game)), hands, net, currencies[code])
        for (code, game), (hands, net) in sums.items()
        if not currencies[code].is_chips
    ]
    return sorted(lines, key=lambda line: (-line.hands, line.game))


def in_all(lines: Iterable[GameLine]) -> list[tuple[Currency, int, int]]:
    """Return the hands and the result of all games together, by currency."""
    sums: dict[Currency, tuple[int, int]] = {}
    for line in lines:
        hands, net = sums.get(line.currency, (0, 0))
        sums[line.currency] = (hands + line.hands, net + line.net)
    return [(currency, *both) for currency, both in sums.items()]


def _add(
    sums: dict[tuple[str, str], tuple[int, int]], rows: Iterable[tuple[str, str, int, int]]
) -> None:
    for code, game, hands, net in rows:
        before = sums.get((code, game), (0, 0))
        sums[code, game] = (before[0] + (hands or 0), before[1] + (net or 0))
