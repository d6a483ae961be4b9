"""A cursor for statements that are repeated: PostgreSQL parses and plans each once a connection.

Django's own cursor writes the values into the text, so that the server plans every statement anew;
for a click's statements that takes the server several times as long as to answer them.
"""

import re
from collections.abc import Iterator
from contextlib import contextmanager
from itertools import count
from typing import Any

from django.db import NotSupportedError, connection
from django.db.backends.utils import CursorWrapper


def with_numbers(text: str) -> str:
    """A statement with its values' places numbered, as the server takes it."""
    numbers = count(1)
    return re.sub("%s", lambda _place: f"${next(numbers)}", text)


@contextmanager
def prepared_cursor(*, numbered: bool = False) -> Iterator[CursorWrapper]:
    """A cursor of the database in use, with Django's wrappers around its statements.

    A numbered one takes `$1` for the first value, as the server does; the driver then has not to
    look for the places of the values in a long statement.
    """
    database: Any = connection
    if database.vendor != "postgresql" or database.queries_logged:
        # A log of statements is read with their values.
        with database.cursor() as cursor:
            yield cursor
        return
    database.ensure_connection()
    database.validate_no_broken_transaction()
    try:
        kind = database.Database.RawCursor if numbered else database.Database.Cursor
        with database.wrap_database_errors, kind(database.connection) as cursor:
            yield database.make_cursor(cursor)
    except NotSupportedError:
        # A migration has changed the type of a column that a kept plan returns. The driver drops
        # its plans on a rollback only, so outside a transaction all later reads would fail, too.
        if not database.in_atomic_block:
            database.close()
        raise
