"""`manage.py check` compares the rights of staff with the journal."""

from io import StringIO

import pytest
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command

from casino.accounts import appointing, rights_check
from casino.accounts.models import Player
from casino.accounts.staff import appoint
from wallets.models import JournalEntry
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
    return [str(one.msg) for one in rights_check.check_rights(databases=["default"])]


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


def test_the_check_is_one_of_manage_check(helena: Player, sam: Player) -> None:
    appoint(sam, "auditors")
    errors = StringIO()
    call_command("check", stderr=errors)
    assert rights_check.ID in errors.getvalue()
