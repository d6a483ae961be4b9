"""Compare the rows of record, as they are, with the changes that were recorded of them.

The recorded changes of a row follow one another: each begins where the one before ended, and the
last one ends with what the row is now. One statement reads some rows with their changes, so the
tables may stay open. The rows' hashes, as of the last closing, must add up to its digests.
"""

import json
from collections.abc import Callable, Iterable, Iterator
from datetime import UTC, datetime
from itertools import groupby
from typing import Any, Final, NamedTuple

from django.db import connection
from django.utils.translation import gettext_lazy as _

from wallets.audit.chains import closed_heads
from wallets.audit.findings import Finding
from wallets.models import FIRST_HASH, Book, ClosingHead
from wallets.models.record_models import ClosingDigest, RecordedChange
from wallets.of_record import chain
from wallets.of_record.chain import RECORD_BOOK, VALUES, hash_of
from wallets.of_record.digests import Total, last_closed
from wallets.of_record.triggers import RECORD, key_text, row_text
from wallets.values.columns import Declaration, recorded

CHECK: Final = "record"
# How many rows are read at once, each with its changes.
ROWS: Final = 2_000
What = RecordedChange.What
Progress = Callable[[int, int], None]

_DIFFERS: Final = _(
    "{subject}: the column {column} is {found}, and {recorded} was recorded at {since}."
)
_HIDDEN: Final = _(
    "{subject}: the column {column} is not what was recorded at {since}; the record has its hash."
)
_STRANGER: Final = _("{subject}: nothing was recorded when this row was added.")
_LOST: Final = _("{subject}: the row is gone; it was last recorded at {since}.")
_SKIPPED: Final = _("{subject}: the column {column} changed unrecorded before {since}.")
_DOUBLE: Final = _(
    "{subject}: the row was recorded as added at {since}, when it was there already."
)
_DIGEST: Final = _("The rows of {subject} at the last closing do not add up to its digest.")


class Change(NamedTuple):
    what: str
    before: str | None
    after: str | None
    at: datetime
    position: int | None


class Followed(NamedTuple):
    """The values of a row according to its recorded changes."""

    text: str | None
    at: datetime | None
    # As of the last closing.
    closed: str | None
    findings: list[Finding]


def silent(_done: int, _total: int) -> None:
    """Report no progress."""


def count(tables: Iterable[Declaration]) -> int:
    return sum(table.model._base_manager.count() for table in tables)


def check(progress: Progress = silent) -> Iterator[Finding]:
    """Yield every difference between rows and record."""
    chain.write()
    tables = recorded()
    done, total = 0, count(tables)
    closed = last_closed()
    for declared in tables:
        for rows, findings in check_table(declared, closed.get(declared.table)):
            yield from findings
            done += rows
            if rows and not done % ROWS:
                progress(done, total)
    progress(total, total)


def check_table(
    declared: Declaration, closed: ClosingDigest | None
) -> Iterator[tuple[int, list[Finding]]]:
    """Yield the findings about each row, and whether it is one that is there.

    The rows as of a closing must add up to its digest of them, even where another one follows
    while they are read.
    """
    newest = chain.newest(declared) if declared.late else None
    summed, upto = Total(), closed.position if closed else 0
    for row, text, changes in _rows(declared):
        if newest is not None and not changes and int(row) > newest:
            # It was added while the audit ran.
            continue
        followed = _follow(declared, row, changes, upto)
        if followed.closed is not None:
            summed = summed.plus(row, followed.closed)
        if followed.text != text:
            followed.findings.extend(_differences(declared, row, text, followed))
        yield int(text is not None), followed.findings
    if closed and (summed.rows, summed.digest) != (closed.rows, closed.digest):
        yield 0, [Finding(CHECK, declared.table, _DIGEST)]


def _rows(declared: Declaration) -> Iterator[tuple[str, str | None, list[Change]]]:
    """Every row that is there or was recorded, as text, with its changes in their order."""
    yield from _present(declared)
    yield from _gone(declared)


def _present(declared: Declaration) -> Iterator[tuple[str, str | None, list[Change]]]:
    key = f'"{declared.key_column}"'
    read = f"""
        SELECT t.{key}, {key_text(declared, "t")}, {row_text(declared, "t", connection.vendor)},
            c.what, c.before, c.after, c.at, c.position
        FROM (SELECT * FROM "{declared.table}" WHERE %s ORDER BY {key} LIMIT {ROWS}) AS t
        LEFT JOIN {RECORD} AS c ON c."table" = '{declared.table}'
            AND c."row" = {key_text(declared, "t")}
        ORDER BY t.{key}, c.id"""
    first, later = read.replace("%s", "1 = 1"), read.replace("%s", f"{key} > %s")
    with connection.cursor() as cursor:
        cursor.execute(first)
        while rows := cursor.fetchall():
            for (_key, row, text), lines in groupby(rows, lambda line: line[:3]):
                yield row, text, [_change(line[3:]) for line in lines if line[3]]
            cursor.execute(later, [rows[-1][0]])


def _gone(declared: Declaration) -> Iterator[tuple[str, str | None, list[Change]]]:
    """The rows that were recorded, and are not there."""
    cast = declared.key.cast_db_type(connection)
    read = f"""
        SELECT c."row", c.what, c.before, c.after, c.at, c.position FROM {RECORD} AS c
        WHERE c."table" = '{declared.table}' AND c."row" <> '' AND NOT EXISTS (
            SELECT 1 FROM "{declared.table}" AS t
            WHERE t."{declared.key_column}" = CAST(c."row" AS {cast})
        ) ORDER BY c."row", c.id"""
    with connection.cursor() as cursor:
        cursor.execute(read)
        for row, lines in groupby(iter(cursor.fetchone, None), lambda line: line[0]):
            yield row, None, [_change(line[1:]) for line in lines]


def _change(line: tuple[Any, ...]) -> Change:
    what, before, after, at, position = line
    if not isinstance(at, datetime):
        at = datetime.fromisoformat(at).replace(tzinfo=UTC)
    return Change(what, before, after, at, position)


def _follow(declared: Declaration, row: str, changes: list[Change], upto: int) -> Followed:
    """Go through the changes of a row; each begins with what the one before it left."""
    subject = f"{declared.table} {row}"
    text: str | None = None
    closed: str | None = None
    at: datetime | None = None
    findings: list[Finding] = []
    for change in changes:
        if change.what == What.INSERT and text is not None:
            findings.append(Finding(CHECK, subject, _DOUBLE, {"since": change.at}))
        elif change.what == What.BASELINE:
            findings += _unrecorded(subject, text, change.after, change.at, of_both=True)
        elif change.before != text:
            findings += _unrecorded(subject, text, change.before, change.at)
        text, at = change.after, change.at
        if change.position is not None and change.position <= upto:
            closed = text
    return Followed(text, at, closed, findings)


def _unrecorded(
    subject: str, ended: str | None, begins: str | None, at: datetime, *, of_both: bool = False
) -> Iterator[Finding]:
    """A change does not begin where the one before ended; a new baseline may have other columns."""
    ending, two = _read(ended), _read(begins)
    for column in sorted(ending.keys() & two.keys() if of_both else ending.keys() | two.keys()):
        if ending.get(column) != two.get(column):
            yield Finding(CHECK, subject, _SKIPPED, {"column": column, "since": at})


def _differences(
    declared: Declaration, row: str, text: str | None, followed: Followed
) -> Iterator[Finding]:
    subject, since = f"{declared.table} {row}", followed.at
    if followed.text is None or text is None:
        sentence = _STRANGER if followed.text is None else _LOST
        yield Finding(CHECK, subject, sentence, {"since": since})
        return
    recorded_, stored = _read(followed.text), _read(text)
    for column in sorted(recorded_.keys() | stored.keys()):
        if recorded_.get(column) != stored.get(column):
            values: dict[str, object] = {"column": column, "since": since}
            if column in declared.digested:
                yield Finding(CHECK, subject, _HIDDEN, values)
                continue
            shown = {"found": _shown(stored, column), "recorded": _shown(recorded_, column)}
            yield Finding(CHECK, subject, _DIFFERS, values | shown)


def _read(text: str | None) -> dict[str, Any]:
    try:
        values = json.loads(text or "{}")
    except ValueError:
        return {"?": text}
    return values if isinstance(values, dict) else {"?": text}


def _shown(values: dict[str, Any], column: str) -> str:
    return json.dumps(values.get(column), ensure_ascii=False)[:100]


AT_ONCE: Final = 5_000


def check_chain(*, everything: bool) -> Iterator[Finding]:
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
    hashes = dict(changes.values_list("position", "hash"))
    for position, head in closed.items():
        if hashes.get(position) != head:
            yield _finding(position, _("Change {subject} of the record is not what was closed."))


def _finding(position: int, sentence: Any) -> Finding:
    return Finding("record", str(position), sentence)
