"""The values of rows as the database takes them.

Django asks a field and its connection anew for each value. Most values of PostgreSQL are sent as
they are; for whole numbers the field says once which kind the driver is to send.
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from functools import lru_cache, partial
from typing import Any, Final, NamedTuple
from uuid import UUID

from django.db import connection, connections, models

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
