"""The chain of recorded changes: the book `record`, which closings and anchors cover.

Triggers write changes without a place, so that no writer waits for another; `link` puts them in
order a moment later. Until then a change is as safe as the database; afterwards it cannot be edited
without contradicting each later hash, the next closing and the next anchor.
"""

from collections.abc import Sequence
from typing import Any, Final

from django.db import connection, transaction

from wallets.models import Book
from wallets.models.record_models import RecordedChange
from wallets.of_record import late_tables
from wallets.of_record.chaining import RECORD_BOOK, chained, hashed, locked_book
from wallets.of_record.triggers import RECORD
from wallets.storage.canonical_json import canonical

# How many changes one transaction links.
LINKS_MAX: Final = 2_000
_COVERED: Final = ("id", "table", "row", "what", "before", "after", "verb", "act", "seal")
VALUES: Final = ("at", *_COVERED)
_LINK: Final = f"UPDATE {RECORD} SET position = %s, hash = %s WHERE id = %s"
# PostgreSQL plans each statement anew, so there one statement links all.
_LINK_ON_POSTGRESQL: Final = f"""
    UPDATE {RECORD} AS change SET position = link.position, hash = link.hash
    FROM unnest(%s::bigint[], %s::text[], %s::bigint[]) AS link (position, hash, id)
    WHERE change.id = link.id"""


def hash_of(values: Sequence[Any], previous: str) -> str:
    """Hash the columns of a change that `VALUES` names, without making a model of each row."""
    at, *covered = values
    body = canonical(dict(zip(_COVERED, covered, strict=True))).decode()
    return chained(previous, hashed(body), at, ())


def link_all() -> int:
    """Write down the rows of late tables, link everything, and return how many changes waited."""
    late_tables.write()
    linked, last = 0, 0
    while some := _link_after(last):
        linked, last = linked + len(some), some[-1]
    return linked


def _link_after(last: int) -> list[int]:
    """Give waiting changes after a number their places, and return their numbers.

    A change of a transaction that took long is found by the next run.
    """
    waiting = RecordedChange.objects.filter(position=None, id__gt=last).order_by("id")
    if not waiting.exists():
        return []
    with transaction.atomic():
        book = locked_book(RECORD_BOOK)
        placed: list[tuple[int, str, int]] = []
        position, head = book.position, book.head
        for number, *values in waiting.values_list("id", *VALUES)[:LINKS_MAX]:
            position, head = position + 1, hash_of(values, head)
            placed.append((position, head, number))
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                columns = [list(column) for column in zip(*placed, strict=True)]
                cursor.execute(_LINK_ON_POSTGRESQL, columns or [[], [], []])
            else:
                cursor.executemany(_LINK, placed)
        Book.objects.filter(name=RECORD_BOOK).update(position=position, head=head)
        return [number for _position, _head, number in placed]
