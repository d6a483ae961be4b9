"""The ways by which a message reaches a player whose page is closed.

Notifications belong to an app that a house may do without, which is entered here if it is there.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from enum import Enum
from typing import Final, NamedTuple

from casino.community.messages.models import MailWish, Sending
from wallets.values.registry import Registry


class Result(Enum):
    """What is known of an attempt."""

    ARRIVED = "arrived"
    # It certainly did not arrive, and may be tried again.
    REFUSED = "refused"
    # It will not arrive, however often it is tried.
    IMPOSSIBLE = "impossible"
    # The other side took the connection and gave no answer.
    UNKNOWN = "unknown"


class Channel(NamedTuple):
    """Which of some players it reaches, and how it sends."""

    reaches: Callable[[Sequence[int]], set[int]]
    send: Callable[[Sending, datetime], Result]


CHANNELS: Final = Registry[Channel]("channel of messages")


def who_want_mail(players: Sequence[int]) -> set[int]:
    """The address of an account has been proved by its owner."""
    wanted = MailWish.objects.filter(player__in=players).exclude(player__email="")
    return set(wanted.values_list("player", flat=True))
