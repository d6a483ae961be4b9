"""Encrypted columns: each is declared with its model, and what it holds opens only in its own row.

A column that holds what opens something and is shown again, such as a link or an address with a
password in it, has the text encrypted, for readers who may see it; next to it another column has
its hash, by which the house recognises a text that is presented.
"""

from collections.abc import Callable, Iterator
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

from django.apps import apps
from django.db import models
from django.db.models import Model, Q, QuerySet

from wallets.storage.canonical_json import canonical
from wallets.storage.encryption import seal, unseal

DIGEST_LENGTH: Final = 64


class SealedColumn(NamedTuple):
    """An encrypted column, and the columns that say which row it is.

    Renaming any of them, or the table, takes a migration that encrypts again.
    """

    table: str
    column: str
    key: tuple[str, ...]
    # The rows that are encrypted again under a new key.
    rows: Callable[[], QuerySet[Any]]

    def place(self, *key: object) -> bytes:
        """The first part of a key is never empty: it names the row."""
        if len(key) != len(self.key) or key[0] is None:
            raise ValueError(f"{self.table}.{self.column} is sealed by {', '.join(self.key)}")
        return canonical([self.table, self.column, *map(_part, key)])

    def key_of(self, row: Model) -> tuple[object, ...]:
        return tuple(getattr(row, name) for name in self.key)

    def seal(self, secret: bytes, *key: object) -> str:
        return seal(secret, self.place(*key))

    def unseal(self, sealed: str, *key: object) -> bytes:
        return unseal(sealed, self.place(*key))

    def open(self, row: Any) -> bytes:
        return self.unseal(getattr(row, self.column), *self.key_of(row))


def _part(value: object) -> str:
    if isinstance(value, datetime):
        return value.astimezone(UTC).isoformat(timespec="microseconds")
    return str(value)


class SealedField(models.TextField):  # type: ignore[type-arg]
    """An encrypted column of a row that `key` names by columns which never change.

    For migrations it is a text: they know neither keys nor rows.
    """

    def __init__(
        self, *args: Any, key: tuple[str, ...] = (), resealed: Q | None = None, **options: Any
    ) -> None:
        self.key, self.resealed = key, Q() if resealed is None else resealed
        super().__init__(*args, **options)

    def deconstruct(self) -> Any:
        name, _path, args, options = super().deconstruct()
        return name, "django.db.models.TextField", args, options

    def contribute_to_class(self, cls: type[Model], name: str, *args: Any, **options: Any) -> None:
        super().contribute_to_class(cls, name, *args, **options)
        self.sealed = SealedColumn(cls._meta.db_table, self.attname, self.key, self._rows)

    def _rows(self) -> QuerySet[Any]:
        rows = self.model._default_manager.filter(self.resealed).exclude(**{self.attname: ""})
        return rows.order_by("pk")


_elsewhere: list[SealedColumn] = []


def register(column: SealedColumn) -> SealedColumn:
    """Name an encrypted column of a table that is not the house's own, such as Django's."""
    _elsewhere.append(column)
    return column


def sealed_columns() -> Iterator[SealedColumn]:
    """Every encrypted column of the house."""
    for model in apps.get_models():
        yield from (one.sealed for one in model._meta.fields if isinstance(one, SealedField))
    yield from _elsewhere


def sealed_column(model: type[Model], name: str) -> SealedColumn:
    field = model._meta.get_field(name)
    assert isinstance(field, SealedField)
    return field.sealed


def digest_of(text: str) -> str:
    return sha256(text.encode(errors="replace")).hexdigest()


class DigestField(models.CharField):  # type: ignore[type-arg]
    """The hash of an encrypted text, written whenever that is: name both in `update_fields`."""

    def __init__(self, *args: Any, of: str, **options: Any) -> None:
        self.of = of
        super().__init__(*args, **options | {"max_length": DIGEST_LENGTH, "editable": False})

    def deconstruct(self) -> Any:
        name, path, args, options = super().deconstruct()
        del options["max_length"], options["editable"]
        return name, path, args, options | {"of": self.of}


class SealedText(property):
    """The text of an encrypted column, which is decrypted only on access.

    Django takes a property for a name of the model, so that rows can be made with it: it is set
    after the columns, and so after those of its key.
    """

    def __init__(self, column: str) -> None:
        def read(row: Model) -> str:
            return sealed_column(type(row), column).open(row).decode()

        def write(row: Model, text: str) -> None:
            for field in row._meta.fields:
                if isinstance(field, DigestField) and field.of == column:
                    setattr(row, field.attname, digest_of(text))
            sealed = sealed_column(type(row), column)
            setattr(row, column, sealed.seal(text.encode(), *sealed.key_of(row)))

        super().__init__(read, write)

    # Only instances have it.
    def __get__(self, row: object, model: type | None = None) -> str:  # type: ignore[override]
        return super().__get__(row, model)  # type: ignore[no-any-return]
