"""The live hands that a process remembers: each with its rules, its moves so far, and their state.

A hand is its shoe and its moves, and its state is always a replay of them (`replay.py`). Everybody
who acts in a live hand or looks at it would replay the same moves, so each process remembers how
far it has come with a hand and replays the moves after that alone. This is the only memory of
hands; `docs/pages.md` says what it saves.

Nothing here is the truth. A table has one entry at most. It belongs to a hand of a shoe, which its
published seal identifies, so no other hand with that number can be mistaken for it. Moves enter it
when they are committed, never before, and a committed move of a live hand does not change. A state
holds cards that nobody may see yet: it is kept in the memory of this process only, which can open
the shoe of a live hand anyway, and is dropped when somebody next looks at the table after the hand.
"""

import copy
from collections import OrderedDict
from collections.abc import Callable, Hashable, Iterable, Sequence
from functools import partial
from threading import Lock
from typing import Any, Final, NamedTuple, TypeVar

from django.db import transaction
from django.db.models import Model

from games.models import Hand, HandSeat, Move, Table
from games.models.prepared import Query
from games.rules.contract import State
from games.tables.replay import continued, game_of, state_of

T = TypeVar("T")
M = TypeVar("M", bound=Model)

# More tables than one process serves at a time; each entry is some 100 kB.
HANDS_REMEMBERED: Final = 1024

hand_with_shoe: Final = Query(lambda hand: Hand.objects.select_related("shoe").filter(pk=hand))
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


class Standing(NamedTuple):
    """A hand after its first moves."""

    moves: tuple[Move, ...]
    state: State


class LiveHand:
    """A live hand with everything that has been worked out about it."""

    def __init__(self, hand: Hand) -> None:
        self.hand, self.game = hand, game_of(hand)
        self._latest: Standing | None = None
        self._found: dict[Hashable, Any] = {}

    @property
    def players(self) -> Sequence[HandSeat]:
        return self.once("players", lambda: players_of(self.hand))

    def after(self, moves_made: int) -> Standing:
        """The hand after this many moves; moves that follow the last answer are played on it."""
        latest = self._latest
        if latest is not None and len(latest.moves) == moves_made:
            return latest
        if latest is None or len(latest.moves) > moves_made:
            rows = moves_between(self.hand.pk, 0, moves_made)
            latest = Standing(tuple(rows), state_of(self.hand, self.game, rows))
        else:
            rows = moves_between(self.hand.pk, len(latest.moves), moves_made)
            state = continued(self.game, latest.state, rows)
            latest = Standing((*latest.moves, *rows), state)
        self._latest = latest
        return latest

    def learn(self, after: Standing) -> None:
        self._latest = after

    def once(self, key: Hashable, find: Callable[[], T]) -> T:
        """Return what `find` returns, which cannot change before the hand ends."""
        if key not in self._found:
            self._found[key] = find()
        found: T = self._found[key]
        return found


class LiveHands:
    """The live hands that this process remembers, by table."""

    def __init__(self) -> None:
        self._entries: OrderedDict[int, tuple[tuple[int, str], LiveHand]] = OrderedDict()
        self._lock = Lock()

    def at(self, table: Table) -> LiveHand:
        assert table.hand_id is not None
        identity = table.hand_id, table.shoe.seal if table.shoe else ""
        known = self._known(table.pk, identity)
        if known is not None:
            return known
        found = LiveHand(hand_with_shoe.get(table.hand_id))
        with self._lock:
            self._entries[table.pk] = identity, found
            self._entries.move_to_end(table.pk)
            while len(self._entries) > HANDS_REMEMBERED:
                self._entries.popitem(last=False)
        return found

    def learn(self, table_id: int, identity: tuple[int, str], after: Standing) -> None:
        """Take over moves that have just been committed, if the hand is remembered still."""
        known = self._known(table_id, identity)
        if known is not None:
            known.learn(after)

    def _known(self, table_id: int, identity: tuple[int, str]) -> LiveHand | None:
        with self._lock:
            entry = self._entries.get(table_id)
        return entry[1] if entry is not None and entry[0] == identity else None

    def forget(self, table: Table) -> None:
        with self._lock:
            self._entries.pop(table.pk, None)

    def clear(self) -> None:
        """Forget everything, as a process that has just started."""
        with self._lock:
            self._entries.clear()


REMEMBERED: Final = LiveHands()


def live_hand(table: Table) -> LiveHand:
    """The hand that runs at a table."""
    return REMEMBERED.at(table)


def row_of(live: LiveHand, table: Table) -> Hand:
    """The row of a live hand for one who holds the table's lock: their own, with shoe and table.

    What they change of it and do not commit is nobody else's.
    """
    row = own_row(live.hand)
    row.shoe, row.table = own_row(live.hand.shoe), table
    return row


def own_row(shared: M) -> M:
    """A copy of a row, with what it has read of others."""
    row = copy.copy(shared)
    row._state = copy.copy(shared._state)
    row._state.fields_cache = {**shared._state.fields_cache}
    return row


def learn_on_commit(hand: Hand, moves: Iterable[Move], state: State) -> None:
    """Remember how far a hand has come, once nothing can undo it."""
    identity, after = (hand.pk, hand.shoe.seal), Standing(tuple(moves), state)
    transaction.on_commit(partial(REMEMBERED.learn, hand.table_id, identity, after))


def players_of(hand: Hand | None) -> Sequence[HandSeat]:
    """The players of the hand that is shown."""
    return () if hand is None else players_in_hand(hand.pk)
