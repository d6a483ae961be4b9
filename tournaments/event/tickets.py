"""Tickets: found for an event, used to enter it, and freed again.

A ticket moves no money before it is used. Then the promotions' account pays stake and fee in the
player's stead; what is given back of such an entry goes back there, and the ticket is valid again.
An expired one that the house gives back, because the event was cancelled, is valid for some days.
"""

from datetime import datetime, timedelta
from typing import Final

from django.db.models import Q, QuerySet
from django.utils.translation import gettext_noop as _n

from tournaments.mathematics.structure import Structure
from tournaments.models import Entry, Ticket, Tournament
from wallets.values.errors import Refused
from wallets.values.player import Player

# At least so long after the house gave one back.
VALID_AGAIN: Final = timedelta(days=7)


def valid(player: Player, event: Tournament, now: datetime) -> QuerySet[Ticket]:
    """The player's tickets that are valid for an event, the one that expires first in front."""
    for_event = Q(tournament=event.pk) | Q(tournament=None, name=event.name)
    in_time = Q(expires_at=None) | Q(expires_at__gt=now)
    unused = Ticket.objects.filter(for_event, in_time, player=player.pk, entry=None)
    return unused.filter(currency=event.currency_id).order_by("expires_at", "pk")


def usable(
    player: Player, event: Tournament, structure: Structure, now: datetime
) -> QuerySet[Ticket]:
    """Those that are worth an entry."""
    return valid(player, event, now).filter(worth__gte=structure.stake + structure.fee)


def take(player: Player, event: Tournament, structure: Structure, now: datetime) -> Ticket:
    """The ticket with which a player enters, locked; or why none can be used.

    The caller holds the player's row, so one ticket enters one event.
    """
    ticket = usable(player, event, structure, now).select_for_update(of=("self",)).first()
    if ticket is not None:
        return ticket
    if valid(player, event, now).exists():
        raise Refused("ticket_too_small", _n("Your ticket is worth less than this entry."))
    expired = Ticket.objects.filter(
        player=player.pk, name=event.name, entry=None, expires_at__lte=now
    )
    if expired.exists():
        raise Refused("ticket_expired", _n("Your ticket for this event has expired."))
    raise Refused("no_ticket", _n("You have no ticket for this event."))


def use(ticket: Ticket, entry: Entry) -> None:
    ticket.entry = entry
    ticket.save(update_fields=["entry"])


def free(entry: Entry, now: datetime, *, by_house: bool = False) -> None:
    """Give back the ticket with which an entry was paid, if there is one."""
    ticket = Ticket.objects.select_for_update(of=("self",)).filter(entry=entry.pk).first()
    if ticket is None:
        return
    ticket.entry, fields = None, ["entry"]
    if by_house and ticket.expires_at is not None and ticket.expires_at < now + VALID_AGAIN:
        ticket.expires_at = now + VALID_AGAIN
        fields.append("expires_at")
    ticket.save(update_fields=fields)
