"""Inserting many rows at once: by COPY on PostgreSQL, in batches elsewhere.

COPY takes one line a row and no parameters, so the database neither parses nor binds anything. All
triggers fire as for an INSERT. Lines can be made in one process and inserted by another.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache
from typing import Any, Final

import msgspec
from django.apps import apps
from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.db.models import Field, ForeignKey, IntegerField, JSONField, Model

from wallets.of_record import triggers

# How much of COPY's text is sent at once, in rows.
_LINES: Final = 5_000
_json: Final = msgspec.json.Encoder(
    enc_hook=DjangoJSONEncoder().default, decimal_format="string"
).encode

# A row as the database takes it, or the first columns of one: a piece of a line, or values.
CopiedRow = str | tuple[str | int | None, ...]


class Columns:
    """Some columns of a table, in an order; all others get the defaults of their fields.

    `later` are the first columns, if the caller gives their values: see `before`.
    """

    def __init__(self, kind: type[Model], names: Sequence[str], later: Sequence[str] = ()) -> None:
        fields = {field.attname: field for field in kind._meta.concrete_fields}
        given = (*later, *names)
        rest = [field for name, field in fields.items() if name not in given]
        rest = [field for field in rest if not field.primary_key]
        self._lines = connection.vendor == "postgresql"
        writer = _line_writer if self._lines else _value_writer
        self._writers = [writer(fields[name]) for name in names]
        self._firsts = [writer(fields[name]) for name in later]
        defaults = [writer(field)(field.get_default()) for field in rest]
        self._defaults = tuple(defaults)
        self._end = "".join(f"\t{value}" for value in defaults) + "\n"
        quoted = connection.ops.quote_name
        self._table = quoted(kind._meta.db_table)
        columns = [field.column or "" for field in (*(fields[name] for name in given), *rest)]
        self._columns = ", ".join(map(quoted, columns))
        self._places = ", ".join(["%s"] * len(columns))

    def row(self, values: Iterable[object]) -> CopiedRow:
        """A row, or the text after its later columns."""
        written = [write(value) for write, value in zip(self._writers, values, strict=True)]
        if self._lines:
            return "\t".join(written) + self._end
        return (*written, *self._defaults)

    def before(self, values: Iterable[object], row: CopiedRow) -> CopiedRow:
        """A whole row, with the values of its later columns."""
        written = [write(value) for write, value in zip(self._firsts, values, strict=True)]
        if isinstance(row, str):
            return "\t".join([*written, row])
        return (*written, *row)

    def insert(self, rows: Sequence[CopiedRow]) -> None:
        if not rows:
            return
        with connection.wrap_database_errors, connection.cursor() as cursor:
            if self._lines:
                text = f"COPY {self._table} ({self._columns}) FROM STDIN"
                # COPY passes Django's wrappers by, which tell the database who writes.
                triggers.tell_before(text, connection)
                with cursor.copy(text) as copy:
                    for start in range(0, len(rows), _LINES):
                        copy.write("".join(map(str, rows[start : start + _LINES])))
                return
            # The names of table and columns are those of a model.
            text = f"INSERT INTO {self._table} ({self._columns}) VALUES ({self._places})"  # nosec B608
            cursor.executemany(text, [row for row in rows if isinstance(row, tuple)])


@lru_cache(maxsize=64)
def columns(label: str, names: tuple[str, ...], later: tuple[str, ...] = ()) -> Columns:
    """Columns of a model by its label, made once in a process."""
    return Columns(apps.get_model(label), names, later)


def insert(rows: Sequence[Model]) -> None:
    """Insert rows of one kind; either all of them have their numbers, or the database gives them.

    Unlike `bulk_create` it does not set the numbers that the database gives.
    """
    if not rows:
        return
    kind = type(rows[0])
    names = [field.attname for field in kind._meta.concrete_fields if not _is_given(field, rows[0])]
    of_kind = columns(kind._meta.label, tuple(names))
    of_kind.insert([of_kind.row([row.__dict__[name] for name in names]) for row in rows])


def _is_given(field: "Field[Any, Any]", row: Model) -> bool:
    """Whether the database numbers the rows."""
    return field.primary_key and row.pk is None


def _line_writer(field: "Field[Any, Any]") -> Callable[[object], str]:
    """How COPY takes the values of a field."""
    if isinstance(field, JSONField):
        return _json_text
    whole = isinstance(_stored_as(field), IntegerField)
    return _number_text if whole else _text


def _stored_as(field: "Field[Any, Any]") -> "Field[Any, Any]":
    while isinstance(field, ForeignKey):
        field = field.target_field
    return field


def _number_text(value: object) -> str:
    return r"\N" if value is None else str(value)


def _json_text(value: object) -> str:
    # In JSON all other characters that COPY reads as signs are escaped already.
    return r"\N" if value is None else _json(value).decode().replace("\\", r"\\")


def _text(value: object) -> str:
    if value is None:
        return r"\N"
    if isinstance(value, datetime):
        return value.isoformat()
    text = str(value)
    if text.isprintable() and "\\" not in text:
        return text
    text = text.replace("\\", r"\\").replace("\t", r"\t")
    return text.replace("\n", r"\n").replace("\r", r"\r")


def _value_writer(field: "Field[Any, Any]") -> Callable[[object], Any]:
    """How an INSERT takes the values of a field."""
    return lambda value: field.get_db_prep_save(value, connection)
