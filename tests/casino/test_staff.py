"""The staff's roles and permissions, and how the site checks them."""

from collections.abc import Callable
from fnmatch import fnmatchcase

import pytest
from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.core.management import call_command

from casino.accounts import staff
from casino.accounts.models import Player
from tests.people import works_as

Appointed = Callable[[str], Player]

GROUPS = ("floor", "cashiers", "managers", "auditors", "technicians")


def test_staff_are_what_they_are_appointed_to(appointed: Appointed, alice: Player) -> None:
    for group in GROUPS:
        member = appointed(group)
        assert [name for name in GROUPS if works_as(member, name)] == [group]
        assert not works_as(alice, group)


@pytest.mark.always
def test_dismissed_staff_lose_their_role(appointed: Appointed) -> None:
    manager = appointed("managers")
    staff.appoint(manager)
    again = Player.objects.get(pk=manager.pk)
    assert not again.is_staff
    assert not works_as(again, "managers")


def permissions(group: str) -> set[str]:
    rows = Permission.objects.filter(group__name=group)
    return {f"{row.content_type.app_label}.{row.codename}" for row in rows}


@pytest.mark.django_db
def test_groups_have_their_permissions_from_the_first_migration_on() -> None:
    assert permissions("managers") >= {"players.view_player", "players.change_player"}
    assert permissions("auditors") >= {"players.view_player", "admin.view_logentry"}
    assert permissions("cashiers") >= {"players.view_player"}
    rows = Permission.objects.select_related("content_type")
    everything = {f"{row.content_type.app_label}.{row.codename}" for row in rows}
    for group in GROUPS:
        held = permissions(group)
        # The list says what the database has, and names only permissions that exist.
        assert held == {permission for permission in everything if staff.grants(group, permission)}
        for pattern in staff.PERMISSIONS[group]:
            assert any(fnmatchcase(name, pattern) for name in held), pattern
    before = {group: permissions(group) for group in GROUPS}
    staff.grant(apps.get_app_config("players"))
    assert {group: permissions(group) for group in GROUPS} == before


@pytest.mark.django_db
def test_auditors_change_nothing_and_nobody_deletes_or_adds_players() -> None:
    reading = {
        *("alarms.see_alarm", "backoffice.see_floor", "desk.see_every_till", "games.audit_hand"),
        "hooks.see_hooks",
        *("integrity.see_suspicion", "player_file.see_documents", "player_file.see_file"),
        *("player_file.see_wallets", "player_file.see_whole_file", "reports.read_reports"),
        *("tournaments.audit_tournament", "upkeep.read_health", "wallets.read_journal"),
    }
    assert all(".view_" in name or name in reading for name in permissions("auditors"))
    for group in set(GROUPS) - {"auditors"}:
        assert "games.audit_hand" not in permissions(group)
    for group in GROUPS:
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
def test_the_floor_has_no_money_and_technicians_neither_money_nor_cards() -> None:
    assert not {
        permission for permission in permissions("floor") if permission.startswith("wallets.")
    }
    assert not {"games.change_table", "games.add_table", "games.void_hand"} & permissions("floor")
    technicians = permissions("technicians")
    assert {technician for technician in technicians if technician.startswith("wallets.")} == {
        "wallets.run_command"
    }
    apps_of_technicians = {technician.partition(".")[0] for technician in technicians} - {"wallets"}
    assert apps_of_technicians == {"players", "upkeep", "axes", "maintenance", "alarms"}
