"""The triggers of the record, as SQL for both engines, and how they learn which verb writes.

SQLite asks, by SQL functions of its connection. PostgreSQL is told before each statement that may
change a column of record: those statements are rare, and no move in a hand is one.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from typing import Any, Final

from django.db.backends.base.base import BaseDatabaseWrapper

from wallets.models.record_models import RecordedChange
from wallets.of_record import verbs
from wallets.of_record.sql_functions import ACT, DIGEST, VERB, define
from wallets.values.columns import Declaration, of_table

# The settings of a session of PostgreSQL, in the order of `Writer`.
SETTINGS: Final = ("house.verb", "house.act", "house.act_key")
_TELL: Final = "SELECT " + ", ".join(f"set_config('{name}', %s, false)" for name in SETTINGS)
_WRITES: Final = re.compile(
    r'\s*(?:(INSERT) INTO|(UPDATE)|(DELETE) FROM|(COPY))\s+"?(\w+)"?', re.IGNORECASE
)


@lru_cache(maxsize=4_096)
def concerns_record(sql: str) -> bool:
    """Whether a statement may change a column of record."""
    match = _WRITES.match(sql)
    declared = of_table(match[5]) if match else None
    if match is None or declared is None or not declared.is_recorded:
        return False
    if not match[2]:
        return True
    changed = sql[match.end() :].partition(" WHERE ")[0]
    return any(re.search(rf'"?\b{name}\b"?\s*=', changed) for name in declared.recorded)


def _tell(
    execute: Callable[..., Any], sql: Any, params: Any, many: bool, context: dict[str, Any]
) -> Any:
    if isinstance(sql, str):
        tell_before(sql, context["connection"])
    return execute(sql, params, many, context)


def tell_before(sql: str, database: BaseDatabaseWrapper) -> None:
    """Tell who writes, if a statement may change a column of record."""
    if concerns_record(sql):
        tell(database)


def tell(database: BaseDatabaseWrapper) -> None:
    """Tell PostgreSQL who writes; SQLite asks."""
    if database.vendor == "postgresql":
        # A thread's first statement may be this one.
        database.ensure_connection()
        with database.wrap_database_errors:
            database.connection.execute(_TELL, verbs.writer())


def connected(connection: BaseDatabaseWrapper, **_of_the_signal: object) -> None:
    """Prepare a new connection to a database."""
    if connection.vendor == "sqlite":
        define(connection.connection, verbs.writer)
    elif _tell not in connection.execute_wrappers:
        connection.execute_wrappers.append(_tell)


RECORD: Final = RecordedChange._meta.db_table
What = RecordedChange.What
NOW: Final = {
    "sqlite": "strftime('%Y-%m-%d %H:%M:%f', 'now')",
    "postgresql": "clock_timestamp()",
}
# Who writes: the verb, and the number of the act.
WRITER: Final = {
    "sqlite": f"{VERB}(), {ACT}()",
    "postgresql": ", ".join(
        f"coalesce(current_setting('{name}', true), '')" for name in SETTINGS[:2]
    ),
}
COLUMNS: Final = 'at, "table", "row", what, before, after, verb, act'
DIGEST_ON_POSTGRESQL: Final = f"""
CREATE OR REPLACE FUNCTION {DIGEST}(text) RETURNS text
  LANGUAGE sql IMMUTABLE PARALLEL SAFE
  AS $$ SELECT encode(sha256(convert_to($1, 'UTF8')), 'hex') $$
"""


def row_text(declared: Declaration, alias: str, vendor: str) -> str:
    """The SQL that makes a text of a row's columns of record, in triggers and in the audit."""
    key = declared.key_column
    pairs = []
    for name in declared.recorded:
        column = f'{alias}."{name}"'
        if name in declared.digested:
            # The place is hashed, too: equal values of two rows do not look alike.
            place = (
                f"'{declared.table}.{name}.' || {_text(alias, key)} || '.' || {_text(alias, name)}"
            )
            column = f"{DIGEST}({place})"
        pairs.append(f"'{name}', {column}")
    text = ", ".join(pairs)
    return f"json_object({text})" if vendor == "sqlite" else f"jsonb_build_object({text})::text"


def key_text(declared: Declaration, alias: str) -> str:
    return _text(alias, declared.key_column)


def _text(alias: str, column: str) -> str:
    return f'CAST({alias}."{column}" AS text)'


def written(declared: Declaration, what: str, before: str, after: str, vendor: str) -> str:
    """The statement that writes one change; `before` and `after` are OLD, NEW, or nothing."""
    before_text = row_text(declared, before, vendor) if before else "NULL"
    after_text = row_text(declared, after, vendor) if after else "NULL"
    return (
        f"INSERT INTO {RECORD} ({COLUMNS}) VALUES ({NOW[vendor]}, '{declared.table}', "
        f"{key_text(declared, after or before)}, '{what}', {before_text}, {after_text}, "
        f"{WRITER[vendor]});"
    )


def _changes(declared: Declaration, vendor: str) -> str:
    differs = "IS NOT" if vendor == "sqlite" else "IS DISTINCT FROM"
    return " OR ".join(f'OLD."{name}" {differs} NEW."{name}"' for name in declared.recorded)


def names(declared: Declaration) -> dict[str, str]:
    """The trigger of each kind of change; of a late table, new rows have none."""
    kinds = ("update", "delete") if declared.late else ("insert", "update", "delete")
    return {what: f"record_{declared.table}_{what}" for what in kinds}


def _watched(declared: Declaration) -> str:
    watched = dict.fromkeys((declared.key_column, *declared.recorded))
    return ", ".join(f'"{name}"' for name in watched)


def on_sqlite(declared: Declaration) -> dict[str, str]:
    """Each trigger's statement. A row that gets another key is one deleted and one inserted."""
    table, key, called = declared.table, f'"{declared.key_column}"', names(declared)
    statements = {
        what: written(declared, what, before, after, "sqlite")
        for what, before, after in (
            ("insert", "", "NEW"),
            ("update", "OLD", "NEW"),
            ("delete", "OLD", ""),
        )
    }
    moved = f"{called['update']}_of_key"
    update = f'AFTER UPDATE OF {_watched(declared)} ON "{table}" WHEN OLD.{key}'
    inserted = (
        {}
        if declared.late
        else {
            called["insert"]: f'CREATE TRIGGER "{called["insert"]}" AFTER INSERT ON "{table}" '
            f"BEGIN {statements['insert']} END",
        }
    )
    return inserted | {
        called["update"]: f'CREATE TRIGGER "{called["update"]}" {update} IS NEW.{key} '
        f"AND ({_changes(declared, 'sqlite')}) BEGIN {statements['update']} END",
        moved: f'CREATE TRIGGER "{moved}" {update} IS NOT NEW.{key} '
        f"BEGIN {statements['delete']} {statements['insert']} END",
        called["delete"]: f'CREATE TRIGGER "{called["delete"]}" AFTER DELETE ON "{table}" '
        f"BEGIN {statements['delete']} END",
    }


def function_on_postgresql(declared: Declaration) -> str:
    """The body of the function that a table's triggers call."""
    insert = written(declared, "insert", "", "NEW", "postgresql")
    update = written(declared, "update", "OLD", "NEW", "postgresql")
    delete = written(declared, "delete", "OLD", "", "postgresql")
    key = f'"{declared.key_column}"'
    return f"""
BEGIN
  IF TG_OP = 'INSERT' THEN {insert}
  ELSIF TG_OP = 'DELETE' THEN {delete}
  ELSIF OLD.{key} IS NOT DISTINCT FROM NEW.{key} THEN {update}
  ELSE {delete} {insert}
  END IF;
  RETURN NULL;
END """


def on_postgresql(declared: Declaration) -> Iterator[str]:
    table, called = declared.table, names(declared)
    yield (
        f"CREATE OR REPLACE FUNCTION record_{table}() RETURNS trigger LANGUAGE plpgsql "
        f"SET timezone = 'UTC' AS $record${function_on_postgresql(declared)}$record$"
    )
    for what in called.keys() - {"update"}:
        yield (
            f"CREATE OR REPLACE TRIGGER {called[what]} AFTER {what.upper()} ON {table} "
            f"FOR EACH ROW EXECUTE FUNCTION record_{table}()"
        )
    yield (
        f"CREATE OR REPLACE TRIGGER {called['update']} AFTER UPDATE OF {_watched(declared)} "
        f"ON {table} FOR EACH ROW WHEN ({_changes(declared, 'postgresql')}) "
        f"EXECUTE FUNCTION record_{table}()"
    )
