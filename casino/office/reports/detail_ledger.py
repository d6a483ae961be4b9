"""The lines of the ledger that make a figure, and what single accounts held at an instant."""

from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import QuerySet, Sum

from casino.office.reports.debts import OWED
from casino.office.reports.grants import at_the_desk
from casino.office.reports.past_balances import held_by_account
from casino.office.reports.spans import Span, bounds
from wallets.models import Account, Entry
from wallets.models.holders import player_reference

# All kinds of postings at the desk without their own column.
OTHER: Final = "other"
OF_THEIR_OWN: Final = ("deposit", "withdrawal", "grant")


class EntriesOnly(NamedTuple):
    """The lines that make a figure; empty fields do not matter."""

    currency: str = ""
    kind: str = ""
    actor: str = ""
    book: str = ""
    # Of one account; otherwise of wallets, as far as money crossed the desk.
    account: int = 0
    player: int = 0
    # Amounts paid into the account, or out of it.
    sign: str = ""
    # The figure is the sum with its sign turned.
    negated: bool = False
    # The instant at which a list of days ends, if it is not the end of a day.
    until: datetime | None = None


def entries_behind(span: Span, only: EntriesOnly) -> QuerySet[Entry]:
    since, until = bounds(span)
    until = until if only.until is None else min(until, only.until)
    entries = Entry.objects.filter(
        transaction__time__gte=since, transaction__time__lt=until
    ).select_related("transaction", "account__currency")
    entries = (
        entries.filter(account=only.account) if only.account else entries.filter(at_the_desk())
    )
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
        entries = entries.filter(transaction__kind=only.kind)
    if only.player:
        entries = entries.filter(account__owner=player_reference(only.player))
    if only.sign:
        entries = entries.filter(**{"amount__gt" if only.sign == "in" else "amount__lt": 0})
    return entries


def total(entries: QuerySet[Entry], only: EntriesOnly) -> int:
    found = int(entries.aggregate(sum=Sum("amount"))["sum"] or 0)
    return -found if only.negated else found


# By the column of the report of liability: which kinds of accounts make it.
HELD_BY: Final = {column.name: (kind,) for kind, column in OWED.items()} | {
    "owed": tuple(OWED),
    "ledger": tuple(kind for kind in Account.Kind if kind not in OWED),
}


def accounts_behind(at: datetime, currency: str, column: str) -> list[tuple[int, int]]:
    """The numbers of accounts with what they held just before an instant, the largest first."""
    sign = -1 if column == "ledger" else 1
    amounts = held_by_account(at, currency, HELD_BY[column])
    found = ((number, sign * amount) for number, amount in amounts.items())
    return sorted(found, key=lambda one: (-abs(one[1]), one[0]))
