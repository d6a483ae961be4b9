"""The promotions of a demonstration: a week's race, a welcome and missions, as if published before.

They begin two weeks ago, so that the hands of the history count once the workers start. The shop
has a ticket to the evening's event.
"""

from collections.abc import Iterator
from datetime import datetime, timedelta
from typing import Any, Final
from uuid import uuid4

from django.utils import timezone
from django.utils.translation import gettext_noop as _n

from casino.accounts.models import Player
from casino.community.promotions.books import taking_facts
from casino.community.promotions.models import Promotion, PromotionVersion, ShopOffer
from casino.community.promotions.rules import declaration
from casino.community.promotions.rules.bonuses import Bonus
from casino.community.promotions.rules.declaration import AnyKind, Declaration
from casino.community.promotions.rules.ladders import HighHand, Race
from casino.community.promotions.rules.shares import (
    CashBack,
    Friend,
    HappyHour,
    Mission,
    TicketMission,
)
from games.tables import play_money
from tournaments.running.demo import EVENING
from tournaments.running.giving import admits, newest
from wallets.values.days import day_of, monday_of, start_of

BEFORE: Final = timedelta(days=14)
AHEAD: Final = timedelta(days=28)
# In points, of the ticket in the shop.
PRICE: Final = 25
# The name, the kind, and the budget in minor units.
PROMOTIONS: Final[tuple[tuple[str, AnyKind, int], ...]] = (
    (
        _n("Race of the week"),
        Race(by="hands", prizes=(50_000, 30_000, 10_000), hands_min=10),
        500_000,
    ),
    (
        _n("Welcome bonus"),
        Bonus(given_for="first_hand", most=50_000, times=5, bet_max=50_000),
        5_000_000,
    ),
    (_n("Twenty hands"), Mission(goal=20, pay=5_000, window="day"), 1_000_000),
    (_n("Bomb of the day"), Mission(goal=1, pay=8_000, what="feat", feat="bomb"), 500_000),
    (_n("High hand"), HighHand(pay=3_000, window="day"), 300_000),
    (_n("Cash back"), CashBack(share_bp=500, loss_min=10_000, most=50_000), 1_000_000),
    (_n("Invite a friend"), Friend(goal=20, pay=10_000, pay_inviter=10_000), 500_000),
    (_n("Happy hour"), HappyHour(first_hour=20, last_hour=22), 100_000),
)


def _tickets(now: datetime) -> Iterator[tuple[str, AnyKind, int]]:
    """A ticket to the evening's event, in a demonstration that has one."""
    template = newest(EVENING)
    if template is not None:
        name, currency, worth = admits(template)
        yield _n("Ticket of the day"), TicketMission(goal=30, pay=worth, event=name), 1_000_000
        ShopOffer.objects.create(
            key=uuid4(), event=name, currency=currency, worth=worth, points=PRICE, made_at=now
        )


def begin() -> int:
    """Publish what is missing; return how much that was."""
    currency = play_money.usual_currency()
    boss = Player.objects.filter(is_staff=True).order_by("pk").first()
    if currency is None or boss is None or Promotion.objects.exists():
        return 0
    now = timezone.now()
    starts = start_of(monday_of(day_of(now - BEFORE)))
    taking_facts.begin(starts)
    promotions = [*PROMOTIONS, *_tickets(now)]
    ends = start_of(day_of(now + AHEAD))
    for name, kind, budget in promotions:
        terms = Declaration(
            kind=kind, currency=currency.code, starts=starts, ends=ends, budget=budget
        )
        values: dict[str, Any] = declaration.stored(terms)
        PromotionVersion.objects.create(
            promotion=Promotion.objects.create(name=name, made_at=starts),
            number=1,
            state=PromotionVersion.State.PUBLISHED,
            terms=values,
            made_by=boss,
            made_at=starts,
            published_from=starts,
        )
    return len(promotions)
