"""`manage.py check` compares the rights of staff with the journal."""

from collections.abc import Callable
from datetime import UTC, datetime
from io import StringIO
from typing import Any

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command

from casino.accounts import appointing, rights_check
from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.office.alarms import condition_checks
from casino.office.alarms.models import Alarm
from games.records import audit_house
from wallets.models.staff_models import JournalEntry
from wallets.staff import journal

pytestmark = pytest.mark.django_db
WHO = journal.By("command:test", "test")


@pytest.fixture
def helena() -> Player:
    """A manager whom the journal knows."""
    player = Player.objects.create_user("helena")
    appointing.appointed(player, "managers", WHO, "a test")
    return player


@pytest.fixture
def sam() -> Player:
    return Player.objects.create_user("sam")


def found() -> list[str]:
    return [str(right.msg) for right in rights_check.check_rights(databases=["default"])]


def run(*words: str) -> str:
    out = StringIO()
    call_command("appoint", *words, "--by", "helena", "--why", "a colleague", stdout=out)
    return out.getvalue()


def test_rights_that_the_journal_has_are_not_reported(helena: Player, sam: Player) -> None:
    run("sam", "cashiers")
    assert run("sam", "--superuser") == "sam: cashiers.\n"
    assert found() == []
    run("sam", "--superuser", "--dismiss")
    assert run("sam", "--dismiss") == "sam: no longer staff.\n"
    assert found() == []
    assert JournalEntry.objects.filter(subject=f"player:{sam.pk}").count() == 4


def test_a_role_that_the_journal_does_not_have_is_reported(helena: Player, sam: Player) -> None:
    appoint(sam, "auditors")
    roles, staff = found()
    assert roles == "sam has the roles auditors; by the journal none."
    assert staff.startswith("sam is staff")


def test_a_superuser_that_the_journal_does_not_have_is_reported(helena: Player) -> None:
    Player.objects.filter(pk=helena.pk).update(is_superuser=True)
    assert found() == ["helena is a superuser; the journal says otherwise."]


def test_a_role_taken_unjournalled_is_reported(helena: Player) -> None:
    helena.groups.clear()
    assert found() == ["helena has the roles none; by the journal managers."]


def test_permissions_beside_the_roles_are_reported(helena: Player) -> None:
    permission = Permission.objects.get(codename="audit_hand")
    helena.user_permissions.add(permission)
    Group.objects.get(name="cashiers").permissions.add(permission)
    assert found() == [
        "helena has permissions that belong to no role.",
        "The role cashiers has games.audit_hand, which the list does not give it.",
    ]


def exchange(one: Any, other: Any, name: str) -> None:
    values = getattr(one, name), getattr(other, name)
    for row, value in ((one, "~"), (other, values[0]), (one, values[1])):
        type(row).objects.filter(pk=row.pk).update(**{name: value})


def permission(name: str) -> Permission:
    app, codename = name.split(".")
    return Permission.objects.get(content_type__app_label=app, codename=codename)


EDITS: dict[str, tuple[Callable[[], object], str]] = {
    "a permission added to a role": (
        lambda: Group.objects.get(name="cashiers").permissions.add(
            permission("wallets.approve_proposal")
        ),
        "The role cashiers has wallets.approve_proposal, which the list does not give it.",
    ),
    "a permission taken from a role": (
        lambda: Group.objects.get(name="auditors").permissions.set([]),
        "The role auditors lacks wallets.read_journal, which the list gives it.",
    ),
    "two roles exchange their names": (
        lambda: exchange(
            Group.objects.get(name="floor"), Group.objects.get(name="managers"), "name"
        ),
        "helena has the roles floor; by the journal managers.",
    ),
    "a role of no list": (lambda: Group.objects.create(name="owners"), "The role owners is of no"),
    "two permissions exchange their codenames": (
        lambda: exchange(
            permission("wallets.approve_proposal"), permission("wallets.deposit"), "codename"
        ),
        "The role cashiers has wallets.approve_proposal, which the list does not give it.",
    ),
    "two permissions of the same roles exchange their codenames": (
        lambda: exchange(permission("wallets.withdraw"), permission("wallets.deposit"), "codename"),
        "The permission wallets.deposit of proposal is: Can pay money out.",
    ),
}


@pytest.mark.parametrize("what", EDITS)
def test_the_night_and_an_alarm_say_what_was_edited(helena: Player, what: str) -> None:
    edit, sentence = EDITS[what]
    now = datetime(2026, 3, 1, tzinfo=UTC)
    assert condition_checks.check_rights(now) == 0
    edit()
    assert any(line.startswith(sentence) for line in audit_house.audit_day(now.date()))
    condition_checks.check_rights(now)
    condition_checks.look(now)
    alarm = Alarm.objects.get(kind="rights")
    assert alarm.figures["first"] in found()


def test_the_check_is_one_of_manage_check(helena: Player, sam: Player) -> None:
    appoint(sam, "auditors")
    errors = StringIO()
    call_command("check", stderr=errors)
    assert rights_check.ID in errors.getvalue()
