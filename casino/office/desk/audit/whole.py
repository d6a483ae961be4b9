"""The audit of the cash desk: every document has its posting, and every posting its document.

The findings are of one moment, so that the desk may go on working.
"""

from collections.abc import Iterator
from datetime import date

from casino.office.desk.audit import receipt_checks, set_aside, shift_checks
from games.records.audit_house import unbroken
from wallets.storage.snapshot import snapshot

CHECKS = (*receipt_checks.CHECKS, *set_aside.CHECKS, *shift_checks.CHECKS)


def findings(_since: date | None = None) -> Iterator[str]:
    """Everything that does not fit; older documents are compared each time, too."""
    with snapshot():
        found = [sentence for check in CHECKS for sentence in unbroken(check)()]
    yield from found
