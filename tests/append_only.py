"""Sets aside the triggers that refuse changes to what is only ever added to."""

from collections.abc import Iterator
from contextlib import contextmanager

from django.db.backends.base.base import BaseDatabaseWrapper


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
