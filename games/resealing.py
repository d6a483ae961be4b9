"""Sealing anew, under the newest key, whatever the house keeps sealed, while it is open.

Each secret is opened and sealed again, and written only where it is still the one that was read: a
row that has changed meanwhile is left for the next round. What is done carries the name of the
newest key, so that the work can be broken off anywhere and go on later, or run twice at once.

A trigger that has been opened is left as it is: what it sealed has been published, and the database
lets nobody change it.
"""

from collections import Counter
from collections.abc import Callable
from typing import Any, Final

from cryptography.fernet import InvalidToken
from django.db import transaction
from django.db.models import QuerySet

from games.api.models import AnsweredRequest
from games.models import Shoe
from wallets.models import Trigger
from wallets.sealing import newest_key, seal, sealed_with, unseal

# So many in one transaction: a table that needs one of these rows waits no longer than for that.
CHUNK: Final = 100


def kept_sealed() -> dict[str, QuerySet[Any]]:
    """Everything that is kept sealed: the column, and the rows in which it stands."""
    return {
        "secret": Shoe.objects.order_by("pk"),
        "sealed": Trigger.objects.filter(opened_at=None).order_by("pk"),
        "refusal": AnsweredRequest.objects.exclude(refusal="").order_by("pk"),
    }


def left() -> int:
    """How many secrets the newest key does not open yet."""
    return sum(_old(column, rows).count() for column, rows in kept_sealed().items())


def keys_needed() -> Counter[str]:
    """How many secrets need each older key, by its name; those without a name under none."""
    names: Counter[str] = Counter()
    for column, rows in kept_sealed().items():
        for sealed in _old(column, rows).values_list(column, flat=True).iterator():
            names[sealed_with(sealed)] += 1
    return names


def reseal(progress: Callable[[int], object]) -> int:
    """Seal all that is left anew; tells how many were done and what cannot be opened is left."""
    done = 0
    for column, rows in kept_sealed().items():
        after: Any = None
        while chunk := list(_behind(_old(column, rows), after).values_list("pk", column)[:CHUNK]):
            with transaction.atomic():
                done += sum(_sealed_anew(rows, column, pk, sealed) for pk, sealed in chunk)
            after = chunk[-1][0]
            progress(done)
    return done


def _sealed_anew(rows: QuerySet[Any], column: str, pk: Any, sealed: str) -> bool:
    try:
        secret = unseal(sealed)
    except InvalidToken:
        return False
    return bool(rows.filter(pk=pk, **{column: sealed}).update(**{column: seal(secret)}))


def _old(column: str, rows: QuerySet[Any]) -> QuerySet[Any]:
    return rows.exclude(**{f"{column}__startswith": f"{newest_key()}:"})


def _behind(rows: QuerySet[Any], after: Any) -> QuerySet[Any]:
    return rows if after is None else rows.filter(pk__gt=after)
