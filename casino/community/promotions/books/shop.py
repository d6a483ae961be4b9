"""The shop: tickets for points, each at a fixed price. Nothing in it depends on chance.

Points are those of all months together in the offer's currency, less what was spent. Spending
moves no level: a level follows from what was earned.
"""

from collections.abc import Iterator
from datetime import datetime
from typing import Final
from uuid import UUID

from django.db import transaction
from django.db.models import Sum
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.community.promotions.books import earners, visibility
from casino.community.promotions.models import PointsMonth, ShopOffer, ShopPurchase
from casino.community.promotions.rules.levels import A_POINT
from tournaments.models import Ticket
from tournaments.running import giving
from wallets.of_record.verbs import verb
from wallets.values.errors import Hidden, Refused

PREFIX: Final = "shop:"


def left(player_id: int, currency: str) -> int:
    """What a player can spend; a reversed hand may have taken more than is left."""
    months = PointsMonth.objects.filter(player=player_id, currency=currency)
    purchases = ShopPurchase.objects.filter(player=player_id, offer__currency=currency)
    kept = months.aggregate(sum=Sum("kept"))["sum"] or 0
    spent = purchases.aggregate(sum=Sum("points"))["sum"] or 0
    return max(0, int(kept) // A_POINT - int(spent))


def offers() -> list[ShopOffer]:
    rows = ShopOffer.objects.filter(withdrawn_at=None).select_related("currency")
    return list(rows.order_by("points", "pk"))


@verb("player:shop.take")
def take(player: Player, number: int, key: UUID, now: datetime) -> ShopPurchase:
    """Give a ticket for points; pressed twice it is one purchase."""
    with transaction.atomic():
        person = Player.objects.select_for_update(no_key=True).get(pk=player.pk)
        earlier = ShopPurchase.objects.filter(key=key, player=person).first()
        if earlier is not None:
            return earlier
        offer = ShopOffer.objects.select_related("currency").filter(pk=number).first()
        if offer is None or not visibility.takes_part(person):
            raise Hidden("no_such_offer", _n("There is no such offer."))
        if offer.withdrawn_at is not None:
            raise Refused("offer_withdrawn", _n("This offer has been withdrawn."))
        if earners.why_not([person.pk], now):
            raise Refused("earns_nothing", _n("This account cannot spend points."))
        points = left(person.pk, offer.currency_id)
        if points < offer.points:
            raise Refused(
                "too_few_points",
                _n("This costs {points} points, and you have {left}."),
                points=offer.points,
                left=points,
            )
        purchase = ShopPurchase.objects.create(
            key=key, offer=offer, player=person, points=offer.points, at=now
        )
        giving.give(
            person.pk,
            giving.Admits(offer.event, offer.currency, offer.worth),
            source=offer.reference,
            what=str(purchase.pk),
            now=now,
        )
    return purchase


def findings() -> Iterator[str]:
    """Each purchase has its price and its ticket, and each ticket of the shop its purchase."""
    due = {}
    for row in ShopPurchase.objects.select_related("offer").order_by("pk"):
        offer = row.offer
        if row.points != offer.points:
            yield f"purchase {row.pk} cost {row.points} points instead of {offer.points}"
        if offer.withdrawn_at is not None and row.at > offer.withdrawn_at:
            yield f"purchase {row.pk} is of an offer that was withdrawn before"
        key = giving.key_of(offer.reference, row.player_id, str(row.pk))
        due[key] = (row.player_id, offer.event, offer.worth, offer.currency_id)
    given = {
        row.key: (row.player_id, row.name, row.worth, row.currency_id)
        for row in Ticket.objects.filter(source__startswith=PREFIX)
    }
    for key in sorted(due.keys() | given.keys()):
        if due.get(key) != given.get(key):
            yield f"ticket {key} is {given.get(key)}, and its purchase says {due.get(key)}"
