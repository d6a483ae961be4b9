"""The line about promotions on the first page of the back office."""

from datetime import datetime

from django.db.models import Sum
from django.urls import reverse
from django.utils.translation import ngettext

from casino.community.promotions.books.running import current
from casino.community.promotions.models import PromotionAward
from casino.community.promotions.office.drafts import VIEW
from casino.community.promotions.rules.engine import GONE
from casino.office.frame.overview import Line
from wallets.models import Currency
from wallets.staff.permitted import money
from wallets.values.days import day_of, start_of
from wallets.values.player import Player


def line(member: Player, now: datetime) -> Line | None:
    """How many promotions run, and what they have awarded today; nothing in a house without any."""
    if not member.has_perm(VIEW):
        return None
    running = len(current(now))
    awards = PromotionAward.objects.filter(at__gte=start_of(day_of(now))).exclude(state__in=GONE)
    paid = dict(awards.values_list("currency").annotate(Sum("amount")).order_by("currency"))
    if not running and not paid:
        return None
    currencies = Currency.objects.in_bulk(paid)
    amounts = ", ".join(money(amount, currencies[code]) for code, amount in paid.items())
    words = ngettext(
        "{count} promotion runs: {amounts} today",
        "{count} promotions run: {amounts} today",
        running,
    ).format(count=running, amounts=amounts or "0")
    return Line(words, reverse("promotions"))
