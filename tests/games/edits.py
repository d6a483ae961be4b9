"""All edits that are made by SQL, and by which checks of the house each is noticed.

`python -m tests.games.print_edits` prints them; `docs/ledger.md` says how many there are.
"""

from collections.abc import Iterable
from typing import Any

from tests.games import edits_of_hands, edits_of_the_books
from tests.games.falsified import EDITS

__all__ = ["EDITS", "edits_of_hands", "edits_of_the_books", "table_of_edits"]

# The checks by their names in the documentation.
CHECKS = {
    "hands": "hands",
    "shoes": "shoes",
    "numbers": "numbers",
    "entries": "strangers",
    "postings": "postings",
    "chain": "chain",
    "anchors": "anchors",
    "days": "days",
    "reconcile": "`reconcile`",
    "triggers": "triggers",
    "boards": "boards",
    "desk": "desk",
    "integrity": "integrity",
    "migrations": "migrations",
}


def table_of_edits(edits: Iterable[Any] = EDITS) -> str:
    """A table for auditors, in Markdown."""
    lines = ["| what is edited | noticed by |", "| --- | --- |"]
    lines += [
        f"| {edit.what} | {', '.join(CHECKS[name] for name in edit.noticed_by)} |" for edit in edits
    ]
    return "\n".join(lines) + "\n"
