"""Empties the database between tests that commit.

Django deletes every row of every table, and makes content types and permissions anew: that takes
most of such a test's time, and triggers refuse it. Here the triggers are set aside for the moment,
and what the first emptied database holds is kept: SQLite gets all of it back in one piece, while
PostgreSQL keeps its rows if no test has changed them, and deletes from tables that have others.
Where rows are to be numbered from one again, as the command `flush` wants, tables are truncated:
rows that are only deleted leave gaps, so that later rows stand in another order.
"""

import sqlite3
from collections.abc import Iterator
from typing import Any, Final

import pytest
from django.core.management.commands import flush
from django.core.management.sql import emit_post_migrate_signal
from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.base.operations import BaseDatabaseOperations

from tests.append_only import triggers_set_aside

# What an emptied database holds: all that is made after a migration.
FILLED: Final = ("django_content_type", "auth_permission", "auth_group", "auth_group_permissions")


class OnSQLite:
    def __init__(self) -> None:
        self.emptied = sqlite3.connect(":memory:", check_same_thread=False)

    def keep(self, database: BaseDatabaseWrapper) -> None:
        database.connection.backup(self.emptied)

    def empty(self, database: BaseDatabaseWrapper, *, numbered_anew: bool) -> bool:
        """All that SQLite knows of numbers comes back with its rows, whether asked for or not."""
        self.emptied.backup(database.connection)
        return True

    def close(self) -> None:
        self.emptied.close()


class OnPostgreSQL:
    def keep(self, database: BaseDatabaseWrapper) -> None:
        self.filled = self._filled(database)
        names = database.introspection.django_table_names(only_existing=True, include_views=False)
        self.others = sorted(set(names) - {*FILLED})
        with database.cursor() as cursor:
            cursor.execute("SELECT usesuper FROM pg_user WHERE usename = current_user")
            (self.may_set_keys_aside,) = cursor.fetchone()

    def empty(self, database: BaseDatabaseWrapper, *, numbered_anew: bool) -> bool:
        """Return whether it could be done so: where the kept rows are as they were."""
        if not self.may_set_keys_aside or self._filled(database) != self.filled:
            return False
        with database.cursor() as cursor:
            # Neither triggers nor keys of other tables hinder the owner of the cluster.
            cursor.execute("SET session_replication_role = replica")
            if numbered_anew:
                cursor.execute(f"TRUNCATE {', '.join(self.others)} RESTART IDENTITY")
            else:
                self._delete(cursor)
            cursor.execute("SET session_replication_role = DEFAULT")
        return True

    def _delete(self, cursor: Any) -> None:
        there = " UNION ALL ".join(
            f"SELECT '{name}' WHERE EXISTS (SELECT 1 FROM {name})" for name in self.others
        )
        cursor.execute(there)
        for (name,) in cursor.fetchall():
            cursor.execute(f"DELETE FROM {name}")

    def _filled(self, database: BaseDatabaseWrapper) -> list[str]:
        digests = []
        with database.cursor() as cursor:
            for name in FILLED:
                cursor.execute(
                    f"SELECT md5(string_agg(t::text, ' ' ORDER BY t::text)) FROM {name} t"
                )
                digests += [digest for (digest,) in cursor.fetchall()]
        return digests

    def close(self) -> None:
        """Nothing is held."""


@pytest.fixture(scope="session", autouse=True)
def emptied_quickly() -> Iterator[None]:
    execute = BaseDatabaseOperations.execute_sql_flush
    kept: dict[str, OnSQLite | OnPostgreSQL] = {}
    done: set[str] = set()

    def guarded(self: Any, sql_list: list[str]) -> None:
        database = self.connection
        anew = any("RESTART IDENTITY" in statement for statement in sql_list)
        if database.alias in kept and kept[database.alias].empty(database, numbered_anew=anew):
            done.add(database.alias)
            return
        with triggers_set_aside(database):
            execute(self, sql_list)

    def filled(verbosity: int, interactive: bool, db: str, **kwargs: Any) -> None:
        if db in done:
            done.remove(db)
            return
        emit_post_migrate_signal(verbosity, interactive, db, **kwargs)
        if db not in kept:
            kept[db] = OnSQLite() if connections[db].vendor == "sqlite" else OnPostgreSQL()
        kept[db].keep(connections[db])

    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(BaseDatabaseOperations, "execute_sql_flush", guarded)
        patch.setattr(f"{flush.__name__}.emit_post_migrate_signal", filled)
        yield
    for keeper in kept.values():
        keeper.close()
