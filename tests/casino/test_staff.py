"""The staff's roles and permissions, and how the site checks them."""

from collections.abc import Callable
from fnmatch import fnmatchcase

import pytest
from django.apps import apps
from django.contrib.auth.models import AnonymousUser, Group, Permission
from django.core.management import call_command

from casino.players import staff
from casino.players.models import Player

Appointed = Callable[[str], Player]

CHECKS = {
    "operators": staff.is_operator,
    "cashiers": staff.is_cashier,
    "auditors": staff.is_auditor,
}


@pytest.mark.parametrize("group", CHECKS)
def test_staff_are_what_they_are_appointed_to(
    appointed: Appointed, alice: Player, group: str
) -> None:
    somebody = appointed(group)
    assert [name for name, check in CHECKS.items() if check(somebody)] == [group]
    assert somebody.is_staff
    assert not any(check(alice) or check(AnonymousUser()) for check in CHECKS.values())


def test_a_superuser_may_do_all(db: None) -> None:
    superuser = Player.objects.create_superuser("superuser")
    assert all(check(superuser) for check in CHECKS.values())


def test_dismissed_or_blocked_staff_lose_their_role(appointed: Appointed) -> None:
    operator = appointed("operators")
    operator.is_active = False
    assert not staff.is_operator(operator)
    staff.appoint(operator)
    again = Player.objects.get(pk=operator.pk)
    assert not again.is_staff
    assert not staff.is_operator(again)


def test_a_bot_is_never_staff(db: None) -> None:
    bot = Player.objects.create_bot("bot-mei")
    staff.appoint(bot, "operators")
    assert not staff.is_operator(bot)


def test_groups_are_queried_once(appointed: Appointed, django_assert_num_queries) -> None:
    player = Player.objects.get(pk=appointed("auditors").pk)
    with django_assert_num_queries(1):
        assert not staff.is_operator(player)
        assert staff.is_auditor(player)


def permissions(group: str) -> set[str]:
    rows = Permission.objects.filter(group__name=group)
    return {f"{row.content_type.app_label}.{row.codename}" for row in rows}


@pytest.mark.django_db
def test_groups_have_their_permissions_from_the_first_migration_on() -> None:
    assert permissions("operators") >= {"players.view_player", "players.change_player"}
    assert permissions("auditors") >= {"players.view_player", "admin.view_logentry"}
    assert permissions("cashiers") >= {"players.view_player"}


@pytest.mark.django_db
def test_auditors_change_nothing_and_nobody_deletes_or_adds_players() -> None:
    reading = {
        "games.audit_hand",
        "tournaments.audit_tournament",
        "wallets.read_journal",
    }
    assert all(".view_" in name or name in reading for name in permissions("auditors"))
    assert "games.audit_hand" not in permissions("operators") | permissions("cashiers")
    for group in CHECKS:
        assert not {"players.add_player", "players.delete_player"} & permissions(group)
        assert not {name for name in permissions(group) if name.startswith("auth.")}


@pytest.mark.django_db
def test_every_migration_puts_the_groups_right_again() -> None:
    """Restore permissions that were added or lost, but leave other applications' alone."""
    cashiers = Group.objects.get(name="cashiers")
    before = permissions("cashiers")
    cashiers.permissions.set(Permission.objects.filter(codename="delete_player"))
    Group.objects.get(name="auditors").delete()
    call_command("migrate", verbosity=0)
    assert permissions("cashiers") == before
    assert permissions("auditors")


@pytest.mark.django_db
def test_granting_again_changes_nothing() -> None:
    before = {group: permissions(group) for group in CHECKS}
    staff.grant(apps.get_app_config("players"))
    assert {group: permissions(group) for group in CHECKS} == before


@pytest.mark.django_db
@pytest.mark.parametrize("group", CHECKS)
def test_the_list_names_nothing_that_nobody_can_have(group: str) -> None:
    for pattern in staff.PERMISSIONS[group]:
        assert any(fnmatchcase(name, pattern) for name in permissions(group)), pattern
