"""Check that all the money adds up, and name every mismatch.

Each sum is one statement, so concurrent postings cannot mislead it; the chains are hashed again in
batches. Unless everything is requested, closed transactions are trusted, and only those posted
since the last closing are checked, together with every account's balance.
"""

import re
from collections.abc import Iterator
from functools import cache
from typing import Final

from django.db import connection
from django.utils.translation import gettext_lazy as _

from wallets.audit import chains, record_audit, verb_audit
from wallets.audit.closings import closed_heads
from wallets.audit.findings import Finding
from wallets.audit.record_audit import Progress, silent
from wallets.models import FIRST_HASH, Book, ClosingHead, Transaction
from wallets.models.staff_models import JournalEntry
from wallets.of_record import guards
from wallets.staff.journal import BOOK, hash_of

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


# The transactions of a run: all of them, or those after the last closing of their books.
_EVERYTHING: Final = "SELECT * FROM wallets_transaction"
_SINCE_CLOSING: Final = """
    SELECT t.* FROM wallets_book AS b
    LEFT JOIN (
        SELECT book_id, max(position) AS position FROM wallets_closinghead GROUP BY book_id
    ) AS closed ON closed.book_id = b.name
    JOIN wallets_transaction AS t
        ON t.book_id = b.name AND t.position > coalesce(closed.position, 0)
"""
_SENTENCES: Final = {
    "balance": _("The balance of account {subject} is not the sum of its entries."),
    "overdrawn": _("Account {subject} is below zero."),
    "currency": _("All accounts in {subject} together do not sum to zero."),
    "running": _("Entry {subject} does not continue the balance before it."),
    "unbalanced": _("The entries of transaction {subject} do not balance."),
    "stray": _("Entry {subject} belongs to no transaction or no account."),
    "beyond": _("Transaction {subject} is after the end of its book."),
    "closed": _("Transaction {subject} of its book is no longer what was closed."),
}


def reconcile(
    *,
    everything: bool = False,
    rows: bool = False,
    progress: Progress = silent,
    rows_progress: Progress = silent,
) -> Iterator[Finding]:
    """Yield mismatches as they are found.

    With `rows`, or everything, all rows of record are compared with their record. Report to
    `progress` how many transactions are hashed, and to `rows_progress` how many rows are compared.
    """
    for name in guards.missing():
        yield Finding(
            "guard", name, _("The guard {subject} is missing, or is not that of this release.")
        )
    posted = _EVERYTHING if everything else _SINCE_CLOSING
    for check, sentence in _SENTENCES.items():
        with connection.cursor() as cursor:
            cursor.execute(f"WITH posted AS ({posted}) {_statements()[check]}")
            for row in cursor.fetchall():
                yield Finding(check, " ".join(map(str, row)), sentence)
    yield from chains.check_closings()
    yield from check_journal(everything=everything)
    yield from record_audit.check_chain(everything=everything)
    yield from verb_audit.check_verbs(everything=everything)
    if everything or rows:
        yield from record_audit.check(rows_progress)
    done, total = 0, chains.outstanding(everything=everything)
    for looked_at, findings in chains.check_chains(everything=everything):
        yield from findings
        done += looked_at
        progress(done, total)


@cache
def _statements() -> dict[str, str]:
    """Return the statements of the checks, by the names written above them."""
    text = (guards.SQL / "reconciliation.sql").read_text()
    return dict(re.findall(r"^-- (\w+)\n(.*?);$", text, re.MULTILINE | re.DOTALL))
