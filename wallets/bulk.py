"""Inserting many rows at once: by COPY on PostgreSQL, in batches elsewhere.

COPY sends one line a row and no parameters, so the database neither parses nor binds anything.
All triggers fire as for an INSERT.
"""

import json
from collections.abc import Callable, Sequence
from typing import Any, Final

from django.core.serializers.json import DjangoJSONEncoder
from django.db import connection
from django.db.models import Field, JSONField, Model

_BATCH: Final = 500


def insert(rows: Sequence[Model]) -> None:
    """Insert rows of one kind; either all of them have their numbers, or the database gives them.

    Unlike `bulk_create` it does not set the numbers that the database gives.
    """
    if not rows:
        return
    kind = type(rows[0])
    if connection.vendor != "postgresql":
        kind._default_manager.bulk_create(rows, batch_size=_BATCH)
        return
    fields = [field for field in kind._meta.concrete_fields if not _is_given(field, rows[0])]
    columns = ", ".join(connection.ops.quote_name(field.column or "") for field in fields)
    table = connection.ops.quote_name(kind._meta.db_table)
    writers = [(field.attname, _writer(field)) for field in fields]
    with connection.cursor() as cursor, cursor.copy(f"COPY {table} ({columns}) FROM STDIN") as copy:
        for row in rows:
            values = row.__dict__
            copy.write_row([write(values[name]) for name, write in writers])


def _is_given(field: "Field[Any, Any]", row: Model) -> bool:
    """Whether the database numbers the rows."""
    return field.primary_key and row.pk is None


def _writer(field: "Field[Any, Any]") -> Callable[[object], object]:
    if not isinstance(field, JSONField):
        return _same
    encoder = json.JSONEncoder if field.encoder is None else DjangoJSONEncoder
    encode = encoder(separators=(",", ":")).encode
    return lambda value: None if value is None else encode(value)


def _same(value: object) -> object:
    return value
