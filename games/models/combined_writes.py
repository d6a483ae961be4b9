"""Writes that wait and are sent together: on PostgreSQL as one statement.

    with together():
        INSERT_HANDS([hand])
        INSERT_SEATS([HandSeat(hand=hand, ...), ...])
        WRITE_ROUNDS(shoe)

Inside, the prepared writes of `prepared.py` wait, and any other query first sends the waiting
writes: so nothing reads a row that is still to be written. A row that waits has no key yet; rows
that refer to it through the relation get the key with it. Values are taken when the rows are sent,
and several updates of one row become one.
"""

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any, Final, NamedTuple, Protocol

from django.db import connection, connections, models

from wallets.of_record.writer_names import tell_before
from wallets.storage.prepared_cursor import prepared_cursor


class Write(Protocol):
    """A prepared write: of which model and columns, and how it is done at once."""

    model: type[models.Model]
    fields: Sequence[Any]
    inserts: bool

    def send(self, rows: Sequence[Any]) -> None:
        """Write these rows now."""


class _Part(NamedTuple):
    """One of the writes of a statement, with the rows that it inserts."""

    sql: str
    values: list[Any]
    # The key that it returns of each row, or how many rows it has written.
    returns: str
    inserted: Sequence[models.Model] = ()
    written: int = 0


class Batch:
    """The writes that wait, in the order in which they were asked for."""

    def __init__(self) -> None:
        self._waiting: list[tuple[Write, list[models.Model]]] = []

    def add(self, write: Write, rows: Sequence[models.Model]) -> None:
        if rows:
            self._waiting.append((write, list(rows)))

    def before_others(self, execute: Callable[..., Any], *statement: Any) -> Any:
        """Send what waits before any other statement."""
        self.send()
        return execute(*statement)

    def send(self) -> None:
        waiting, self._waiting = self._waiting, []
        if not waiting:
            return
        if len(waiting) > 1 and connection.vendor == "postgresql":
            _send_as_one(waiting)
            return
        for write, rows in waiting:
            for row in rows:
                _take_keys(row, write.fields)
            write.send(rows)


_CURRENT: Final[ContextVar[Batch | None]] = ContextVar("writes that wait", default=None)


@contextmanager
def together() -> Iterator[None]:
    """Send the prepared writes of this block together."""
    if _CURRENT.get() is not None:
        yield
        return
    batch = Batch()
    before = _CURRENT.set(batch)
    try:
        with connection.execute_wrapper(batch.before_others):
            yield
            batch.send()
    finally:
        _CURRENT.reset(before)


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


def column(field: Any) -> str:
    return str(connection.ops.quote_name(field.column))


def column_type(field: Any) -> str:
    """The type of a column, without a length: a value that is too long is refused, not cut."""
    return str(field.db_type(connection)).partition("(")[0]


def values_of(fields: Sequence[Any], row: models.Model) -> list[Any]:
    # `connection` looks for the connection of this thread each time that it is asked.
    here = connections[connection.alias]
    return [field.get_db_prep_save(getattr(row, field.attname), here) for field in fields]


def give_key(row: models.Model, key: object) -> None:
    """Give an inserted row the key that the database has made."""
    row.pk = key
    row._state.adding, row._state.db = False, connection.alias


def _referred(field: Any, row: models.Model) -> models.Model | None:
    """The row that a relation leads to, where its key was not known when it was set."""
    if not field.is_relation or getattr(row, field.attname) is not None:
        return None
    found: models.Model | None = field.get_cached_value(row, default=None)
    return found


def _take_keys(row: models.Model, fields: Sequence[Any]) -> None:
    """Take over the keys that rows referred to have got since."""
    for field in fields:
        found = _referred(field, row)
        if found is not None:
            setattr(row, field.attname, found.pk)


# Of each column that is written, the row that has its value.
_Columns = dict[Any, models.Model]


def _send_as_one(waiting: Sequence[tuple[Write, Sequence[models.Model]]]) -> None:
    statement = _Statement()
    inserted: dict[type[models.Model], tuple[Write, list[models.Model]]] = {}
    for write, rows in waiting:
        if write.inserts:
            inserted.setdefault(write.model, (write, []))[1].extend(rows)
    new = {id(row) for _write, rows in inserted.values() for row in rows}
    updated: dict[type[models.Model], dict[Any, _Columns]] = {}
    for write, rows in waiting:
        for row in rows:
            # The values of a row that is inserted are taken when it is.
            if id(row) not in new:
                columns = updated.setdefault(write.model, {}).setdefault(row.pk, {})
                columns |= dict.fromkeys(write.fields, row)
    for model, (write, rows) in inserted.items():
        statement.insert(model, write.fields, rows)
    for model, by_key in updated.items():
        statement.update(model, by_key)
    statement.send()
    for write, rows in waiting:
        for row in rows:
            _take_keys(row, write.fields)


class _Statement:
    """Several writes as one statement for PostgreSQL, each of them a part of it."""

    def __init__(self) -> None:
        self._parts: list[_Part] = []
        # In which part a row is inserted that has no key yet.
        self._part_of: dict[int, int] = {}

    def insert(
        self, model: type[models.Model], fields: Sequence[Any], rows: Sequence[models.Model]
    ) -> None:
        values: list[Any] = []
        listed = ", ".join(self._row(dict.fromkeys(fields, row), values) for row in rows)
        names, key = ", ".join(map(column, fields)), column(model._meta.pk)
        sql = f"INSERT INTO {_table(model)} ({names}) VALUES {listed} RETURNING {key}"  # noqa: S608
        if isinstance(model._meta.pk, models.AutoField):
            self._part_of |= dict.fromkeys(map(id, rows), len(self._parts))
            self._parts.append(_Part(sql, values, key, inserted=rows))
            return
        for row in rows:
            give_key(row, row.pk)
        self._parts.append(_Part(sql, values, "count(*)", written=len(rows)))

    def update(self, model: type[models.Model], by_key: dict[Any, _Columns]) -> None:
        """Write the columns of each row; rows with the same columns are written by one part."""
        alike: dict[tuple[Any, ...], list[Any]] = {}
        for key, columns in by_key.items():
            alike.setdefault(tuple(columns), []).append(key)
        own = model._meta.pk
        for fields, keys in alike.items():
            values: list[Any] = []
            listed = ", ".join(
                self._row(by_key[key], values, before=(own, key), cast=True) for key in keys
            )
            changes = ", ".join(
                f"{column(field)} = given.column{place}" for place, field in enumerate(fields, 2)
            )
            sql = (
                f"UPDATE {_table(model)} SET {changes} FROM (VALUES {listed}) AS given "  # noqa: S608
                f"WHERE {_table(model)}.{column(own)} = given.column1 RETURNING 1"
            )
            self._parts.append(_Part(sql, values, "count(*)", written=len(keys)))

    def send(self) -> None:
        head = ", ".join(f"part{at} AS ({part.sql})" for at, part in enumerate(self._parts))
        tail = " UNION ALL ".join(
            f"SELECT {at}, {part.returns} FROM part{at}"  # noqa: S608 - names of ours
            for at, part in enumerate(self._parts)
        )
        for part in self._parts:
            # The record of changes does not look into the parts of a statement.
            tell_before(part.sql, connection)
        values = [value for part in self._parts for value in part.values]
        with prepared_cursor() as cursor:
            cursor.execute(f"WITH {head} {tail}", values)
            answers = cursor.fetchall()
        for at, part in enumerate(self._parts):
            answered = [answer for number, answer in answers if number == at]
            if not part.inserted:
                assert answered == [part.written], part.sql
            for row, key in zip(part.inserted, answered if part.inserted else (), strict=True):
                give_key(row, key)

    def _row(
        self,
        columns: _Columns,
        values: list[Any],
        *,
        before: tuple[Any, Any] | None = None,
        cast: bool = False,
    ) -> str:
        """The places of a row's values, which are added to `values`."""
        places = []
        if before is not None:
            places.append(f"CAST(%s AS {column_type(before[0])})")
            values.append(before[1])
        for field, row in columns.items():
            found = _referred(field, row)
            if found is not None and found.pk is None:
                key, part = column(found._meta.pk), self._part_of[id(found)]
                places.append(f"(SELECT {key} FROM part{part})")  # noqa: S608 - names of ours
                continue
            _take_keys(row, (field,))
            places.append(f"CAST(%s AS {column_type(field)})" if cast else "%s")
            values.extend(values_of((field,), row))
        return f"({', '.join(places)})"


def _table(model: type[models.Model]) -> str:
    return str(connection.ops.quote_name(model._meta.db_table))
