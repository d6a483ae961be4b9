"""Databases of older houses, each in place of the one that the tests have.

A house that is new creates what its models say in one step; a house that had some of the migrations
before applies the rest of them. Here a database goes through them one by one, as that house did.
"""

import re
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

from django.core.management import call_command
from django.db import connection, connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.migrations.executor import MigrationExecutor
from django.db.migrations.loader import MigrationLoader

from tests.migrated_once import on_the_server

Names = list[tuple[str, str]]


class OneByOne(MigrationExecutor):
    """Applies the migrations that are replaced now, and does not record those that replace them."""

    def __init__(self, database: Any) -> None:
        super().__init__(database)
        self.loader = MigrationLoader(database, replace_migrations=False)

    def check_replacements(self) -> None:
        """An older house knew none."""


def last(loader: MigrationLoader) -> Names:
    """The last migration of each app, of those that may be replaced now."""
    return [key for key in loader.graph.leaf_nodes() if key not in loader.replacements]


@contextmanager
def empty_database() -> Iterator[None]:
    """Inside, `connection` is one to a database without tables, which is gone afterwards."""
    own = connections["default"]
    with _made_beside(own) as name:
        other = type(own)({**own.settings_dict, "NAME": name}, alias="default")
        connections["default"] = other
        try:
            yield
        finally:
            other.close()
            connections["default"] = own


@contextmanager
def _made_beside(own: BaseDatabaseWrapper) -> Iterator[str]:
    if own.vendor == "sqlite":
        with tempfile.TemporaryDirectory() as folder:
            yield str(Path(folder) / "older.sqlite3")
        return
    name = f"{own.settings_dict['NAME']}_older"
    with on_the_server() as cursor:
        cursor.execute(f"CREATE DATABASE {name}")
    try:
        yield name
    finally:
        with on_the_server() as cursor:
            cursor.execute(f"DROP DATABASE {name}")


def migrate_one_by_one(*targets: tuple[str, str]) -> Any:
    """The models as they were after these migrations; without any, after all that were replaced."""
    executor = OneByOne(connection)
    return executor.migrate([*targets] or last(executor.loader)).apps


def upgrade() -> None:
    """As the operator of a house does."""
    call_command("migrate", verbosity=0)


def left_to_apply() -> Names:
    executor = MigrationExecutor(connection)
    plan = executor.migration_plan(executor.loader.graph.leaf_nodes())
    return [(migration.app_label, migration.name) for migration, _backwards in plan]


# What a database contains: texts that can be compared, however it came to be.

# Django makes such names of a column's name, which may have been another one when it was made.
MADE_NAME: Final = re.compile(r"\w+_([0-9a-f]{8}(_\w+)?|key|check)")

SCHEMA: Final = {
    "column": """SELECT attrelid::regclass::text, attname, format_type(atttypid, atttypmod),
        attnotnull, attidentity, pg_get_expr(adbin, adrelid) FROM pg_attribute
        JOIN pg_class ON pg_class.oid = attrelid AND relkind = 'r'
        LEFT JOIN pg_attrdef ON adrelid = attrelid AND adnum = attnum
        WHERE attnum > 0 AND NOT attisdropped AND relnamespace = 'public'::regnamespace""",
    "constraint": """SELECT conname, conrelid::regclass::text, pg_get_constraintdef(oid)
        FROM pg_constraint WHERE connamespace = 'public'::regnamespace""",
    "index": "SELECT indexname, indexdef FROM pg_indexes WHERE schemaname = 'public'",
    "trigger": """SELECT tgname, pg_get_triggerdef(oid), tgenabled FROM pg_trigger
        WHERE NOT tgisinternal""",
    "function": """SELECT proname, pg_get_functiondef(oid) FROM pg_proc
        WHERE pronamespace = 'public'::regnamespace""",
    "view": "SELECT viewname, definition FROM pg_views WHERE schemaname = 'public'",
}


def schema() -> list[str]:
    """Tables, keys, indexes, triggers and functions, a line each, in the order of their letters."""
    with connection.cursor() as cursor:
        if connection.vendor == "sqlite":
            cursor.execute("SELECT type, tbl_name, sql FROM sqlite_master WHERE sql IS NOT NULL")
            return sorted(
                f"{kind} {table} {_in_order(sql) if kind == 'table' else sql}"
                for kind, table, sql in cursor.fetchall()
            )
        found = []
        for kind, query in SCHEMA.items():
            cursor.execute(query)
            found += [" ".join([kind, *map(str, row)]) for row in cursor.fetchall()]
        return sorted(MADE_NAME.sub("made_name", line) for line in found)


def _in_order(sql: str) -> list[str]:
    """The parts of a table; a column that was added later is written after the constraints."""
    return sorted(re.split(r', (?=["C])', sql.removesuffix(")")))


def rows() -> dict[str, list[dict[str, Any]]]:
    """All rows of all tables, by the names of their columns, but those about migrations.

    The record says when each table was declared, which is another time on each way.
    """
    about = ("django_migrations", "wallets_recordedchange")
    names = [name for name in connection.introspection.table_names() if name not in about]
    found = {}
    with connection.cursor() as cursor:
        for name in names:
            cursor.execute(f'SELECT * FROM "{name}" ORDER BY 1')
            columns = [column[0] for column in cursor.description]
            found[name] = [dict(zip(columns, row, strict=True)) for row in cursor.fetchall()]
    return found
