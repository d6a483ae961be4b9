"""Giving a person a role, and taking it away, at the command line.

In the back office only a superuser appoints; everyone with a shell on the machine can do
everything anyway, so here `--by` names a manager or a superuser, and the journal has the account.
"""

from collections.abc import Callable, Iterable
from typing import Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.translation import gettext_lazy as _

from casino.accounts import staff
from casino.accounts.models import Player
from casino.accounts.names import name_key
from wallets.models.holders import player_reference
from wallets.staff import journal
from wallets.values.errors import Refused

PERMISSION: Final = "players.appoint_by_command"
APPOINT: Final = journal.register(
    "command:appoint", _("Appointed a member of staff"), permission=PERMISSION
)
DISMISS: Final = journal.register(
    "command:dismiss", _("Took a role from a member of staff"), permission=PERMISSION
)
ROLES: Final = tuple(staff.PERMISSIONS)


# The roles that a member of staff gets, by the present ones.
Wanted = Callable[[Iterable[str]], set[str]]


def create(name: str) -> Player:
    """Make an account without a password; the command hands out a one-time password for it."""
    player = Player(username=Player.normalize_username(name))
    try:
        player.clean_fields(exclude=["password"])
    except ValidationError as reason:
        raise Refused("name", "{name}: {why}", name=name, why=" ".join(reason.messages)) from None
    if Player.name_is_taken(player.username):
        raise Refused(
            "name_taken",
            _("The name {name} is taken, or looks too much like a name that is."),
            name=name,
        )
    return Player.objects.create_user(player.username)


def known(name: str) -> Player:
    player = Player.objects.filter(username_key=name_key(name)).first()
    if player is None:
        raise Refused("no_such_player", _("No player has the name {name}."), name=repr(name))
    return player


def require_role(role: str) -> None:
    if role not in ROLES:
        raise Refused(
            "no_such_role",
            _("There is no role {role}. The roles are {roles}."),
            role=repr(role),
            roles=", ".join(ROLES),
        )


def give(player: Player, role: str, who: journal.By, why: str) -> list[str]:
    """Add a role to those that the person has; return all of them."""
    require_role(role)
    if player.is_bot or player.is_guest or not player.is_active:
        raise Refused(
            "not_a_person",
            _("{name} cannot be staff: a bot, a guest, or frozen."),
            name=player.username,
        )
    return _change(player, lambda held: {*held, role}, who, APPOINT, why)


def make_superuser(player: Player, who: journal.By, why: str, *, superuser: bool) -> list[str]:
    """Let a person do everything, or no longer; return their roles."""
    with transaction.atomic():
        player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        before, roles = player.is_superuser, roles_of(player)
        if before == superuser or who.reference == player_reference(player.pk):
            raise Refused(
                "superuser_unchanged",
                _("Nothing to change: {name} is a superuser already, or is not."),
                name=player.username,
            )
        player.is_superuser = superuser
        player.save(update_fields=["is_superuser"])
        staff.appoint(player, *roles)
        journal.write(
            who,
            APPOINT if superuser else DISMISS,
            player_reference(player.pk),
            before={"superuser": before},
            after={"superuser": superuser},
            reason=why,
        )
    return roles


def appointed(player: Player, role: str, who: journal.By, why: str) -> None:
    """Give a new account its first role, for programs that fill a house."""
    staff.appoint(player, role)
    reference = player_reference(player.pk)
    journal.write(
        who, APPOINT, reference, before={"roles": []}, after={"roles": [role]}, reason=why
    )


def take(player: Player, role: str, who: journal.By, why: str) -> list[str]:
    """Take one role, or every role if none is named; return those that are left."""
    if role:
        require_role(role)
    left = (lambda held: set(held) - {role}) if role else (lambda held: set[str]())
    return _change(player, left, who, DISMISS, why)


def _change(player: Player, wanted: Wanted, who: journal.By, verb: str, why: str) -> list[str]:
    if who.reference == player_reference(player.pk):
        raise Refused("own_roles", _("Another manager has to change your roles."))
    with transaction.atomic():
        player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        before = roles_of(player)
        after = [role for role in ROLES if role in wanted(before)]
        if after == before:
            raise Refused(
                "roles_unchanged",
                _("Nothing to change: {name} has these roles: {roles}."),
                name=player.username,
                roles=", ".join(before) or "-",
            )
        staff.appoint(player, *after)
        journal.write(
            who,
            verb,
            player_reference(player.pk),
            before={"roles": before},
            after={"roles": after},
            reason=why,
        )
    return after


def roles_of(player: Player) -> list[str]:
    held = set(player.groups.values_list("name", flat=True))
    return [role for role in ROLES if role in held]
