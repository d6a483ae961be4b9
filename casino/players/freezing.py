"""Freezing a player, which any operator does at once, and unfreezing, which needs a second person.

A frozen player cannot sign in, and is signed out with the next request. Money and seats remain as
they are: the house plays for the seats, and gives them up, as it does for anybody who is away.
"""

from collections.abc import Sequence
from typing import Final

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.players.models import Player
from wallets import approvals, journal
from wallets.approvals import Arguments, Line, Order
from wallets.errors import Refused
from wallets.holders import player_reference
from wallets.player import Viewer

PERMISSION: Final = "players.change_player"
FREEZE: Final = journal.register("player.freeze", _("Froze a player"), permission=PERMISSION)
UNFREEZE: Final = "player.unfreeze"


def freeze(member: Viewer, player_id: int, reason: str) -> Player:
    """Shut a player out at once; a player who is frozen already remains so, without an entry."""
    if not member.has_perm(PERMISSION):
        raise Refused("not_operator", _("Your role cannot freeze players."))
    reason = journal.reason_of(reason)
    with transaction.atomic():
        player = _player(player_id, held=True)
        if (player.is_staff or player.is_superuser) and not getattr(member, "is_superuser", False):
            raise Refused("colleague", _("Only a superuser can freeze members of staff."))
        if player.is_active:
            _switch(player, active=False, who=journal.by(member), verb=FREEZE, reason=reason)
        return player


class Unfreeze:
    """Arguments: `player`, a number."""

    name: str = UNFREEZE
    words: str | Promise = _("Unfreeze a player")
    permission: str = PERMISSION

    def may_propose(self, member: Viewer) -> bool:
        return member.has_perm(PERMISSION)

    def may_approve(self, member: Viewer, some: Sequence[Arguments]) -> list[bool]:
        return [member.has_perm(PERMISSION)] * len(some)

    def check(self, arguments: Arguments) -> Arguments:
        return {"player": _player(arguments["player"]).pk}

    def admit(self, order: Order) -> None:
        if _player(order.arguments["player"]).is_active:
            raise Refused("not_frozen", _("This player is not frozen."))

    def subject(self, arguments: Arguments) -> str:
        return player_reference(arguments["player"])

    def state(self, arguments: Arguments) -> Arguments:
        return {"active": _player(arguments["player"], held=True).is_active}

    def needs_approval(self, order: Order) -> bool:
        return True

    def describe(self, arguments: Arguments, state: Arguments) -> list[Line]:
        name = _player(arguments["player"]).username
        return [Line(name, str(_("frozen")), str(_("may sign in")))]

    def carry_out(self, order: Order) -> None:
        _switch(
            _player(order.arguments["player"], held=True),
            active=True,
            who=journal.by(order.maker),
            verb=self.name,
            reason=order.reason,
            cause=order.cause,
        )


def _player(number: int, *, held: bool = False) -> Player:
    players = Player.objects.filter(pk=number)
    # Writers of rows that refer to the player need not wait.
    player = (players.select_for_update(no_key=True) if held else players).first()
    if player is None:
        raise Refused("no_such_player", _("There is no such player."))
    return player


def _switch(
    player: Player, *, active: bool, who: journal.By, verb: str, reason: str, cause: str = ""
) -> None:
    player.is_active = active
    player.save(update_fields=["is_active"])
    journal.write(
        who,
        verb,
        player_reference(player.pk),
        before={"active": not active},
        after={"active": active},
        reason=reason,
        cause=cause,
    )


def register() -> None:
    approvals.register(Unfreeze())
