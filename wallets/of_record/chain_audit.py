"""Check the chain of the record: hash each change again, and compare the end with its book."""

from collections.abc import Iterator
from typing import Any, Final

from django.utils.translation import gettext_lazy as _

from wallets.closings import closed_heads
from wallets.findings import Finding
from wallets.ledger import RECORD_BOOK
from wallets.models import FIRST_HASH, Book, ClosingHead
from wallets.of_record.chain import VALUES, hash_of
from wallets.record_models import RecordedChange

AT_ONCE: Final = 5_000


def check(*, everything: bool) -> Iterator[Finding]:
    """Yield what is wrong with the chain; without `everything`, since the last closing."""
    book = Book.objects.filter(name=RECORD_BOOK).first()
    end = (book.position, book.head) if book else (0, FIRST_HASH)
    yield from _closed()
    closed = closed_heads().get(RECORD_BOOK, (0, FIRST_HASH))
    position, head = (0, FIRST_HASH) if everything else closed
    changes = RecordedChange.objects.filter(position__range=(position + 1, end[0]))
    rows: Any = changes.order_by("position").values_list("position", "hash", *VALUES)
    for place, own, *values in rows.iterator(chunk_size=AT_ONCE):
        if place != position + 1:
            yield _finding(place, _("Before change {subject} of the record is a gap."))
        elif own != hash_of(values, head):
            yield _finding(place, _("Change {subject} of the record is not what was written."))
        position, head = place, own
    later = RecordedChange.objects.filter(position__gt=end[0]).exists()
    if (position, head) != end or later:
        yield _finding(end[0], _("The record does not end with the recorded hash: {subject}."))


def _closed() -> Iterator[Finding]:
    """Each closing names a change that still has the same hash."""
    closed = dict(ClosingHead.objects.filter(book=RECORD_BOOK).values_list("position", "head"))
    changes: Any = RecordedChange.objects.filter(position__in=closed)
    found = dict(changes.values_list("position", "hash"))
    for position, head in closed.items():
        if found.get(position) != head:
            yield _finding(position, _("Change {subject} of the record is not what was closed."))


def _finding(position: int, sentence: Any) -> Finding:
    return Finding("record", str(position), sentence)
