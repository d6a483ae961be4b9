"""The ledger lines that reports read: the desk and its tills, grants, and fees of tournaments.

A fee belongs to the game of its event and to its entrant, and to no table or profile; a grant to
its player alone. The opening balance of a till and its movements add up to its closing balance, all
of it from the till's own accounts; shifts and counts are cashiers' own records.
"""

from collections import defaultdict
from collections.abc import Iterator, Sequence
from datetime import date, datetime
from typing import Any, Final, NamedTuple

from django.db.models import Count as Number
from django.db.models import Exists, OuterRef, Q, QuerySet, Subquery, Sum
from django.utils.translation import gettext_lazy as _

from casino.office.desk import shifts, verbs
from casino.office.desk.models import Count, Shift, Till
from casino.office.reports.balances import BOTS, first_day, held_by_accounts
from casino.office.reports.columns import CURRENCY, Column, Row
from casino.office.reports.facts import Fact, Place, Span, Sums, bots, bounds
from casino.office.reports.figures import Figures
from tournaments.models import Tournament
from wallets.models import Account, Currency, Entry
from wallets.models.holders import player_reference
from wallets.money.cashier import BOOK, CORRECTION, RELEASED, SET_ASIDE
from wallets.values.days import ONE_DAY, day_of

# All kinds of postings at the desk without their own column.
OTHER: Final = "other"
PEOPLE: Final = "people"
# What the house gave: promotions are grants in every report.
GRANTS: Final = ("grant", "award", "award_release")
OF_THEIR_OWN: Final = ("deposit", "withdrawal", *GRANTS)


class DeskLine(NamedTuple):
    """One movement of a player's money in the cashier's book."""

    on: date
    kind: str
    actor: str
    owner: str
    currency: str
    amount: int


class EntriesOnly(NamedTuple):
    """The lines that make a figure; empty fields do not matter."""

    currency: str = ""
    kind: str = ""
    actor: str = ""
    book: str = ""
    # Of one account, or fees of tournaments; otherwise of wallets, as far as it crossed the desk.
    account: int = 0
    fees: bool = False
    game: str = ""
    # Without grants to bots, or these alone.
    whose: str = ""
    player: int = 0
    # Amounts paid into the account, or out of it.
    sign: str = ""
    # The figure is the sum with its sign turned.
    negated: bool = False
    # The instant at which a list of days ends, if it is not the end of a day.
    until: datetime | None = None


def at_the_desk() -> Q:
    """Select what crossed the desk: wallets' lines, and withdrawals set aside before.

    Setting money aside and releasing it moves nothing across the desk.
    """
    wallets = Q(account__kind=Account.Kind.PLAYER) & ~Q(transaction__kind__in=(SET_ASIDE, RELEASED))
    paid = Q(account__kind=Account.Kind.ESCROW, transaction__kind="withdrawal")
    return Q(transaction__book=BOOK) & (wallets | paid)


def posted_within(since: datetime, until: datetime) -> QuerySet[Entry]:
    return Entry.objects.filter(transaction__time__gte=since, transaction__time__lt=until)


def _money(entries: QuerySet[Entry]) -> QuerySet[Entry]:
    return entries.exclude(account__currency__kind=Currency.Kind.CHIPS)


def desk_lines(since: datetime, until: datetime, kinds: Sequence[str] = ()) -> Iterator[DeskLine]:
    """The lines of players in the cashier's book: money paid in, out, corrected, and given."""
    rows = _money(posted_within(since, until).filter(at_the_desk()))
    if kinds:
        rows = rows.filter(transaction__kind__in=kinds)
    rows = rows.order_by("transaction_id", "pk")
    values = rows.values_list(
        "transaction__time",
        "transaction__kind",
        "transaction__actor",
        "account__owner",
        "account__currency_id",
        "amount",
    )
    at: datetime
    rest: Any
    for at, *rest in values.iterator(chunk_size=5_000):
        yield DeskLine(day_of(at), *rest)


def grant_facts(figures: Figures) -> Iterator[Fact]:
    """The grants to people: what bots are given remains the house's own."""
    for line in desk_lines(*figures.bounds, GRANTS):
        player = number_in(line.owner)
        if player not in figures.bots:
            yield Fact(Place(line.on, 0, "", "", line.currency), player, Sums(grants=line.amount))


def fee_facts(figures: Figures) -> Iterator[Fact]:
    """What entrants paid the house, less what it gave back."""
    payer = Subquery(_wallet_lines().values("account__owner")[:1])
    rows = _fee_entries(*figures.bounds).annotate(payer=payer).order_by("pk")
    columns = ("transaction__time", "account__owner", "account__currency_id", "payer", "amount")
    lines = list(rows.values_list(*columns))
    events = Tournament.objects.in_bulk({number_in(owner) for _at, owner, *_rest in lines})
    for at, owner, currency, paid_by, amount in lines:
        player = number_in(paid_by or "")
        place = Place(day_of(at), 0, "", events[number_in(owner)].game, currency)
        yield Fact(place, player, Sums(fees=amount, from_bots=amount * (player in figures.bots)))


def _fee_entries(since: datetime, until: datetime) -> QuerySet[Entry]:
    return _money(posted_within(since, until).filter(account__kind=Account.Kind.FEE))


def _wallet_lines() -> QuerySet[Entry]:
    return Entry.objects.filter(
        transaction=OuterRef("transaction"), account__kind=Account.Kind.PLAYER
    )


def number_in(reference: str) -> int:
    """The number in a reference such as `player:12`; 0 where there is none."""
    number = reference.partition(":")[2]
    return int(number) if number.isdecimal() else 0


def entries_behind(span: Span, only: EntriesOnly) -> QuerySet[Entry]:
    since, until = bounds(span)
    until = until if only.until is None else min(until, only.until)
    if only.fees:
        entries = _fees_behind(_fee_entries(since, until), only)
    else:
        whose = Q(account=only.account) if only.account else at_the_desk()
        entries = posted_within(since, until).filter(whose)
        if only.player:
            entries = entries.filter(account__owner=player_reference(only.player))
    for column, value in (
        ("account__currency", only.currency),
        ("transaction__actor", only.actor),
        ("transaction__book", only.book),
    ):
        if value:
            entries = entries.filter(**{column: value})
    if only.kind == OTHER:
        entries = entries.exclude(transaction__kind__in=OF_THEIR_OWN)
    elif only.kind:
        kinds = GRANTS if only.kind == "grant" else (only.kind,)
        entries = entries.filter(transaction__kind__in=kinds)
    if only.whose:
        of_bots = Q(account__owner__in=map(player_reference, bots()), transaction__kind="grant")
        entries = entries.filter(of_bots if only.whose == BOTS else ~of_bots)
    if only.sign:
        entries = entries.filter(**{"amount__gt" if only.sign == "in" else "amount__lt": 0})
    return entries.select_related("transaction", "account__currency")


def _fees_behind(entries: QuerySet[Entry], only: EntriesOnly) -> QuerySet[Entry]:
    """The fees of a game's events, and those that moved with money of a player's wallet."""
    if only.game:
        events = Tournament.objects.filter(game=only.game).only("pk")
        entries = entries.filter(account__owner__in=[event.reference for event in events])
    if only.player:
        of_player = _wallet_lines().filter(account__owner=player_reference(only.player))
        entries = entries.filter(Exists(of_player))
    return entries


def total(entries: QuerySet[Entry], only: EntriesOnly) -> int:
    amount = int(entries.aggregate(sum=Sum("amount"))["sum"] or 0)
    return -amount if only.negated else amount


class CashFlow(NamedTuple):
    """A way in which cash moves: the kind of posting, and whether cash came or went."""

    kind: str
    # An issue account holds the opposite of the cash: income is a negative amount.
    sign: str = ""
    negated: bool = True


MOVES: Final = {
    "deposits": CashFlow("deposit"),
    "withdrawals": CashFlow("withdrawal", negated=False),
    "corrections": CashFlow(CORRECTION),
    "brought": CashFlow(verbs.KIND, "out"),
    "taken": CashFlow(verbs.KIND, "in", negated=False),
    "variances": CashFlow(shifts.VARIANCE),
}
# Postings that move both cash and wallets: the report by cashiers has these columns, too.
AT_THE_DESK: Final = (
    Column("deposits", _("Deposits"), "money", "flow", "entries"),
    Column("withdrawals", _("Withdrawals"), "money", "flow", "entries"),
    Column("corrections", _("Corrections"), "money", "flow", "entries"),
)
TILL_COLUMNS: Final = (
    Column("till", _("Till")),
    Column("number", _("Number")),
    CURRENCY,
    Column("shifts", _("Shifts"), "count", "distinct", "shifts"),
    Column("counts", _("Counts"), "count", "flow", "counts"),
    Column("opening", _("Held at first"), "money", "stock", "entries"),
    *AT_THE_DESK,
    Column("brought", _("Brought in"), "money", "flow", "entries"),
    Column("taken", _("Taken away"), "money", "flow", "entries"),
    Column("variances", _("Variances"), "money", "flow", "entries"),
    Column("closing", _("Held in the end"), "money", "stock", "entries"),
)


def till_rows(span: Span) -> Iterator[Row]:
    """A row for each currency that a till or the vault holds, held, or counted."""
    tills = {till.reference: till for till in Till.objects.all()}
    accounts = list(Account.objects.filter(kind=Account.Kind.ISSUE, owner__in=tills))
    moved = _moved(span, accounts)
    held = held_by_accounts([account.pk for account in accounts], bounds(span)[1])
    opened = dict(shifts_of(span).values_list("till").annotate(Number("pk")).order_by())
    numbers = counts_of(span).order_by().values_list("shift__till", "currency")
    counted = {(till, code): number for till, code, number in numbers.annotate(Number("pk"))}
    first = (first_day() or span.first) - ONE_DAY
    for account in sorted(accounts, key=lambda one: (tills[one.owner].pk, one.currency_id)):
        till, sums = tills[account.owner], moved[account.pk]
        # In cash, so with the sign turned.
        closing = -held[account.pk]
        counts = counted.get((till.pk, account.currency_id), 0)
        came = sum(amount if MOVES[name].negated else -amount for name, amount in sums.items())
        if not closing and not sums and not counts:
            continue
        cells = {
            "till": str(till),
            "number": till.pk,
            "currency": account.currency_id,
            "shifts": opened.get(till.pk, 0),
            "counts": counts,
            "opening": closing - came,
            **{name: sums.get(name, 0) for name in MOVES},
            "closing": closing,
        }
        only = {"currency": account.currency_id}
        yield Row(cells, only, _opened(till, account, span, first))


def _opened(till: Till, account: Account, span: Span, first: Any) -> dict[str, dict[str, object]]:
    own: dict[str, object] = {"account": account.pk}
    selections = {
        name: own
        | {"kind": move.kind, "sign": move.sign}
        | ({"negated": 1} if move.negated else {})
        for name, move in MOVES.items()
    }
    held = own | {"negated": 1, "from": first}
    return selections | {
        "shifts": {"till": till.pk},
        "counts": {"till": till.pk},
        "opening": held | {"to": max(first, span.first - ONE_DAY)},
        "closing": held | {"to": span.last},
    }


def _moved(span: Span, accounts: list[Account]) -> dict[int, dict[str, int]]:
    """By account and way: how much cash moved, always as the column says it."""
    rows = posted_within(*bounds(span)).filter(account__in=accounts)
    sums = (
        rows.order_by()
        .values_list("account", "transaction__kind")
        .annotate(
            above=Sum("amount", filter=Q(amount__gt=0), default=0),
            below=Sum("amount", filter=Q(amount__lt=0), default=0),
        )
    )
    amounts: dict[int, dict[str, int]] = defaultdict(dict)
    for account, kind, above, below in sums:
        parts = {"in": above, "out": below, "": above + below}
        for name, move in MOVES.items():
            if move.kind == kind and (amount := parts[move.sign]):
                amounts[account][name] = -amount if move.negated else amount
    return amounts


def shifts_of(span: Span) -> QuerySet[Shift]:
    """The shifts that began in a range of days."""
    begins, ends = bounds(span)
    return Shift.objects.filter(opened_at__gte=begins, opened_at__lt=ends).select_related("till")


def counts_of(span: Span) -> QuerySet[Count]:
    begins, ends = bounds(span)
    return Count.objects.filter(at__gte=begins, at__lt=ends).select_related("shift")
