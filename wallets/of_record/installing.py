"""Install the triggers of the record after each `migrate`, and name those that are missing.

SQLite drops the triggers of a table that a migration rebuilds, and a new column changes them, so no
migration could install them once for all. A table that is declared for the first time, or with
other columns, gets a baseline: all its rows are written down.
"""

import json
from collections.abc import Iterator

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from wallets.models.record_models import RecordedChange
from wallets.of_record import definitions, triggers, writer_names
from wallets.of_record.triggers import COLUMNS, NOW, RECORD, WRITER, key_text, row_text
from wallets.of_record.verbs import declare, under
from wallets.values.columns import MIGRATE, Declaration, recorded

What = RecordedChange.What
declare(MIGRATE)


@under(MIGRATE)
def after_migrate(using: str, **_of_the_signal: object) -> None:
    install(connections[using])


def install(database: BaseDatabaseWrapper) -> None:
    """Install what is missing, and write down the rows of tables that are declared anew."""
    vendor = database.vendor
    with database.cursor() as cursor:
        there = set(database.introspection.table_names(cursor))
        if RECORD not in there:
            # The migrations of this app were taken back.
            return
        if vendor == "postgresql":
            cursor.execute(triggers.DIGEST_ON_POSTGRESQL)
        tables = [one for one in recorded() if one.table in there]
        standing = definitions.of_database(cursor, (one.table for one in tables))
        for declared in tables:
            made = _statements(declared, vendor)
            wanted = definitions.of_script(";\n".join([*made, ""]), vendor)
            if any(standing.get(name) != definition for name, definition in wanted.items()):
                _create(cursor, declared)
            _write_baseline(cursor, declared)


def statements(vendor: str) -> Iterator[str]:
    """The statements that make the triggers of all tables of record."""
    if vendor == "postgresql":
        yield triggers.DIGEST_ON_POSTGRESQL.strip()
    for declared in recorded():
        yield from _statements(declared, vendor)


def _statements(declared: Declaration, vendor: str) -> list[str]:
    if vendor == "sqlite":
        return list(triggers.on_sqlite(declared).values())
    return list(triggers.on_postgresql(declared))


def _create(cursor: CursorWrapper, declared: Declaration) -> None:
    if cursor.db.vendor == "sqlite":
        for name in triggers.on_sqlite(declared):
            cursor.execute(f'DROP TRIGGER IF EXISTS "{name}"')
    for statement in _statements(declared, cursor.db.vendor):
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
    writer_names.tell(cursor.db)
    vendor = cursor.db.vendor
    cursor.execute(
        f"INSERT INTO {RECORD} ({COLUMNS}) "
        f"VALUES ({NOW[vendor]}, %s, '', '{What.DECLARED}', NULL, %s, {WRITER[vendor]})",
        [declared.table, columns],
    )
    cursor.execute(write_rows(declared, What.BASELINE, vendor))


def write_rows(declared: Declaration, what: str, vendor: str, where: str = "") -> str:
    """The statement that writes down rows as they are."""
    return (
        f"INSERT INTO {RECORD} ({COLUMNS}) SELECT {NOW[vendor]}, '{declared.table}', "
        f"{key_text(declared, 't')}, '{what}', NULL, {row_text(declared, 't', vendor)}, "
        f'{WRITER[vendor]} FROM "{declared.table}" AS t {where}'
    )
