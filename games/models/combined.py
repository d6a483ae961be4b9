"""Reads whose answers are wanted together, and writes that are sent together, as one statement."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from contextvars import ContextVar
from datetime import date, datetime
from functools import lru_cache
from typing import Any, Final, Protocol
from uuid import UUID

import msgspec
from django.db import connection, models

from games.models.combined_statement import Guard, Statement, Write, take_keys
from wallets.storage import batched_writes
from wallets.storage.batched_writes import Check, posting_with
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


#     with together():         INSERT_HANDS([hand])         INSERT_SEATS([HandSeat(hand=hand,
# ...), ...])         WRITE_ROUNDS(shoe)
#
# Inside, the prepared writes of `prepared.py` wait, and any other query first sends the waiting
# writes: so nothing reads a row that is still to be written. A row that waits has no key yet;
# rows that refer to it through the relation get the key with it. Values are taken when the rows
# are sent, and several updates of one row become one.


class CannotPlan(Exception):
    """A plan needs what only the database knows."""


class Batch:
    """The writes that wait, in the order in which they were asked for."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Write, list[models.Model]]] = []
        # A posting that is made with them, and what checks the answer to it.
        self._posting = ""
        self._check: Check = lambda answer: None

    def add(self, write: Write, rows: Sequence[models.Model]) -> None:
        if rows:
            self._waiting.append((write, list(rows)))

    def post(self, body: str, check: Check) -> None:
        if self._posting:
            self.send()
        self._posting, self._check = body, check

    def before_others(self, execute: Callable[..., Any], *statement: Any) -> Any:
        """Send what waits before any other statement."""
        self.send()
        return execute(*statement)

    def send(self) -> None:
        waiting, self._waiting = self._waiting, []
        posting, self._posting = self._posting, ""
        if posting or (len(waiting) > 1 and connection.vendor == "postgresql"):
            if posted := _send_as_one(Statement(waiting, posting)):
                self._check(posted)
            return
        for write, rows in waiting:
            for row in rows:
                take_keys(row, write.fields)
            write.send(rows)


class Plan(Batch):
    """A transaction that is thought out before it begins: one statement, guarded by a row.

    Nothing is sent, and nothing is asked of a connection. What follows the commit waits, too.
    """

    def __init__(self, row: models.Model, version: int) -> None:
        super().__init__()
        self.row, self._guard = row, Guard(row, version)
        self.after: list[Callable[[], object]] = []
        self._statement: Statement | None = None

    def send(self) -> None:
        if self._waiting or self._posting:
            raise CannotPlan

    def statement(self) -> tuple[str, list[Any]]:
        """The statement, for those who send it by a connection of theirs."""
        if not any(self._guard.row in rows for _write, rows in self._waiting):
            raise CannotPlan
        made = self._statement = Statement(self._waiting, self._posting, self._guard)
        if made.is_of_record:
            raise CannotPlan
        return made.text(numbered=True), made.values

    def took_effect(self, answers: Sequence[tuple[Any, ...]]) -> bool:
        """Whether the statement that was answered so found the row at its version."""
        if all(part for part, _key, _posted in answers):
            # Nothing of the first part, which is the row.
            return False
        assert self._statement is not None
        self._statement.take(answers)
        return True


_CURRENT: Final[ContextVar[Batch | None]] = ContextVar("writes that wait", default=None)


@contextmanager
def together() -> Iterator[None]:
    """Send the prepared writes of this block together, and on PostgreSQL its posting with them."""
    if _CURRENT.get() is not None:
        yield
        return
    batch = Batch()
    before = _CURRENT.set(batch)
    try:
        with connection.execute_wrapper(batch.before_others), _posting_by(batch):
            yield
            batch.send()
    finally:
        _CURRENT.reset(before)


@contextmanager
def planned(row: models.Model, version: int) -> Iterator[Plan]:
    """Plan what this block would write if `row` were locked at this version."""
    plan = Plan(row, version)
    before = _CURRENT.set(plan)
    try:
        with posting_with(plan.post), batched_writes.planned(plan.after):
            yield plan
    finally:
        _CURRENT.reset(before)


def _posting_by(batch: Batch) -> AbstractContextManager[None]:
    if connection.vendor == "postgresql":
        return posting_with(batch.post)
    return nullcontext()


def plan_of_now() -> Plan | None:
    """The plan that is being made here, if one is."""
    batch = _CURRENT.get()
    return batch if isinstance(batch, Plan) else None


def send_waiting() -> None:
    """Send what waits, for a caller who needs the keys of rows that are to be inserted."""
    batch = _CURRENT.get()
    if batch is not None:
        batch.send()


def waits(write: Write, rows: Sequence[models.Model]) -> bool:
    """Let a write wait for the end of the block; False outside one."""
    batch = _CURRENT.get()
    if batch is None:
        return False
    batch.add(write, rows)
    return True


def _send_as_one(statement: Statement) -> str:
    """Send a statement, and return what the ledger has answered."""
    statement.tell_who_writes()
    # A log of statements is read with their values.
    numbered = not connection.queries_logged
    with prepared_cursor(numbered=numbered) as cursor:
        cursor.execute(statement.text(numbered=numbered), statement.values)
        return statement.take(cursor.fetchall())
