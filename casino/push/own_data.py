"""A player's data in this package: for their own file, and for erasure."""

from collections.abc import Iterator
from urllib.parse import urlsplit

from casino.care import erasure, own_data
from casino.care.own_data import Row
from casino.players.models import Player
from casino.push import subscribing
from casino.push.models import Subscription


def rows(player: Player) -> Iterator[Row]:
    """The service of each browser; whole addresses and keys are what others could misuse."""
    for one in Subscription.objects.filter(device__player=player).order_by("pk"):
        yield {
            "service": urlsplit(one.endpoint).netloc,
            "made": one.made_at,
            "last_delivery": one.succeeded_at,
        }


def register() -> None:
    own_data.register("notifications", rows)
    erasure.also(subscribing.forget_player)
