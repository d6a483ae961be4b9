"""Listeners for sittings and acts: a package above registers here, and games know none.

A listener is called in the transaction of the event, or just after it for an act without a lock. It
must be cheap, and it must not fail: the player would be told that nothing was done.
"""

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple

from wallets.values.registry import Registry


class Occasion(StrEnum):
    """A thing that a player has done, or failed to do."""

    SAT = "sat"
    ACTED = "acted"
    # Has committed to a part of a shoe and did not show it.
    WITHHELD = "withheld"


class Event(NamedTuple):
    occasion: Occasion
    player: int
    table: int
    hand: int | None
    now: datetime


Listener = Callable[[Event], None]

LISTENERS: Final = Registry[Listener]("listener of tables")


def report(
    occasion: Occasion, player: int, table: int, now: datetime, hand: int | None = None
) -> None:
    event = Event(occasion, player, table, hand, now)
    for listener in LISTENERS.values():
        listener(event)
