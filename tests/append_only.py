"""Lets the test runner empty tables whose triggers refuse that to everybody else.

Between tests that commit, Django deletes every row. For that moment the triggers are set aside;
while a test runs they stand as they do in the house.
"""

import sqlite3
from collections.abc import Iterator
from contextlib import closing, contextmanager
from typing import Any

import pytest
from django.core.management.commands import flush
from django.core.management.sql import emit_post_migrate_signal
from django.db import connections
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
    """Empty the database with the triggers set aside.

    SQLite is emptied once in each process; after that it gets a copy of the emptied database back,
    with its content types and permissions. To flush takes twenty times as long.
    """
    execute = BaseDatabaseOperations.execute_sql_flush
    with closing(sqlite3.connect(":memory:", check_same_thread=False)) as emptied:

        def is_kept() -> bool:
            return bool(emptied.execute("SELECT count(*) FROM sqlite_master").fetchone()[0])

        def guarded(self: Any, sql_list: list[str]) -> None:
            if self.connection.vendor == "sqlite" and is_kept():
                emptied.backup(self.connection.connection)
                return
            with triggers_set_aside(self.connection):
                execute(self, sql_list)

        def filled(verbosity: int, interactive: bool, db: str, **kwargs: Any) -> None:
            if not is_kept():
                emit_post_migrate_signal(verbosity, interactive, db, **kwargs)
                if connections[db].vendor == "sqlite":
                    connections[db].connection.backup(emptied)

        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(BaseDatabaseOperations, "execute_sql_flush", guarded)
            patch.setattr(f"{flush.__name__}.emit_post_migrate_signal", filled)
            yield
