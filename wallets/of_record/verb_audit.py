"""Which changes of record were made past the house, or by a function that may not make them.

Closing the books by hand accepts them: the command names a member of staff and a reason, and its
entry in the journal has the hash of the closing.
"""

from collections.abc import Iterator
from typing import Any, Final

from django.db.models import Q
from django.utils.translation import gettext_lazy as _

from wallets.findings import Finding
from wallets.ledger import RECORD_BOOK
from wallets.models import ClosingHead
from wallets.of_record.declarations import of_table
from wallets.record_models import RecordedChange
from wallets.staff_models import JournalEntry

CLOSED_BY_HAND: Final = "command:close_books"
_NO_VERB: Final = _("{subject}: somebody changed this row past the house, at {at}.")
_WRONG_VERB: Final = _("{subject}: {verb} changed this row at {at}, and may not.")
What = RecordedChange.What


def check() -> Iterator[Finding]:
    """Yield each such change since the books were last closed by hand."""
    changes = RecordedChange.objects.exclude(what__in=(What.DECLARED, What.BASELINE))
    later = changes.filter(Q(position=None) | Q(position__gt=accepted()))
    for table, verb in sorted(later.order_by().values_list("table", "verb").distinct()):
        declared = of_table(table)
        if verb and declared and declared.may_change(verb):
            continue
        for change in later.filter(table=table, verb=verb).order_by("id"):
            sentence = _WRONG_VERB if verb else _NO_VERB
            values = {"verb": verb, "at": change.at}
            yield Finding("verb", f"{table} {change.row}", sentence, values)


def accepted() -> int:
    """The last change that was in a closing by hand."""
    entries = JournalEntry.objects.filter(verb=CLOSED_BY_HAND).values_list("after", flat=True)
    hashes = [after.get("hash") for after in entries if isinstance(after, dict)]
    heads: Any = ClosingHead.objects.filter(book=RECORD_BOOK, closing__hash__in=hashes)
    return max(heads.values_list("position", flat=True), default=0)
