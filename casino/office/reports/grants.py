"""The house's gifts to players, from the cashier's book of the ledger."""

from collections.abc import Iterator
from datetime import date, datetime
from typing import Any, NamedTuple

from django.db.models import Q

from casino.office.reports.columns import By
from casino.office.reports.grouping import Group
from casino.office.reports.people import bots
from wallets.models import Account, Currency, Entry
from wallets.money.cashier import BOOK, RELEASED, SET_ASIDE
from wallets.values.days import day_of


class DeskLine(NamedTuple):
    """One movement of a player's money in the cashier's book."""

    on: date
    kind: str
    actor: str
    owner: str
    currency: str
    amount: int


def at_the_desk() -> Q:
    """Select what crossed the desk: wallets' lines, and withdrawals set aside before.

    Setting money aside and releasing it moves nothing across the desk.
    """
    wallets = Q(account__kind=Account.Kind.PLAYER) & ~Q(transaction__kind__in=(SET_ASIDE, RELEASED))
    paid = Q(account__kind=Account.Kind.ESCROW, transaction__kind="withdrawal")
    return Q(transaction__book=BOOK) & (wallets | paid)


def desk_entries(since: datetime, until: datetime) -> Any:
    """The lines of players in the cashier's book: money paid in, out, corrected, and given."""
    return Entry.objects.filter(
        at_the_desk(), transaction__time__gte=since, transaction__time__lt=until
    ).exclude(account__currency__kind=Currency.Kind.CHIPS)


def desk_lines(since: datetime, until: datetime) -> Iterator[DeskLine]:
    """The same, line by line."""
    rows = desk_entries(since, until).order_by("transaction_id", "pk")
    values = rows.values_list(
        "transaction__time",
        "transaction__kind",
        "transaction__actor",
        "account__owner",
        "account__currency_id",
        "amount",
    )
    at: datetime
    for at, *rest in values.iterator(chunk_size=5_000):
        yield DeskLine(day_of(at), *rest)


def gifts(since: datetime, until: datetime) -> Iterator[DeskLine]:
    """The grants to people: what bots are given remains the house's own."""
    of_the_house = bots()
    for line in desk_lines(since, until):
        if line.kind == "grant" and number_in(line.owner) not in of_the_house:
            yield line


def grants(since: datetime, until: datetime, by: By) -> dict[Group, int]:
    """Return the gifts, by day or by player; tables, games and profiles give nothing."""
    found: dict[Group, int] = {}
    for line in gifts(since, until) if by in ("day", "player") else ():
        of: object = line.on if by == "day" else number_in(line.owner)
        found[of, line.currency] = found.get((of, line.currency), 0) + line.amount
    return found


def number_in(reference: str) -> int:
    """The number in a reference such as `player:12`; 0 where there is none."""
    number = reference.partition(":")[2]
    return int(number) if number.isdecimal() else 0
