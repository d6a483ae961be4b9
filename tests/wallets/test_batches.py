"""Many postings written in one statement: the database checks each of them as if it came alone."""

from collections.abc import Callable
from datetime import UTC, datetime
from uuid import uuid4

import pytest
from django.db import DatabaseError, connection, transaction

from wallets.models import FIRST_HASH, Account, Book, Currency, Entry, Transaction
from wallets.money.accounts import account
from wallets.of_record import bulk

pytestmark = pytest.mark.django_db
AT = datetime(2026, 1, 5, 20, tzinfo=UTC)
NUMBERS = (900_001, 900_002, 900_003)
# The number of an entry, its transaction, its account, its amount, and the balance after it.
LedgerLine = tuple[int, int, int, int, int]


class Batch:
    """Three payments between Alice, who has 100, and Bob, who has 50: 60 over, 70 back, 10 over."""

    def __init__(self, alice: Account, bob: Account, euro: Currency) -> None:
        self.alice, self.bob = alice.pk, bob.pk
        Book.objects.create(name="table:9")
        self.yen = self._empty("player", Currency.objects.create(code="JPY", name="Yen"))
        self.house = self._empty("house", euro)
        self.rake = self._empty("rake", euro)
        balance, other = alice.balance, bob.balance
        self.lines: list[LedgerLine] = []
        for number, amount in zip(NUMBERS, (-6_000, 7_000, -1_000), strict=True):
            balance, other = balance + amount, other - amount
            self.add(number, self.alice, amount, balance)
            self.add(number, self.bob, -amount, other)

    def _empty(self, kind: str, currency: Currency) -> int:
        return account(kind, "player:carol", currency).pk

    def add(self, number: int, whose: int, amount: int, after: int) -> None:
        self.lines.append((900_000 + len(self.lines), number, whose, amount, after))

    def change(self, place: int, **changed: int) -> None:
        names = ("id", "transaction", "whose", "amount", "after")
        line = dict(zip(names, self.lines[place], strict=True)) | changed
        self.lines[place] = tuple(line.values())  # type: ignore[assignment]

    @transaction.atomic
    def write(self) -> None:
        """Transactions and entries, each in one statement, in the order that the engine wants."""
        names = ("id", "key", "kind", "book_id", "position", "reason", "actor", "time")
        of_transaction = bulk.columns("wallets.Transaction", (*names, "digest", "hash"))
        texts = ("a test", "test", AT, FIRST_HASH, FIRST_HASH)
        transactions = [
            of_transaction.row((number, uuid4(), "payment", "table:9", place, *texts))
            for place, number in enumerate(NUMBERS)
        ]
        of_entry = bulk.columns(
            "wallets.Entry", ("id", "transaction_id", "account_id", "amount", "balance_after")
        )
        entries = [of_entry.row(line) for line in self.lines]
        if connection.vendor == "postgresql":
            of_transaction.insert(transactions)
            of_entry.insert(entries)
        else:
            of_entry.insert(entries)
            of_transaction.insert(transactions)
        connection.check_constraints()


@pytest.fixture
def batch(alice: Account, bob: Account, euro: Currency) -> Batch:
    return Batch(alice, bob, euro)


def books() -> list[object]:
    return [list(kind.objects.order_by("pk").values()) for kind in (Account, Entry, Transaction)]


@pytest.mark.always
def test_postings_of_a_batch_move_their_accounts_one_after_the_other(batch: Batch) -> None:
    batch.write()
    held = dict(Account.objects.values_list("pk", "balance"))
    assert (held[batch.alice], held[batch.bob]) == (10_000, 5_000)
    assert Entry.objects.filter(transaction__in=NUMBERS).count() == 6


def overdraw(batch: Batch) -> None:
    """Bob pays 120 with 110, and has enough again after the third payment."""
    batch.change(2, amount=12_000, after=16_000)
    batch.change(3, amount=-12_000, after=-1_000)
    batch.change(4, amount=-6_000, after=10_000)
    batch.change(5, amount=6_000, after=5_000)


def end_elsewhere(batch: Batch) -> None:
    """The entries do follow one another, but do not begin at the account's balance."""
    for place in (0, 2, 4):
        batch.change(place, after=batch.lines[place][4] + 1)


def pass_currency_on(batch: Batch) -> None:
    batch.change(3, whose=batch.yen, amount=-7_000, after=0)
    batch.change(2, amount=7_000)


def third_currency(batch: Batch) -> None:
    """A posting that balances in sum, with a yen for a cent."""
    batch.change(2, amount=6_999, after=10_999)
    batch.change(4, after=9_999)
    batch.add(NUMBERS[1], batch.yen, 1, 1)


def leave_sums_alone(batch: Batch) -> None:
    """Two postings do not balance, but together they do."""
    batch.change(1, transaction=NUMBERS[1])
    batch.change(3, transaction=NUMBERS[0])


def change_order(batch: Batch) -> None:
    """Alice's second entry comes before her first."""
    batch.change(0, id=900_002)
    batch.change(2, id=900_000)


def overdraw_first(batch: Batch) -> None:
    """Alice pays 160 with 100, and gets it back by the second payment."""
    batch.change(0, amount=-16_000, after=-6_000)
    batch.change(1, amount=16_000, after=21_000)
    batch.change(2, amount=17_000, after=11_000)
    batch.change(3, amount=-17_000, after=4_000)


def name_twice(batch: Batch) -> None:
    batch.change(4, amount=-500, after=10_500)
    batch.add(NUMBERS[2], batch.alice, -500, 10_000)


def name_no_transaction(batch: Batch) -> None:
    batch.change(4, transaction=999_999)
    batch.change(5, transaction=999_999)


WRONG: dict[str, Callable[[Batch], None]] = {
    "one does not balance": lambda batch: batch.change(4, amount=-999, after=10_001),
    "two do not balance, but their sum does": leave_sums_alone,
    "two currencies": third_currency,
    "an account of another currency": pass_currency_on,
    "a balance between is made up": lambda batch: batch.change(2, after=11_001),
    "the last balance is made up": lambda batch: batch.change(4, after=10_001),
    "balances begin elsewhere": end_elsewhere,
    "two entries in the wrong order": change_order,
    "overdrawn for a moment": overdraw,
    "overdrawn by the first": overdraw_first,
    "an account twice": name_twice,
    "no account": lambda batch: batch.change(5, whose=999_999_999),
    "no transaction": name_no_transaction,
    "one entry alone": lambda batch: batch.add(999_999, batch.house, 1, 1),
}


@pytest.mark.parametrize("wrong", WRONG.values(), ids=WRONG.keys())
def test_a_batch_with_one_wrong_posting_is_refused_whole(
    wrong: Callable[[Batch], None], batch: Batch
) -> None:
    wrong(batch)
    before = books()
    with pytest.raises(DatabaseError):
        batch.write()
    assert books() == before


def test_a_batch_adds_nothing_to_a_posting_that_is_there(batch: Batch) -> None:
    batch.write()
    before = books()
    batch.lines = []
    batch.add(NUMBERS[0], batch.house, -1, -1)
    batch.add(NUMBERS[0], batch.rake, 1, 1)
    columns = ("id", "transaction_id", "account_id", "amount", "balance_after")
    of_entry = bulk.columns("wallets.Entry", columns)
    rows = [of_entry.row((line[0] + 50, *line[1:])) for line in batch.lines]
    with pytest.raises(DatabaseError, match="refused"), transaction.atomic():
        of_entry.insert(rows)
    assert books() == before
