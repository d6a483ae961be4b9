"""Install the triggers of the record after each `migrate`, and compare them with the scripts.

SQLite drops the triggers of a table that a migration rebuilds, and a new column changes them, so no
migration could install them once for all. A table that is declared for the first time, or with
other columns, gets a baseline: all its rows are written down.

To compare, SQLite keeps the statement of a trigger. PostgreSQL keeps the text of a function, and
writes out the statement of a trigger with brackets and types of its own, which are left out on both
sides.
"""

import json
import re
from collections.abc import Iterable, Iterator
from typing import Final

from django.db import connections
from django.db.backends.base.base import BaseDatabaseWrapper
from django.db.backends.utils import CursorWrapper

from wallets.models.record_models import RecordedChange
from wallets.of_record import triggers
from wallets.of_record.triggers import COLUMNS, NOW, RECORD, WRITER, key_text, row_text
from wallets.of_record.verbs import declare, under
from wallets.values.columns import MIGRATE, Declaration, recorded

# By kind and name: `("trigger", "wallets_entry_moves")`.
Key = tuple[str, str]
Definitions = dict[Key, object]

_TRIGGER: Final = "trigger"
_FUNCTION: Final = "function"
_TRIGGERS: Final = re.compile(
    r"^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER \"?(\w+)\"?(.*?\bON \"?(\w+)\"?.*?)",
    re.MULTILINE | re.DOTALL,
)
_ON_POSTGRESQL: Final = re.compile(
    r"^CREATE (?:OR REPLACE )?(?:CONSTRAINT )?TRIGGER \"?(\w+)\"?\s(.*?);", re.MULTILINE | re.DOTALL
)
_ON_SQLITE: Final = re.compile(
    r"^CREATE TRIGGER \"?(\w+)\"?(.*?\bEND)\s*;\s*?$", re.MULTILINE | re.DOTALL
)
_FUNCTIONS: Final = re.compile(
    r"CREATE (?:OR REPLACE )?FUNCTION (\w+)\([^)]*\)(.*?)AS \$(\w*)\$(.*?)\$\3\$",
    re.DOTALL,
)
_SETS: Final = re.compile(r"\bSET (\w+) (?:=|TO) (\w+|'[^']*')")
_PARTS: Final = re.compile(
    r"(BEFORE|AFTER|INSTEAD OF) (.+?) ON (\S+)(.*?) FOR EACH (ROW|STATEMENT)"
    r"(?: WHEN \((.*)\))? EXECUTE FUNCTION (\w+)\((.*)\)$"
)
_TYPE: Final = re.compile(
    r"::(?:character varying|timestamp with time zone|\w+)(?:\([0-9]+\))?(?:\[\])?"
)
_PAIRS: Final = re.compile(r"\(([\w.\", ]+,[\w.\", ]+)\) is distinct from \(([\w.\", ]+)\)")
_ONE_OF: Final = re.compile(r"\b(not )?in \(([^()]*)\)")
_IN: Final = {False: "= any", True: "<> all"}
_TRIGGERS_THERE: Final = """
    SELECT tgname, pg_get_triggerdef(pg_trigger.oid), tgenabled, relname FROM pg_trigger
    JOIN pg_class ON pg_class.oid = tgrelid
    WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace"""
_FUNCTIONS_THERE: Final = """
    SELECT proname, prosrc, lanname, proconfig, prosecdef FROM pg_proc
    JOIN pg_language ON pg_language.oid = prolang
    WHERE pronamespace = current_schema()::regnamespace"""


def is_trigger(key: Key) -> bool:
    return key[0] == _TRIGGER


def name_of(key: Key) -> str:
    return key[1]


def tables_of_triggers(text: str) -> dict[str, str]:
    """The table of each trigger in a script."""
    return {name: table for name, _rest, table in _TRIGGERS.findall(text)}


def of_script(text: str, vendor: str) -> Definitions:
    """What a script makes, and functions that it does not make."""
    if vendor == "sqlite":
        return {(_TRIGGER, name): _words(rest) for name, rest in _ON_SQLITE.findall(text)}
    definitions: Definitions = {}
    for name, before, _quote, body in _FUNCTIONS.findall(text):
        language = re.search(r"LANGUAGE (\w+)", before)
        sets = sorted(
            f"{key}={value.strip(chr(39))}".lower() for key, value in _SETS.findall(before)
        )
        definitions[_FUNCTION, name] = (body, language and language[1], sets, False)
    without = re.sub(r"--.*", "", _FUNCTIONS.sub("", text))
    for name, rest in _ON_POSTGRESQL.findall(without):
        definitions[_TRIGGER, name] = _parts(_words(rest))
    return definitions


def of_database(cursor: CursorWrapper, tables: Iterable[str]) -> Definitions:
    """The functions, and the triggers on these tables that are switched on."""
    known = {*tables}
    if cursor.db.vendor == "sqlite":
        cursor.execute("SELECT name, sql, tbl_name FROM sqlite_master WHERE type = 'trigger'")
        return {
            (_TRIGGER, name): _words(re.sub(r"^CREATE TRIGGER \"?\w+\"?", "", sql))
            for name, sql, table in cursor.fetchall()
            if table in known
        }
    definitions: Definitions = {}
    cursor.execute(_FUNCTIONS_THERE)
    for name, body, language, sets, definer in cursor.fetchall():
        definitions[_FUNCTION, name] = (body, language, sorted(map(str.lower, sets or ())), definer)
    cursor.execute(_TRIGGERS_THERE)
    for name, text, enabled, table in cursor.fetchall():
        if table in known:
            parts = _parts(_words(text.partition(f"TRIGGER {name} ")[2]))
            definitions[_TRIGGER, name] = parts if enabled in ("O", "A") else None
    return definitions


def _words(text: str) -> str:
    return " ".join(text.split())


def _parts(text: str) -> object:
    """A trigger of PostgreSQL: when, on what, for which rows, and what it calls."""
    match = _PARTS.search(text)
    if match is None:
        return text
    time, events, table, options, level, when, function, arguments = match.groups()
    table = table.rpartition(".")[2].strip('"')
    return (
        time,
        frozenset(_events(events)),
        table,
        " ".join(options.replace("NOT DEFERRABLE", "").split()),
        level,
        _plain(when or ""),
        function,
        arguments,
    )


def _events(text: str) -> Iterator[tuple[str, ...]]:
    for event in text.split(" OR "):
        kind, _of, columns = event.partition(" OF ")
        yield (kind, *sorted(columns.replace('"', "").replace(" ", "").split(",")))


def _plain(when: str) -> str:
    """A condition as PostgreSQL keeps it, without the brackets, types and quotes that it adds."""
    when = _TYPE.sub("", when.lower())
    when = _PAIRS.sub(_each, when)
    when = _ONE_OF.sub(lambda match: f"{_IN[bool(match[1])]}array[{match[2]}]", when)
    return re.sub(r'[()"\s]', "", when)


def _each(match: re.Match[str]) -> str:
    """Rows of columns are compared column by column."""
    pairs = zip(*(columns.split(",") for columns in match.groups()), strict=True)
    return " or ".join(f"{old} is distinct from {new}" for old, new in pairs)


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
        tables = [declaration for declaration in recorded() if declaration.table in there]
        standing = of_database(cursor, (table.table for table in tables))
        for declared in tables:
            made = _statements(declared, vendor)
            wanted = of_script(";\n".join([*made, ""]), vendor)
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
    triggers.tell(cursor.db)
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
