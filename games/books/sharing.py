"""Links to a hand: a player shows it to anybody, as a spectator would have seen it.

There is one link for a hand and a player at a time. Its token cannot be guessed; taken back, by the
player or by the house, it leads nowhere for good. The others in the hand are told by their seats
alone, and the player too, unless they want their name on it.
"""

from datetime import datetime
from typing import Any

from django.contrib.admin.models import CHANGE, LogEntry
from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_noop as _n

from games.history import hand_for
from games.models import Hand, SharedHand
from games.refusal import Gone, Hidden, Refused


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
    links = SharedHand.objects.filter(hand=hand_id, player=player, revoked_at=None)
    links.update(revoked_at=now, revoked_by=player)


def revoke_for_house(member: Any, shared_id: int, why: str, now: datetime) -> None:
    """Somebody of the house takes a link back: who and why stands beside it, and in their list."""
    why = why.strip()
    if not why:
        raise Refused("no_reason", _n("Say why this link is taken back."))
    with transaction.atomic():
        shared = SharedHand.objects.select_for_update().get(pk=shared_id)
        if shared.revoked_at is not None:
            raise Refused("link_revoked", _n("This link was taken back before."))
        shared.revoked_at, shared.revoked_by, shared.revoked_why = now, member, why
        shared.save(update_fields=["revoked_at", "revoked_by", "revoked_why"])
        told = f"took the link back: {why}"
        LogEntry.objects.log_actions(member.pk, [shared], CHANGE, told, single_object=True)


def link_of(player: Any, hand: Hand) -> SharedHand | None:
    return SharedHand.objects.filter(hand=hand, player=player, revoked_at=None).first()


def links_of(player: Any) -> QuerySet[SharedHand]:
    """All links that a player has made, those taken back included, the latest first."""
    links = SharedHand.objects.filter(player=player).order_by("-pk")
    return links.select_related("hand__table")


def shared_by(token: str) -> SharedHand:
    """What a link leads to. One that was taken back says so: only who was given it can know it."""
    links = SharedHand.objects.select_related("hand__shoe", "hand__table__currency", "player")
    # PostgreSQL takes no text with a NUL in it.
    found = links.filter(token=token).first() if token.isprintable() else None
    if found is None:
        raise Hidden(
            "no_such_link",
            _n("This link leads nowhere. It may not be whole: copy all of it and try again."),
        )
    if found.revoked_at is None:
        return found
    if found.revoked_by_id == found.player_id:
        raise Gone("link_revoked", _n("The player who shared this hand has taken the link back."))
    raise Gone("link_revoked", _n("The house has taken this link back."))


def public_names(shared: SharedHand) -> dict[int, str]:
    """Who was in the hand, as the link tells it."""
    rows = shared.hand.seats.values_list("number", "player_id")
    return {
        number: shared.player.username
        if shared.named and player_id == shared.player_id
        else _("Seat {number}").format(number=number)
        for number, player_id in rows
    }
