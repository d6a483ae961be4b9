"""Erasure: at a player's request, two members of staff replace the name by a number.

Hands, seats and money stay where they are, since ledger, chain and proofs say who by number alone.
Erase the remaining personal data: name, email, password, devices, addresses, codes, chat, and the
traces of where they came from.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from typing import Final

from axes.models import AccessAttempt, AccessFailureLog, AccessLog
from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext_lazy as _

from casino.accounts import devices
from casino.accounts.freezing import PERMISSION
from casino.accounts.models import Player
from casino.accounts.staff_members import is_staff_member
from casino.care import exclusions
from casino.care.models import ErasureRequest
from games.chat.models import ChatLine, Mute
from games.models import Seat
from games.words.faces import NOBODY
from tournaments.models import Entry, Tournament
from wallets.models.holders import accounts_of, player_reference
from wallets.of_record.verbs import verb
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted
from wallets.values.errors import Refused

ERASE: Final = "player.erase"
# The erasures that packages above add to the transaction.
forgetting: list[Callable[[Player], None]] = []


def also(forget: Callable[[Player], None]) -> None:
    """Have another package delete its data of the erased player."""
    if forget not in forgetting:
        forgetting.append(forget)


def request_of(player_id: int) -> ErasureRequest | None:
    """Return a player's open request for erasure."""
    return ErasureRequest.objects.filter(player=player_id, done_at=None).first()


@verb("player:care.ask_erasure")
def ask(player: Player, now: datetime) -> None:
    """Ask the house to erase who one is; a second request changes nothing."""
    if is_staff_member(player):
        raise Refused("colleague", _("The data of staff is kept as long as they work here."))
    with transaction.atomic():
        list(Player.objects.filter(pk=player.pk).select_for_update(no_key=True).values_list("pk"))
        if request_of(player.pk) is None:
            ErasureRequest.objects.create(player=player, made_at=now)


@verb("player:care.withdraw_erasure")
def withdraw(player: Player) -> None:
    """Stay after all."""
    ErasureRequest.objects.filter(player=player, done_at=None).delete()


class OfPlayer(Permitted):
    """Arguments: `player`, a number. Always with a second person: it cannot be undone."""

    permission: str = PERMISSION

    def check(self, arguments: Arguments) -> Arguments:
        return {"player": person(arguments.get("player")).pk}

    def subject(self, arguments: Arguments) -> str:
        return player_reference(arguments["player"])


class Erase(OfPlayer):
    name: str = ERASE
    words: str | Promise = _("Erase a player's personal data")

    def admit(self, order: Order) -> None:
        _require_free(person(order.arguments["player"]), order.now)

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        player = person(arguments["player"])
        return [Change(str(_("Name")), player.username, pseudonym(player))]

    def carry_out(self, order: Order) -> None:
        with transaction.atomic():
            player = person(order.arguments["player"], held=True)
            _require_free(player, order.now)
            _erase(player)
            ErasureRequest.objects.filter(player=player, done_at=None).update(done_at=order.now)
            # The entry has no name before or after the change, because entries are never erased.
            order.note(
                self.name,
                player_reference(player.pk),
                before={"erased": False},
                after={"erased": True},
            )


def pseudonym(player: Player) -> str:
    """No player can choose it: their names have no spaces."""
    return f"former {player.pk}"


def person(number: object, *, held: bool = False) -> Player:
    """The player of this number, who is no bot."""
    rows = Player.objects.filter(pk=number if type(number) is int else 0, is_bot=False)
    player = (rows.select_for_update(no_key=True) if held else rows).first()
    if player is None:
        raise Refused("no_such_player", _("There is no such player."))
    return player


def _require_free(player: Player, now: datetime) -> None:
    """Refuse while the house still needs to know who it is."""
    if request_of(player.pk) is None:
        raise Refused("no_request", _("This player has not asked for it."))
    if is_staff_member(player):
        raise Refused("colleague", _("The data of staff is kept as long as they work here."))
    if exclusions.current(player.pk, now) is not None:
        raise Refused(
            "excluded", _("Wait until the player's break is over, or it could be evaded.")
        )
    if accounts_of(player).exclude(balance=0).exists():
        raise Refused("has_money", _("Pay out what is in the player's wallets first."))
    require_not_playing(player)


def require_not_playing(player: Player) -> None:
    alive = Entry.objects.filter(player=player, tournament__state__in=Tournament.ALIVE)
    sits = Seat.objects.filter(player=player, left_at=None).exists()
    if sits or alive.filter(state__in=Entry.LEFT).exists():
        raise Refused("plays", _("This player still sits at a table, or is in a tournament."))


def _erase(player: Player) -> None:
    typed: Sequence[type[AccessAttempt | AccessLog | AccessFailureLog]] = (
        AccessAttempt,
        AccessLog,
        AccessFailureLog,
    )
    for table in typed:
        table.objects.filter(username__in=[player.username, player.username_key]).delete()
    devices.end_everywhere(player)
    player.devices.all().delete()
    player.authenticators.all().delete()
    player.recovery_codes.all().delete()
    ChatLine.objects.filter(player=player).delete()
    Mute.objects.filter(player=player).delete()
    player.username = pseudonym(player)
    player.email = player.language = player.signed_up_from = ""
    player.face = NOBODY
    player.last_login, player.is_active, player.frozen_until = None, False, None
    player.set_unusable_password()
    player.save()
    for forget in forgetting:
        forget(player)
