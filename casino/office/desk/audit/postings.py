"""The postings of the cash desk as the audit reads them: amounts by account."""

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import datetime, timedelta
from typing import Final, NamedTuple
from uuid import UUID

from django.db.models import QuerySet

from casino.office.desk.cash import VARIANCE
from casino.office.desk.models import Till
from games.records.chunks import chunks
from wallets.models import Account, Entry, Transaction
from wallets.money.cashier import HOUSE

AT_ONCE: Final = 2_000
# Clocks of machines differ, and a request may wait for locks.
APART_MAX: Final = timedelta(hours=1)
Kind = Account.Kind


class Side(NamedTuple):
    """An account, by what its row says and not by its number."""

    kind: str
    owner: str
    currency: str


class Posting(NamedTuple):
    number: int
    key: UUID
    kind: str
    actor: str
    reason: str
    time: datetime
    amounts: dict[Side, int]
    # The balance of each account after it.
    left: dict[Side, int]


def read(rows: QuerySet[Transaction]) -> Iterator[Posting]:
    columns = rows.order_by("pk").values_list("pk", "key", "kind", "actor", "reason", "time")
    for some in chunks(columns.iterator(chunk_size=AT_ONCE), AT_ONCE):
        amounts: dict[int, dict[Side, int]] = defaultdict(dict)
        left: dict[int, dict[Side, int]] = defaultdict(dict)
        entries = Entry.objects.filter(transaction__in=[row[0] for row in some])
        for number, kind, owner, currency, amount, after in entries.values_list(
            "transaction",
            "account__kind",
            "account__owner",
            "account__currency",
            "amount",
            "balance_after",
        ):
            amounts[number][Side(kind, owner, currency)] = amount
            left[number][Side(kind, owner, currency)] = after
        for row in some:
            yield Posting(*row, amounts[row[0]], left[row[0]])


def by_number(numbers: Iterable[int]) -> dict[int, Posting]:
    return {one.number: one for one in read(Transaction.objects.filter(pk__in=list(numbers)))}


def by_key(keys: Iterable[UUID]) -> dict[UUID, Posting]:
    return {one.key: one for one in read(Transaction.objects.filter(key__in=list(keys)))}


def cash_of(till: Till | int | None, currency: str) -> Side:
    """The side of a till, of the vault, or of what is outside the house."""
    number = till.pk if isinstance(till, Till) else till
    return Side(Kind.ISSUE, f"till:{number}" if number else HOUSE, currency)


def variance_of(currency: str) -> Side:
    return Side(Kind.HOUSE, VARIANCE, currency)


def is_apart(one: datetime, other: datetime) -> bool:
    """Whether two records of the same act are of different times."""
    return abs(one - other) > APART_MAX
