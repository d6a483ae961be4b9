"""Check the chains: hash every transaction again, in the order of its book."""

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import datetime
from functools import reduce
from operator import or_
from typing import Any, Final, NamedTuple

from django.db import IntegrityError, transaction
from django.db.models import Max, Q, QuerySet
from django.utils import timezone
from django.utils.translation import gettext_lazy as _

from wallets.audit.findings import Finding
from wallets.models import FIRST_HASH, Book, Closing, ClosingHead, Entry, Transaction
from wallets.models.record_models import ClosingDigest, RecordedChange
from wallets.models.staff_models import JournalEntry
from wallets.money.ledger import body_text
from wallets.money.references import astray
from wallets.of_record import chain, digests
from wallets.of_record import digests as totals
from wallets.of_record.chain import RECORD_BOOK, WITHOUT_POSTINGS, chained, hashed
from wallets.of_record.verbs import verb
from wallets.staff.journal import BOOK as JOURNAL

# With one published hash a reader can tell later whether a row before it was changed, even by the
# owner of the database: to hide a change, that hash would have to change too.


def closed_heads() -> dict[str, tuple[int, str]]:
    """Return each book's position and hash at its last closing."""
    last = ClosingHead.objects.values("book_id").annotate(position=Max("position"))
    positions = {(row["book_id"], row["position"]) for row in last}
    return {
        book: (position, head)
        for book, position, head in ClosingHead.objects.values_list("book_id", "position", "head")
        if (book, position) in positions
    }


def closing_hash(previous: str, time: datetime, heads: Iterable[tuple[str, int, str]]) -> str:
    """Hash the previous closing, the time, and a line for each book that moved.

    A table of record that changed has such a line, too: its rows and their digest.
    """
    return chained(previous, "", time, [f"{book} {at} {head}" for book, at, head in sorted(heads)])


@verb("house:books.close", alone=True)
def close_books(now: datetime | None = None) -> Closing:
    """Close all books that have moved; of two concurrent closings only one is written."""
    chain.link_all()
    taken = digests.since_closing()
    try:
        with transaction.atomic():
            return _close(now or timezone.now(), taken)
    except IntegrityError:
        return Closing.objects.latest("pk")


def _close(now: datetime, taken: digests.Taken) -> Closing:
    last = Closing.objects.order_by("-pk").first()
    previous = FIRST_HASH if last is None else last.hash
    closed = closed_heads()
    books = {
        name: (position, head)
        for name, position, head in Book.objects.values_list("name", "position", "head")
    }
    if taken.position:
        # The record may have gone on since its digests were taken.
        books[RECORD_BOOK] = (taken.position, taken.head)
    moved = [
        (name, position, head)
        for name, (position, head) in books.items()
        if position > closed.get(name, (0, FIRST_HASH))[0]
    ]
    lines = [(table, total.rows, total.digest) for table, (_at, total) in taken.tables.items()]
    closing = Closing.objects.create(
        time=now,
        books=len(moved),
        previous=previous,
        hash=closing_hash(previous, now, [*moved, *lines]),
    )
    digests.store(closing, taken)
    ClosingHead.objects.bulk_create(
        [
            ClosingHead(closing=closing, book_id=name, position=position, head=head)
            for name, position, head in moved
        ],
        batch_size=1_000,
    )
    return closing


# How many transactions are read at once, and from how many books.
TRANSACTIONS: Final = 2_000
BOOKS: Final = 100
ASTRAY: Final = _("Transaction {subject} belongs to an object that does not exist.")


class Stretch(NamedTuple):
    """A part of a book, from a position (exclusive) to a position (inclusive)."""

    book: str
    after: int
    upto: int


class _Legs(NamedTuple):
    amounts: list[tuple[int, int]]
    whose: list[str]


def check_chains(*, everything: bool) -> Iterator[tuple[int, list[Finding]]]:
    """Yield findings with the number of transactions checked, batch by batch."""
    heads = {} if everything else closed_heads()
    books = {book.name: book for book in Book.objects.exclude(name__in=WITHOUT_POSTINGS)}
    reached = {name: heads.get(name, (0, FIRST_HASH)) for name in books}
    for bunch in _bunches(books.values(), reached):
        findings: list[Finding] = []
        ranges = [Q(book=part.book, position__range=(part.after + 1, part.upto)) for part in bunch]
        rows = list(
            Transaction.objects.filter(reduce(or_, ranges)).order_by("book_id", "position").values()
        )
        legs = _legs([row["id"] for row in rows])
        lost = astray((row["key"], row["kind"], row["reference"]) for row in rows)
        findings += [
            Finding("astray", f"{row['id']} ({row['book_id']}:{row['position']})", ASTRAY)
            for row in rows
            if row["key"] in lost
        ]
        for row in rows:
            findings += _broken(row, legs.get(row["id"], _Legs([], [])), reached[row["book_id"]])
            reached[row["book_id"]] = (row["position"], row["hash"])
        for part in bunch:
            book = books[part.book]
            if part.upto == book.position and reached[part.book] != (book.position, book.head):
                sentence = _("Book {subject} does not end with the recorded hash.")
                findings.append(Finding("head", part.book, sentence))
        yield len(rows), findings


def hashes_at(book: str, positions: Iterable[int]) -> dict[int, str]:
    own = {JOURNAL: JournalEntry.objects.all(), RECORD_BOOK: RecordedChange.objects.all()}
    entries: QuerySet[Any] = own.get(book, Transaction.objects.filter(book=book))
    return dict(entries.filter(position__in=positions).values_list("position", "hash"))


def outstanding(*, everything: bool) -> int:
    """Return how many transactions `check_chains` will check."""
    heads = {} if everything else closed_heads()
    return sum(
        position - heads.get(name, (0, ""))[0]
        for name, position in Book.objects.exclude(name__in=WITHOUT_POSTINGS).values_list(
            "name", "position"
        )
    )


def check_closings() -> Iterator[Finding]:
    """Check that each closing follows from the previous one and from the books at that time."""
    previous = FIRST_HASH
    for closing in Closing.objects.order_by("pk"):
        heads = list(closing.heads.values_list("book_id", "position", "head"))
        digests = closing.digests.values_list("table", "rows", "digest")
        expected = closing_hash(previous, closing.time, [*heads, *digests])
        if (closing.previous, closing.hash) != (previous, expected):
            sentence = _("Closing {subject} does not follow from the one before and its books.")
            yield Finding("closing", str(closing.pk), sentence)
        for digest in closing.digests.all():
            if not _is_of_its_sum(digest):
                sentence = _("The digest of {subject} at a closing is not that of its sum.")
                yield Finding("closing", f"{digest.table} ({closing.pk})", sentence)
        previous = closing.hash


def _is_of_its_sum(digest: ClosingDigest) -> bool:
    try:
        return totals.Total(digest.rows, int(digest.total, 16)).digest == digest.digest
    except (ValueError, OverflowError):
        return False


def _bunches(
    books: Iterable[Book], reached: dict[str, tuple[int, str]]
) -> Iterator[Sequence[Stretch]]:
    """Split long books into several parts and group short ones together."""
    bunch: list[Stretch] = []
    room = TRANSACTIONS
    for book in books:
        after = reached[book.name][0]
        while after < book.position:
            upto = min(book.position, after + room)
            bunch.append(Stretch(book.name, after, upto))
            room -= upto - after
            after = upto
            if not room or len(bunch) == BOOKS:
                yield bunch
                bunch, room = [], TRANSACTIONS
    if bunch:
        yield bunch


def _legs(transactions: Sequence[int]) -> dict[int, _Legs]:
    """Return the entries of some transactions as posted, with the owners of the accounts."""
    legses: dict[int, _Legs] = {}
    entries = Entry.objects.filter(transaction__in=transactions).order_by("account_id")
    for number, account, amount, kind, owner, currency in entries.values_list(
        "transaction_id",
        "account_id",
        "amount",
        "account__kind",
        "account__owner",
        "account__currency_id",
    ):
        legs = legses.setdefault(number, _Legs([], []))
        legs.amounts.append((account, amount))
        legs.whose.append(f"{kind} {owner} {currency}")
    return legses


def _broken(row: Mapping[str, Any], legs: _Legs, before: tuple[int, str]) -> Iterator[Finding]:
    """Return what is wrong with a transaction that follows another."""
    subject = f"{row['id']} ({row['book_id']}:{row['position']})"
    position, previous = before
    if row["position"] != position + 1:
        sentence = _("Before transaction {subject} there is a gap in its book.")
        yield Finding("gap", subject, sentence)
    elif row["previous"] != previous:
        sentence = _("Transaction {subject} does not follow from the one before it.")
        yield Finding("chain", subject, sentence)
    body = {**row, "book": row["book_id"]}
    if not legs.amounts or hashed(body_text(body, legs.amounts)) != row["digest"]:
        sentence = _("Transaction {subject} or its entries are not what was posted.")
        yield Finding("body", subject, sentence)
    elif chained(row["previous"], row["digest"], row["time"], legs.whose) != row["hash"]:
        sentence = _("The time or the owners of transaction {subject} are not what they were.")
        yield Finding("hash", subject, sentence)
