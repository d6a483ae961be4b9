"""Announcements of sittings, acts and hands: packages above listen here, and tables know none.

A listener for sittings and acts is called in the transaction of the event, or just after it for an
act without a lock. It must be cheap, and it must not fail: the player would be told that nothing
was done. Signals of played hands follow the commit, without cards; a receiver that fails is logged,
and fails no move.
"""

from collections.abc import Callable, Iterable
from datetime import datetime
from enum import StrEnum
from functools import wraps
from time import perf_counter
from typing import Final, NamedTuple, ParamSpec

from django.dispatch import Signal

from games.models import Hand, Move, Table
from wallets.storage.batched_writes import after_commit
from wallets.values.registry import Registry

# Sent with `game`, `table`, `hand`, `moves` (pairs of verb and by whom) and `over`.
played = Signal()
# Sent with `game` and `seconds`: how long a player's move took, its transaction included.
acted = Signal()

P = ParamSpec("P")


def tell_played(hand: Hand, moves: Iterable[Move], *, over: bool) -> None:
    """After the commit, tell which verbs were played."""
    verbs = [(str(move.action["do"]), str(move.by)) for move in moves]
    if not verbs and not over:
        return

    def tell() -> None:
        numbers = {"game": hand.game, "table": hand.table_id, "hand": hand.pk}
        played.send_robust(sender=__name__, **numbers, moves=verbs, over=over)

    after_commit(tell)


def timed(verb: Callable[P, Table]) -> Callable[P, Table]:
    """Tell how long a move took; one that was refused is none."""

    @wraps(verb)
    def measured(*args: P.args, **kwargs: P.kwargs) -> Table:
        began = perf_counter()
        table = verb(*args, **kwargs)
        tell_acted(table, perf_counter() - began)
        return table

    return measured


def tell_acted(table: Table, seconds: float) -> None:
    acted.send_robust(sender=__name__, game=table.game, seconds=seconds)


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
