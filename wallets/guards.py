"""The triggers that keep the ledger, and the function that posts, as the database knows them.

A migration installs them. SQLite drops the triggers of a table that a later migration rebuilds:
such a migration installs them anew, and reconciliation names those that are missing.
"""

import re
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

SQL = Path(__file__).parent / "sql"
FILES = {
    "postgresql": ("guards_postgresql.sql", "post_postgresql.sql"),
    "sqlite": ("guards_sqlite.sql",),
}
ENABLED = {
    "postgresql": """SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE tgname LIKE 'wallets~_%%' ESCAPE '~' AND tgenabled <> 'D'
        AND relnamespace = current_schema()::regnamespace""",
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
}


def install(database: BaseDatabaseWrapper) -> None:
    with database.cursor() as cursor:
        for name in FILES[database.vendor]:
            text = (SQL / name).read_text()
            for statement in _statements(text) if database.vendor == "sqlite" else (text,):
                cursor.execute(statement)


def missing() -> list[str]:
    """The triggers that should stand and do not, or are switched off."""
    text = (SQL / FILES[connection.vendor][0]).read_text()
    expected = re.findall(r"^CREATE (?:OR REPLACE )?TRIGGER (\w+)", text, re.MULTILINE)
    with connection.cursor() as cursor:
        cursor.execute(ENABLED[connection.vendor])
        standing = {name for (name,) in cursor.fetchall()}
    return [name for name in expected if name not in standing]


def _statements(text: str) -> Iterator[str]:
    """SQLite takes one statement at a time; the semicolons inside a trigger do not end it."""
    statement = ""
    for line in text.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
