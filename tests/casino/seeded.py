"""A seeded house for the tests of reports: a history of some days, a reversed hand, an open day."""

from collections.abc import Iterator
from contextlib import contextmanager
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, Final, NamedTuple

from django.conf import settings
from django.db import connection, transaction

from casino.accounts.models import Player
from casino.office.demonstration.seeding.filling import Filling, Order
from games.models import Hand
from games.records import reversals
from wallets.values.days import day_of

HANDS: Final = 420
DAYS: Final = 4
PLAYERS: Final = 24


class SeededHouse(NamedTuple):
    """A house whose history ended yesterday; today a hand of an earlier day was reversed."""

    first: date
    last: date
    today: date
    reversed: Hand


def fill(order: Order) -> None:
    """Fill the house, and have PostgreSQL look at its tables: it plans by what it knows of them."""
    Path(settings.ANCHORS_FILE).unlink(missing_ok=True)
    Filling(order).run()
    if connection.vendor == "postgresql":
        with connection.cursor() as cursor:
            cursor.execute("ANALYZE")


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
        yield SeededHouse(last - timedelta(days=DAYS - 1), last, day_of(now), taken_back)
        transaction.set_rollback(True)
