"""Inviting a friend: a link that says who invites, and the friend's yes."""

from datetime import datetime, timedelta
from typing import Final

from django.core.signing import BadSignature, Signer
from django.db import IntegrityError, transaction
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.community.promotions.models import Invitation
from wallets.of_record.verbs import verb
from wallets.values.errors import Hidden, Refused

# Who has been here for longer is no new player.
NEW_FOR: Final = timedelta(days=7)
_SIGNER: Final = Signer(salt="casino.community.promotions.inviting")


def code_of(inviter: Player) -> str:
    return _SIGNER.sign(str(inviter.pk))


def inviter_of(code: str) -> Player:
    """The player who invites; refuses any other code."""
    try:
        number = int(_SIGNER.unsign(code))
    except (BadSignature, ValueError):
        number = 0
    people = Player.objects.filter(is_active=True, is_bot=False, is_staff=False, is_guest=False)
    inviter = people.filter(pk=number).first()
    if inviter is None:
        raise Hidden("no_such_invitation", _n("This invitation is not valid."))
    return inviter


@verb("player:promotion.accept_invitation")
def accept(friend: Player, code: str, now: datetime) -> Invitation:
    """Say who brought this new player; once, and only in the first days."""
    inviter = inviter_of(code)
    there = Invitation.objects.filter(friend=friend).first()
    if there is not None and there.inviter_id == inviter.pk:
        return there
    is_new = friend.date_joined >= now - NEW_FOR and inviter.date_joined < friend.date_joined
    if there is not None or not is_new:
        raise Refused("not_new", _n("Only a new player can accept an invitation, and only one."))
    try:
        with transaction.atomic():
            return Invitation.objects.create(friend=friend, inviter=inviter, at=now)
    except IntegrityError:
        return Invitation.objects.get(friend=friend)
