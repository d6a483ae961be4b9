"""The cash of each till and the vault: held, taken in and paid out.

The opening balance of a till and its movements add up to its closing balance: all of it from the
till's own accounts in the ledger. Shifts and counts are cashiers' own records.
"""

from collections import defaultdict
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from django.db.models import Count as Number
from django.db.models import Q, QuerySet, Sum
from django.utils.translation import gettext_lazy as _

from casino.office.desk import shifts, transfers
from casino.office.desk.models import Count, Shift, Till
from casino.office.reports.columns import CURRENCY, Column, Row
from casino.office.reports.past_balances import first_day
from casino.office.reports.spans import Span, bounds
from wallets.models import Account, Entry
from wallets.money.cashier import CORRECTION
from wallets.values.days import ONE_DAY


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
    "brought": CashFlow(transfers.KIND, "out"),
    "taken": CashFlow(transfers.KIND, "in", negated=False),
    "variances": CashFlow(shifts.VARIANCE),
}
# Postings that move both cash and wallets: the report by cashiers has these columns, too.
AT_THE_DESK: Final = (
    Column("deposits", _("Deposits"), "money", "flow", "entries"),
    Column("withdrawals", _("Withdrawals"), "money", "flow", "entries"),
    Column("corrections", _("Corrections"), "money", "flow", "entries"),
)
COLUMNS: Final = (
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
    tills = {one.reference: one for one in Till.objects.all()}
    accounts = list(Account.objects.filter(kind=Account.Kind.ISSUE, owner__in=tills))
    moved, since = _moved(span, accounts), _since(span, accounts)
    opened = dict(shifts_of(span).values_list("till").annotate(Number("pk")).order_by())
    counted = _counted(span)
    first = (first_day() or span.first) - ONE_DAY
    for account in sorted(accounts, key=lambda one: (tills[one.owner].pk, one.currency_id)):
        till, sums = tills[account.owner], moved[account.pk]
        # In cash, so with the sign turned.
        closing = since.get(account.pk, 0) - account.balance
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
    found = {
        name: own
        | {"kind": move.kind, "sign": move.sign}
        | ({"negated": 1} if move.negated else {})
        for name, move in MOVES.items()
    }
    held = own | {"negated": 1, "from": first}
    return found | {
        "shifts": {"till": till.pk},
        "counts": {"till": till.pk},
        "opening": held | {"to": max(first, span.first - ONE_DAY)},
        "closing": held | {"to": span.last},
    }


def _moved(span: Span, accounts: list[Account]) -> dict[int, dict[str, int]]:
    """By account and way: how much cash moved, always as the column says it."""
    begins, ends = bounds(span)
    rows = Entry.objects.filter(
        account__in=accounts, transaction__time__gte=begins, transaction__time__lt=ends
    )
    sums = (
        rows.order_by()
        .values_list("account", "transaction__kind")
        .annotate(
            above=Sum("amount", filter=Q(amount__gt=0), default=0),
            below=Sum("amount", filter=Q(amount__lt=0), default=0),
        )
    )
    found: dict[int, dict[str, int]] = defaultdict(dict)
    for account, kind, above, below in sums:
        parts = {"in": above, "out": below, "": above + below}
        for name, move in MOVES.items():
            if move.kind == kind and (amount := parts[move.sign]):
                found[account][name] = -amount if move.negated else amount
    return found


def _since(span: Span, accounts: list[Account]) -> dict[int, int]:
    """By account: what was posted after the range."""
    _begins, ends = bounds(span)
    rows = Entry.objects.filter(account__in=accounts, transaction__time__gte=ends)
    return dict(rows.order_by().values_list("account").annotate(Sum("amount")))


def shifts_of(span: Span) -> QuerySet[Shift]:
    """The shifts that began in a range of days."""
    begins, ends = bounds(span)
    return Shift.objects.filter(opened_at__gte=begins, opened_at__lt=ends).select_related("till")


def counts_of(span: Span) -> QuerySet[Count]:
    begins, ends = bounds(span)
    return Count.objects.filter(at__gte=begins, at__lt=ends).select_related("shift")


def _counted(span: Span) -> dict[tuple[int, str], int]:
    rows = counts_of(span).order_by().values_list("shift__till", "currency")
    return {(till, code): number for till, code, number in rows.annotate(Number("pk"))}
