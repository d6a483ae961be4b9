"""Every column of the house is declared, and an edit of any row of record is noticed."""

import json
from collections.abc import Iterator, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ImproperlyConfigured
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.db.models import Model

from games.records.audit import Auditor
from tests.casino.desk_scene import Desk
from tests.games import every_row
from tests.games.edits import table_of_edits
from tests.games.edits_of_the_house import EDITS as HOUSE_EDITS
from tests.games.edits_of_the_house import HouseEdit
from tests.games.every_row import other
from tests.games.falsified import CHECKS, World, edited, nothing_guards, played, sql
from tests.games.rows_of_record import fill_and_close
from wallets.audit import chains, reconciliation
from wallets.audit import record_audit as audit
from wallets.audit.findings import Finding
from wallets.models.record_models import RecordedChange
from wallets.models.staff_models import HouseLimit
from wallets.of_record import guards, triggers, verbs
from wallets.of_record.digests import last_closed
from wallets.staff import journal
from wallets.values import columns
from wallets.values.columns import Declaration, recorded

pytestmark = [pytest.mark.django_db, pytest.mark.slow, pytest.mark.postgresql]

# The checks of which the edits of the house name some.
OF_THE_HOUSE = (
    *("reconcile", "anchors", "triggers", "boards", "desk"),
    *("hands", "integrity", "migrations"),
)
# The games at whose tables something is edited.
PLAYED = ("doudizhu", "baccarat", "casino_holdem")
OURS = ("casino", "games", "tournaments", "wallets")


def models_of_the_house() -> list[type[Model]]:
    return [
        model
        for app in apps.get_app_configs()
        if app.name.partition(".")[0] in OURS
        for model in app.get_models(include_auto_created=True)
    ]


@pytest.fixture(scope="module")
def world(django_db_setup: None, django_db_blocker: Any) -> Iterator[World]:
    with played(django_db_blocker, lambda world: world.play_one_day(PLAYED)) as world:
        Desk(world.house.now).evening()
        fill_and_close(world.house)
        yield world


@pytest.fixture(autouse=True)
def no_files_of_another_test() -> None:
    """The anchors of the house stay for all tests of it."""


def findings(declared: Declaration) -> list[str]:
    closed = last_closed().get(declared.table)
    return [
        finding.sentence
        for _, row_findings in audit.check_table(declared, closed)
        for finding in row_findings
    ]


def rows_of(declared: Declaration) -> list[Model]:
    model: Any = declared.model
    return list(model.objects.order_by("pk")[:1])


class Undo(Exception):
    """Raised to undo an edit."""


def test_every_column_is_declared() -> None:
    assert columns.undeclared(models_of_the_house()) == []


def test_a_model_without_a_declaration_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delitem(columns.declared_tables, "wallets_houselimit")
    (sentence,) = columns.undeclared([HouseLimit])
    assert sentence.startswith("wallets.HouseLimit is not declared")


@pytest.mark.parametrize(
    ("declare", "said"),
    [
        (columns.of_record(by="limit.change", free={"of no weight": "colour"}), "colour"),
        (columns.of_record(by="limit.change", digested="value", free={"hidden": "value"}), "value"),
        (columns.of_record(by=""), "name who may change"),
        (columns.derived("ledger", derived={"stars": "value"}), "no audit"),
    ],
)
def test_a_wrong_declaration_is_refused(declare: Any, said: str) -> None:
    with pytest.raises(ImproperlyConfigured, match=said):
        declare(HouseLimit)


def test_an_honest_house_agrees_with_its_record(world: World) -> None:
    assert [finding.sentence for finding in audit.check()] == []
    assert [verb.sentence for verb in reconciliation.check_verbs()] == []


def test_an_edit_of_any_column_is_noticed(world: World) -> None:
    """The triggers are off; row and column are named."""
    missed = []
    with transaction.atomic():
        with nothing_guards():
            for declared in recorded():
                (row,) = rows_of(declared)
                before = set(findings(declared))
                names = [column for column in declared.recorded if column != declared.key.column]
                silent = unnoticed(declared, row, names, before)
                missed += [f"{declared.table}.{name}" for name in silent]
        transaction.set_rollback(True)
    assert missed == []


def unnoticed(
    declared: Declaration, row: Model, names: Sequence[str], before: set[str]
) -> list[str]:
    """Edit all of these columns of a row, and return those that no finding names.

    Where a CHECK of the database refuses the edit, the columns are edited one by one.
    """
    fields = {field.column: field for field in declared.model._meta.concrete_fields}
    values = [other(fields[name], getattr(row, fields[name].attname)) for name in names]
    edits = ", ".join(f'"{name}" = %s' for name in names)
    key = declared.key.get_db_prep_save(row.pk, connection)
    try:
        with transaction.atomic():
            sql(
                f'UPDATE {declared.table} SET {edits} WHERE "{declared.key.column}" = %s',
                *(*values, key),
            )
            sentences = set(findings(declared)) - before
            raise Undo
    except IntegrityError:
        alone = [[name] for name in names] if len(names) > 1 else []
        return [name for single in alone for name in unnoticed(declared, row, single, before)]
    except Undo:
        ours = [sentence for sentence in sentences if f"{declared.table} " in sentence]
        return [name for name in names if not any(f" {name} is " in our for our in ours)]


def test_a_deletion_of_any_row_is_noticed(world: World) -> None:
    missed = []
    with transaction.atomic():
        with nothing_guards():
            for declared in recorded():
                sql(f"DELETE FROM {declared.table}")
                if not any("the row is gone" in finding for finding in findings(declared)):
                    missed.append(declared.table)
        transaction.set_rollback(True)
    assert missed == []


def test_some_edits_of_rows_are_noticed(world: World, request: pytest.FixtureRequest) -> None:
    """Others with each seed; `test_every_row.py` makes all of them before a release."""
    seed = int(request.config.getoption("sample") or 0)
    some = [table for table in every_row.declared_tables() if not table.startswith("tournaments_")]
    every_row.forget()
    with transaction.atomic():
        with nothing_guards():
            assert every_row.sampled(seed, some) == []
        transaction.set_rollback(True)


def test_a_row_added_unrecorded_is_noticed(world: World) -> None:
    with transaction.atomic():
        with nothing_guards():
            sql("INSERT INTO wallets_houselimit (name, value) VALUES ('deposit', 7)")
        (finding,) = audit.check()
        assert finding.sentence.startswith("wallets_houselimit deposit: nothing was recorded")
        transaction.set_rollback(True)


def test_a_change_past_the_house_is_recorded_and_reported(
    world: World, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The triggers are on, and no function of the house writes."""
    with transaction.atomic():
        accepted = chains.close_books().heads.get(book="record").position
        monkeypatch.setattr(reconciliation, "accepted", lambda: accepted)
        last = RecordedChange.objects.latest("id").pk
        monkeypatch.setattr(verbs, "otherwise", verbs.no_act)
        sql("UPDATE wallets_currency SET name = 'Pesos' WHERE code = 'PLAY'")
        (change,) = RecordedChange.objects.filter(pk__gt=last)
        before, after = json.loads(change.before or ""), json.loads(change.after or "")
        assert (change.verb, after["name"]) == ("", "Pesos")
        assert {name for name in after if after[name] != before[name]} == {"name"}
        assert [finding.sentence for finding in audit.check()] == []
        (finding,) = reconciliation.check_verbs()
        assert finding.sentence.startswith(f"wallets_currency {change.row}: this row was changed")
        transaction.set_rollback(True)


# What an owner of the database edits while all guards stand, saying who did it.
BORROWING: dict[str, tuple[str, str]] = {
    "a receipt is deleted": ("desk_receipt", "DELETE FROM desk_receipt"),
    "a receipt's amount": ("desk_receipt", "UPDATE desk_receipt SET amount = 9"),
    "what was counted": ("desk_count", "UPDATE desk_count SET counted = 999"),
    "a limit of the house": ("wallets_houselimit", "UPDATE wallets_houselimit SET value = 999"),
    "a manager's password": (
        "players_player",
        "UPDATE players_player SET password = 'another' WHERE username = 'olga'",
    ),
    "the rake of a table": ("games_table", "UPDATE games_table SET options = '{\"rake_bp\": 900}'"),
    "the structure of an announced event": (
        "tournaments_tournament",
        "UPDATE tournaments_tournament SET structure = '{}'",
    ),
    "a role is given": (
        "players_player_groups",
        (
            "INSERT INTO players_player_groups (player_id, group_id) "
            "SELECT p.id, g.id FROM players_player AS p, auth_group AS g "
            "WHERE p.username = 'bob' AND g.name = 'managers'"
        ),
    ),
}
# Names that a writer may give, besides those that the table's declaration allows.
BORROWED = ("casino.office.desk.payments.deposit", "desk.deposit", "invented", "house:invented")


@pytest.mark.parametrize("what", BORROWING)
def test_an_edit_under_a_borrowed_name_is_refused_or_noticed(
    world: World, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As the database's owner and, where databases have roles, as that of the house."""
    table, statement = BORROWING[what]
    declared = columns.of_table(table)
    assert declared is not None
    accepted = RecordedChange.objects.latest("id").pk
    silent = []
    for role in (as_owner, as_the_house):
        with transaction.atomic():
            role()
            for name in (*BORROWED, *one_of_each_kind(declared.by)):
                for act in ("", "f" * 32):
                    writer = verbs.Writer(name, act, "")
                    if not is_refused_or_noticed(statement, writer, accepted, monkeypatch):
                        silent.append((role.__name__, name))
            transaction.set_rollback(True)
    assert silent == []


def one_of_each_kind(names: Sequence[str]) -> list[str]:
    """Verbs of players, of the house and of staff are proved each in a way of its own."""
    return list({verbs.kind_of(name): name for name in reversed(names)}.values())


def as_owner() -> None:
    """The tests' own role owns the database."""


def as_the_house() -> None:
    """Go on as the role that the documentation has the house run as; SQLite has none."""
    if connection.vendor == "postgresql":
        # A cluster has roles for all its databases.
        role = f"house_of_{connection.settings_dict['NAME']}"
        granted = guards.ROLES.read_text().replace("cardroom", role).replace("%", "%%")
        sql("SET CONSTRAINTS ALL IMMEDIATE")
        sql("SET CONSTRAINTS ALL DEFERRED")
        sql(f'CREATE ROLE "{role}"')
        sql(granted.replace("BEGIN;", "", 1).replace("COMMIT;", "", 1))
        sql(f'SET LOCAL ROLE "{role}"')


def is_refused_or_noticed(
    statement: str, writer: verbs.Writer, accepted: int, monkeypatch: pytest.MonkeyPatch
) -> bool:
    mismatches: list[Finding] = []
    with monkeypatch.context() as patch:
        patch.setattr(verbs, "writer", lambda: writer)
        triggers.connected(connection)
        try:
            with transaction.atomic():
                sql(statement)
                later = RecordedChange.objects.filter(pk__gt=accepted)
                assert later.exists()
                mismatches += reconciliation.of_changes(later)
                kind = verbs.kind_of(writer.verb)
                if kind is verbs.Kind.STAFF:
                    connection.check_constraints(["wallets_recordedchange"])
                    return False
                raise Undo
        except DatabaseError as refusal:
            # That a role lacks a right proves nothing about verbs.
            return "permission denied" not in str(refusal)
        except Undo:
            return bool(mismatches)
        finally:
            patch.undo()
            triggers.connected(connection)


def test_rows_that_are_copied_into_a_table_name_their_own_writer(world: World) -> None:
    """On PostgreSQL many entries of the journal are written by COPY."""
    with transaction.atomic():
        sql("UPDATE wallets_currency SET name = 'Pesos' WHERE code = 'PLAY'")
        line = journal.NewEntry(journal.HOUSE, "table.change", "table:1", {}, {}, "x")
        journal.write_all([line])
        written = RecordedChange.objects.filter(table="wallets_journalentry").latest("id")
        assert written.verb == "house:journal.write"
        transaction.set_rollback(True)


@pytest.mark.parametrize("group", sorted({edit.group for edit in HOUSE_EDITS}))
def test_every_edit_of_the_house_is_noticed(world: World, group: str) -> None:
    """Each by the checks that the documentation names."""
    missed = []
    with edited(world, lambda _world: None), nothing_guards():
        honest = found_by(*OF_THE_HOUSE)
        for edit in HOUSE_EDITS:
            if edit.group == group:
                sentences = found_after(edit, world)
                silent = [name for name in edit.noticed_by if not sentences[name] - honest[name]]
                if silent:
                    missed.append((edit.what, silent))
    assert missed == []


def found_by(*checks: str) -> dict[str, set[str]]:
    auditor = Auditor()
    return {name: set(CHECKS[name](auditor)) for name in checks}


def found_after(edit: HouseEdit, world: World) -> dict[str, set[str]]:
    sentences: dict[str, set[str]] = {}
    with suppress(Undo), transaction.atomic():
        edit.make(world)
        sentences = found_by(*edit.noticed_by)
        raise Undo
    return sentences


def test_the_page_says_how_many_edits_of_the_house_are_tried(repository: Path) -> None:
    """`python -m tests.games.print_edits` prints them for auditors."""
    assert table_of_edits(HOUSE_EDITS).count("\n| ") == len(HOUSE_EDITS) + 1
    assert f"{len(HOUSE_EDITS)} edits" in (repository / "docs" / "ledger.md").read_text()
