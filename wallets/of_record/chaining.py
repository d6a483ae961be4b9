"""Books: chains of hashes over postings, over the journal, and over the record of changes."""

from collections.abc import Iterable
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Final

from wallets.models import Book

# The books of the journal (`wallets.staff.journal`) and of the record of changes
# (`wallets.of_record`): their own entries move the heads, and no posting does.
JOURNAL_BOOK: Final = "journal"
RECORD_BOOK: Final = "record"
WITHOUT_POSTINGS: Final = (JOURNAL_BOOK, RECORD_BOOK)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def locked_book(name: str) -> Book:
    """Lock a book until the transaction ends; it is made if there is none yet."""
    held = Book.objects.select_for_update().filter(name=name)
    book = held.first()
    if book is None:
        Book.objects.get_or_create(name=name)
        book = held.get()
    return book


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def chained(previous: str, digest: str, time: datetime, accounts: Iterable[str]) -> str:
    """Hash a transaction: the previous hash of its book, its body, its time, its account owners."""
    microseconds = (time - _EPOCH) // timedelta(microseconds=1)
    return hashed("\n".join([f"{previous}{digest}{microseconds}", *accounts]))
