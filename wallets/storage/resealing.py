"""Encrypting all stored secrets again under the newest key, while the house is open.

Each secret is decrypted, encrypted again, and written only if the row still holds the value that
was read; a row that has changed since is left for the next run. The new value names the newest
key, so the work can be stopped anywhere and resumed, or run twice in parallel.

Opened triggers are left as they are: their secret is published, and the database refuses changes.
"""

from collections import Counter
from collections.abc import Callable, Iterator
from typing import Any, Final, NamedTuple

from cryptography.fernet import InvalidToken
from django.db import transaction
from django.db.models import Model, QuerySet

from wallets.storage.encryption import newest_key, seal, sealed_with, unseal

# How many rows one transaction writes: a table that needs one of them waits for no more.
CHUNK: Final = 100


class SealedColumn(NamedTuple):
    """An encrypted column, with the rows that use it."""

    column: str
    rows: Callable[[], QuerySet[Any]]


_columns: list[SealedColumn] = []


def register(column: str, rows: Callable[[], QuerySet[Any]]) -> None:
    """Packages above register each encrypted column; its rows are in the order of keys."""
    _columns.append(SealedColumn(column, rows))


def kept_sealed() -> Iterator[tuple[str, QuerySet[Any]]]:
    """All encrypted columns, each with the rows that use it."""
    return ((one.column, one.rows()) for one in _columns)


def left() -> int:
    """Return how many secrets are not encrypted under the newest key."""
    return sum(_old(column, rows).count() for column, rows in kept_sealed())


def keys_needed() -> Counter[str]:
    """Return how many secrets each older key encrypts, by its name; '' is an unnamed key."""
    names: Counter[str] = Counter()
    for column, rows in kept_sealed():
        for sealed in _old(column, rows).values_list(column, flat=True).iterator():
            names[sealed_with(sealed)] += 1
    return names


def reseal(progress: Callable[[int], object]) -> int:
    """Encrypt the remaining secrets again and return their number; skip those without a key."""
    done = 0
    for column, rows in kept_sealed():
        after: object = None
        while chunk := list(_behind(_old(column, rows), after).values_list("pk", column)[:CHUNK]):
            with transaction.atomic():
                done += sum(seal_anew(rows, column, pk, sealed) for pk, sealed in chunk)
            after = chunk[-1][0]
            progress(done)
    return done


def seal_anew(rows: QuerySet[Model], column: str, pk: object, sealed: str) -> bool:
    try:
        secret = unseal(sealed)
    except InvalidToken:
        return False
    return bool(rows.filter(pk=pk, **{column: sealed}).update(**{column: seal(secret)}))


def _old(column: str, rows: QuerySet[Model]) -> QuerySet[Model]:
    return rows.exclude(**{f"{column}__startswith": f"{newest_key()}:"})


def _behind(rows: QuerySet[Model], after: object) -> QuerySet[Model]:
    return rows if after is None else rows.filter(pk__gt=after)
