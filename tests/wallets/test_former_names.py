"""The record of changes keeps the names that functions had when they wrote."""

from importlib.util import find_spec

from casino.office.desk.models import Shift
from wallets.of_record import declarations
from wallets.of_record.former_names import FORMER, present_name


def test_a_function_may_have_written_under_its_former_name() -> None:
    declared = declarations.of_table(Shift._meta.db_table)
    assert declared
    assert present_name("casino.desk.shifts.close") == "casino.office.desk.shifts.close"
    assert declared.may_change("casino.desk.shifts.close")
    assert declared.may_change("casino.office.desk.shifts.close")
    assert not declared.may_change("casino.players.views.sign_up")


def test_a_module_that_moved_twice_is_found() -> None:
    once = present_name("casino.reports.seeding.rows.Writer.write")
    assert once == "casino.office.demonstration.seeding.rows.Writer.write"
    # A package moved to another, and only part of it on from there.
    assert present_name("tournaments.auditing.money.check") == "tournaments.audit.money.check"
    assert present_name("games.tables.play.act") == "games.tables.play.act"


def test_each_former_name_leads_to_a_module() -> None:
    assert [name for name in FORMER.values() if find_spec(name) is None] == []
