"""Every trigger and function of the database is compared with this release."""

import re

import pytest
from django.db import connection, transaction

from wallets.of_record import guards, installing

pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def names(text: str) -> set[str]:
    """What a script makes."""
    return {installing.name_of(key) for key in installing.of_script(text, connection.vendor)}


def release() -> str:
    """All scripts of this release, and the statements of the record's triggers."""
    made = installing.statements(connection.vendor)
    scripts = [script.read_text() for script in guards.scripts(connection.vendor)]
    return "\n".join([*scripts, ";\n".join([*made, ""])])


def execute(*statements: str) -> None:
    with connection.cursor() as cursor:
        for statement in statements:
            cursor.execute(statement)


def do_nothing() -> None:
    """Replace every trigger, and on PostgreSQL every function, by one of the same name."""
    for trigger, table in installing.tables_of_triggers(release()).items():
        if connection.vendor == "sqlite":
            execute(
                f"DROP TRIGGER {trigger}",
                f"CREATE TRIGGER {trigger} BEFORE UPDATE ON {table} BEGIN SELECT 1; END",
            )
    if connection.vendor == "postgresql":
        for head in re.findall(r"CREATE OR REPLACE (FUNCTION .*?RETURNS trigger)", release(), re.S):
            execute(f"CREATE OR REPLACE {head} LANGUAGE plpgsql AS $$ BEGIN RETURN NEW; END $$")


def test_scripts_are_found_in_the_folders_of_all_packages() -> None:
    packages = {script.parent.parent.name for script in guards.scripts(connection.vendor)}
    assert {"wallets", "tournaments", "players", "profiles"} <= packages
    assert guards.missing() == []


def test_a_trigger_of_the_same_name_that_does_nothing_is_named() -> None:
    with transaction.atomic():
        do_nothing()
        missing = set(guards.missing())
        transaction.set_rollback(True)
    functions = names(release()) - set(installing.tables_of_triggers(release()))
    expected = functions if functions else names(release())
    # A function in SQL has no trigger's head.
    assert missing >= expected - {"wallets_digest"}


TRIGGER = "wallets_account_starts"
MINE = "CREATE TRIGGER mine BEFORE INSERT ON wallets_recordedchange"
WEAKER = "BEFORE INSERT ON wallets_account {each} (NEW.balance < 0)"
REFUSES = "SELECT RAISE(ABORT, 'INSERT on wallets_account is refused: the ledger only grows');"
ON_SQLITE = {
    "gone": [f"DROP TRIGGER {TRIGGER}"],
    "under another condition": [
        f"DROP TRIGGER {TRIGGER}",
        f"CREATE TRIGGER {TRIGGER} {WEAKER.format(each='WHEN')} BEGIN {REFUSES} END",
    ],
    "added": [f"{MINE} BEGIN SELECT RAISE(IGNORE); END"],
}
CALLS = "EXECUTE FUNCTION wallets_refuse()"
ON_POSTGRESQL = {
    "gone": [f"DROP TRIGGER {TRIGGER} ON wallets_account"],
    "under another condition": [
        f"CREATE OR REPLACE TRIGGER {TRIGGER} {WEAKER.format(each='FOR EACH ROW WHEN')} {CALLS}"
    ],
    "added": [f"{MINE} FOR EACH ROW {CALLS}"],
    "off": [f"ALTER TABLE wallets_account ENABLE REPLICA TRIGGER {TRIGGER}"],
}


@pytest.mark.parametrize("case", ON_POSTGRESQL)
def test_what_is_not_as_released_is_named(case: str) -> None:
    """SQLite cannot switch a trigger off."""
    on_sqlite = connection.vendor == "sqlite"
    statements = ON_SQLITE.get(case, ON_SQLITE["gone"]) if on_sqlite else ON_POSTGRESQL[case]
    with transaction.atomic():
        execute(*statements)
        missing = guards.missing()
        transaction.set_rollback(True)
    assert missing == (["mine"] if case == "added" else [TRIGGER])
