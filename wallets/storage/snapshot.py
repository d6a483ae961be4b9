"""Read many rows as they were at one moment, while others go on writing."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Final

from django.db import connection

# SQLite's readers and writers do not block each other, unlike Django's own transactions there.
_BEGIN: Final = {
    "postgresql": "BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY",
    "sqlite": "BEGIN DEFERRED",
}


@contextmanager
def snapshot() -> Iterator[None]:
    """Let all reads inside see the rows of one moment; inside a transaction they do already.

    Nothing can be written inside, and no transaction begun.
    """
    if connection.in_atomic_block:
        yield
        return
    with connection.cursor() as cursor:
        cursor.execute(_BEGIN[connection.vendor])
        try:
            yield
        finally:
            cursor.execute("ROLLBACK")
