"""Install the triggers of the record after each `migrate`, and name those that are missing.

SQLite drops the triggers of a table that a migration rebuilds, and a new column changes them, so no
migration could install them once for all. A table that is declared for the first time, or with
other columns, gets a baseline: all its rows are written down.
"""

import json
from collections.abc import Iterator
from typing import Final

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from wallets.models.record_models import RecordedChange
from wallets.of_record import triggers, verbs
from wallets.of_record.declarations import Declaration, recorded
from wallets.of_record.triggers import COLUMNS, NOW, RECORD, VERB, key_text, row_text

What = RecordedChange.What
_THERE: Final = {
    "sqlite": "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'",
    "postgresql": """SELECT tgname, prosrc FROM pg_trigger
        JOIN pg_class ON pg_class.oid = tgrelid JOIN pg_proc ON pg_proc.oid = tgfoid
        WHERE NOT tgisinternal AND tgenabled <> 'D'
        AND relnamespace = current_schema()::regnamespace""",
}


def after_migrate(using: str, **_of_the_signal: object) -> None:
    install(connections[using])


def install(database: BaseDatabaseWrapper) -> None:
    """Install what is missing, and write down the rows of tables that are declared anew."""
    with database.cursor() as cursor:
        there = set(database.introspection.table_names(cursor))
        if RECORD not in there:
            # The migrations of this app were taken back.
            return
        lacking = set(_missing(cursor))
        if database.vendor == "postgresql":
            cursor.execute(triggers.DIGEST_ON_POSTGRESQL)
        for declared in recorded():
            if declared.table in there:
                if lacking.intersection(_expected(declared, database.vendor)):
                    _create(cursor, declared)
                _write_baseline(cursor, declared)


def missing(database: BaseDatabaseWrapper) -> list[str]:
    """The triggers that are missing, switched off, or not what the declarations make."""
    with database.cursor() as cursor:
        return list(_missing(cursor))


def _missing(cursor: CursorWrapper) -> Iterator[str]:
    vendor = cursor.db.vendor
    cursor.execute(_THERE[vendor])
    there = dict(cursor.fetchall())
    for declared in recorded():
        for name, text in _expected(declared, vendor).items():
            if there.get(name) != text:
                yield name


def _expected(declared: Declaration, vendor: str) -> dict[str, str]:
    """The database's definition of each trigger: its statement, or on PostgreSQL its function."""
    if vendor == "sqlite":
        return triggers.on_sqlite(declared)
    return dict.fromkeys(
        triggers.names(declared).values(), triggers.function_on_postgresql(declared)
    )


def _create(cursor: CursorWrapper, declared: Declaration) -> None:
    if cursor.db.vendor == "sqlite":
        for name, statement in triggers.on_sqlite(declared).items():
            cursor.execute(f'DROP TRIGGER IF EXISTS "{name}"')
            cursor.execute(statement)
        return
    for statement in triggers.on_postgresql(declared):
        cursor.execute(statement)


def _write_baseline(cursor: CursorWrapper, declared: Declaration) -> None:
    """Note the declaration, and all rows, unless it is noted already."""
    cursor.execute(
        f'SELECT after FROM {RECORD} WHERE "table" = %s AND "row" = \'\' ORDER BY id DESC LIMIT 1',
        [declared.table],
    )
    noted, columns = cursor.fetchone(), json.dumps(declared.recorded)
    if noted and noted[0] == columns:
        return
    verbs.tell(cursor.db)
    vendor = cursor.db.vendor
    cursor.execute(
        f"INSERT INTO {RECORD} ({COLUMNS}) "
        f"VALUES ({NOW[vendor]}, %s, '', '{What.DECLARED}', NULL, %s, {VERB[vendor]})",
        [declared.table, columns],
    )
    cursor.execute(write_rows(declared, What.BASELINE, vendor))


def write_rows(declared: Declaration, what: str, vendor: str, where: str = "") -> str:
    """The statement that writes down rows as they are."""
    return (
        f"INSERT INTO {RECORD} ({COLUMNS}) SELECT {NOW[vendor]}, '{declared.table}', "
        f"{key_text(declared, 't')}, '{what}', NULL, {row_text(declared, 't', vendor)}, "
        f'{VERB[vendor]} FROM "{declared.table}" AS t {where}'
    )
