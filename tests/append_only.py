"""Lets the test runner empty tables whose triggers refuse that to everybody else.

Between tests that commit, Django deletes every row. For that moment the triggers are set aside;
while a test runs they stand as they do in the house.
"""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.operations import BaseDatabaseOperations


@contextmanager
def triggers_set_aside(database: BaseDatabaseWrapper) -> Iterator[None]:
    """Inside, nothing guards the tables: what an attacker does who owns the database."""
    with database.cursor() as cursor:
        if database.vendor == "postgresql":
            cursor.execute(
                "SELECT DISTINCT tgrelid::regclass::text FROM pg_trigger"
                " JOIN pg_class ON pg_class.oid = tgrelid AND relkind = 'r' WHERE NOT tgisinternal"
            )
            tables = [name for (name,) in cursor.fetchall()]
            # A table cannot be altered while a check of its foreign keys waits for the commit.
            checked = ["SET CONSTRAINTS ALL IMMEDIATE", "SET CONSTRAINTS ALL DEFERRED"]
            aside = [*checked, *(f"ALTER TABLE {name} DISABLE TRIGGER USER" for name in tables)]
            back = [*checked, *(f"ALTER TABLE {name} ENABLE TRIGGER USER" for name in tables)]
        else:
            cursor.execute("SELECT name, sql FROM sqlite_master WHERE type = 'trigger'")
            triggers = cursor.fetchall()
            aside = [f"DROP TRIGGER {name}" for name, _sql in triggers]
            back = [sql for _name, sql in triggers]
        for statement in aside:
            cursor.execute(statement)
        yield
        for statement in back:
            cursor.execute(statement)


@pytest.fixture(scope="session", autouse=True)
def flushing_sets_triggers_aside() -> Iterator[None]:
    flush = BaseDatabaseOperations.execute_sql_flush

    def guarded(self: Any, sql_list: list[str]) -> None:
        with triggers_set_aside(self.connection):
            flush(self, sql_list)

    BaseDatabaseOperations.execute_sql_flush = guarded  # type: ignore[assignment, method-assign]
    yield
    BaseDatabaseOperations.execute_sql_flush = flush  # type: ignore[method-assign]
