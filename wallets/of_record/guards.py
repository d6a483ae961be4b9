"""The database triggers that protect the ledger, and the function that posts.

A migration installs them. SQLite drops the triggers of a table that a later migration rebuilds:
such a migration must install them again, and reconciliation names missing ones. Other packages
guard tables of their own in the same way, and register their files here.
"""

import re
import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

import wallets
from wallets.of_record import installing

SQL = Path(wallets.__file__).parent / "sql"
LEDGER = {
    "postgresql": ("guards_postgresql.sql", "post_postgresql.sql"),
    "sqlite": ("guards_sqlite.sql",),
}
# The tables of staff came later; they have a migration and files of their own.
STAFF = {"postgresql": ("journal_postgresql.sql",), "sqlite": ("journal_sqlite.sql",)}
ENABLED = {
    "postgresql": """SELECT tgname FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid
        WHERE NOT tgisinternal AND tgenabled <> 'D'
        AND relnamespace = current_schema()::regnamespace""",
    "sqlite": "SELECT name FROM sqlite_master WHERE type = 'trigger'",
}


# The name of each trigger in a script, and its table.
TRIGGERS: Final = re.compile(
    r"^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER (\w+).*?\bON (\w+)",
    re.MULTILINE | re.DOTALL,
)


class Guarded(NamedTuple):
    """A folder of scripts, and the names of those for each engine."""

    folder: Path
    files: Mapping[str, tuple[str, ...]]


RECORD = {"postgresql": ("record_postgresql.sql",), "sqlite": ("record_sqlite.sql",)}
_registered = [Guarded(SQL, LEDGER), Guarded(SQL, STAFF), Guarded(SQL, RECORD)]


def register(guarded: Guarded) -> None:
    """Have reconciliation name the guards of another package, too, if one is missing."""
    if guarded not in _registered:
        _registered.append(guarded)


def install(
    database: BaseDatabaseWrapper,
    files: Mapping[str, tuple[str, ...]] = LEDGER,
    folder: Path = SQL,
) -> None:
    with database.cursor() as cursor:
        for name in files[database.vendor]:
            text = (folder / name).read_text()
            for statement in _statements(text) if database.vendor == "sqlite" else (text,):
                cursor.execute(statement)


def remove(
    database: BaseDatabaseWrapper,
    files: Mapping[str, tuple[str, ...]] = LEDGER,
    folder: Path = SQL,
) -> None:
    """Drop the triggers of these scripts, for a migration back."""
    with database.cursor() as cursor:
        for name in files[database.vendor]:
            for trigger, table in TRIGGERS.findall((folder / name).read_text()):
                on = f" ON {table}" if database.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER IF EXISTS {trigger}{on}")


def missing() -> list[str]:
    """Return the triggers that are missing or switched off, those of the record among them."""
    text = "\n".join(
        (guarded.folder / name).read_text()
        for guarded in _registered
        for name in guarded.files[connection.vendor]
    )
    expected = [trigger for trigger, _ in TRIGGERS.findall(text)]
    with connection.cursor() as cursor:
        cursor.execute(ENABLED[connection.vendor])
        standing = {name for (name,) in cursor.fetchall()}
    return [name for name in expected if name not in standing] + installing.missing(connection)


def _statements(text: str) -> Iterator[str]:
    """Split a script for SQLite, which takes one statement at a time and allows `;` in triggers."""
    statement = ""
    for line in text.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
