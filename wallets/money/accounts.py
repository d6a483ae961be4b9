"""Find an account or open it, a player's money in one currency, and entries by pages.

Every posting begins with an account, so the two statements are written out: the ORM would take
several times as long to build them as the database to answer.

The ledger knows no seats, so the games register which stacks belong to a player.
"""

from collections.abc import Callable
from datetime import date, datetime
from typing import Final, NamedTuple

from django.db import connection
from django.db.models import F, Model, OuterRef, Q, QuerySet, Subquery, Sum
from django.db.models.functions import Coalesce

from wallets.models import OWNER_MAX, Account, Currency, Entry
from wallets.models.holders import player_reference
from wallets.values.days import ONE_DAY, start_of
from wallets.values.registry import Registry

_COLUMNS: Final = ("id", "kind", "owner", "currency_id", "balance")
_SELECT: Final = """SELECT id, kind, owner, currency_id, balance FROM wallets_account
    WHERE kind = %s AND owner = %s AND currency_id = %s"""
_INSERT: Final = """INSERT INTO wallets_account (kind, owner, currency_id, balance)
    VALUES (%s, %s, %s, 0) ON CONFLICT DO NOTHING
    RETURNING id, kind, owner, currency_id, balance"""


def account(kind: str, owner: str, currency: Currency | str) -> Account:
    """Return the one account of an owner for a purpose; two concurrent callers get the same row."""
    return _row(_SELECT, kind, owner, currency) or new_account(kind, owner, currency)


def new_account(kind: str, owner: str, currency: Currency | str) -> Account:
    """Open an account and return it: one statement, as it is not looked for first.

    If another transaction has opened it, that one is returned.
    """
    if not 1 <= len(owner) <= OWNER_MAX or not owner.isprintable():
        raise ValueError(f"{owner!r} cannot own an account")
    new = _row(_INSERT, kind, owner, currency)
    return new or Account.objects.get(kind=kind, owner=owner, currency=currency)


def _row(statement: str, kind: str, owner: str, currency: Currency | str) -> Account | None:
    code = currency if isinstance(currency, str) else currency.code
    with connection.cursor() as cursor:
        cursor.execute(statement, [Account.Kind(kind).value, owner, code])
        row = cursor.fetchone()
    return None if row is None else Account.from_db(connection.alias, _COLUMNS, row)


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


PAGE: Final = 50


class Statement(NamedTuple):
    """Entries with their transactions; `before` requests the next page and is None on the last."""

    entries: list[Entry]
    before: int | None


class StatementFilters(NamedTuple):
    """A filter for entries: by kind of posting, and by days of the house."""

    kind: str = ""
    first_day: date | None = None
    last_day: date | None = None


def statement(
    account: Account,
    before: int | None = None,
    limit: int = PAGE,
    filters: StatementFilters = StatementFilters(),  # noqa: B008 - it is frozen
) -> Statement:
    """Return the entries older than a given one, so that new postings do not shift the pages."""
    entries = Entry.objects.filter(account=account).select_related("transaction").order_by("-pk")
    if before is not None:
        entries = entries.filter(pk__lt=before)
    if filters.kind:
        entries = entries.filter(transaction__kind=filters.kind)
    if filters.first_day:
        entries = entries.filter(transaction__time__gte=start_of(filters.first_day))
    if filters.last_day:
        end = start_of(filters.last_day + ONE_DAY)
        entries = entries.filter(transaction__time__lt=end)
    page = list(entries[: limit + 1])
    more = len(page) > limit
    return Statement(page[:limit], page[limit - 1].pk if more else None)
