"""Freezing a player and unfreezing, and what staff do about another's sign-ins.

A frozen player cannot sign in, and is signed out everywhere. Only a guest, who could not sign in
again, keeps the session, which is worth nothing until the freeze ends. Money and seats remain as
they are: the house plays for the seats, and gives them up, as it does for all absent players.

A freeze may say until when it holds; the sweeper then ends it. A closed account stays closed.

Forgotten codes are set up anew at the next sign-in, which takes the password alone: so all sessions
end with them, and users cannot reset their own.
"""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.dispatch import Signal
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.accounts import codes, devices
from casino.accounts.models import Authenticator, Passkey, Player
from wallets.models.holders import player_reference
from wallets.models.staff_models import JournalEntry
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted
from wallets.values.days import house_time
from wallets.values.errors import Refused
from wallets.values.player import Viewer

PERMISSION: Final = "players.change_player"
# With `player`, who is frozen from now on.
frozen: Final = Signal()
FREEZE: Final = journal.register("player.freeze", _("Froze a player"), permission=PERMISSION)
UNFREEZE: Final = "player.unfreeze"


# Why the clock ends a freeze, as the journal stores it.
TIME_IS_OVER: Final = "The freeze was for a time that is over."


@under(FREEZE)
def freeze(member: Viewer, player_id: int, reason: str, *, until: datetime | None = None) -> Player:
    """Shut a player out immediately, for good or until a time.

    A player who is frozen already remains so, without an entry; a freeze is never shortened by
    freezing, and a longer one replaces it.
    """
    if not member.has_perm(PERMISSION):
        raise Refused("not_operator", _("Your role cannot freeze players."))
    reason = journal.reason_of(reason)
    with transaction.atomic():
        player = numbered(player_id, held=True)
        if (player.is_staff or player.is_superuser) and not getattr(member, "is_superuser", False):
            raise Refused("colleague", _("Only a superuser can freeze members of staff."))
        if player.is_active or _is_longer(until, player.frozen_until):
            _switch(
                player,
                active=False,
                until=until,
                who=journal.by(member),
                verb=FREEZE,
                reason=reason,
            )
        return player


def _is_longer(until: datetime | None, held: datetime | None) -> bool:
    """Whether a freeze would hold longer than the one in force, which has an end."""
    return held is not None and (until is None or until > held)


def freezes_that_ended(now: datetime) -> QuerySet[Player]:
    return Player.objects.filter(frozen_until__lte=now)


def end_expired(now: datetime) -> int:
    """Let in again whose freeze was for a time that is over; return how many there were."""
    due = freezes_that_ended(now).order_by("pk")
    return sum(_end_if_due(number, now) for number in due.values_list("pk", flat=True))


@under(UNFREEZE)
def _end_if_due(player_id: int, now: datetime) -> bool:
    """Each in a separate transaction; of two sweepers one finds it ended."""
    with transaction.atomic():
        player = numbered(player_id, held=True)
        if player.frozen_until is None or player.frozen_until > now:
            return False
        _switch(player, active=True, who=journal.HOUSE, verb=UNFREEZE, reason=TIME_IS_OVER)
        return True


class Unfreeze(Permitted):
    """Arguments: `player`, a number."""

    name: str = UNFREEZE
    words: str | Promise = _("Unfreeze a player")
    permission: str = PERMISSION

    def check(self, arguments: Arguments) -> Arguments:
        return {"player": numbered(arguments["player"]).pk}

    def admit(self, order: Order) -> None:
        player = numbered(order.arguments["player"])
        if player.is_active:
            raise Refused("not_frozen", _("This player is not frozen."))
        if player.closed_at is not None:
            raise Refused("account_closed", _("This account is closed, and stays closed."))

    def subject(self, arguments: Arguments) -> str:
        return player_reference(arguments["player"])

    def state(self, arguments: Arguments) -> Arguments:
        return {"active": numbered(arguments["player"], held=True).is_active}

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        """Say why the player is frozen, and by whom, as an approver has to know."""
        player = numbered(arguments["player"])
        lines = [Change(player.username, str(_("frozen")), str(_("may sign in")))]
        subject = player_reference(player.pk)
        entries = JournalEntry.objects.filter(verb=FREEZE, subject=subject)
        entry = entries.order_by("position").last()
        if entry is not None:
            by = f"{entry.actor_name} · {house_time(entry.at)}"
            lines.append(Change(str(_("Frozen by")), "", by))
            lines.append(Change(str(_("Reason of the freeze")), "", entry.reason))
        if player.frozen_until is not None:
            lines.append(Change(str(_("Frozen until")), house_time(player.frozen_until), ""))
        return lines

    def carry_out(self, order: Order) -> None:
        _switch(
            numbered(order.arguments["player"], held=True),
            active=True,
            who=journal.by(order.maker),
            verb=self.name,
            reason=order.reason,
            cause=order.cause,
        )


def numbered(number: int, *, held: bool = False) -> Player:
    players = Player.objects.filter(pk=number)
    # Writers of rows that refer to the player need not wait.
    player = (players.select_for_update(no_key=True) if held else players).first()
    if player is None:
        raise Refused("no_such_player", _("There is no such player."))
    return player


def _switch(  # noqa: PLR0913 - what a switch is
    player: Player,
    *,
    active: bool,
    who: journal.By,
    verb: str,
    reason: str,
    cause: str = "",
    until: datetime | None = None,
) -> None:
    before = _state(player)
    player.is_active, player.frozen_until = active, until
    player.save(update_fields=["is_active", "frozen_until"])
    if not active:
        if not player.is_guest:
            devices.end_everywhere(player)
        frozen.send(sender=__name__, player=player)
    journal.write(
        who,
        verb,
        player_reference(player.pk),
        before=before,
        after=_state(player),
        reason=reason,
        cause=cause,
    )


def _state(player: Player) -> dict[str, object]:
    until = {"until": player.frozen_until} if player.frozen_until else {}
    return {"active": player.is_active, **until}


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


def has_codes_or_passkeys(player_id: int | None) -> bool:
    working = Authenticator.objects.filter(player=player_id, confirmed_at__isnull=False)
    return working.exists() or Passkey.objects.filter(player=player_id).exists()


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
        there = codes.forget(player)
        if not (player.passkeys.all().delete()[0] or there):
            raise Refused("no_codes", _("This player has no codes and no passkeys."))
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
