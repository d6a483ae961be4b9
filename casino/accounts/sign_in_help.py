"""Help with others' sign-ins: staff end their sessions, and forget lost codes.

Forgotten codes are set up anew at the next sign-in, which takes the password alone: so all sessions
end with them, and users cannot reset their own.
"""

from typing import Final

from django.db import transaction
from django.utils.translation import gettext_lazy as _

from casino.accounts import codes, devices
from casino.accounts.models import Player
from wallets.models.holders import player_reference
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.values.errors import Refused
from wallets.values.player import Viewer

MAY_END: Final = "players.end_sessions"
MAY_FORGET: Final = "players.forget_codes"
END: Final = journal.register(
    "player.end_sessions", _("Ended all sessions"), confirmed=True, permission=MAY_END
)
FORGET: Final = journal.register(
    "player.forget_codes", _("Reset lost codes"), confirmed=True, permission=MAY_FORGET
)


@under(END)
def end_sessions(member: Viewer, player_id: int, reason: str) -> int:
    """Sign a user out everywhere; return from how many places."""
    with transaction.atomic():
        player = _player(member, player_id, MAY_END)
        running = devices.sessions_of(player).count() + devices.tokens_of(player).count()
        if not running:
            raise Refused("not_signed_in", _("This player has no open session."))
        devices.end_everywhere(player)
        journal.write(
            journal.by(member),
            END,
            player_reference(player.pk),
            before={"sessions": running},
            after={"sessions": 0},
            reason=reason,
        )
    return running


def forget_codes(member: Viewer, player_id: int, reason: str) -> None:
    with transaction.atomic():
        player = _player(member, player_id, MAY_FORGET)
        if player.pk == member.pk:
            raise Refused("own_codes", _("Another manager has to reset your codes."))
        forget(player, journal.by(member), reason)


@under(FORGET)
def forget(player: Player, who: journal.By, reason: str) -> None:
    """The same for the command line."""
    with transaction.atomic():
        if not codes.forget(player):
            raise Refused("no_codes", _("This player has no codes."))
        devices.end_everywhere(player)
        journal.write(
            who,
            FORGET,
            player_reference(player.pk),
            before={"codes": True},
            after={"codes": False},
            reason=reason,
        )


def _player(member: Viewer, number: int, permission: str) -> Player:
    if not member.has_perm(permission):
        raise Refused("not_permitted", _("Your role cannot do this."))
    player = Player.objects.select_for_update(no_key=True).filter(pk=number).first()
    if player is None:
        raise Refused("no_such_player", _("There is no such player."))
    if player.is_superuser and not getattr(member, "is_superuser", False):
        raise Refused("superuser", _("Only a superuser does this to a superuser."))
    return player
