"""Postings of a history that is written afterwards: each bears its own time, and is checked alike.

`ledger.post` posts now. A house that is filled with played hands, for measuring or for training,
needs their times. This ledger is kept in memory, makes the same checks, computes the same hashes,
and writes its rows in bulk in their order. It goes on from the books as they stand: in each book
times never run backwards, and none is in the future. The triggers of the tables check every row
again.
"""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Any, Final
from uuid import UUID

from django.core.management.color import no_style
from django.db import connection, transaction
from django.db.models import Max
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallets import bulk
from wallets.errors import Refused
from wallets.ledger import Leg, Movement, body_text, chained, checked, hashed, refusal_of
from wallets.models import FIRST_HASH, Account, Book, Entry, Transaction

_ENTRIES: Final = """
INSERT INTO wallets_entry (id, transaction_id, account_id, amount, balance_after)
SELECT number, %s, account, amount, balance
FROM unnest(%s::bigint[], %s::bigint[], %s::bigint[], %s::bigint[])
AS leg (number, account, amount, balance)"""


class BackdatedLedger:
    """The ledger of one writer, who holds the whole house while it writes."""

    def __init__(self) -> None:
        self.accounts: dict[int, Account] = {}
        self._by_name: dict[tuple[str, str, str], Account] = {}
        self._books = {book.name: book for book in Book.objects.all()}
        self._times: dict[str, datetime] = {
            row["book_id"]: row["last"]
            for row in Transaction.objects.values("book_id").annotate(last=Max("time"))
        }
        self._new_books: list[Book] = []
        self._moved: set[str] = set()
        self._transactions: list[Transaction] = []
        self._entries: list[Entry] = []
        self._new_accounts: list[Account] = []
        self._last = {kind: _last_of(kind) for kind in (Account, Transaction, Entry)}
        for found in Account.objects.all():
            self._learn(found)

    def account(self, kind: str, owner: str, currency: str) -> Account:
        """The one account of an owner for a purpose, opened where it is missing."""
        found = self._by_name.get((kind, owner, currency))
        if found is None:
            found = Account(
                pk=self._next(Account),
                kind=Account.Kind(kind),
                owner=owner,
                currency_id=currency,
                balance=0,
            )
            self._new_accounts.append(found)
            self._learn(found)
        return found

    def balance(self, account: int) -> int:
        return self.accounts[account].balance

    def post(  # noqa: PLR0913 - what a posting is, and when it was
        self,
        at: datetime,
        key: UUID,
        kind: str,
        entries: Iterable[Leg],
        *,
        book: str,
        actor: str,
        reason: str,
        reference: str = "",
    ) -> None:
        """Move money as `ledger.post` does, at a time."""
        body = checked(Movement(key, kind, book, reference, reason, actor, tuple(entries)))
        if not self._times.get(book, at) <= at <= timezone.now():
            raise Refused("time", _("The times of a book run on, and end today."))
        refused = refusal_of(body.legs, self.accounts)
        if refused is not None:
            raise refused
        if book not in self._books:
            self._books[book] = Book(name=book, position=0, head=FIRST_HASH)
            self._new_books.append(Book(name=book, position=0, head=FIRST_HASH))
        of_book = self._books[book]
        digest = hashed(body_text(body._asdict(), body.legs))
        whose = [str(self.accounts[leg.account]) for leg in body.legs]
        head = chained(of_book.head, digest, at, whose)
        number = self._next(Transaction)
        self._transactions.append(
            Transaction(
                pk=number,
                key=key,
                kind=kind,
                book_id=book,
                position=of_book.position + 1,
                reference=reference,
                reason=reason,
                actor=actor,
                time=at,
                digest=digest,
                previous=of_book.head,
                hash=head,
            )
        )
        of_book.position, of_book.head = of_book.position + 1, head
        self._times[book] = at
        self._moved.add(book)
        for leg in body.legs:
            account = self.accounts[leg.account]
            account.balance += leg.amount
            self._entries.append(
                Entry(
                    pk=self._next(Entry),
                    transaction_id=number,
                    account_id=leg.account,
                    amount=leg.amount,
                    balance_after=account.balance,
                )
            )

    def open_accounts(self) -> None:
        """Write the accounts that were opened since, as other rows refer to them."""
        opened = [
            Account(pk=one.pk, kind=one.kind, owner=one.owner, currency_id=one.currency_id)
            for one in self._new_accounts
        ]
        bulk.insert(opened)
        self._new_accounts = []

    @transaction.atomic
    def write(self) -> None:
        """Write what was posted since the last time; balances follow by the triggers."""
        self.open_accounts()
        Book.objects.bulk_create(self._new_books)
        if connection.vendor == "postgresql":
            bulk.insert(self._transactions)
            self._write_entries()
        else:
            # There a transaction seals its entries, which are inserted before it.
            bulk.insert(self._entries)
            bulk.insert(self._transactions)
        moved = [self._books[name] for name in sorted(self._moved)]
        Book.objects.bulk_update(moved, ["position", "head"])
        numbered_on(Account, Transaction, Entry)
        self._transactions, self._entries, self._new_books = [], [], []
        self._moved.clear()

    def _write_entries(self) -> None:
        """One statement for each transaction, which is what the trigger accepts."""
        rows: list[tuple[object, ...]] = []
        legs: dict[int, list[Entry]] = {}
        for entry in self._entries:
            legs.setdefault(entry.transaction_id, []).append(entry)
        for number, some in legs.items():
            columns = zip(
                *((one.pk, one.account_id, one.amount, one.balance_after) for one in some),
                strict=True,
            )
            rows.append((number, *map(list, columns)))
        database: Any = connection
        with database.Database.Cursor(database.connection) as cursor:
            cursor.executemany(_ENTRIES, rows)

    def _learn(self, account: Account) -> None:
        self.accounts[account.pk] = account
        self._by_name[account.kind, account.owner, account.currency_id] = account

    def _next(self, kind: type[Account] | type[Transaction] | type[Entry]) -> int:
        self._last[kind] += 1
        return self._last[kind]


def _last_of(kind: Any) -> int:
    last: int | None = kind.objects.aggregate(last=Max("pk"))["last"]
    return last or 0


def numbered_on(*kinds: Any) -> None:
    """Let the database number the next rows behind those that were written with numbers."""
    statements: Sequence[str] = connection.ops.sequence_reset_sql(no_style(), list(kinds))
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)
