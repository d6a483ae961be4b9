"""Check that all the money adds up and each change has its verb, and name every mismatch.

Each sum is one statement, so concurrent postings cannot mislead it; the chains are hashed again in
batches. Unless everything is requested, closed transactions are trusted, and only those posted
since the last closing are checked, together with every account's balance.

The owner of the database can borrow the name of a verb and forge an entry of the journal. The key
of an act cannot be computed without the house's keys, so a borrowed name leaves a change unsealed.
"""

import re
from collections import defaultdict
from collections.abc import Iterator
from functools import cache, reduce
from operator import or_
from typing import Any, Final

from django.db import connection
from django.db.models import Exists, F, OuterRef, Q
from django.utils.translation import gettext_lazy as _

from wallets.audit import chains, record_audit
from wallets.audit.chains import closed_heads
from wallets.audit.findings import Finding
from wallets.audit.record_audit import Progress, silent
from wallets.models import FIRST_HASH, Book, ClosingHead, Transaction
from wallets.models.record_models import RecordedChange
from wallets.models.staff_models import JournalEntry
from wallets.of_record import digests, guards
from wallets.of_record.chain import JOURNAL_BOOK, RECORD_BOOK
from wallets.of_record.digests import SealedChange
from wallets.of_record.verbs import UNPROVED, Kind, kind_of
from wallets.staff.journal import BOOK, hash_of
from wallets.values.columns import known_verbs, of_table

CHECK: Final = "verb"
CLOSED_BY_HAND: Final = "command:close_books"
CHANGES_AT_ONCE: Final = 5_000
_OF_STAFF: Final = ~reduce(or_, (Q(verb__startswith=prefix) for prefix in UNPROVED), Q(verb=""))
_NO_VERB: Final = _("{subject}: this row was changed outside the application at {at}.")
_WRONG_VERB: Final = _("{subject}: {verb} changed this row at {at}, and may not.")
_UNKNOWN_VERB: Final = _(
    "{subject}: this row was changed at {at} by {verb}, which is no verb of the house."
)
_UNSEALED: Final = _(
    "{subject}: this row was changed at {at} as {verb}, and not by a program of the house."
)
_UNPROVED: Final = _(
    "{subject}: {verb} changed this row at {at}, and the journal has no entry of it."
)
_NOT_THESE: Final = _("Entry {subject} of the journal is not about the changes made with it.")


def check_verbs(*, everything: bool = True) -> Iterator[Finding]:
    """Yield each change without an authorised act, since the books were last closed by hand.

    Without `everything`, seals and entries are compared since the closing before the last one.
    """
    later = RecordedChange.objects.filter(Q(position=None) | Q(position__gt=accepted()))
    yield from _names(later)
    if not everything:
        later = later.filter(Q(position=None) | Q(position__gt=_closed_before()))
    yield from of_changes(later)
    yield from _lost(_closed_before(JOURNAL_BOOK) if not everything else 0)


def of_changes(later: Any) -> Iterator[Finding]:
    """Yield the changes without the seal of their act, or without the entry that proves them."""
    yield from _seals(later)
    yield from _entries(later)
    yield from _pointers(later)


def _names(later: Any) -> Iterator[Finding]:
    known = known_verbs()
    for table, verb in sorted(later.order_by().values_list("table", "verb").distinct()):
        declared = of_table(table)
        if verb and declared and declared.may_change(verb):
            continue
        sentence = _NO_VERB if not verb else _WRONG_VERB if verb in known else _UNKNOWN_VERB
        for change in later.filter(table=table, verb=verb).order_by("id"):
            values = {"verb": verb, "at": change.at}
            yield Finding(CHECK, f"{table} {change.row}", sentence, values)


def _seals(later: Any) -> Iterator[Finding]:
    rows = later.exclude(verb="").order_by("id").values_list("at", "seal", *SealedChange._fields)
    for at, seal, *values in rows.iterator(chunk_size=CHANGES_AT_ONCE):
        change = SealedChange(*values)
        if not digests.is_sealed(change, seal):
            subject = f"{change.table} {change.row}"
            yield Finding(CHECK, subject, _UNSEALED, {"verb": change.verb, "at": at})


def _entries(later: Any) -> Iterator[Finding]:
    """Of staff, the entry has the verb of the changes, and the digest of all of them."""
    made: dict[str, list[tuple[Any, ...]]] = defaultdict(list)
    for verb, act, at, *change in (
        later.filter(_OF_STAFF)
        .order_by("id")
        .values_list("verb", "act", "at", *digests.PROVED)
        .iterator(chunk_size=CHANGES_AT_ONCE)
    ):
        made[act].append((verb, at, change))
    entries = {
        entry.act: entry
        for acts in _parts(sorted(made))
        for entry in JournalEntry.objects.filter(act__in=acts)
    }
    for act, changes in made.items():
        entry = entries.get(act)
        if entry is None:
            for verb, at, (table, row, *_rest) in changes:
                yield Finding(CHECK, f"{table} {row}", _UNPROVED, {"verb": verb, "at": at})
        elif {entry.verb} != {verb for verb, *_rest in changes} or entry.changes != digests.digest(
            change for *_rest, change in changes
        ):
            yield Finding(CHECK, str(entry.position), _NOT_THESE)


def _pointers(later: Any) -> Iterator[Finding]:
    """Changes of staff point to the entry of their act, and no others point to any."""
    wrong = later.filter(
        Q(_OF_STAFF, Q(entry=None) | ~Q(entry=F("act"))) | Q(~_OF_STAFF, entry__isnull=False)
    )
    for change in wrong.order_by("id"):
        if change.entry_id is None or kind_of(change.verb) is Kind.STAFF:
            values = {"verb": change.verb, "at": change.at}
            yield Finding(CHECK, f"{change.table} {change.row}", _UNPROVED, values)
        else:
            yield Finding(CHECK, change.entry_id, _NOT_THESE)


def _lost(after: int) -> Iterator[Finding]:
    """Yield each entry after a position whose changes are no longer in the record.

    A change without its place can be deleted, and leaves no gap.
    """
    made = RecordedChange.objects.filter(entry=OuterRef("act"))
    entries = JournalEntry.objects.filter(~Exists(made), position__gt=after, act__isnull=False)
    for entry in entries.exclude(changes=digests.digest(())).order_by("position"):
        yield Finding(CHECK, str(entry.position), _NOT_THESE)


def _parts(acts: list[str]) -> Iterator[list[str]]:
    for start in range(0, len(acts), 500):
        yield acts[start : start + 500]


def accepted() -> int:
    """The last change that was in a closing by hand."""
    entries = JournalEntry.objects.filter(verb=CLOSED_BY_HAND).values_list("after", flat=True)
    hashes = [after.get("hash") for after in entries if isinstance(after, dict)]
    heads: Any = ClosingHead.objects.filter(book=RECORD_BOOK, closing__hash__in=hashes)
    return max(heads.values_list("position", flat=True), default=0)


def _closed_before(book: str = RECORD_BOOK) -> int:
    """The end of a book at the closing before the last: what followed may not be checked yet."""
    heads = ClosingHead.objects.filter(book=book).order_by("-position")
    return next(iter(heads.values_list("position", flat=True)[1:2]), 0)


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
    hashes = dict(JournalEntry.objects.filter(position__in=closed).values_list("position", "hash"))
    for position, head in closed.items():
        if hashes.get(position) != head:
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
    yield from check_verbs(everything=everything)
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
