"""Books: chains of hashes, and the book `record` of changes, which closings and anchors cover.

Triggers write changes without a place, so that no writer waits for another; `link` puts them in
order a moment later. Until then a change is as safe as the database; afterwards it cannot be edited
without contradicting each later hash, the next closing and the next anchor.

Rows of late tables are written down later than their transactions. Such a row is looked for as long
as a slow transaction may keep it from being seen: among the newest rows, however many of them are
written down already.
"""

from collections.abc import Iterable, Sequence
from datetime import UTC, datetime, timedelta
from hashlib import sha256
from typing import Any, Final

from django.db import connection, transaction

from wallets.models import Book
from wallets.models.record_models import RecordedChange
from wallets.of_record import triggers
from wallets.of_record.installing import write_rows
from wallets.of_record.triggers import RECORD, key_text
from wallets.of_record.verbs import verb
from wallets.storage.signing import canonical
from wallets.values.columns import WRITE_LATE, Declaration, recorded

# How many of the newest rows are looked at behind the first one that is not written down.
BEHIND: Final = 1_000


@verb(WRITE_LATE, alone=True)
def write() -> None:
    """Write down the new rows of every late table."""
    triggers.tell(connection)
    for declared in recorded():
        if declared.late:
            with connection.cursor() as cursor:
                cursor.execute(
                    write_rows(
                        declared,
                        RecordedChange.What.INSERT,
                        connection.vendor,
                        _new(declared, newest(declared)),
                    )
                )


def newest(declared: Declaration) -> int:
    """The number of the newest row that is written down."""
    with connection.cursor() as cursor:
        cursor.execute(
            f'SELECT "row" FROM {RECORD} WHERE "table" = %s AND "row" <> \'\''
            " AND what IN ('insert', 'baseline') ORDER BY id DESC LIMIT 1",
            [declared.table],
        )
        row = cursor.fetchone()
    return int(row[0]) if row else 0


def _new(declared: Declaration, last: int) -> str:
    key = f't."{declared.key_column}"'
    return f"""WHERE {key} > {last - BEHIND} AND NOT EXISTS (
        SELECT 1 FROM {RECORD} AS c
        WHERE c."table" = '{declared.table}' AND c."row" = {key_text(declared, "t")}
    ) ORDER BY {key}"""


# The books of the journal (`wallets.staff.journal`) and of the record of changes
# (`wallets.of_record`): their own entries move the heads, and no posting does.
JOURNAL_BOOK: Final = "journal"
RECORD_BOOK: Final = "record"
WITHOUT_POSTINGS: Final = (JOURNAL_BOOK, RECORD_BOOK)
_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def locked_book(name: str) -> Book:
    """Lock a book until the transaction ends; it is made if there is none yet."""
    held = Book.objects.select_for_update().filter(name=name)
    book = held.first()
    if book is None:
        Book.objects.get_or_create(name=name)
        book = held.get()
    return book


def hashed(text: str) -> str:
    return sha256(text.encode()).hexdigest()


def chained(previous: str, digest: str, time: datetime, accounts: Iterable[str]) -> str:
    """Hash a transaction: the previous hash of its book, its body, its time, its account owners."""
    microseconds = (time - _EPOCH) // timedelta(microseconds=1)
    return hashed("\n".join([f"{previous}{digest}{microseconds}", *accounts]))


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
    write()
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
