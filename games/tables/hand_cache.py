"""A live hand as a process keeps it: its rules, its moves so far, and the state after them.

A hand is its shoe and its moves, and its state is always a replay of them (`hand_state.py`). Every
act and every view would replay the same moves, so a process keeps how far it has come with a hand
and replays only later moves. `table_cache.py` keeps one such hand for each table.
"""

from collections.abc import Callable, Hashable, Sequence
from typing import Any, Final, NamedTuple, TypeVar

from django.db.models import Model, QuerySet

from games.models import Hand, HandSeat, Move, ShoeSeat, Table
from games.models.combined import Read
from games.models.prepared import INTEGER_MAX, Query
from games.rules.contract import State
from games.shoes.custody import PARTS
from games.tables.hand_state import continued, game_of, state_of

T = TypeVar("T")
M = TypeVar("M", bound=Model)

hand_with_shoe: Final = Query(lambda hand: Hand.objects.select_related("shoe").filter(pk=hand))
last_hand_of: Final = Query(
    lambda table: Hand.objects.select_related("shoe").filter(table_id=table).order_by("-pk")[:1]
)
players_in_hand: Final = Query(
    lambda hand: HandSeat.objects.select_related("player").filter(hand_id=hand)
)
moves_between: Final = Query(
    lambda hand, first, end: Move.objects.filter(
        hand_id=hand, number__gte=first, number__lt=end
    ).order_by("number"),
    int,
    int,
    int,
)


SHOE: Final = Table._meta.get_field("shoe")


def _at(table: int) -> "QuerySet[Table, Any]":
    """The number of the hand that runs at a table, for those who do not know it."""
    return Table.objects.filter(pk=table).values("hand")


live_hand_at: Final = Query(
    lambda table: Hand.objects.select_related("shoe").filter(pk__in=_at(table))
)
live_players_at: Final = Query(
    lambda table: HandSeat.objects.select_related("player").filter(hand__in=_at(table))
)
live_moves_at: Final = Query(
    lambda table: Move.objects.filter(hand__in=_at(table)).order_by("number")
)
next_parts_at: Final = Query(
    lambda table: ShoeSeat.objects.filter(
        shoe__in=Table.objects.filter(pk=table).values("next_shoe")
    ).order_by("number")
)
OF_LIVE: Final = (live_hand_at, live_players_at, live_moves_at, next_parts_at)


class Standing(NamedTuple):
    """A hand after its first moves."""

    moves: tuple[Move, ...]
    state: State


class Once:
    """Something that stays as it is, with what has been worked out about it."""

    def __init__(self) -> None:
        self._known: dict[Hashable, Any] = {}

    def once(self, key: Hashable, make: Callable[[], T]) -> T:
        """Return what `make` returns, which cannot change, or `key` says on what it depends."""
        if key not in self._known:
            self._known[key] = make()
        known: T = self._known[key]
        return known


class CachedHand(Once):
    """A live hand with everything that has been worked out about it."""

    def __init__(self, hand: Hand) -> None:
        super().__init__()
        self.hand, self.game = hand, game_of(hand)
        self._latest: Standing | None = None

    @property
    def players(self) -> Sequence[HandSeat]:
        return self.once("players", lambda: players_in_hand(self.hand.pk))

    @property
    def parts(self) -> Sequence[ShoeSeat]:
        """The seats' numbers in the mix of its shoe, which no longer change."""
        return self.once("parts", lambda: PARTS(self.hand.shoe_id))

    def unread(self) -> list[Read]:
        """The parts that all viewers of the hand read."""
        reads: dict[str, Read] = {
            "players": (players_in_hand, (self.hand.pk,)),
            "parts": (PARTS, (self.hand.shoe_id,)),
        }
        return [read for name, read in reads.items() if name not in self._known]

    def after(self, moves_made: int) -> Standing:
        """The hand after this many moves; moves that follow the last answer are played on it."""
        latest = self._latest
        if latest is not None and len(latest.moves) == moves_made:
            return latest
        if latest is None or len(latest.moves) > moves_made:
            rows = self._moves(0, moves_made)
            latest = Standing(tuple(rows), state_of(self.hand, self.game, rows))
        else:
            rows = self._moves(len(latest.moves), moves_made)
            state = continued(self.game, latest.state, rows)
            latest = Standing((*latest.moves, *rows), state)
        self._latest = latest
        return latest

    def _moves(self, first: int, end: int) -> list[Move]:
        """These moves of the hand, which may have gone on since."""
        return moves_between(self.hand.pk, first, INTEGER_MAX)[: end - first] if end else []

    @property
    def moves_known(self) -> int:
        return len(self._latest.moves) if self._latest is not None else 0

    def read_of_later(self) -> Read:
        """What the moves are read by that follow those which are known."""
        return moves_between, (self.hand.pk, self.moves_known, INTEGER_MAX)

    def learn(self, after: Standing) -> None:
        self._latest = after


def row_of(live: CachedHand, table: Table) -> Hand:
    """The row of a live hand for one who holds the table's lock: their own, with shoe and table.

    Their uncommitted changes stay private.
    """
    row = own_row(live.hand)
    row.table = table
    # While a hand is played from it, a shoe stays as it was dealt.
    row.shoe = own_row(table.shoe if SHOE.is_cached(table) and table.shoe else live.hand.shoe)
    if table.shoe_id is not None:
        table.shoe = row.shoe
    return row


def own_row(shared: M) -> M:
    """A copy of a row, with what it has read of others."""
    # `copy.copy` takes ten times as long.
    row, state = object.__new__(type(shared)), object.__new__(type(shared._state))
    state.__dict__ = {**shared._state.__dict__, "fields_cache": {**shared._state.fields_cache}}
    row.__dict__ = {**shared.__dict__, "_state": state}
    return row


def players_of(hand: Hand | None) -> Sequence[HandSeat]:
    return () if hand is None else players_in_hand(hand.pk)
