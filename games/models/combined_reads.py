"""Reads whose answers are wanted together: on PostgreSQL, one statement.

    with read_together([(SEATS_OF_PLAYER, (7,)), (RUNNING, (0,))]):
        ...  # code that asks one of these gets the rows that have been read already

The counterpart of `combined_writes.py`. A page is made of parts that know nothing of one another
and each ask for what they show. The block says what they will ask; their queries stay as they
are, and any other query is a statement of its own. Nothing inside the block may write what
it reads.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Final, Protocol
from uuid import UUID

import msgspec
from django.db import connection

from wallets.storage.database_connections import prepared_cursor, with_numbers


class Query(Protocol):
    """A prepared query; `kinds` says which kind of field each of its columns has."""

    @property
    def kinds(self) -> Sequence[str]: ...
    def statement(self, values: Sequence[Any]) -> tuple[str, Sequence[Any]]: ...


Read = tuple[Query, tuple[Any, ...]]

# From JSON to what the driver returns; values of all other kinds are the same in both.
_FROM_JSON: Final[Mapping[str, Callable[[Any], Any]]] = {
    "BinaryField": lambda text: bytes.fromhex(text.removeprefix("\\x")),
    "DateField": date.fromisoformat,
    "DateTimeField": datetime.fromisoformat,
    # Read as text, which the field itself decodes.
    "JSONField": lambda value: msgspec.json.encode(value).decode(),
    "UUIDField": UUID,
}
# Their JSON is not exact, or not a single value.
_NOT_IN_JSON: Final = {"DecimalField", "DurationField", "FloatField", "TimeField"}
_ANSWERS: Final[ContextVar[Mapping[Read, list[list[Any]]] | None]] = ContextVar(
    "answers", default=None
)


@contextmanager
def read_together(reads: Sequence[Read]) -> Iterator[None]:
    """Read all of it now, and answer those who ask for it inside the block."""
    known = _ANSWERS.get() or {}
    new = [read for read in reads if read not in known]
    # SQLite answers within the process: there one statement would save nothing.
    if connection.vendor != "postgresql" or len(new) < 2:
        yield
        return
    before = _ANSWERS.set({**known, **_read(new)})
    try:
        yield
    finally:
        _ANSWERS.reset(before)


def answer_to(query: Any, values: tuple[Any, ...]) -> list[list[Any]] | None:
    """The rows of a query that were read together with others, as the driver returns them."""
    answers = _ANSWERS.get()
    return answers.get((query, values)) if answers else None


@contextmanager
def answered(reads: Sequence[Read], row: Sequence[Any]) -> Iterator[None]:
    """Answer those who ask inside the block by what their statement has returned."""
    before = _ANSWERS.set({**(_ANSWERS.get() or {}), **_answers(reads, row)})
    try:
        yield
    finally:
        _ANSWERS.reset(before)


def statement_of(reads: Sequence[Read], *, numbered: bool = True) -> tuple[str, list[Any]]:
    """The one statement that reads all of it, with its values' places numbered or as `%s`."""
    texts, params = [], list[Any]()
    for query, values in reads:
        assert _NOT_IN_JSON.isdisjoint(query.kinds), query.kinds
        sql, own = query.statement(values)
        texts.append((sql, len(query.kinds)))
        params += own
    return _text(tuple(texts))[numbered], params


@lru_cache(maxsize=1_024)
def _text(texts: tuple[tuple[str, int], ...]) -> tuple[str, str]:
    parts = []
    for sql, count in texts:
        columns = ", ".join(f"c{at}" for at in range(count))
        parts.append(f"(SELECT json_agg(rows)::text FROM ({sql}) AS rows({columns}))")  # noqa: S608
    text = f"SELECT {', '.join(parts)}"
    return text, with_numbers(text)


def _read(reads: Sequence[Read]) -> dict[Read, list[list[Any]]]:
    # A log of statements is read with their values.
    numbered = not connection.queries_logged
    with prepared_cursor(numbered=numbered) as cursor:
        cursor.execute(*statement_of(reads, numbered=numbered))
        return _answers(reads, cursor.fetchone())


def _answers(reads: Sequence[Read], answers: Sequence[Any]) -> dict[Read, list[list[Any]]]:
    return {
        read: _rows(read[0].kinds, msgspec.json.decode(answer)) if answer else []
        for read, answer in zip(reads, answers, strict=True)
    }


def _rows(kinds: Sequence[str], found: Sequence[Mapping[str, Any]]) -> list[list[Any]]:
    # Most columns are the same in JSON.
    converted = [(at, _FROM_JSON[kind]) for at, kind in enumerate(kinds) if kind in _FROM_JSON]
    rows = [list(row.values()) for row in found]
    for row in rows:
        for at, convert in converted:
            if row[at] is not None:
                row[at] = convert(row[at])
    return rows
