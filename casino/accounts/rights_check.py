"""Compare the rights of staff with the journal, and roles and permissions with the code.

`manage.py check` warns where they differ, the nightly audit finds it, and every ten minutes the
house looks, so that there is an alarm.

Roles are given and taken by verbs that write them into the journal: the command `appoint`, which
makes superusers, too, the page of staff in the back office, and `found`. On PostgreSQL the
application's role can grant nothing that the journal does not say (`docs/deploy/roles.sql`).
"""

from collections.abc import Iterable, Iterator
from datetime import date
from typing import Any, Final

from django.apps import apps
from django.contrib.auth.models import Group, Permission
from django.contrib.contenttypes.models import ContentType
from django.core import checks
from django.db import DatabaseError
from django.db.models import Q

from casino.accounts.models import Player
from casino.accounts.staff import PERMISSIONS, declared_permissions, grants
from wallets.models.staff_models import JournalEntry
from wallets.storage.replica import snapshot

ID: Final = "players.W001"
HINT: Final = (
    "Find out who gave these rights: the record of changes has the time. Then dismiss the person "
    "with `manage.py appoint`, or appoint them so that the journal says so."
)


def journalled() -> dict[int, tuple[set[str], bool]]:
    """The roles of each player by the journal, and whether they are a superuser."""
    rights: dict[int, tuple[set[str], bool]] = {}
    keys = Q(after__has_any_keys=["roles", "superuser"])
    about = (keys & Q(subject__startswith="player:")) | Q(subject="house")
    rows = JournalEntry.objects.filter(about).order_by("position")
    for subject, after in rows.values_list("subject", "after"):
        if subject == "house":
            staff = after.get("staff", {}) if isinstance(after, dict) else {}
            rights |= {_number(member): (set(roles), False) for member, roles in staff.items()}
            continue
        player = _number(subject)
        roles, superuser = rights.get(player, (set(), False))
        roles = set(after.get("roles", roles))
        rights[player] = (roles, bool(after.get("superuser", superuser)))
    return rights


def _number(reference: str) -> int:
    return int(reference.partition(":")[2])


def differences() -> Iterator[str]:
    """A sentence for each person whose rights are not in the journal."""
    said = journalled()
    with_rights = Q(is_staff=True) | Q(is_superuser=True) | Q(groups__isnull=False)
    people = Player.objects.filter(with_rights | Q(user_permissions__isnull=False) | Q(pk__in=said))
    for player in people.distinct().order_by("pk").prefetch_related("groups", "user_permissions"):
        roles, superuser = said.get(player.pk, (set(), False))
        held = {group.name for group in player.groups.all()}
        if held != roles:
            yield (
                f"{player.username} has the roles {_named(held)}; by the journal {_named(roles)}."
            )
        if player.is_superuser != superuser:
            yield _other(player, "a superuser", is_one=player.is_superuser)
        if player.is_staff != bool(roles or superuser):
            yield _other(player, "staff", is_one=player.is_staff)
        if player.user_permissions.all():
            yield f"{player.username} has permissions that belong to no role."


def _other(player: Player, what: str, *, is_one: bool) -> str:
    return f"{player.username} is {'' if is_one else 'not '}{what}; the journal says otherwise."


def _named(roles: set[str]) -> str:
    return ", ".join(sorted(roles)) or "none"


def roles() -> Iterator[str]:
    """A sentence for each role that has more or fewer permissions than the list gives it."""
    everything = {
        _name(permission) for permission in Permission.objects.select_related("content_type")
    }
    groups = Group.objects.prefetch_related("permissions__content_type")
    there = {
        group.name: {_name(permission) for permission in group.permissions.all()}
        for group in groups
    }
    for group in sorted(there.keys() | PERMISSIONS.keys()):
        if group not in there or group not in PERMISSIONS:
            yield f"The role {group} is {'not there' if group in PERMISSIONS else 'of no list'}."
            continue
        given = {name for name in everything if grants(group, name)}
        for name in sorted(there[group] - given):
            yield f"The role {group} has {name}, which the list does not give it."
        for name in sorted(given - there[group]):
            yield f"The role {group} lacks {name}, which the list gives it."


def _name(permission: Permission) -> str:
    return f"{permission.content_type.app_label}.{permission.codename}"


def permissions() -> Iterator[str]:
    """A sentence for each permission that is not as its model declares it."""
    due = {
        (model._meta.app_label, model._meta.model_name, codename): words
        for model in apps.get_models()
        for codename, words in declared_permissions(model)
    }
    columns = ("content_type__app_label", "content_type__model", "codename", "name")
    there = {tuple(key): words for *key, words in Permission.objects.values_list(*columns)}
    for app, model, codename in sorted(due.keys() | there.keys(), key=str):
        key = app, model, codename
        if due.get(key) != there.get(key):
            wording = there.get(key, "not there")
            yield f"The permission {app}.{codename} of {model} is: {wording}."


def content_types() -> Iterator[str]:
    """A sentence for each model without the row to which its permissions belong."""
    there = set(ContentType.objects.values_list("app_label", "model"))
    due = {(model._meta.app_label, model._meta.model_name) for model in apps.get_models()}
    for app, model in sorted(due - there, key=str):
        yield f"The type {app}.{model} is not there."


def findings(_since: date | None = None) -> Iterator[str]:
    """Every right that is not as the journal and the code have it."""
    with snapshot():
        findings = [*differences(), *roles(), *permissions(), *content_types()]
    yield from findings


def check_rights(
    databases: Iterable[str] | None = None, **_kwargs: Any
) -> list[checks.CheckMessage]:
    """Compare, if the check may use the database; before its first migration there is nothing."""
    if not databases:
        return []
    try:
        return [checks.Warning(finding, hint=HINT, id=ID) for finding in findings()]
    except DatabaseError:
        return []


def register_check() -> None:
    checks.register(check_rights, checks.Tags.database)
