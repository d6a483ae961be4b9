"""Statements that a click repeats, compiled once for each kind of database.

The ORM takes some ten times as long to build a statement as the database to answer it. The few
statements that every move and every board make are therefore built from the same querysets and
fields as ever, but only once; afterwards only their parameters change. Rows come back as the usual
model instances, and `tests/games/test_prepared.py` compares them with those of the queryset.

A prepared statement keeps SQL and functions that convert values, and never a row.
"""

from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import UTC, date, datetime, timedelta
from typing import Any, Final, Generic, NamedTuple, TypeVar

from django.core.exceptions import ObjectDoesNotExist
from django.db import DatabaseError, connection, models, transaction
from django.db.models.query import get_related_populators
from django.db.transaction import TransactionManagementError

from games.models.combined import answer_to, waits
from games.models.combined_statement import column, column_type, give_key, values_of
from wallets.storage.database_connections import prepared_cursor
from wallets.storage.database_time import IN_TIME, begun_by

M = TypeVar("M", bound=models.Model)

# The types of a statement's parameters.
Value = int | str | date | datetime
# Values that stand for the parameters while a statement is compiled; any column of their type has
# room for them, and no query of ours compares a column with one.
FIRST_PLACEHOLDER: Final = 2_000_000_000
FIRST_MOMENT: Final = datetime(9000, 1, 1, tzinfo=UTC)
# The largest number that a column can hold.
INTEGER_MAX: Final = 2**63 - 1


def _stand_in(kind: type[Value], number: int) -> Value:
    if kind is datetime:
        return FIRST_MOMENT + timedelta(days=number)
    if kind is date:
        return FIRST_MOMENT.date() + timedelta(days=number)
    return f"parameter {number}" if kind is str else FIRST_PLACEHOLDER + number


def _is_storable(value: Value) -> bool:
    """Whether a row can hold the value; a database refuses to look for any other."""
    if isinstance(value, str):
        return "\0" not in value
    return isinstance(value, date) or abs(value) <= INTEGER_MAX


def _sent(value: Value) -> object:
    """The value as the database in use takes it."""
    if isinstance(value, datetime):
        return connection.ops.adapt_datetimefield_value(value)
    if isinstance(value, date):
        return connection.ops.adapt_datefield_value(value)
    return value


class Compiled(NamedTuple):
    """A query as one kind of database takes it."""

    sql: str
    # Each parameter, or None where one of the caller's goes, which `places` names.
    params: tuple[object, ...]
    places: tuple[tuple[int, int], ...]
    # By column: what converts a value, and the expression that the functions are called with.
    converters: tuple[tuple[int, Sequence[Callable[..., object]], object], ...]
    kinds: Sequence[str]
    columns: slice
    names: list[str]
    populators: Sequence[Any]
    locks: bool


class Prepared:
    """A queryset with parameters of these types, compiled once for each kind of database."""

    def __init__(
        self, rows: "Callable[..., models.QuerySet[Any, Any]]", *parameters: type[Value]
    ) -> None:
        ALL.append(self)
        kinds = parameters or (int,)
        self._rows = rows
        self._stand_ins = [_stand_in(kind, number) for number, kind in enumerate(kinds)]
        self.by_vendor: dict[str, Compiled] = {}

    def read(self, *values: Value) -> list[list[Any]]:
        """The rows, with their columns converted to values of Python."""
        if not all(map(_is_storable, values)):
            return []
        compiled = self.compiled()
        rows: Sequence[Sequence[object]] | None = answer_to(self, values)
        if rows is None:
            if compiled.locks and connection.get_autocommit():
                raise TransactionManagementError("Rows are locked inside a transaction only.")
            with prepared_cursor() as cursor:
                cursor.execute(*self.statement(values))
                rows = cursor.fetchall()
        return [_converted(compiled, row) for row in rows]

    def statement(self, values: Sequence[Value]) -> tuple[str, list[Any]]:
        """The statement with these values, for the database in use."""
        compiled = self.compiled()
        params: list[Any] = list(compiled.params)
        for place, number in compiled.places:
            params[place] = _sent(values[number])
        return compiled.sql, params

    @property
    def kinds(self) -> Sequence[str]:
        """Which kind of field each column has."""
        return self.compiled().kinds

    def locks(self) -> bool:
        """Whether it locks the rows that it reads."""
        return bool(self._rows(*self._stand_ins).query.select_for_update)

    def compiled(self) -> Compiled:
        compiled = self.by_vendor.get(connection.vendor)
        if compiled is None:
            compiled = self.by_vendor[connection.vendor] = self._compile()
        return compiled

    def _compile(self) -> Compiled:
        queryset = self._rows(*self._stand_ins)
        stand_ins = [_sent(value) for value in self._stand_ins]
        compiler: Any = queryset.query.get_compiler(connection=connection)
        sql, params = compiler.as_sql()
        places = tuple(
            (place, stand_ins.index(value))
            for place, value in enumerate(params)
            if value in stand_ins
        )
        assert {number for _place, number in places} == set(range(len(stand_ins)))
        select, instances = compiler.select, compiler.klass_info
        columns = instances["select_fields"] if instances else []
        expressions = [select[at][0] for at in columns]
        populators: Callable[..., Sequence[object]] = get_related_populators
        converters = compiler.get_converters([expression for expression, *_rest in select])
        return Compiled(
            sql=sql,
            params=tuple(params),
            places=places,
            converters=tuple((at, list(each), of) for at, (each, of) in converters.items()),
            kinds=[_kind(expression.output_field) for expression, *_rest in select],
            columns=slice(columns[0], columns[-1] + 1) if columns else slice(0),
            # Those of instances; a value may be a part of a column.
            names=[at.target.attname for at in expressions if hasattr(at, "target")],
            populators=populators(instances, select, connection.alias) if instances else (),
            locks=bool(
                queryset.query.select_for_update and connection.features.has_select_for_update
            ),
        )


# Those of all modules.
ALL: Final[list[Prepared]] = []


def compile_all() -> None:
    """Compile the statements of all modules; without a database it is done when one is needed.

    Django compiles those that lock rows in a transaction alone.
    """
    with suppress(DatabaseError):
        for prepared in ALL:
            if not prepared.locks():
                prepared.compiled()


class Query(Prepared, Generic[M]):
    """A queryset of instances: `query(7)` gives its rows."""

    def __init__(self, rows: Callable[..., "models.QuerySet[M]"], *parameters: type[Value]) -> None:
        super().__init__(rows, *parameters)
        self._model: type[M] | None = None

    def __call__(self, *values: Value) -> list[M]:
        rows, compiled = self.read(*values), self.compiled()
        if self._model is None:
            self._model = self._rows(*self._stand_ins).model
        alias = connection.alias
        return [_instance(self._model, compiled, row, alias) for row in rows]

    def first(self, *values: Value) -> M | None:
        return next(iter(self(*values)), None)

    def get(self, *values: Value) -> M:
        """The only row; raises the model's `DoesNotExist` where there is none."""
        row = self.first(*values)
        if row is None:
            model = self._rows(*self._stand_ins).model
            missing: type[ObjectDoesNotExist] = vars(model)["DoesNotExist"]
            raise missing(f"{model._meta.label}: {values}")
        return row


def _kind(field: Any) -> str:
    """The kind of a field; that of a relation is the kind of what it refers to."""
    while field.is_relation:
        field = field.target_field
    return str(field.get_internal_type())


def _converted(compiled: Compiled, row: Sequence[object]) -> list[Any]:
    values = list(row)
    for at, functions, expression in compiled.converters:
        value = values[at]
        for function in functions:
            value = function(value, expression, connection)
        values[at] = value
    return values


def _instance(model: type[M], compiled: Compiled, values: list[Any], alias: str) -> M:
    instance = model.from_db(alias, compiled.names, values[compiled.columns])
    for populator in compiled.populators:
        populator.populate(values, instance)
    return instance


class Update:
    """Write some fields of one row, as `save(update_fields=...)` does."""

    inserts = False

    def __init__(self, model: type[models.Model], names: Iterable[str]) -> None:
        self.model: type[models.Model] = model
        by_name = {field.name: field for field in model._meta.concrete_fields}
        self.fields: Sequence[Any] = [by_name[name] for name in names]
        columns = ", ".join(f"{column(field)} = %s" for field in self.fields)
        table, key = connection.ops.quote_name(model._meta.db_table), column(model._meta.pk)
        self._sql = f"UPDATE {table} SET {columns} WHERE {key} = %s"  # noqa: S608 - names of ours

    def __call__(self, row: models.Model) -> None:
        if not waits(self, [row]):
            self.send([row])

    def send(self, rows: Sequence[models.Model]) -> None:
        (row,) = rows
        with prepared_cursor() as cursor:
            cursor.execute(self._sql, self.values(row))
            assert cursor.rowcount == 1

    def values(self, row: models.Model) -> list[Any]:
        return [*values_of(self.fields, row), row.pk]

    def beside(self, name: str) -> str:
        """The expression that writes a row if another expression, of this name, has one."""
        return f"beside AS ({self._sql} AND EXISTS (SELECT 1 FROM {name}))"  # noqa: S608 - as above


class UpdateRows(Generic[M]):
    """Write some fields of several rows in one statement, as `bulk_update` does."""

    inserts = False

    def __init__(self, model: type[M], names: Iterable[str]) -> None:
        self.model: type[models.Model] = model
        by_name = {field.name: field for field in model._meta.concrete_fields}
        self.fields: Sequence[Any] = [by_name[name] for name in names]
        self._written = [model._meta.pk, *self.fields]
        changes = ", ".join(
            f"{column(field)} = given.column{place}" for place, field in enumerate(self.fields, 2)
        )
        table, key = connection.ops.quote_name(model._meta.db_table), column(model._meta.pk)
        self._opening = f"UPDATE {table} SET {changes} FROM (VALUES "  # noqa: S608 - names of ours
        self._end = f") AS given WHERE {table}.{key} = given.column1"

    def __call__(self, rows: Sequence[M]) -> None:
        if rows and not waits(self, rows):
            self.send(rows)

    def send(self, rows: Sequence[models.Model]) -> None:
        values = [value for row in rows for value in values_of(self._written, row)]
        places = ", ".join(map(self._place, self._written))
        sql = f"{self._opening}{', '.join([f'({places})'] * len(rows))}{self._end}"
        with prepared_cursor() as cursor:
            cursor.execute(sql, values)
            assert cursor.rowcount == len(rows)

    @staticmethod
    def _place(field: Any) -> str:
        """The place of a value; PostgreSQL takes a column of nothing but NULL for text."""
        return f"CAST(%s AS {column_type(field)})" if connection.vendor == "postgresql" else "%s"


class Insert(Generic[M]):
    """Insert rows, and give them the keys that the database makes, as `bulk_create` does."""

    inserts = True

    def __init__(self, model: type[M]) -> None:
        self.model: type[models.Model] = model
        key = model._meta.pk
        self.fields: Sequence[Any] = [
            field
            for field in model._meta.concrete_fields
            if field is not key or not isinstance(key, models.AutoField)
        ]
        columns = ", ".join(column(field) for field in self.fields)
        table, self._key = connection.ops.quote_name(model._meta.db_table), column(key)
        self._into = f"INSERT INTO {table} ({columns}) "
        self._row = f"({', '.join(['%s'] * len(self.fields))})"
        # The places of a row's values with their types; for PostgreSQL.
        self._typed: str | None = None

    def __call__(self, rows: Sequence[M]) -> None:
        if rows and not waits(self, rows):
            self.send(rows)

    def send(self, rows: Sequence[models.Model]) -> None:
        values = f"VALUES {', '.join([self._row] * len(rows))}"
        self._insert(f"{self._into}{values} RETURNING {self._key}", self._values(rows), rows)

    def given(
        self, before: str, values: list[Any], name: str, rows: Sequence[M]
    ) -> tuple[str, list[Any]]:
        """Insert rows if the expression `before`, called `name`, has a row; for PostgreSQL."""
        sql = f"{before}{self._into}{self._selected(name, len(rows))}"
        return sql, [*values, *self._values(rows)]

    def _selected(self, name: str, count: int) -> str:
        # Values of a subquery take no type from the columns that they go to.
        if self._typed is None:
            self._typed = ", ".join(f"CAST(%s AS {column_type(field)})" for field in self.fields)
        listed = ", ".join([f"({self._typed})"] * count)
        return (
            f"SELECT given.* FROM {name}, "  # noqa: S608 - names of ours
            f"(VALUES {listed}) AS given RETURNING {self._key}"
        )

    def _values(self, rows: Sequence[models.Model]) -> list[Any]:
        return [value for row in rows for value in values_of(self.fields, row)]

    def _insert(self, sql: str, values: list[Any], rows: Sequence[models.Model]) -> None:
        with prepared_cursor() as cursor:
            cursor.execute(sql, values)
            assert self.inserted(rows, cursor.fetchall())

    @staticmethod
    def inserted(rows: Sequence[models.Model], keys: Sequence[tuple[Any, ...]]) -> bool:
        """Give the rows the keys that the database has made; return whether it made any."""
        if not keys:
            return False
        for row, (key,) in zip(rows, keys, strict=True):
            give_key(row, key)
        return True


class Beside(NamedTuple):
    """A row that is written together with others, and what of it."""

    update: Update
    row: Any


class InsertIfCurrent(Generic[M]):
    """Raise a row's version and insert rows of another model, if the version is still the old one.

    A row of a third model may be written beside them. On PostgreSQL this is one statement; on
    SQLite, one short transaction.
    """

    def __init__(self, changed: type[models.Model], names: Iterable[str], model: type[M]) -> None:
        by_name = {field.name: field for field in changed._meta.concrete_fields}
        self._changed = [by_name[name] for name in names]
        self._insert = Insert(model)
        columns = ", ".join(f"{column(field)} = %s" for field in self._changed)
        table, key = connection.ops.quote_name(changed._meta.db_table), column(changed._meta.pk)
        self._update = (
            f"UPDATE {table} SET {columns} WHERE {key} = %s AND "  # noqa: S608 - names of ours
            f"{column(by_name['version'])} = %s"
        )
        self._current = f"WITH current AS ({self._update} AND {IN_TIME} RETURNING {key}) "

    def __call__(
        self, row: models.Model, version: int, rows: Sequence[M], beside: Beside | None = None
    ) -> bool:
        """Write the row's columns and these rows, unless the stored version is another."""
        if connection.vendor == "postgresql":
            with prepared_cursor() as cursor:
                cursor.execute(*self.statement(row, version, rows, beside))
                return self.inserted(rows, cursor.fetchall())
        with transaction.atomic():
            with prepared_cursor() as cursor:
                cursor.execute(self._update, self._values(row, version))
                if not cursor.rowcount:
                    return False
            if beside is not None:
                beside.update.send([beside.row])
            self._insert(rows)
        return True

    def statement(
        self, row: models.Model, version: int, rows: Sequence[M], beside: Beside | None = None
    ) -> tuple[str, list[Any]]:
        """The one statement, with its values, for those who send it by a connection of theirs."""
        assert rows
        before, values = self._current, [*self._values(row, version), begun_by()]
        if beside is not None:
            before = f"{before}, {beside.update.beside('current')} "
            values += beside.update.values(beside.row)
        return self._insert.given(before, values, "current", rows)

    def inserted(self, rows: Sequence[M], keys: Sequence[tuple[Any, ...]]) -> bool:
        """Whether the statement that has returned these keys has taken effect."""
        return self._insert.inserted(rows, keys)

    def _values(self, row: models.Model, version: int) -> list[Any]:
        return [*values_of(self._changed, row), row.pk, version]
