"""The lines of the ledger that make a figure, and what single accounts held at an instant."""

from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import Q, QuerySet, Sum

from casino.office.reports.debts import OWED
from casino.office.reports.fees import fee_entries, of_game, of_player
from casino.office.reports.grants import at_the_desk
from casino.office.reports.past_balances import BOTS, held_by_account
from casino.office.reports.people import bots
from casino.office.reports.spans import Span, bounds
from wallets.models import Account, Entry
from wallets.models.holders import player_reference

# All kinds of postings at the desk without their own column.
OTHER: Final = "other"
PEOPLE: Final = "people"
OF_THEIR_OWN: Final = ("deposit", "withdrawal", "grant")


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


def entries_behind(span: Span, only: EntriesOnly) -> QuerySet[Entry]:
    since, until = bounds(span)
    until = until if only.until is None else min(until, only.until)
    if only.fees:
        entries = fee_entries(since, until)
        entries = of_game(entries, only.game) if only.game else entries
        entries = of_player(entries, only.player) if only.player else entries
    else:
        entries = Entry.objects.filter(transaction__time__gte=since, transaction__time__lt=until)
        whose = Q(account=only.account) if only.account else at_the_desk()
        entries = entries.filter(whose)
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
        entries = entries.filter(transaction__kind=only.kind)
    if only.whose:
        of_bots = Q(account__owner__in=map(player_reference, bots()), transaction__kind="grant")
        entries = entries.filter(of_bots if only.whose == BOTS else ~of_bots)
    if only.sign:
        entries = entries.filter(**{"amount__gt" if only.sign == "in" else "amount__lt": 0})
    return entries.select_related("transaction", "account__currency")


def total(entries: QuerySet[Entry], only: EntriesOnly) -> int:
    found = int(entries.aggregate(sum=Sum("amount"))["sum"] or 0)
    return -found if only.negated else found


# By the column of the report of liability: which kinds of accounts make it.
HELD_BY: Final = {column.name: (kind,) for kind, column in OWED.items()} | {
    "owed": tuple(OWED),
    "bots": (BOTS,),
    "ledger": tuple(kind for kind in Account.Kind if kind not in OWED),
}


def accounts_behind(at: datetime, currency: str, column: str) -> list[tuple[int, int]]:
    """The numbers of accounts with what they held just before an instant, the largest first."""
    sign = -1 if column == "ledger" else 1
    amounts = held_by_account(at, currency, HELD_BY[column])
    found = ((number, sign * amount) for number, amount in amounts.items())
    return sorted(found, key=lambda one: (-abs(one[1]), one[0]))
