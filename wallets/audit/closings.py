"""Close the books: once a day, hash the heads of all chains into one hash.

With one published hash a reader can tell later whether a row before it was changed, even by the
owner of the database: to hide a change, that hash would have to change too.
"""

from collections.abc import Iterable
from datetime import datetime

from django.db import IntegrityError, transaction
from django.db.models import Max
from django.utils import timezone

from wallets.models import FIRST_HASH, Book, Closing, ClosingHead
from wallets.of_record import chain, digests
from wallets.of_record.chain import RECORD_BOOK, chained
from wallets.of_record.verbs import verb


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
def close(now: datetime | None = None) -> Closing:
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
