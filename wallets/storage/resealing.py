"""Encrypting all stored secrets again under the newest key, while the house is open.

Each secret is decrypted, encrypted again, and written only if the row still holds the value that
was read; a row that has changed since is left for the next run. The new value names the newest
key, so the work can be stopped anywhere and resumed, or run twice in parallel.

Opened triggers are left as they are: their secret is published, and the database refuses changes.
"""

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any, Final

from django.db import transaction
from django.db.models import Model, QuerySet

from wallets.storage.encryption import SealBroken, newest_key, sealed_with
from wallets.storage.sealed_columns import SealedColumn, sealed_columns

# How many rows one transaction writes: a table that needs one of them waits for no more.
CHUNK: Final = 100


def left() -> int:
    """Return how many secrets are not encrypted under the newest key."""
    return sum(_old(one).count() for one in sealed_columns())


def keys_needed() -> Counter[str]:
    """Return how many secrets each older key encrypts, by its name."""
    names: Counter[str] = Counter()
    for one in sealed_columns():
        for sealed in _old(one).values_list(one.column, flat=True).iterator():
            names[sealed_with(sealed)] += 1
    return names


def reseal(progress: Callable[[int], object]) -> int:
    """Encrypt the remaining secrets again and return their number; skip those without a key."""
    done = 0
    for one in sealed_columns():
        after: object = None
        while chunk := list(
            _behind(_old(one), after).values_list("pk", one.column, *one.key)[:CHUNK]
        ):
            with transaction.atomic():
                done += sum(seal_anew(one, pk, sealed, key) for pk, sealed, *key in chunk)
            after = chunk[-1][0]
            progress(done)
    return done


def seal_anew(one: SealedColumn, pk: object, sealed: str, key: Sequence[object]) -> bool:
    try:
        secret = one.unseal(sealed, *key)
    except SealBroken:
        return False
    same = one.rows().filter(pk=pk, **{one.column: sealed})
    return bool(same.update(**{one.column: one.seal(secret, *key)}))


def _old(one: SealedColumn) -> QuerySet[Any]:
    return one.rows().exclude(**{f"{one.column}__startswith": f"{newest_key()}:"})


def _behind(rows: QuerySet[Model], after: object) -> QuerySet[Model]:
    return rows if after is None else rows.filter(pk__gt=after)
