"""Check the journal: hash each entry again, and compare the end with its book."""

from collections.abc import Iterator

from django.utils.translation import gettext_lazy as _

from wallets.closings import closed_heads
from wallets.findings import Finding
from wallets.journal import BOOK, hash_of
from wallets.models import FIRST_HASH, Book, ClosingHead, Transaction
from wallets.staff_models import JournalEntry

AT_ONCE = 2_000


def check_journal(*, everything: bool) -> Iterator[Finding]:
    """Yield what does not fit; without `everything`, only what follows the last closing."""
    if Transaction.objects.filter(book=BOOK).exists():
        yield Finding("journal", BOOK, _("The ledger has a posting in the book {subject}."))
    book = Book.objects.filter(name=BOOK).first()
    end = (book.position, book.head) if book else (0, FIRST_HASH)
    yield from _closed()
    position, head = (0, FIRST_HASH) if everything else closed_heads().get(BOOK, (0, FIRST_HASH))
    entries = JournalEntry.objects.filter(position__gt=position).order_by("position")
    for entry in entries.iterator(chunk_size=AT_ONCE):
        if entry.position != position + 1:
            sentence = _("Before entry {subject} of the journal there is a gap.")
            yield Finding("journal", str(entry.position), sentence)
        elif entry.previous != head:
            sentence = _("Entry {subject} of the journal does not follow from the one before it.")
            yield Finding("journal", str(entry.position), sentence)
        if hash_of(entry) != entry.hash:
            sentence = _("Entry {subject} of the journal is not what was written.")
            yield Finding("journal", str(entry.position), sentence)
        position, head = entry.position, entry.hash
    if (position, head) != end:
        sentence = _("The journal does not end with the recorded hash: {subject}.")
        yield Finding("journal", str(end[0]), sentence)


def _closed() -> Iterator[Finding]:
    """Each closing names an entry that still has the same hash."""
    closed = dict(ClosingHead.objects.filter(book=BOOK).values_list("position", "head"))
    found = dict(JournalEntry.objects.filter(position__in=closed).values_list("position", "hash"))
    for position, head in closed.items():
        if found.get(position) != head:
            sentence = _("Entry {subject} of the journal is no longer what was closed.")
            yield Finding("journal", str(position), sentence)
