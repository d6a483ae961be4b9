"""A seeded house for the tests of reports: a history of some days, a reversed hand, an open day."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple
from uuid import uuid4

from django.conf import settings
from django.db import connection, transaction

from casino.accounts.models import Player
from casino.office.demonstration.seeding.filling import Filling, Order
from games.models import Hand
from games.records import reversals
from tests.tournaments.events import structure
from tournaments.running import announcing, entries
from wallets.models import Currency
from wallets.models.holders import player_reference
from wallets.money import cashier
from wallets.values.days import day_of

HANDS: Final = 420
DAYS: Final = 4
PLAYERS: Final = 24
FEE: Final = 30


class SeededHouse(NamedTuple):
    """A house whose history ended yesterday; today a hand of an earlier day was reversed."""

    first: date
    last: date
    today: date
    reversed: Hand


def fill(order: Order) -> None:
    """Fill the house, where every fifth player is a bot.

    Have PostgreSQL look at its tables: it plans by what it knows of them.
    """
    Path(settings.ANCHORS_FILE).unlink(missing_ok=True)
    filling = Filling(order)
    made = Player.objects.filter(is_staff=False).order_by("pk")
    Player.objects.filter(pk__in=made.values_list("pk", flat=True)[::5]).update(is_bot=True)
    filling.run()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


def enter_an_event(now: datetime) -> None:
    """Two people and a bot pay the fee of an event today, and one of the people takes it back."""
    euro = Currency.objects.get(pk="EUR")
    made = structure(stake=10, fee=FEE, currency="EUR")
    template = announcing.store_template(made, "o", now)
    event = announcing.announce(template, now, by="o", starts_at=now + timedelta(hours=3))
    for name in ("Entrant 1", "Entrant 2", "Robot"):
        player: Any = Player.objects.create_user(name)
        boss = player_reference(Player.objects.get(username="boss").pk)
        paid: dict[str, Any] = {"key": uuid4(), "actor": boss, "reason": "cash"}
        cashier.deposit(player_reference(player.pk), euro, 100, **paid)
        entries.register(player, event.pk, now)
    entries.unregister(Player.objects.get(username="Entrant 1"), event.pk, now)
    Player.objects.filter(username="Robot").update(is_bot=True)


@contextmanager
def seeded_house(blocker: Any) -> Iterator[SeededHouse]:
    """Fill the house once for all tests of a module, and empty it afterwards."""
    now = datetime.now(UTC)
    last = day_of(now) - timedelta(days=1)
    with blocker.unblock(), transaction.atomic():
        fill(Order(HANDS, DAYS, PLAYERS, 7, last))
        boss = Player.objects.create_superuser("boss")
        hand = Hand.objects.filter(game="baccarat", bank__gt=0).order_by("pk")[3]
        taken_back = reversals.void(boss, hand.pk, "a test", now, house_pays=True)
        enter_an_event(now)
        yield SeededHouse(last - timedelta(days=DAYS - 1), last, day_of(now), taken_back)
        transaction.set_rollback(True)
