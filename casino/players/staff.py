"""Staff: four groups, the permissions of each, and functions that check them.

This list is the authority. Every migration gives the groups exactly these permissions, so the
permissions of staff are read and reviewed here, and nobody can widen them in a browser.
"""

from contextlib import suppress
from fnmatch import fnmatchcase
from typing import Any, Final

from django.apps import AppConfig
from django.contrib.auth.base_user import AbstractBaseUser
from django.contrib.auth.models import AnonymousUser, Group, Permission
from django.db import transaction
from django.db.models import Q
from django.utils import timezone

from casino.players.models import Player
from games.models import Seat
from games.tables import seating
from games.words.refusal import Refused

OPERATORS: Final = "operators"
CASHIERS: Final = "cashiers"
AUDITORS: Final = "auditors"
MANAGERS: Final = "managers"

# Patterns of permissions, so that the models of a package need not be listed one by one. Operators
# run tables and move money only by reversing a whole hand; cashiers see the money and nothing of
# the games; auditors see everything and change nothing. Managers do what operators and cashiers do,
# decide what these propose, and read the journal.
_OF_OPERATORS: Final = (
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
)
PERMISSIONS: Final[dict[str, tuple[str, ...]]] = {
    OPERATORS: _OF_OPERATORS,
    CASHIERS: (
        "players.view_player",
        "wallets.view_*",
        "wallets.deposit",
        "wallets.withdraw",
    ),
    MANAGERS: (
        *_OF_OPERATORS,
        "wallets.deposit",
        "wallets.withdraw",
        "wallets.change_limit",
        "wallets.approve_proposal",
        "wallets.read_journal",
        "admin.view_logentry",
    ),
    AUDITORS: (
        "players.view_player",
        "games.view_*",
        "games.audit_hand",
        "games_chat.view_*",
        "wallets.view_*",
        "wallets.read_journal",
        "axes.view_accessattempt",
        "admin.view_logentry",
    ),
}


def is_operator(user: AbstractBaseUser | AnonymousUser) -> bool:
    return _is_in(user, OPERATORS)


def is_cashier(user: AbstractBaseUser | AnonymousUser) -> bool:
    return _is_in(user, CASHIERS)


def is_auditor(user: AbstractBaseUser | AnonymousUser) -> bool:
    return _is_in(user, AUDITORS)


def appoint(player: Player, *groups: str) -> None:
    """Set a player's groups of staff; without any, the player is no longer staff.

    Staff do not play: an appointed player leaves every table, at once or when the hand there is
    over.
    """
    with transaction.atomic():
        player.groups.set(Group.objects.filter(name__in=groups))
        player.is_staff = player.is_superuser or bool(groups)
        player.save(update_fields=["is_staff"])
        if player.is_staff:
            _take_seats_from(player)


def _take_seats_from(player: Player) -> None:
    held = Seat.objects.filter(Q(player=player) | Q(reserved_for=player), left_at__isnull=True)
    for table_id in held.order_by("table").values_list("table", flat=True).distinct():
        # If a seat cannot be left, the table's organiser must clear it.
        with suppress(Refused):
            seating.leave(player, table_id, timezone.now())


def grant(sender: AppConfig, using: str = "default", **_kwargs: Any) -> None:
    """After each app's migrations, create the groups with this app's permissions."""
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


def _is_in(user: AbstractBaseUser | AnonymousUser, group: str) -> bool:
    """Check the groups once a request; a superuser may do everything."""
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
