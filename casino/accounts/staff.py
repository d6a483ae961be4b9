"""Staff: five groups, the permissions of each, and functions that check them.

This list is the authority. Every migration gives the groups exactly these permissions, so the
permissions of staff are read and reviewed here, and cannot be widened in a browser.
"""

from contextlib import suppress
from datetime import timedelta
from fnmatch import fnmatchcase
from typing import Final

from django.apps import AppConfig
from django.contrib.auth import get_permission_codename
from django.contrib.auth.models import Group, Permission
from django.db import transaction
from django.db.models import Model, Q
from django.utils import timezone

from casino.accounts.models import Player
from games.models import Seat
from games.tables import seating
from wallets.values.errors import Refused
from wallets.values.player import Viewer

FLOOR: Final = "floor"
CASHIERS: Final = "cashiers"
MANAGERS: Final = "managers"
AUDITORS: Final = "auditors"
TECHNICIANS: Final = "technicians"

# Patterns of permissions, so that the models of a package need not be listed one by one. The floor
# opens and closes tables, stops all new hands, tells players what they must know and takes stuck
# hands back, without moving money or publishing rules; cashiers see the money and move it, and
# nothing of the games; managers do what both do, close the house, set tables up, decide proposals
# and read the journal; auditors see everything and change nothing; technicians keep the house
# running, and see neither money nor cards. Of a player's file the floor sees all but documents, and
# cashiers the identity, wallets and limits of a player.
_OF_THE_FLOOR: Final = (
    "players.view_player",
    "player_file.see_file",
    "player_file.see_wallets",
    "player_file.see_whole_file",
    "player_file.flag_player",
    "player_file.write_note",
    "games.view_*",
    "games.run_table",
    "games.void_live_hand",
    "backoffice.see_floor",
    "backoffice.halt_house",
    "backoffice.message_players",
    "alarms.see_alarm",
    "alarms.take_alarm",
    "games_chat.view_*",
    "games_chat.change_chatline",
    "games_chat.add_silence",
    "games_chat.change_silence",
    "tournaments.view_*",
)
_OF_CASHIERS: Final = (
    "players.view_player",
    "player_file.see_file",
    "player_file.see_wallets",
    "player_file.see_documents",
    "player_file.check_player",
    "wallets.view_*",
    "wallets.deposit",
    "wallets.withdraw",
    "desk.work_till",
)
_OF_TECHNICIANS: Final = (
    "players.view_player",
    "players.forget_codes",
    "wallets.run_command",
    "upkeep.read_health",
    "maintenance.switch",
    "alarms.see_alarm",
    "alarms.take_alarm",
    "axes.view_accessattempt",
    "axes.delete_accessattempt",
)
PERMISSIONS: Final[dict[str, tuple[str, ...]]] = {
    FLOOR: _OF_THE_FLOOR,
    CASHIERS: _OF_CASHIERS,
    MANAGERS: (
        *_OF_THE_FLOOR,
        *_OF_CASHIERS,
        *_OF_TECHNICIANS,
        "players.appoint_by_command",
        "players.change_player",
        "players.end_sessions",
        "games.add_table",
        "games.change_table",
        "games.publish_profile",
        "games.revoke_sharedhand",
        "games.void_hand",
        "backoffice.close_house",
        "backoffice.manage_wall",
        "backoffice.publish_house",
        "backoffice.view_houseversion",
        "tournaments.run_tournament",
        "desk.see_every_till",
        "desk.manage_tills",
        "wallets.add_jackpot",
        "wallets.change_jackpot",
        "wallets.change_limit",
        "wallets.approve_proposal",
        "wallets.read_journal",
        "reports.read_reports",
        "integrity.see_suspicion",
        "integrity.decide_suspicion",
        "hooks.see_hooks",
        "hooks.manage_hooks",
        "promotions.view_promotion",
        "promotions.publish_promotion",
        "house_messages.view_message",
        "house_messages.send_message",
        "admin.view_logentry",
    ),
    AUDITORS: (
        "players.view_player",
        "player_file.see_*",
        "games.view_*",
        "games.audit_hand",
        "backoffice.see_floor",
        "backoffice.view_houseversion",
        "alarms.see_alarm",
        "games_chat.view_*",
        "tournaments.view_*",
        "tournaments.audit_tournament",
        "wallets.view_*",
        "wallets.read_journal",
        "desk.see_every_till",
        "reports.read_reports",
        "integrity.see_suspicion",
        "hooks.see_hooks",
        "promotions.view_promotion",
        "house_messages.view_message",
        "upkeep.read_health",
        "axes.view_accessattempt",
        "admin.view_logentry",
    ),
    TECHNICIANS: _OF_TECHNICIANS,
}


def grants(group: str, permission: str) -> bool:
    """Whether a group has a permission, by the list above."""
    return any(fnmatchcase(permission, pattern) for pattern in PERMISSIONS[group])


def appoint(player: Player, *groups: str) -> None:
    """Set a player's groups of staff; without any, the player is no longer staff.

    Staff do not play: an appointed player leaves every table, immediately or when the hand there is
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


def grant(sender: AppConfig, using: str = "default", **_kwargs: object) -> None:
    """After each app's migrations, create the groups with this app's permissions."""
    for group_name in PERMISSIONS:
        group, _made = Group.objects.using(using).get_or_create(name=group_name)
        of_this_app = Permission.objects.using(using).filter(content_type__app_label=sender.label)
        granted = [
            permission
            for permission in of_this_app
            if grants(group_name, f"{sender.label}.{permission.codename}")
        ]
        group.permissions.remove(*of_this_app.exclude(pk__in=[each.pk for each in granted]))
        group.permissions.add(*granted)
    _name_permissions(sender, using)


def _name_permissions(app: AppConfig, using: str) -> None:
    """Let permissions have the words of their models, which a later release may have changed."""
    words = {
        (model._meta.model_name, codename): name
        for model in app.get_models()
        for codename, name in declared_permissions(model)
    }
    rows = Permission.objects.using(using).filter(content_type__app_label=app.label)
    for permission in rows.select_related("content_type"):
        due = words.get((permission.content_type.model, permission.codename), permission.name)
        if due != permission.name:
            permission.name = due
            permission.save(using=using, update_fields=["name"])


def declared_permissions(model: type[Model]) -> list[tuple[str, str]]:
    """The codename and the words of each permission of a model."""
    options = model._meta
    usual = [
        (get_permission_codename(action, options), f"Can {action} {options.verbose_name_raw}")
        for action in options.default_permissions
    ]
    return [*usual, *((codename, str(words)) for codename, words in options.permissions)]


# In the session of staff: when they last did something.
ACTIVE: Final = "active_at"
IDLE_MAX: Final = timedelta(minutes=10)


def is_staff_member(viewer: Viewer) -> bool:
    """Return whether this viewer is staff or a superuser; groups do not matter."""
    return isinstance(viewer, Player) and (viewer.is_staff or viewer.is_superuser)
