"""A shift in words and figures, and the pages behind the desk's references."""

from collections import defaultdict
from collections.abc import Callable, Iterable
from datetime import datetime, timedelta
from typing import Final, NamedTuple

from django.db.models import Q
from django.urls import reverse

from casino.office.desk import cash
from casino.office.desk.models import Count, Receipt, Shift, Till
from casino.office.desk.receipts import SEE_ALL
from wallets.models import Currency, Entry
from wallets.money.references import Link
from wallets.values.player import Viewer

LATELY: Final = timedelta(days=7)


class ShiftReceipt(NamedTuple):
    """One receipt of a shift, with what the till held after it, by the ledger."""

    receipt: Receipt
    amount: int
    left: int | None


class Summary(NamedTuple):
    """The figures of one currency of a shift: together they come to what should be there."""

    currency: Currency
    opening: int
    sums: dict[str, int]
    numbers: dict[str, int]
    expected: int
    last: Count | None

    @property
    def transfers(self) -> int:
        return self.sums.get(Receipt.Kind.TRANSFER, 0)

    @property
    def rows(self) -> list[dict[str, object]]:
        """The kinds that occurred, in the order of the choices."""
        return [
            {"words": words, "number": self.numbers[kind], "amount": self.sums[kind]}
            for kind, words in Receipt.Kind.choices
            if kind in self.sums
        ]

    @property
    def variance(self) -> int | None:
        """The last count minus the amount that should be there now."""
        return None if self.last is None else self.last.counted - self.last.expected


class ShiftVariances(NamedTuple):
    """A shift of a list, and by how much its counts at both ends differed from the ledger."""

    shift: Shift
    variances: list[tuple[Currency, int]]
    # Counts in between that differed: a later one may agree, once the cashier knows the sum.
    differed: list[Count]

    @property
    def agrees(self) -> bool:
        return not self.differed and not any(amount for _currency, amount in self.variances)


def with_variances(shifts: Iterable[Shift]) -> list[ShiftVariances]:
    """The shifts with the variances that were posted, in one more statement."""
    listed = list(shifts)
    if not listed:
        return []
    counts = Count.objects.filter(shift__in=listed).select_related("currency").order_by("pk")
    sums: dict[int, dict[str, int]] = defaultdict(lambda: defaultdict(int))
    differed: dict[int, list[Count]] = defaultdict(list)
    for count in counts:
        if count.kind != Count.Kind.BETWEEN:
            sums[count.shift_id][count.currency_id] += count.variance
        elif count.variance:
            differed[count.shift_id].append(count)
    known = Currency.objects.in_bulk()
    return [
        ShiftVariances(
            shift,
            [(known[code], amount) for code, amount in sorted(sums[shift.pk].items())],
            differed[shift.pk],
        )
        for shift in listed
    ]


def lately_different(now: datetime) -> list[ShiftVariances]:
    """The shifts of the last week whose counts differed from the ledger, the latest first."""
    ended = Shift.objects.filter(closed_at__gte=now - LATELY).select_related("till")
    listed = with_variances(ended.order_by("-closed_at"))
    return [variances for variances in listed if not variances.agrees]


def shows_expected(member: Viewer, shift: Shift, receipts: list[ShiftReceipt]) -> bool:
    """Whether a reader may see what the till should hold: counting a till is blind.

    Cashiers see it after a count, until cash moves again.
    """
    if member.has_perm(SEE_ALL) or shift.closed_at is not None:
        return True
    last = shift.counts.filter(kind=Count.Kind.BETWEEN).order_by("pk").last()
    return last is not None and all(line.receipt.at <= last.at for line in receipts)


def lines(shift: Shift) -> list[ShiftReceipt]:
    """The receipts of a shift, newest first."""
    related = ("currency", "player", "till", "to_till", "corrects")
    rows = Receipt.objects.filter(Q(shift=shift) | Q(to_shift=shift)).select_related(*related)
    receipts = list(rows.order_by("-pk"))
    entries = Entry.objects.filter(
        transaction__in=[receipt.posting for receipt in receipts],
        account__owner=shift.till.reference,
    )
    left = {entry.transaction_id: -entry.balance_after for entry in entries}
    return [
        ShiftReceipt(receipt, _into(shift, receipt), left.get(receipt.posting))
        for receipt in receipts
    ]


def _into(shift: Shift, receipt: Receipt) -> int:
    """Return the amount that came into this till; a transfer's receipt may be another till's."""
    return receipt.amount if receipt.shift_id == shift.pk else -receipt.amount


def summaries(shift: Shift, receipts: list[ShiftReceipt]) -> list[Summary]:
    counts = list(shift.counts.select_related("currency"))
    codes = {count.currency_id for count in counts} | {
        line.receipt.currency_id for line in receipts
    }
    if shift.closed_at is None:
        codes |= set(cash.held_by(shift.till))
    currencies = Currency.objects.filter(pk__in=codes)
    return [_summary(shift, currency, counts, receipts) for currency in currencies]


def _summary(
    shift: Shift, currency: Currency, counts: list[Count], receipts: list[ShiftReceipt]
) -> Summary:
    mine = [count for count in counts if count.currency_id == currency.code]
    sums: dict[str, int] = {}
    numbers: dict[str, int] = {}
    for line in receipts:
        if line.receipt.currency_id == currency.code:
            kind = line.receipt.kind
            sums[kind] = sums.get(kind, 0) + line.amount
            numbers[kind] = numbers.get(kind, 0) + 1
    first = next((count for count in mine if count.kind == Count.Kind.OPENING), None)
    opening = first.expected if first else 0
    last = mine[-1] if mine else None
    return Summary(currency, opening, sums, numbers, opening + sum(sums.values()), last)


def _tills(keys: list[str]) -> dict[str, Link]:
    tills = Till.objects.filter(pk__in=keys)
    return {till.reference: Link(reverse("desk-tills"), str(till)) for till in tills}


def _shifts(keys: list[str]) -> dict[str, Link]:
    shifts = Shift.objects.filter(pk__in=keys).select_related("till")
    return {
        shift.reference: Link(reverse("desk-shift", args=[shift.pk]), str(shift))
        for shift in shifts
    }


def _receipts(keys: list[str]) -> dict[str, Link]:
    receipts = Receipt.objects.filter(pk__in=keys)
    return {
        receipt.reference: Link(reverse("desk-receipt", args=[receipt.number]), receipt.number)
        for receipt in receipts
    }


# By the first word of the reference; the keys are the numbers after it.
DESK: Final[dict[str, Callable[[list[str]], dict[str, Link]]]] = {
    "till": _tills,
    "shift": _shifts,
    "receipt": _receipts,
}
