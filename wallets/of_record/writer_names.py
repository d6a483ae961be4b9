"""How the database learns which verb writes.

SQLite asks, by SQL functions of its connection. PostgreSQL is told before each statement that may
change a column of record: those statements are rare, and no move in a hand is one.
"""

import re
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper

from wallets.of_record import sql_functions, verbs
from wallets.values.columns import of_table

# The settings of a session of PostgreSQL, in the order of `Writer`.
SETTINGS: Final = ("house.verb", "house.act", "house.act_key")
_TELL: Final = "SELECT " + ", ".join(f"set_config('{name}', %s, false)" for name in SETTINGS)
_WRITES: Final = re.compile(
    r'\s*(?:(INSERT) INTO|(UPDATE)|(DELETE) FROM|(COPY))\s+"?(\w+)"?', re.IGNORECASE
)


@lru_cache(maxsize=4_096)
def concerns_record(sql: str) -> bool:
    """Whether a statement may change a column of record."""
    found = _WRITES.match(sql)
    declared = of_table(found[5]) if found else None
    if found is None or declared is None or not declared.is_recorded:
        return False
    if not found[2]:
        return True
    changed = sql[found.end() :].partition(" WHERE ")[0]
    return any(re.search(rf'"?\b{name}\b"?\s*=', changed) for name in declared.recorded)


def _tell(
    execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    if isinstance(sql, str):
        tell_before(sql, context["connection"])
    return execute(sql, params, many, context)


def tell_before(sql: str, database: BaseDatabaseWrapper) -> None:
    """Tell who writes, if a statement may change a column of record."""
    if concerns_record(sql):
        tell(database)


def tell(database: BaseDatabaseWrapper) -> None:
    """Tell PostgreSQL who writes; SQLite asks."""
    if database.vendor == "postgresql":
        # A thread's first statement may be this one.
        database.ensure_connection()
        with database.wrap_database_errors:
            database.connection.execute(_TELL, verbs.writer())


def connected(connection: BaseDatabaseWrapper, **_of_the_signal: object) -> None:
    """Prepare a new connection to a database."""
    if connection.vendor == "sqlite":
        sql_functions.define(connection.connection, verbs.writer)
    elif _tell not in connection.execute_wrappers:
        connection.execute_wrappers.append(_tell)
