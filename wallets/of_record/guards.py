"""The database triggers that protect the ledger, and the function that posts.

A migration installs them from the scripts in the folders `sql` of the packages. SQLite drops the
triggers of a table that a later migration rebuilds: such a migration must install them again.
Reconciliation compares every trigger and function with this release, word for word.
"""

import sqlite3
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Final, NamedTuple

from django.apps import apps
from django.db import connection
from django.db.backends.base.base import BaseDatabaseWrapper

import wallets
from wallets.of_record import installing
from wallets.values.columns import recorded

SQL = Path(wallets.__file__).parent / "sql"
LEDGER = {
    "postgresql": ("guards_postgresql.sql", "post_postgresql.sql"),
    "sqlite": ("guards_sqlite.sql",),
}
STAFF = {"postgresql": ("journal_postgresql.sql",), "sqlite": ("journal_sqlite.sql",)}
RECORD = {"postgresql": ("record_postgresql.sql",), "sqlite": ("record_sqlite.sql",)}
PROOF = {"postgresql": ("proof_postgresql.sql",), "sqlite": ("proof_sqlite.sql",)}
# What an owner may have installed besides, for a role that may do less.
ROLES: Final = Path(wallets.__file__).parents[1] / "docs" / "deploy" / "roles.sql"


class Guarded(NamedTuple):
    """A folder of scripts, and the names of those for each engine."""

    folder: Path
    files: Mapping[str, tuple[str, ...]]


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
            text = (folder / name).read_text()
            for trigger, table in installing.tables_of_triggers(text).items():
                on = f" ON {table}" if database.vendor == "postgresql" else ""
                cursor.execute(f"DROP TRIGGER IF EXISTS {trigger}{on}")


def scripts(vendor: str) -> list[Path]:
    """The scripts of all packages for an engine, found in their folders `sql`."""
    folders = {Path(app.path) for app in apps.get_app_configs()}
    paths = {path for folder in folders for path in folder.rglob(f"sql/*_{vendor}.sql")}
    return sorted(paths)


def missing() -> list[str]:
    """The triggers and functions that are missing, off, not those of this release, or added."""
    vendor = connection.vendor
    text = "\n".join(script.read_text() for script in scripts(vendor))
    wanted = installing.of_script(text, vendor)
    of_record = installing.statements(vendor)
    optional = installing.of_script(ROLES.read_text(), vendor) if ROLES.exists() else {}
    tables = {
        *installing.tables_of_triggers(text).values(),
        *(declaration.table for declaration in recorded()),
    }
    with connection.cursor() as cursor:
        there = installing.of_database(cursor, tables)
    wanted |= installing.of_script(";\n".join([*of_record, ""]), vendor)
    wrong = [name for name, definition in wanted.items() if there.get(name) != definition]
    for name in there.keys() - wanted.keys():
        known = name in optional and there[name] == optional[name]
        if not known and installing.is_trigger(name):
            wrong.append(name)
    return sorted(map(installing.name_of, wrong))


def _statements(text: str) -> Iterator[str]:
    """Split a script for SQLite, which takes one statement at a time and allows `;` in triggers."""
    statement = ""
    for line in text.splitlines(keepends=True):
        statement += line
        if sqlite3.complete_statement(statement):
            yield statement
            statement = ""
