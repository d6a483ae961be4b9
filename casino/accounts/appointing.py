"""Giving a person a role, and taking it away: in the back office, and at the command line.

In the back office a colleague must approve each new role, because two accounts in one person's
hands would undo every other approval. A role is removed immediately, except that of a manager.
Everyone with a shell on the machine can do everything anyway, so the command needs no approval: its
`--by` names a manager or a superuser, and the journal has the account.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

from django.core.exceptions import ValidationError
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.accounts import company, staff
from casino.accounts.first_password import half_from
from casino.accounts.freezing import numbered
from casino.accounts.models import Player
from casino.accounts.names import name_key
from wallets.models.holders import player_reference
from wallets.of_record.verbs import under
from wallets.staff import approvals, journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted
from wallets.values.errors import Refused
from wallets.values.player import Viewer

PERMISSION: Final = "players.appoint_by_command"
APPOINT: Final = journal.register(
    "command:appoint", _("Appointed a member of staff"), permission=PERMISSION
)
DISMISS: Final = journal.register(
    "command:dismiss", _("Took a role from a member of staff"), permission=PERMISSION
)
HAND_OUT: Final = journal.register(
    "staff.first_password",
    _("Handed out a half of a one-time password"),
    confirmed=True,
    permission=PERMISSION,
)
ROLES: Final = tuple(staff.PERMISSIONS)
# A role in words, and what it is for.
ROLE_WORDS: Final[Mapping[str, tuple[str | Promise, str | Promise]]] = {
    staff.FLOOR: (
        _("Floor"),
        _("Open and close tables, void stuck hands, moderate the chat."),
    ),
    staff.CASHIERS: (_("Cashiers"), _("See wallets, pay money in and out.")),
    staff.MANAGERS: (_("Managers"), _("Run the house, approve, and read the journal.")),
    staff.AUDITORS: (_("Auditors"), _("See everything, and change nothing.")),
    staff.TECHNICIANS: (_("Technicians"), _("Keep it running; see neither money nor cards.")),
}


# The roles that a member of staff gets, by the present ones.
Wanted = Callable[[Iterable[str]], set[str]]


def create(name: str) -> Player:
    """Make an account without a password; a one-time password is handed out for it."""
    return Player.objects.create_user(new_name(name))


def new_name(name: str) -> str:
    """The name as an account would have it; refuse one that no account can have."""
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
    return player.username


def player_named(name: str) -> Player:
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


def give(
    player: Player, role: str, who: journal.By, why: str, *, verb: str = APPOINT, cause: str = ""
) -> list[str]:
    """Add a role to those that the person has; return all of them."""
    require_role(role)
    _require_person(player)
    return _change(player, _with(role), who, verb, why, cause)


def _require_person(player: Player) -> None:
    if player.is_bot or player.is_guest or not player.is_active:
        raise Refused(
            "not_a_person",
            _("{name} cannot be staff: a bot, a guest, or frozen."),
            name=player.username,
        )


def make_superuser(player: Player, who: journal.By, why: str, *, superuser: bool) -> list[str]:
    """Let a person do everything, or no longer; return their roles."""
    verb = APPOINT if superuser else DISMISS
    if superuser:
        _require_person(player)
    with under(verb), transaction.atomic():
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
            verb,
            player_reference(player.pk),
            before={"superuser": before},
            after={"superuser": superuser},
            reason=why,
        )
    return roles


@under(APPOINT)
@transaction.atomic
def appointed(player: Player, role: str, who: journal.By, why: str) -> None:
    """Give a new account its first role, for programs that fill a house."""
    staff.appoint(player, role)
    reference = player_reference(player.pk)
    journal.write(
        who, APPOINT, reference, before={"roles": []}, after={"roles": [role]}, reason=why
    )


def take(
    player: Player, role: str, who: journal.By, why: str, *, verb: str = DISMISS, cause: str = ""
) -> list[str]:
    """Take one role, or every role if none is named; return those that are left."""
    if role:
        require_role(role)
    return _change(player, _without(role), who, verb, why, cause)


def _with(role: str) -> Wanted:
    return lambda held: {*held, role}


def _without(role: str) -> Wanted:
    return (lambda held: set(held) - {role}) if role else (lambda _held: set())


def _change(
    player: Player, wanted: Wanted, who: journal.By, verb: str, why: str, cause: str
) -> list[str]:
    with under(verb), transaction.atomic():
        player = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        before, after = _roles_after(player, wanted, who)
        staff.appoint(player, *after)
        journal.write(
            who,
            verb,
            player_reference(player.pk),
            before={"roles": before},
            after={"roles": after},
            reason=why,
            cause=cause,
        )
    return after


def _roles_after(player: Player, wanted: Wanted, who: journal.By) -> tuple[list[str], list[str]]:
    """The roles before and after; refuse what changes none, and what changes one's own."""
    if who.reference == player_reference(player.pk):
        raise Refused("own_roles", _("Another manager has to change your roles."))
    before = roles_of(player)
    after = [role for role in ROLES if role in wanted(before)]
    if after == before:
        raise Refused(
            "roles_unchanged",
            _("Nothing to change: {name} has these roles: {roles}."),
            name=player.username,
            roles=", ".join(before) or "-",
        )
    return before, after


def roles_of(player: Player) -> list[str]:
    held = set(player.groups.values_list("name", flat=True))
    return [role for role in ROLES if role in held]


def in_words(roles: Iterable[str]) -> str:
    return ", ".join(str(ROLE_WORDS[role][0]) if role in ROLE_WORDS else role for role in roles)


def hand_out(member: Viewer, player_id: int, reason: str) -> str:
    """This member's half of a one-time password for a colleague who has no password yet."""
    with transaction.atomic():
        player = numbered(player_id)
        if player.is_superuser and not getattr(member, "is_superuser", False):
            raise Refused("superuser", _("Only a superuser does this to a superuser."))
        note_handed_out(player, journal.by(member), reason)
        return half_from(member.pk, player)


def note_handed_out(player: Player, who: journal.By, reason: str) -> None:
    """Write down who saw a one-time password or a half; refuse one for an account in use."""
    if not player.is_staff or not player.is_active or player.has_usable_password():
        raise Refused("has_password", _("Only a new member of staff gets a one-time password."))
    journal.write(
        who,
        HAND_OUT,
        player_reference(player.pk),
        before={},
        after={"one_time_password": True},
        reason=journal.reason_of(reason),
    )


class _ChangeOfRoles(Permitted):
    """What appointing and dismissing share. Arguments: `player`, a number, and `role`.

    A number, because the name of an erased player is free for another person, and the journal keeps
    what was proposed.
    """

    permission: str = PERMISSION

    def may_approve(self, member: Viewer, some: Sequence[Arguments]) -> list[bool]:
        """A manager decides about colleagues, and never about their own roles."""
        may = member.has_perm(self.permission)
        return [may and arguments.get("player") != member.pk for arguments in some]

    def subject(self, arguments: Arguments) -> str:
        return player_reference(arguments["player"])

    def state(self, arguments: Arguments) -> Arguments:
        """The roles do not change between this and carrying out: the player's row is locked."""
        return {"roles": roles_of(numbered(arguments["player"], held=True))}

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        name = self._name(arguments)
        before = [role for role in ROLES if role in state["roles"]]
        after = [role for role in ROLES if role in self._wanted(arguments)(before)]
        changes = [Change(name, in_words(before), in_words(after))]
        if "company" in arguments:
            account = company.unclaimed(arguments["company"])
            changes.append(Change(str(_("Company account")), "", account.name))
        return changes

    def _name(self, arguments: Arguments) -> str:
        return numbered(arguments["player"]).username

    def _wanted(self, arguments: Arguments) -> Wanted:
        raise NotImplementedError


class Appoint(_ChangeOfRoles):
    """A role for a player, or for a new account: then `name` is there instead of `player`.

    `company` is the number of the account of the company that is then theirs, if any.
    """

    name: str = "staff.appoint"
    words: str | Promise = _("Appoint a member of staff")

    def check(self, arguments: Arguments) -> Arguments:
        require_role(arguments["role"])
        checked = {"role": arguments["role"]}
        if "company" in arguments:
            checked["company"] = company.unclaimed(arguments["company"]).pk
        if "name" in arguments:
            return {"name": new_name(arguments["name"])} | checked
        return {"player": numbered(arguments["player"]).pk} | checked

    def subject(self, arguments: Arguments) -> str:
        name = arguments.get("name")
        return f"staff:{name}" if name else super().subject(arguments)

    def state(self, arguments: Arguments) -> Arguments:
        return {"roles": []} if "name" in arguments else super().state(arguments)

    def admit(self, order: Order) -> None:
        if "player" in order.arguments:
            player = numbered(order.arguments["player"])
            _require_person(player)
            _roles_after(player, self._wanted(order.arguments), journal.by(order.maker))

    def carry_out(self, order: Order) -> Any:
        name, who = order.arguments.get("name"), journal.by(order.maker)
        player = create(name) if name else numbered(order.arguments["player"])
        role = order.arguments["role"]
        if "company" in order.arguments:
            company.bind(order.arguments["company"], player)
        give(player, role, who, order.reason, verb=self.name, cause=order.cause)
        return player

    def _name(self, arguments: Arguments) -> str:
        return str(arguments.get("name") or super()._name(arguments))

    def _wanted(self, arguments: Arguments) -> Wanted:
        return _with(arguments["role"])


class Dismiss(_ChangeOfRoles):
    """The end of a role, or of all roles if `role` is empty."""

    name: str = "staff.dismiss"
    words: str | Promise = _("Take a role from a member of staff")

    def needs_approval(self, order: Order) -> bool:
        """Only where a manager loses the role: one manager must not shut out the others."""
        before = set(self.state(order.arguments)["roles"])
        return staff.MANAGERS in before - self._wanted(order.arguments)(before)

    def check(self, arguments: Arguments) -> Arguments:
        if arguments["role"]:
            require_role(arguments["role"])
        return {"player": numbered(arguments["player"]).pk, "role": arguments["role"]}

    def admit(self, order: Order) -> None:
        player = numbered(order.arguments["player"])
        _roles_after(player, self._wanted(order.arguments), journal.by(order.maker))

    def carry_out(self, order: Order) -> Any:
        player, who = numbered(order.arguments["player"]), journal.by(order.maker)
        role = order.arguments["role"]
        take(player, role, who, order.reason, verb=self.name, cause=order.cause)
        return player

    def _wanted(self, arguments: Arguments) -> Wanted:
        return _without(arguments["role"])


def register() -> None:
    approvals.register(Appoint(), Dismiss())
