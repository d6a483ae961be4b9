"""The digest of each table of record at a closing, and what proves a recorded change.

A table's digest is the hash of a sum: each row is hashed to 2,048 bits, and the hashes are added
up. So a closing subtracts what rows were and adds what they have become, and reads no table. The
audit adds up all rows anew.
"""

from collections.abc import Iterable, Iterator, Sequence
from hashlib import sha256, shake_256
from typing import Final, NamedTuple

from django.conf import settings
from django.db.models import Max

from wallets.models import Book, Closing
from wallets.models.record_models import ClosingDigest, RecordedChange
from wallets.of_record.chain import RECORD_BOOK
from wallets.of_record.sql_functions import seal
from wallets.of_record.verbs import act_key

PROVED: Final = ("table", "row", "what", "before", "after")


class SealedChange(NamedTuple):
    """A recorded change as its seal covers it, in this order."""

    id: int
    table: str
    row: str
    what: str
    before: str | None
    after: str | None
    verb: str
    act: str

    @property
    def content(self) -> str:
        return "\n".join("" if value is None else str(value) for value in self)


def is_sealed(change: SealedChange, with_seal: str) -> bool:
    """Whether a program that has the house's keys made this change, as it stands."""
    return bool(change.act) and any(
        seal(change.content, act_key(change.act, change.verb, key)) == with_seal
        for key in settings.SEALING_KEYS
    )


def digest(changes: Iterable[Sequence[object]]) -> str:
    """The digest of changes, each as `PROVED` names its columns."""
    hasher = sha256()
    for change in changes:
        hasher.update("".join("\n" if value is None else f"{value}\n" for value in change).encode())
    return hasher.hexdigest()


def digest_of_act(act: str) -> str:
    """The digest of what was changed so far under an act of staff."""
    changes = RecordedChange.objects.filter(entry__act=act).order_by("id")
    return digest(changes.values_list(*PROVED))


BYTES: Final = 256
MODULUS: Final = 1 << (8 * BYTES)
AT_ONCE: Final = 5_000
What = RecordedChange.What


class Total(NamedTuple):
    """The rows of a table: how many, and the sum of their hashes."""

    rows: int = 0
    sum: int = 0

    def plus(self, row: str, text: str) -> "Total":
        return Total(self.rows + 1, (self.sum + _number(row, text)) % MODULUS)

    def minus(self, row: str, text: str) -> "Total":
        return Total(self.rows - 1, (self.sum - _number(row, text)) % MODULUS)

    @property
    def written(self) -> str:
        return f"{self.sum:x}"

    @property
    def digest(self) -> str:
        return sha256(f"{self.rows} {self.written}".encode()).hexdigest()


class Taken(NamedTuple):
    """The tables that changed since the last closing, as of a place in the record."""

    position: int
    head: str
    # By table: its last change, and its rows.
    tables: dict[str, tuple[int, Total]]


def _number(row: str, text: str) -> int:
    return int.from_bytes(shake_256(f"{row}\n{text}".encode()).digest(BYTES))


def last_closed() -> dict[str, ClosingDigest]:
    """The newest digest of each table."""
    newest = ClosingDigest.objects.values("table").annotate(last=Max("pk")).values("last")
    return {
        closing_digest.table: closing_digest
        for closing_digest in ClosingDigest.objects.filter(pk__in=newest)
    }


def since_closing() -> Taken:
    """Add what was recorded since the last closing to the digests of that closing."""
    book = Book.objects.filter(name=RECORD_BOOK).first()
    if book is None:
        return Taken(0, "", {})
    closed = last_closed()
    totals = {
        closing_digest.table: Total(closing_digest.rows, int(closing_digest.total, 16))
        for closing_digest in closed.values()
    }
    after = max((closing_digest.position for closing_digest in closed.values()), default=0)
    tables: dict[str, tuple[int, Total]] = {}
    for position, table, row, what, before, later in _changes(after, book.position):
        total = Total() if what == What.DECLARED else totals.get(table, Total())
        if what != What.DECLARED:
            total = total.minus(row, before) if before is not None else total
            total = total.plus(row, later) if later is not None else total
        totals[table] = total
        tables[table] = (position, total)
    return Taken(book.position, book.head, tables)


def _changes(after: int, upto: int) -> Iterator[tuple[int, str, str, str, str | None, str | None]]:
    changes = RecordedChange.objects.filter(position__range=(after + 1, upto)).order_by("position")
    rows = changes.values_list("position", "table", "row", "what", "before", "after")
    for position, *rest in rows.iterator(chunk_size=AT_ONCE):
        assert position is not None
        yield (position, *rest)  # type: ignore[misc]


def store(closing: Closing, taken: Taken) -> None:
    ClosingDigest.objects.bulk_create(
        ClosingDigest(
            closing=closing,
            table=table,
            position=position,
            rows=total.rows,
            total=total.written,
            digest=total.digest,
        )
        for table, (position, total) in taken.tables.items()
    )
