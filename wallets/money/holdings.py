"""A player's money in one currency: in the wallet, set aside, and at tables.

The ledger knows no seats, so the games register which stacks belong to a player.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Final, NamedTuple

from django.db.models import F, Model, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from wallets.models import Account, Currency, Entry
from wallets.models.holders import player_reference
from wallets.values.registry import Registry

# Takes a player's number; returns the numbers of the accounts of their stacks.
Stacks = Callable[[int], QuerySet[Model, int]]
STACKS: Final = Registry[Stacks]("owner of stacks")


class Holdings(NamedTuple):
    """A player's money in the house, in minor units."""

    wallet: int
    set_aside: int
    at_tables: int

    @property
    def total(self) -> int:
        return sum(self)


def own_accounts(player_id: int, currency: Currency) -> QuerySet[Account]:
    """Return every account that holds a player's money in a currency."""
    mine = Q(kind__in=(Account.Kind.PLAYER, Account.Kind.ESCROW), owner=player_reference(player_id))
    for stacks in STACKS.values():
        mine |= Q(pk__in=stacks(player_id))
    return Account.objects.filter(mine, currency=currency)


def holdings(player_id: int, currency: Currency) -> Holdings:
    return _by_kind(own_accounts(player_id, currency).annotate(held=F("balance")))


def holdings_before(player_id: int, currency: Currency, moment: datetime) -> Holdings:
    """Return what a player held just before a moment; one statement sees all accounts at once."""
    earlier = Entry.objects.filter(account=OuterRef("pk"), transaction__time__lt=moment)
    last = Subquery(earlier.order_by("-pk").values("balance_after")[:1])
    return _by_kind(own_accounts(player_id, currency).annotate(held=Coalesce(last, 0)))


def _by_kind(accounts: QuerySet[Account]) -> Holdings:
    sums = dict(accounts.order_by().values_list("kind").annotate(Sum("held")))
    kinds = (Account.Kind.PLAYER, Account.Kind.ESCROW, Account.Kind.STACK)
    return Holdings(*(int(sums.get(kind, 0)) for kind in kinds))
