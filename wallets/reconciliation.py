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

from wallets import chains, guards
from wallets.findings import Finding
from wallets.journal_audit import check_journal
from wallets.of_record import audit as record_audit
from wallets.of_record import chain_audit, verb_audit
from wallets.of_record.audit import Progress, silent

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
        yield Finding("guard", name, _("The guard {subject} of the ledger is missing."))
    posted = _EVERYTHING if everything else _SINCE_CLOSING
    for check, sentence in _SENTENCES.items():
        with connection.cursor() as cursor:
            cursor.execute(f"WITH posted AS ({posted}) {_statements()[check]}")
            for row in cursor.fetchall():
                yield Finding(check, " ".join(map(str, row)), sentence)
    yield from chains.check_closings()
    yield from check_journal(everything=everything)
    yield from chain_audit.check(everything=everything)
    yield from verb_audit.check()
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
