"""The database triggers that protect the ledger, and the function that posts.

A migration installs them. SQLite drops the triggers of a table that a later migration rebuilds:
such a migration must install them again, and reconciliation names missing ones.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

SQL = Path(__file__).parent / "sql"
LEDGER = {
    "postgresql": ("guards_postgresql.sql", "post_postgresql.sql"),
    "sqlite": ("guards_sqlite.sql",),
}
# The tables of staff came later; they have a migration and files of their own.
STAFF = {"postgresql": ("journal_postgresql.sql",), "sqlite": ("journal_sqlite.sql",)}
ENABLED = {
    "postgresql": """SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE tgname LIKE 'wallets~_%%' ESCAPE '~' AND tgenabled <> 'D'
        AND relnamespace = current_schema()::regnamespace""",
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
}


def install(database: BaseDatabaseWrapper, files: Mapping[str, tuple[str, ...]] = LEDGER) -> None:
    with database.cursor() as cursor:
        for name in files[database.vendor]:
            text = (SQL / name).read_text()
            for statement in _statements(text) if database.vendor == "sqlite" else (text,):
                cursor.execute(statement)


def missing() -> list[str]:
    """Return the triggers that are missing or switched off."""
    names = (*LEDGER[connection.vendor], *STAFF[connection.vendor])
    text = "\n".join((SQL / name).read_text() for name in names)
    expected = re.findall(r"^CREATE (?:OR REPLACE )?TRIGGER (\w+)", text, re.MULTILINE)
    with connection.cursor() as cursor:
        cursor.execute(ENABLED[connection.vendor])
        standing = {name for (name,) in cursor.fetchall()}
    return [name for name in expected if name not in standing]


def _statements(text: str) -> Iterator[str]:
    """Split a script for SQLite, which takes one statement at a time and allows `;` in triggers."""
    statement = ""
    for line in text.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
