"""Postings of a history that is written afterwards: each bears its own time, and is checked alike.

`ledger.post` posts now. A house that is filled with played hands, for measuring or for training,
needs their times. This ledger is kept in memory, makes the same checks, computes the same hashes,
and writes its rows in bulk in their order. It continues the books as they are: in each book
times never run backwards, and none is in the future. The triggers of the tables check every row
again.

Others may post in parallel, to books of their own and to those of desk and jackpots, in which its
times may then be earlier than theirs. Each transaction that writes therefore begins with `take_up`.
"""

from collections.abc import Iterable, Iterator
from datetime import datetime
from typing import Final, NamedTuple
from uuid import UUID

from django.db import connection, transaction
from django.db.models import Max, Model
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallets.models import FIRST_HASH, Account, Book, Entry, Transaction
from wallets.money import cashier, jackpots
from wallets.money.ledger import Leg, Movement, body_text, checked, refusal_of
from wallets.of_record import bulk
from wallets.of_record.chain import chained, hashed
from wallets.values.errors import Refused

_TRANSACTION: Final = (
    *("id", "key", "kind", "book_id", "position", "reference", "reason", "actor", "time"),
    *("digest", "previous", "hash"),
)
_ENTRY: Final = ("id", "transaction_id", "account_id", "amount", "balance_after")

# Books to which others post.
SHARED: Final = (cashier.BOOK, jackpots.BOOK)
# So many numbers are reserved together.
RESERVED: Final = 1_000


class Prepared(NamedTuple):
    """A posting that has been checked as far as it can be without its accounts, and its digest.

    It can be prepared in another process than that of the ledger.
    """

    body: Movement
    digest: str


def prepared(body: Movement) -> Prepared:
    body = checked(body)
    return Prepared(body, hashed(body_text(body._asdict(), body.legs)))


class Numbers:
    """Numbers for rows that others name before they are written; no other row gets them."""

    def __init__(self, kind: type[Model], at_once: int = RESERVED) -> None:
        self._kind, self._at_once = kind, at_once
        self._block: Iterator[int] = iter(())

    def __next__(self) -> int:
        number = next(self._block, None)
        if number is None:
            self._block = iter(reserve(self._kind, self._at_once))
            number = next(self._block)
        return number

    def skip(self) -> None:
        """Number on behind all rows of now."""
        self._block = iter(())


@transaction.atomic
def reserve(kind: type[Model], count: int) -> range:
    """Let the database number its own rows behind so many; their numbers."""
    table = kind._meta.db_table
    with connection.cursor() as cursor:
        if connection.vendor == "postgresql":
            sequence = "pg_get_serial_sequence(%s, 'id')"
            cursor.execute(
                f"SELECT setval({sequence}, nextval({sequence}) + %s)",  # nosec B608
                [table, table, count - 1],
            )
            last = int(cursor.fetchone()[0])
        else:
            cursor.execute("SELECT seq FROM sqlite_sequence WHERE name = %s", [table])
            row = cursor.fetchone()
            last = count + (int(row[0]) if row else 0)
            statement = (
                "UPDATE sqlite_sequence SET seq = %s WHERE name = %s"
                if row
                else "INSERT INTO sqlite_sequence (seq, name) VALUES (%s, %s)"
            )
            cursor.execute(statement, [last, table])
    return range(last - count + 1, last + 1)


class BackdatedLedger:
    """The ledger of one writer, to whom some books and accounts belong."""

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
        self._transactions: list[bulk.CopiedRow] = []
        self._entries: list[bulk.CopiedRow] = []
        # The accounts in the hash of a transaction.
        self._whose: dict[int, str] = {}
        self._new_accounts: list[Account] = []
        self._next = {kind: Numbers(kind) for kind in (Account, Transaction, Entry)}
        for account in Account.objects.all():
            self._learn(account)

    def account(self, kind: str, owner: str, currency: str) -> Account:
        """The one account of an owner for a purpose, opened where it is missing."""
        account = self._by_name.get((kind, owner, currency))
        if account is None:
            account = Account(
                pk=next(self._next[Account]),
                kind=Account.Kind(kind),
                owner=owner,
                currency_id=currency,
                balance=0,
            )
            self._new_accounts.append(account)
            self._learn(account)
        return account

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
        body = Movement(key, kind, book, reference, reason, actor, tuple(entries))
        self.add(at, prepared(body))

    def add(self, at: datetime, posting: Prepared) -> None:
        """Move money as a prepared posting says."""
        body, digest = posting
        book = body.book
        if not self._times.get(book, at) <= at <= timezone.now():
            raise Refused(
                "time",
                _(
                    "The time of a posting is neither before the last one of its book nor in the"
                    " future."
                ),
            )
        refused = refusal_of(body.legs, self.accounts)
        if refused is not None:
            raise refused
        if book not in self._books:
            self._books[book] = Book(name=book, position=0, head=FIRST_HASH)
            self._new_books.append(Book(name=book, position=0, head=FIRST_HASH))
        of_book = self._books[book]
        head = chained(of_book.head, digest, at, [self._whose[leg.account] for leg in body.legs])
        number, position = next(self._next[Transaction]), of_book.position + 1
        columns = bulk.columns(Transaction._meta.label, _TRANSACTION)
        self._transactions.append(
            columns.row(
                (
                    *(number, body.key, body.kind, book, position, body.reference, body.reason),
                    *(body.actor, at, digest, of_book.head, head),
                )
            )
        )
        of_book.position, of_book.head = position, head
        self._times[book] = at
        self._moved.add(book)
        row = bulk.columns(Entry._meta.label, _ENTRY).row
        for leg in body.legs:
            account = self.accounts[leg.account]
            account.balance += leg.amount
            entry = next(self._next[Entry]), number, leg.account, leg.amount, account.balance
            self._entries.append(row(entry))

    def take_up(self) -> None:
        """Go on from the books and accounts of now; others wait until the transaction ends."""
        house = Account.objects.filter(owner=cashier.HOUSE).order_by("pk").select_for_update()
        list(house.values("pk"))
        for number, balance in Account.objects.values_list("pk", "balance"):
            if number in self.accounts:
                self.accounts[number].balance = balance
        for book in Book.objects.filter(name__in=SHARED).order_by("name").select_for_update():
            self._books[book.name] = book
            self._times.pop(book.name, None)
        # The balances after the entries of an account follow their numbers.
        self._next[Transaction].skip()
        self._next[Entry].skip()

    def open_accounts(self) -> None:
        """Write the accounts that were opened since, as other rows refer to them."""
        opened = [
            Account(
                pk=account.pk,
                kind=account.kind,
                owner=account.owner,
                currency_id=account.currency_id,
            )
            for account in self._new_accounts
        ]
        bulk.insert(opened)
        self._new_accounts = []

    @transaction.atomic
    def write(self) -> None:
        """Write what was posted since the last time; balances follow by the triggers."""
        self.open_accounts()
        Book.objects.bulk_create(self._new_books)
        transactions = bulk.columns(Transaction._meta.label, _TRANSACTION)
        entries = bulk.columns(Entry._meta.label, _ENTRY)
        if connection.vendor == "postgresql":
            transactions.insert(self._transactions)
            entries.insert(self._entries)
        else:
            # There a transaction seals its entries, which are inserted before it.
            entries.insert(self._entries)
            transactions.insert(self._transactions)
        for name in sorted(self._moved):
            book = self._books[name]
            Book.objects.filter(name=name).update(position=book.position, head=book.head)
        self._transactions, self._entries, self._new_books = [], [], []
        self._moved.clear()

    def _learn(self, account: Account) -> None:
        self.accounts[account.pk] = account
        self._by_name[account.kind, account.owner, account.currency_id] = account
        self._whose[account.pk] = str(account)
