"""Which function of the house makes a change of record.

The record names for each change the innermost function of the house that wrote it, such as
`casino.office.desk.shifts.close`; what is written past the house's code names none. SQLite asks for
the name itself, by an SQL function. PostgreSQL is told before each statement that may change a
column of record: those statements are rare, and no move in a hand is one.
"""

import re
import sys
from collections.abc import Callable
from functools import lru_cache
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper

from wallets.models.record_models import VERB_MAX
from wallets.of_record.declarations import of_table, writers
from wallets.of_record.sql_functions import DIGEST, VERB, digest

# The setting of a session of PostgreSQL that holds the name.
SETTING: Final = "house.verb"

_WRITES: Final = re.compile(
    r'\s*(?:(INSERT) INTO|(UPDATE)|(DELETE) FROM|(COPY))\s+"?(\w+)"?', re.IGNORECASE
)
# Modules that write rows for their callers.
_helpers: set[str] = {__name__, "wallets.of_record.bulk"}


def writes_for_callers(module: str) -> None:
    """Pass over the functions of a module: what it writes, its caller has asked for."""
    _helpers.add(module)


def current() -> str:
    """The innermost function of the house among the callers; empty if there is none."""
    frame, known = sys._getframe(1), writers()
    while frame is not None:
        module = str(frame.f_globals.get("__name__", ""))
        if module.startswith(known) and module not in _helpers:
            return f"{module}.{frame.f_code.co_qualname}"[:VERB_MAX]
        frame = frame.f_back  # type: ignore[assignment]
    return ""


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
            database.connection.execute(f"SELECT set_config('{SETTING}', %s, false)", [current()])


def connected(connection: BaseDatabaseWrapper, **_of_the_signal: object) -> None:
    """Prepare a new connection to a database."""
    if connection.vendor == "sqlite":
        connection.connection.create_function(VERB, 0, current)
        connection.connection.create_function(DIGEST, 1, digest, deterministic=True)
    elif _tell not in connection.execute_wrappers:
        connection.execute_wrappers.append(_tell)
