"""What staff do about the shop: offer a ticket for points, by two people, and withdraw an offer."""

from datetime import datetime
from typing import Final

from django.db import transaction
from django.utils.functional import Promise
from django.utils.translation import gettext as _t
from django.utils.translation import gettext_lazy as _
from django.utils.translation import gettext_noop as _n

from casino.community.promotions.models import ShopOffer
from casino.community.promotions.office.drafts import PERMISSION, require
from tournaments.running import giving
from wallets.models import Currency
from wallets.of_record.verbs import under
from wallets.staff import journal
from wallets.staff.approvals import Arguments, Change, Order
from wallets.staff.permitted import Permitted, money
from wallets.values.errors import Refused
from wallets.values.player import Viewer

OFFER: Final = "shop.offer"
WITHDRAWN: Final = journal.register(
    "shop.withdraw", _("Withdrew an offer of the shop"), permission=PERMISSION
)
POINTS_MAX: Final = 10**6


class OfferTicket(Permitted):
    """Offer a ticket for points. Arguments: `event`, `currency`, `worth` and `points`."""

    name: str = OFFER
    words: str | Promise = _("Offer a ticket for points")
    permission: str = PERMISSION
    missing: tuple[type[Exception], ...] = (Refused, Currency.DoesNotExist)

    def check(self, arguments: Arguments) -> Arguments:
        template = giving.newest(str(arguments.get("event", "")))
        if template is None:
            raise Refused("no_such_template", _n("There is no such template."))
        points = arguments.get("points")
        if type(points) is not int or not 1 <= points <= POINTS_MAX:
            raise Refused("no_price", _n("An offer costs at least one point."))
        admitting = giving.admits(template)
        if admitting.worth < 1:
            raise Refused("free_event", _n("This event costs nothing."))
        return {
            "event": admitting.name,
            "currency": admitting.currency.code,
            "worth": admitting.worth,
            "points": points,
        }

    def subject(self, arguments: Arguments) -> str:
        return f"shop:{arguments['event']}"[:64]

    def describe(self, arguments: Arguments, state: Arguments) -> list[Change]:
        currency = Currency.objects.get(pk=arguments["currency"])
        return [
            Change(_t("Ticket"), "", str(arguments["event"])),
            Change(_t("Worth"), "", money(arguments["worth"], currency)),
            Change(_t("Points"), "", str(arguments["points"])),
        ]

    def carry_out(self, order: Order) -> ShopOffer:
        values = dict(order.arguments)
        currency = values.pop("currency")
        offer, is_new = ShopOffer.objects.get_or_create(
            key=order.key,
            defaults={**values, "currency_id": currency, "made_at": order.now},
        )
        if is_new:
            order.note(OFFER, offer.reference, before={}, after=order.arguments)
        return offer


@under(WITHDRAWN)
def withdraw(member: Viewer, number: int, *, reason: str, now: datetime) -> ShopOffer:
    """Offer a ticket no more; those that were given stay valid."""
    require(member)
    with transaction.atomic():
        offer = ShopOffer.objects.select_for_update(of=("self",)).filter(pk=number).first()
        if offer is None or offer.withdrawn_at is not None:
            raise Refused("offer_withdrawn", _n("This offer has been withdrawn."))
        offer.withdrawn_at = now
        offer.save(update_fields=["withdrawn_at"])
        journal.write(
            journal.by(member),
            WITHDRAWN,
            offer.reference,
            before={"offered": True},
            after={"offered": False},
            reason=reason,
        )
    return offer
