"""Links to a hand: it shows the hand as a spectator would have seen it.

A player has one link to a hand at a time. Its token cannot be guessed, and once the player or the
house has revoked it, it never works again. The page names the other players only by their seats,
and the sharing player too, unless they choose to show their name.
"""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.db.models import QuerySet
from django.utils.translation import gettext as _
from django.utils.translation import gettext_lazy
from django.utils.translation import gettext_noop as _n

from games.models import Hand, SharedHand, new_token
from games.records.record import hand_for
from games.tables.formats import format_of
from wallets.of_record.verbs import under, verb
from wallets.staff import journal
from wallets.storage.sealed_columns import digest_of
from wallets.values.errors import Gone, Hidden, Refused
from wallets.values.player import Viewer

REVOKE: Final = "games.revoke_sharedhand"
LINK_REVOKED: Final = journal.register(
    "sharedhand.revoke", gettext_lazy("Revoked a link"), permission=REVOKE
)


@verb("player:hand.share")
def share(player: Viewer, hand_id: int, now: datetime, *, named: bool) -> SharedHand:
    """Make the player's link to a hand, or return the existing one with the new choice of name."""
    with transaction.atomic():
        hand = _played_by(player, hand_id)
        if hand.status != Hand.Status.FINISHED:
            raise Refused("hand_void", _n("A voided or reversed hand cannot be shared."))
        values: dict[str, object] = {"named": named, "made_at": now, "token": new_token()}
        shared, made = SharedHand.objects.get_or_create(
            hand=hand,
            player_id=player.pk,
            revoked_at=None,
            defaults=values,
        )
        if not made and shared.named != named:
            shared.named = named
            shared.save(update_fields=["named"])
        return shared


def _played_by(player: Viewer, hand_id: int) -> Hand:
    hand, own = hand_for(player, hand_id)
    if own is None:
        raise Refused("not_played", _n("Only those who played a hand can share it."))
    return hand


@verb("player:hand.unshare")
def revoke(player: Viewer, hand_id: int, now: datetime) -> None:
    """Revoke the player's link; where they have none any more, nothing happens."""
    _played_by(player, hand_id)
    links = SharedHand.objects.filter(hand=hand_id, player_id=player.pk, revoked_at=None)
    links.update(revoked_at=now, revoked_by_id=player.pk)


@under(LINK_REVOKED)
def revoke_for_house(member: Viewer, shared_id: int, why: str, now: datetime) -> None:
    """A member of staff revokes a link; who did it and why is stored, and logged."""
    why = " ".join(why.split())
    if not why:
        raise Refused("no_reason", _n("Say why you revoke this link."))
    with transaction.atomic():
        shared = SharedHand.objects.select_for_update().get(pk=shared_id)
        if shared.revoked_at is not None:
            raise Refused("link_revoked", _n("This link is already revoked."))
        shared.revoked_at, shared.revoked_by_id, shared.revoked_why = now, member.pk, why
        shared.save(update_fields=["revoked_at", "revoked_by", "revoked_why"])
        journal.write(
            journal.by(member),
            LINK_REVOKED,
            f"sharedhand:{shared.pk}",
            before={"hand": f"hand:{shared.hand_id}", "revoked_at": None},
            after={"revoked_at": now},
            reason=why,
        )


def link_of(player: Viewer, hand: Hand) -> SharedHand | None:
    return SharedHand.objects.filter(hand=hand, player_id=player.pk, revoked_at=None).first()


def links_of(player: Viewer) -> QuerySet[SharedHand]:
    """All links that a player has made, revoked ones too, the latest first."""
    links = SharedHand.objects.filter(player_id=player.pk).order_by("-pk")
    return links.select_related("hand__table")


def shared_by(token: str) -> SharedHand:
    """The shared hand of a token; a revoked link says so, as only its receivers know the token."""
    links = SharedHand.objects.select_related("hand__shoe", "hand__table__currency", "player")
    hand = links.filter(token_digest=digest_of(token)).first()
    if hand is None:
        raise Hidden(
            "no_such_link",
            _n("This link does not work. It may be incomplete: copy all of it and try again."),
        )
    if hand.revoked_at is None:
        if not format_of(hand.hand.table).history_open(hand.hand):
            raise Hidden("no_such_hand", _n("There is no such hand."))
        return hand
    if hand.revoked_by_id == hand.player_id:
        raise Gone("link_revoked", _n("The player who shared this hand has revoked the link."))
    raise Gone("link_revoked", _n("The house has revoked this link."))


def public_names(shared: SharedHand) -> dict[int, str]:
    """The names on the page of a link, by seat."""
    rows = shared.hand.seats.values_list("number", "player_id")
    return {
        number: shared.player.username
        if shared.named and player_id == shared.player_id
        else _("Seat {number}").format(number=number)
        for number, player_id in rows
    }
