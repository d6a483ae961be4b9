"""Secrets at rest: the house's keys, columns that they encrypt, and encrypting all anew.

What is encrypted is bound to its place, which names table, column and row: copied to another place,
it opens nothing. `SEALING_KEYS` lists the keys, newest first. The first one encrypts, and all of
them decrypt, so you replace a key by putting a new one before it. Encrypted text begins with the
name of its key, a hash that reveals nothing of the key; this shows what still needs an old key, and
which key is missing.

The cipher is AES-256-GCM with the place as its associated data. Each place has a key of its own, so
that no key encrypts more than a few values under random nonces.

A column that holds what opens something and is shown again, such as a link or an address with a
password in it, has the text encrypted, for readers who may see it; next to it another column has
its hash, by which the house recognises a text that is presented.

To encrypt anew, each secret is decrypted, encrypted again, and written only if the row still holds
the value that was read; a row that has changed since is left for the next run. The new value names
the newest key, so the work can be stopped anywhere and resumed, or run twice in parallel. Opened
triggers are left as they are: their secret is published, and the database refuses changes.
"""

import hmac
import os
from base64 import urlsafe_b64decode, urlsafe_b64encode
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime
from hashlib import sha256
from typing import Any, Final, NamedTuple

from cryptography.exceptions import InvalidTag
from cryptography.hazmat.primitives.ciphers.aead import AESGCM
from django.apps import apps
from django.conf import settings
from django.db import models, transaction
from django.db.models import Model, Q, QuerySet

from wallets.storage.signing import canonical

NAME_LENGTH: Final = 8
NONCE_LENGTH: Final = 12


class SealBroken(Exception):
    """This was not sealed in this place, or a byte of it was changed."""


class KeyMissing(SealBroken):
    """No key decrypts this value: the one that encrypted it was removed too early."""

    def __init__(self, name: str) -> None:
        super().__init__(name)
        self.name = name

    def __str__(self) -> str:
        return f"This was sealed with the key {self.name}, which is not in SEALING_KEYS."


def key_name(key: str) -> str:
    """Return the name of a key, which precedes what it has encrypted."""
    return sha256(b"name of a sealing key|" + key.encode()).hexdigest()[:NAME_LENGTH]


def newest_key() -> str:
    """Return the name of the key that encrypts."""
    return key_name(settings.SEALING_KEYS[0])


def sealed_with(sealed: str) -> str:
    """Return the name of the key that encrypted something."""
    return sealed.partition(":")[0]


def seal(secret: bytes, place: bytes) -> str:
    nonce = os.urandom(NONCE_LENGTH)
    encrypted = _cipher(settings.SEALING_KEYS[0], place).encrypt(nonce, secret, place)
    return f"{newest_key()}:{urlsafe_b64encode(nonce + encrypted).decode()}"


def unseal(sealed: str, place: bytes) -> bytes:
    """Raise `KeyMissing` if the key is missing, and `SealBroken` for any other place or byte."""
    name, _colon, text = sealed.partition(":")
    key = next((key for key in settings.SEALING_KEYS if name == key_name(key)), None)
    if key is None:
        raise KeyMissing(name)
    try:
        octets = urlsafe_b64decode(text)
        return _cipher(key, place).decrypt(octets[:NONCE_LENGTH], octets[NONCE_LENGTH:], place)
    except (InvalidTag, ValueError) as reason:
        raise SealBroken("This was not sealed here, or was changed.") from reason


def _cipher(key: str, place: bytes) -> AESGCM:
    return AESGCM(hmac.digest(urlsafe_b64decode(key), b"sealed|" + place, "sha256"))


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
        yield from (field.sealed for field in model._meta.fields if isinstance(field, SealedField))
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


# How many rows one transaction writes: a table that needs one of them waits for no more.
CHUNK: Final = 100


def left() -> int:
    """Return how many secrets are not encrypted under the newest key."""
    return sum(_old(column).count() for column in sealed_columns())


def keys_needed() -> Counter[str]:
    """Return how many secrets each older key encrypts, by its name."""
    names: Counter[str] = Counter()
    for column in sealed_columns():
        for sealed in _old(column).values_list(column.column, flat=True).iterator():
            names[sealed_with(sealed)] += 1
    return names


def reseal(progress: Callable[[int], object]) -> int:
    """Encrypt the remaining secrets again and return their number; skip those without a key."""
    done = 0
    for column in sealed_columns():
        after: object = None
        while chunk := list(
            _behind(_old(column), after).values_list("pk", column.column, *column.key)[:CHUNK]
        ):
            with transaction.atomic():
                done += sum(seal_anew(column, pk, sealed, key) for pk, sealed, *key in chunk)
            after = chunk[-1][0]
            progress(done)
    return done


def seal_anew(column: SealedColumn, pk: object, sealed: str, key: Sequence[object]) -> bool:
    try:
        secret = column.unseal(sealed, *key)
    except SealBroken:
        return False
    same = column.rows().filter(pk=pk, **{column.column: sealed})
    return bool(same.update(**{column.column: column.seal(secret, *key)}))


def _old(column: SealedColumn) -> QuerySet[Any]:
    return column.rows().exclude(**{f"{column.column}__startswith": f"{newest_key()}:"})


def _behind(rows: QuerySet[Model], after: object) -> QuerySet[Model]:
    return rows if after is None else rows.filter(pk__gt=after)
