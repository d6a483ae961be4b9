"""Listeners for sittings and acts: a package above registers here, and games know none.

A listener is called in the transaction of what it hears of, or just after it for an act that takes
no lock. It must be cheap, and it must not fail: the player would be told that nothing was done.
"""

from collections.abc import Callable
from datetime import datetime
from enum import StrEnum
from typing import Final, NamedTuple


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

_LISTENERS: Final[dict[str, Listener]] = {}


def register(name: str, listener: Listener) -> None:
    """Have a listener called from now on; one of this name is replaced."""
    _LISTENERS[name] = listener


def report(
    occasion: Occasion, player: int, table: int, now: datetime, hand: int | None = None
) -> None:
    event = Event(occasion, player, table, hand, now)
    for listener in _LISTENERS.values():
        listener(event)
