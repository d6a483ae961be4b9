"""Those who work for the house: three groups, what each may do, and how to ask.

This list is the authority. Every migration gives the groups exactly these permissions, so that the
rights of staff are read and reviewed here, and nobody widens them in a browser.
"""

from fnmatch import fnmatchcase
from typing import Any, Final

from django.apps import AppConfig
from django.contrib.auth.models import Group, Permission
from django.db import transaction

from casino.players.models import Player

OPERATORS: Final = "operators"
CASHIERS: Final = "cashiers"
AUDITORS: Final = "auditors"

# Patterns of permissions, so that the models of a room need not be listed one by one. Operators run
# tables and touch no money but by taking a whole hand back; cashiers see the money and nothing of
# the games; auditors see all and change nothing.
PERMISSIONS: Final[dict[str, tuple[str, ...]]] = {
    OPERATORS: (
        "players.view_player",
        "players.change_player",
        "games.view_*",
        "games.add_table",
        "games.change_table",
        "games.revoke_sharedhand",
        "games.void_hand",
        "games_chat.view_*",
        "games_chat.change_chatline",
        "games_chat.add_silence",
        "games_chat.change_silence",
        "wallets.view_*",
        "wallets.add_jackpot",
        "wallets.change_jackpot",
        "axes.view_accessattempt",
        "axes.delete_accessattempt",
        "admin.view_logentry",
    ),
    CASHIERS: (
        "players.view_player",
        "wallets.view_*",
    ),
    AUDITORS: (
        "players.view_player",
        "games.view_*",
        "games.audit_hand",
        "games_chat.view_*",
        "wallets.view_*",
        "axes.view_accessattempt",
        "admin.view_logentry",
    ),
}


def is_operator(user: Any) -> bool:
    return _is_in(user, OPERATORS)


def is_cashier(user: Any) -> bool:
    return _is_in(user, CASHIERS)


def is_auditor(user: Any) -> bool:
    return _is_in(user, AUDITORS)


def appoint(player: Player, *groups: str) -> None:
    """Make these the groups of staff that a player is in; without any, they are staff no longer."""
    with transaction.atomic():
        player.groups.set(Group.objects.filter(name__in=groups))
        player.is_staff = player.is_superuser or bool(groups)
        player.save(update_fields=["is_staff"])


def grant(sender: AppConfig, using: str = "default", **_kwargs: Any) -> None:
    """After each app's migrations: the groups, with this app's permissions as listed above."""
    for group_name, patterns in PERMISSIONS.items():
        group, _made = Group.objects.using(using).get_or_create(name=group_name)
        of_this_app = Permission.objects.using(using).filter(content_type__app_label=sender.label)
        granted = [
            permission
            for permission in of_this_app
            if any(fnmatchcase(f"{sender.label}.{permission.codename}", each) for each in patterns)
        ]
        group.permissions.remove(*of_this_app.exclude(pk__in=[each.pk for each in granted]))
        group.permissions.add(*granted)


def _is_in(user: Any, group: str) -> bool:
    """Asked of the groups once a request; a superuser may do all."""
    if not isinstance(user, Player) or not user.is_active or user.is_bot:
        return False
    if user.is_superuser:
        return True
    if not user.is_staff:
        return False
    names: frozenset[str] | None = getattr(user, "_group_names", None)
    if names is None:
        names = frozenset(user.groups.values_list("name", flat=True))
        user._group_names = names  # type: ignore[attr-defined]
    return group in names
