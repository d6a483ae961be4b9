"""Several writes as one statement for PostgreSQL, each of them a part of it.

Its text depends on which columns of how many rows are written, and not on their values: it is made
once for each such shape. The rows of a part are given together; a row that is inserted in another
part gives its key from there.

A statement may be **guarded** by a row with a version: then its first part writes that row if the
stored version is still the one that is named, and no other part takes effect without it. If a
posting is refused or a row is missing, the whole guarded statement fails.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple, Protocol
from uuid import UUID

from django.db import connection, connections, models

from wallets.of_record.triggers import concerns_record, tell_before
from wallets.storage.database_connections import with_numbers
from wallets.storage.database_time import IN_TIME, begun_by

# Django asks a field and its connection anew for each value. Most values of PostgreSQL are sent
# as they are; for whole numbers the field says once which kind the driver is to send.

# Values of these types are sent as they are, in columns of these kinds.
_AS_THEY_ARE: Final = frozenset((str, bool, datetime, UUID))
_PLAIN: Final = frozenset(("CharField", "TextField", "BooleanField", "DateTimeField", "UUIDField"))
# Keys are whole numbers of a kind of their own.
_OF_KEYS: Final = {"AutoField": "IntegerField", "BigAutoField": "BigIntegerField"}

Convert = Callable[[Any], Any]


def column(field: Any) -> str:
    return str(connection.ops.quote_name(field.column))


def column_type(field: Any) -> str:
    """The type of a column, without a length: a value that is too long is refused, not cut."""
    return str(field.db_type(connection)).partition("(")[0]


def table_name(model: type[models.Model]) -> str:
    return str(connection.ops.quote_name(model._meta.db_table))


class Converter(NamedTuple):
    """A column: its field, the attribute of a row, and what makes of it the value to send."""

    field: Any
    attname: str
    convert: Convert


def converters(model: type[models.Model], names: tuple[str, ...]) -> Sequence[Converter]:
    return _converters(connection.vendor, model, names)


@lru_cache(maxsize=1_024)
def _converters(
    vendor: str, model: type[models.Model], names: tuple[str, ...]
) -> Sequence[Converter]:
    fields: Iterable[Any] = (model._meta.get_field(name) for name in names)
    return [Converter(field, field.attname, _convert(vendor, field)) for field in fields]


def give_key(row: models.Model, key: object) -> None:
    """Give an inserted row the key that the database has made."""
    row.pk = key
    row._state.adding, row._state.db = False, connection.alias


def values_of(fields: Sequence[Any], row: models.Model) -> list[Any]:
    vendor = connection.vendor
    return [_convert(vendor, field)(getattr(row, field.attname)) for field in fields]


@lru_cache(maxsize=1_024)
def _convert(vendor: str, field: Any) -> Convert:
    """What makes of a value of this field the one that is sent."""
    by_field = partial(_by_field, field)
    if vendor != "postgresql":
        return by_field
    stored = field
    while stored.is_relation:
        stored = stored.target_field
    kind = stored.get_internal_type()
    if kind in _PLAIN:
        return lambda value: (
            value if value is None or type(value) in _AS_THEY_ARE else by_field(value)
        )
    operations: Any = connection.ops
    number = operations.integerfield_type_map.get(_OF_KEYS.get(kind, kind))
    if number is None:
        return by_field
    return lambda value: number(value) if type(value) is int else by_field(value)


def _by_field(field: Any, value: Any) -> Any:
    return field.get_db_prep_save(value, connections[connection.alias])


VERSION: Final = "version"
POSTING: Final = "wallets_post"


class Write(Protocol):
    """A prepared write: of which model and columns, and how it is done at once."""

    model: type[models.Model]
    fields: Sequence[Any]
    inserts: bool

    def send(self, rows: Sequence[Any]) -> None:
        """Write these rows now."""


class Guard(NamedTuple):
    """A row that is written with the others, if its stored version is this one."""

    row: models.Model
    version: int


class _Part(NamedTuple):
    """As much of one of the writes as its text depends on."""

    kind: str
    model: type[models.Model] | None
    # The names of its columns' fields; of each row, in which part its columns find their keys.
    names: tuple[str, ...]
    rows: tuple[tuple[int | None, ...] | None, ...]


# The value of each column of a row, by the name of its field, is that of one of these rows.
_Columns = dict[str, models.Model]


class Statement:
    """The writes of a block, in the order in which they take effect."""

    def __init__(
        self,
        waiting: Iterable[tuple[Write, Sequence[models.Model]]],
        posting: str = "",
        guard: Guard | None = None,
    ) -> None:
        self._waiting = list(waiting)
        self._parts: list[_Part] = []
        self.values: list[Any] = []
        # The rows that each part inserts.
        self._inserted: list[Sequence[models.Model]] = []
        # In which part a row is inserted that has no key yet.
        self._part_of: dict[int, int] = {}
        inserts, updates = self._sorted()
        if guard is not None:
            self._guard(updates[type(guard.row)], guard)
        if posting:
            self._add(_Part("post", None, (), (None,)), [posting])
        for model, (names, rows) in inserts.items():
            self._insert(model, names, rows)
        for model, by_key in updates.items():
            self._update(model, by_key)

    def _sorted(self) -> tuple[dict[Any, Any], dict[Any, dict[Any, _Columns]]]:
        inserts: dict[type[models.Model], tuple[tuple[str, ...], list[models.Model]]] = {}
        updates: dict[type[models.Model], dict[Any, _Columns]] = {}
        for write, rows in self._waiting:
            if write.inserts:
                names = tuple(field.name for field in write.fields)
                inserts.setdefault(write.model, (names, []))[1].extend(rows)
        new = {id(row) for _names, rows in inserts.values() for row in rows}
        for write, rows in self._waiting:
            for row in rows:
                # The values of a row that is inserted are taken when it is.
                if id(row) not in new:
                    columns = updates.setdefault(write.model, {}).setdefault(row.pk, {})
                    columns.update((field.name, row) for field in write.fields)
        return inserts, updates

    def _add(
        self, part: _Part, values: Iterable[Any], inserted: Sequence[models.Model] = ()
    ) -> None:
        self._parts.append(part)
        self.values.extend(values)
        self._inserted.append(inserted)

    def _guard(self, by_key: dict[Any, _Columns], guard: Guard) -> None:
        """Begin with the row; it is only locked if it refers to one that is to be inserted."""
        key, model, values = guard.row.pk, type(guard.row), list[Any]()
        names: tuple[str, ...] = ()
        if not _refers_to_new(guard.row):
            columns = by_key.pop(key)
            names = tuple(columns)
            self._keys(model, names, columns.values(), values)
        self._add(_Part("guard", model, names, (None,)), [*values, key, guard.version, begun_by()])

    def _insert(
        self, model: type[models.Model], names: tuple[str, ...], rows: Sequence[models.Model]
    ) -> None:
        values: list[Any] = []
        keys = tuple(self._keys(model, names, (row,) * len(names), values) for row in rows)
        if isinstance(model._meta.pk, models.AutoField):
            self._part_of |= dict.fromkeys(map(id, rows), len(self._parts))
        self._add(_Part("insert", model, names, keys), values, rows)

    def _update(self, model: type[models.Model], by_key: dict[Any, _Columns]) -> None:
        """Write the columns of each row; rows with the same columns are written by one part."""
        alike: dict[tuple[str, ...], list[Any]] = {}
        for key, columns in by_key.items():
            alike.setdefault(tuple(columns), []).append(key)
        for names, numbers in alike.items():
            values: list[Any] = []
            keys = []
            for number in numbers:
                values.append(number)
                keys.append(self._keys(model, names, by_key[number].values(), values))
            self._add(_Part("update", model, names, tuple(keys)), values)

    def _keys(
        self,
        model: type[models.Model],
        names: tuple[str, ...],
        sources: Iterable[models.Model],
        values: list[Any],
    ) -> tuple[int | None, ...] | None:
        """Add the values of a row, and return in which parts it finds those that it lacks."""
        keys: list[int | None] = []
        for converter, row in zip(converters(model, names), sources, strict=True):
            value = getattr(row, converter.attname)
            if value is None and converter.field.is_relation:
                related = converter.field.get_cached_value(row, default=None)
                if related is not None and related.pk is None:
                    keys.append(self._part_of[id(related)])
                    continue
                value = None if related is None else related.pk
            keys.append(None)
            values.append(converter.convert(value))
        return None if not any(key is not None for key in keys) else tuple(keys)

    def text(self, *, numbered: bool) -> str:
        """The statement, with its values' places as `%s` or numbered, as the server takes it."""
        return _text(tuple(self._parts))[numbered]

    def tell_who_writes(self) -> None:
        """The record of changes does not look into the parts of a statement."""
        for sql in _recorded(tuple(self._parts)):
            tell_before(sql, connection)

    @property
    def is_of_record(self) -> bool:
        return bool(_recorded(tuple(self._parts)))

    def take(self, answers: Sequence[tuple[Any, ...]]) -> str:
        """Give the rows their keys; return what the ledger has answered, if it was asked."""
        posted, is_guarded = "", self._parts[0].kind == "guard"
        keys: list[list[Any]] = [[] for _part in self._parts]
        for number, key, said in answers:
            keys[number].append(key)
            posted = said or posted
        for part, inserted, answered in zip(self._parts, self._inserted, keys, strict=True):
            if part.kind == "insert" and isinstance(inserted[0]._meta.pk, models.AutoField):
                for row, key in zip(inserted, answered, strict=True):
                    give_key(row, key)
                continue
            for row in inserted:
                give_key(row, row.pk)
            if part.kind in ("insert", "update") and not is_guarded:
                assert answered == [len(part.rows)], part
        for write, rows in self._waiting:
            for row in rows:
                take_keys(row, write.fields)
        return posted


def _refers_to_new(row: models.Model) -> bool:
    cached = row._state.fields_cache.values()
    return any(related is not None and related.pk is None for related in cached)


def take_keys(row: models.Model, fields: Sequence[Any]) -> None:
    """Take over the keys that rows referred to have got since."""
    for field in fields:
        if field.is_relation and getattr(row, field.attname) is None:
            related = field.get_cached_value(row, default=None)
            if related is not None:
                setattr(row, field.attname, related.pk)


@lru_cache(maxsize=2_048)
def _text(parts: tuple[_Part, ...]) -> tuple[str, str]:
    guarded = parts[0].kind == "guard"
    made = [_sql(part, guarded=guarded) for part in parts]
    head = ", ".join(f"part{at} AS ({sql})" for at, (sql, _answer) in enumerate(made))
    tail = " UNION ALL ".join(
        f"SELECT {at}, {answer} FROM part{at}"  # noqa: S608 - names of ours
        for at, (_sql_of_part, answer) in enumerate(made)
    )
    text = f"WITH {head} {tail}"
    return text, with_numbers(text)


@lru_cache(maxsize=2_048)
def _recorded(parts: tuple[_Part, ...]) -> tuple[str, ...]:
    """The parts that may change a column of record."""
    texts = (_sql(part, guarded=False)[0] for part in parts if part.model is not None)
    return tuple(sql for sql in texts if concerns_record(sql))


def _sql(part: _Part, *, guarded: bool) -> tuple[str, str]:
    """A part, and what the statement answers of it."""
    before = "part0, " if guarded else ""
    if part.model is None:
        values = "SELECT CAST(%s AS text) FROM part0" if guarded else "VALUES (%s)"
        posted = "transaction_id"
        if guarded:
            posted = "coalesce(transaction_id, 0) / (code = 'posted')::int"
        said = "code || ' ' || coalesce(account_id::text, '')"
        returned = "code, transaction_id, account_id"
        return f"INSERT INTO {POSTING} (body) {values} RETURNING {returned}", f"{posted}, {said}"
    fields = [converter.field for converter in converters(part.model, part.names)]
    table, own = table_name(part.model), part.model._meta.pk
    key = column(own)
    if part.kind == "guard":
        changes = ", ".join(f"{column(field)} = %s" for field in fields)
        # The names are ours.
        condition = f"WHERE {key} = %s AND {VERSION} = %s AND {IN_TIME}"
        sql = f"UPDATE {table} SET {changes} {condition} RETURNING {key}"  # noqa: S608
        if not fields:
            sql = f"SELECT {key} FROM {table} {condition} FOR NO KEY UPDATE"  # noqa: S608
        return sql, f"{key}, ''"
    if part.kind == "insert":
        listed = ", ".join(_row(fields, keys) for keys in part.rows)
        names = ", ".join(map(column, fields))
        values = (
            f"SELECT given.* FROM part0, (VALUES {listed}) AS given"  # noqa: S608 - as above
            if guarded
            else f"VALUES {listed}"
        )
        answer = key if isinstance(own, models.AutoField) else "count(*)"
        return f"INSERT INTO {table} ({names}) {values} RETURNING {key}", f"{answer}, ''"
    listed = ", ".join(_row([own, *fields], keys and (None, *keys)) for keys in part.rows)
    changes = ", ".join(
        f"{column(field)} = given.column{place}" for place, field in enumerate(fields, 2)
    )
    answer = "count(*)"
    if guarded:
        whole = f"count(*) = {len(part.rows)} OR NOT EXISTS (SELECT FROM part0)"
        answer = f"count(*) / CASE WHEN {whole} THEN 1 ELSE 0 END"
    sql = (
        f"UPDATE {table} SET {changes} FROM {before}(VALUES {listed}) AS given "  # noqa: S608
        f"WHERE {table}.{key} = given.column1 RETURNING 1"
    )
    return sql, f"{answer}, ''"


def _row(fields: Sequence[Any], keys: tuple[int | None, ...] | None) -> str:
    places = [f"CAST(%s AS {column_type(field)})" for field in fields]
    for at, part in enumerate(keys or ()):
        if part is not None:
            key = column(fields[at].target_field)
            places[at] = f"(SELECT {key} FROM part{part})"  # noqa: S608 - names of ours
    return f"({', '.join(places)})"
