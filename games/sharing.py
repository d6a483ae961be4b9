"""Links to a hand: a player shows it to anybody, as a spectator would have seen it.

There is one link for a hand and a player at a time. Its token cannot be guessed; taken back, it
leads nowhere for good. The others in the hand are told by their seats alone, and the player too,
unless they want their name on it.
"""

from datetime import datetime
from typing import Any

from django.db import transaction
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _n

from games.history import hand_for
from games.models import Hand, SharedHand
from games.refusal import Hidden, Refused


def share(player: Any, hand_id: int, now: datetime, *, named: bool) -> SharedHand:
    """Make the player's link to a hand; asked again, the same link is answered, named as asked."""
    with transaction.atomic():
        hand, own = hand_for(player, hand_id)
        if own is None:
            raise Refused("not_played", _n("Only those who played a hand can share it."))
        if hand.status != Hand.Status.FINISHED:
            raise Refused("hand_void", _n("A hand that was taken back is not shared."))
        shared, made = SharedHand.objects.get_or_create(
            hand=hand,
            player=player,
            revoked_at=None,
            defaults={"named": named, "made_at": now},
        )
        if not made and shared.named != named:
            shared.named = named
            shared.save(update_fields=["named"])
        return shared


def revoke(player: Any, hand_id: int, now: datetime) -> None:
    """Take the player's link back; without one nothing happens."""
    SharedHand.objects.filter(hand=hand_id, player=player, revoked_at=None).update(revoked_at=now)


def link_of(player: Any, hand: Hand) -> SharedHand | None:
    return SharedHand.objects.filter(hand=hand, player=player, revoked_at=None).first()


def shared_by(token: str) -> SharedHand:
    """What a link leads to; forged, unknown and taken back look alike."""
    links = SharedHand.objects.select_related("hand__shoe", "hand__table__currency", "player")
    # PostgreSQL takes no text with a NUL in it.
    found = links.filter(token=token, revoked_at=None).first() if token.isprintable() else None
    if found is None:
        raise Hidden(
            "no_such_link", _n("This link leads nowhere: it is not whole, or was taken back.")
        )
    return found


def public_names(shared: SharedHand) -> dict[int, str]:
    """Who was in the hand, as the link tells it."""
    rows = shared.hand.seats.values_list("number", "player_id")
    return {
        number: shared.player.username
        if shared.named and player_id == shared.player_id
        else _("Seat {number}").format(number=number)
        for number, player_id in rows
    }
