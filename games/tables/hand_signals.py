"""Announcements of played hands for packages that measure them: after the commit, without cards.

The tables do not know the listeners. A listener that fails is logged, and fails no move.
"""

from collections.abc import Callable, Iterable
from functools import wraps
from time import perf_counter
from typing import ParamSpec

from django.dispatch import Signal

from games.models import Hand, Move, Table
from wallets.storage.batched_writes import after_commit

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
