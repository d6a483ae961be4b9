"""A process's copies of the tables that it serves: each valid for one version, and never the truth.

A copy holds a table's row, its seats with players and stacks, the live hand with its moves and
state, and between two hands the hand that has just ended. Everything in it was read from the
database, or learned from a transaction of this process after its commit. Every verb that changes
what a copy holds raises the table's version (`docs/hands.md` names the columns), so a copy is
recognised as old by its version alone: a write that is based on it names that version and has no
effect at any other (`optimistic_act.py`).

This is the only memory of tables and hands in a process; `docs/pages.md` says what it saves. A
state holds cards that nobody may see yet. It stays in the memory of this process, which can open
the shoe of a live hand anyway.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cached_property
from threading import Lock
from typing import Final

from django.db import connection

from games.models import Hand, HandSeat, Move, Seat, Table
from games.models.prepared import INTEGER_MAX
from games.rules.contract import AnyGame, State
from games.tables.live_hands import (
    LiveHand,
    Standing,
    hand_with_shoe,
    last_hand_of,
    moves_between,
    own_row,
    players_of,
)
from games.tables.lock import ROW, SEATS
from games.tables.replay import game_of, state_of

# More tables than one process serves at a time; each entry is some 100 kB.
TABLES_REMEMBERED: Final = 1024
# A round without a bet is deleted: a reader who has its table's row reads the row again.
READINGS: Final = 3


class EndedHand:
    """A hand that is over, with its result: read once for all who look at the table."""

    def __init__(self, hand: Hand, moves: Sequence[Move], players: Sequence[HandSeat]) -> None:
        self.hand, self.moves, self.players = hand, tuple(moves), tuple(players)

    @cached_property
    def game(self) -> AnyGame:
        return game_of(self.hand)

    @cached_property
    def state(self) -> State:
        return state_of(self.hand, self.game, self.moves)


class Copy:
    """A table at one version. Its rows are shared by all threads: change none of them."""

    def __init__(
        self,
        table: Table,
        seats: Iterable[Seat],
        live: LiveHand | None = None,
        standing: Standing | None = None,
    ) -> None:
        self.table, self.seats = table, tuple(seats)
        # The hand that runs, and how far it has come at this version.
        self.live, self.standing = live, standing

    @property
    def version(self) -> int:
        return self.table.version

    @cached_property
    def ended(self) -> EndedHand | None:
        """The hand dealt last, once it has ended; None while a hand runs, and for a void one."""
        if self.table.hand_id is not None or not self.table.hands_dealt:
            return None
        return COPIES.ended_at(self.table)

    def own_table(self) -> Table:
        """A row of the table that the caller may change."""
        return own_row(self.table)

    def own_seats(self, table: Table) -> list[Seat]:
        """Rows of the seats that the caller may change, at the caller's row of the table."""
        seats = [own_row(seat) for seat in self.seats]
        for seat in seats:
            seat.table = table
        return seats


def _read_ended(table: Table, known: EndedHand | None) -> EndedHand | None:
    """The result of the hand dealt last; of one that is known, only its row is read again."""
    hand = last_hand_of.first(table.pk)
    if hand is None or hand.status != Hand.Status.FINISHED:
        return None
    if known is not None and known.hand.pk == hand.pk:
        return known
    return EndedHand(hand, moves_between(hand.pk, 0, INTEGER_MAX), players_of(hand))


class _Remembered:
    """What is remembered of one table."""

    def __init__(self) -> None:
        self.copy: Copy | None = None
        self.live: LiveHand | None = None
        # The hand that ended last, and the version at which it was known to be paid.
        self.ended: EndedHand | None = None
        self.ended_at_version: int | None = None


class Copies:
    """The tables that this process remembers."""

    def __init__(self) -> None:
        self._tables: OrderedDict[int, _Remembered] = OrderedDict()
        self._lock = Lock()

    def known(self, table_id: int) -> Copy | None:
        """The copy that is remembered, which may be old; nothing is read."""
        with self._lock:
            found = self._tables.get(table_id)
        return found.copy if found is not None else None

    def newest(self, table_id: int) -> Copy:
        """The copy of the newest version: reads the row, and the rest if the version is newer."""
        for _reading in range(READINGS - 1):
            try:
                return self.of(ROW.get(table_id))
            except Hand.DoesNotExist:
                # The round was called off after its table was read.
                continue
        return self.of(ROW.get(table_id))

    def of(self, row: Table) -> Copy:
        """The copy of a row that has just been read or written."""
        known = self.known(row.pk)
        if known is not None and _is_same(known.table, row):
            return known
        seats = SEATS(row.pk)
        live = self.live_hand(row) if row.hand_id is not None else None
        found = Copy(row, seats, live, live.after(row.moves_made) if live else None)
        # What a transaction reads may never be committed, and another may get the same version.
        if not connection.in_atomic_block:
            self.learn(found)
        return found

    def learn(self, copy: Copy) -> None:
        """Remember a copy of a committed version."""
        found = self._remembered(copy.table.pk)
        found.copy = copy
        if copy.live is not None:
            found.live, found.ended, found.ended_at_version = copy.live, None, None
            if copy.standing is not None:
                copy.live.learn(copy.standing)

    def live_hand(self, table: Table) -> LiveHand:
        """The live hand of a table's row."""
        assert table.hand_id is not None
        known = self._live_at(table)
        if known is not None:
            return known
        found = LiveHand(hand_with_shoe.get(table.hand_id))
        self._remembered(table.pk).live = found
        return found

    def _live_at(self, table: Table) -> LiveHand | None:
        with self._lock:
            found = self._tables.get(table.pk)
        live = found.live if found is not None else None
        if live is None or live.hand.pk != table.hand_id:
            return None
        # A hand of another shoe has the same number where the database was replaced.
        return live if live.hand.shoe.seal == _seal_at(table) else None

    def learn_ended(self, ended: EndedHand, version: int) -> None:
        """Remember the result of a hand, once its end is committed as this version."""
        found = self._remembered(ended.hand.table_id)
        found.copy, found.live = None, None
        found.ended, found.ended_at_version = ended, version

    def ended_at(self, table: Table) -> EndedHand | None:
        """The result of the hand that a table has dealt last; None where it is void or reversed."""
        found = self._remembered(table.pk)
        if found.ended_at_version == table.version:
            return found.ended
        ended = _read_ended(table, found.ended)
        if not connection.in_atomic_block:
            found.ended, found.ended_at_version = ended, table.version
        return ended

    def forget(self, table: Table) -> None:
        with self._lock:
            self._tables.pop(table.pk, None)

    def forget_live(self, table: Table) -> None:
        """Drop the live hand of a table where none runs any more."""
        with self._lock:
            found = self._tables.get(table.pk)
        if found is not None:
            found.live = None
            if found.copy is not None and found.copy.live is not None:
                found.copy = None

    def clear(self) -> None:
        """Forget everything, as a process that has just started."""
        with self._lock:
            self._tables.clear()

    def _remembered(self, table_id: int) -> _Remembered:
        with self._lock:
            found = self._tables.setdefault(table_id, _Remembered())
            self._tables.move_to_end(table_id)
            while len(self._tables) > TABLES_REMEMBERED:
                self._tables.popitem(last=False)
        return found


def _seal_at(table: Table) -> str:
    return table.shoe.seal if table.shoe else ""


def _is_same(known: Table, row: Table) -> bool:
    """Whether a row is the one of a copy, and no other row with its numbers."""
    return (known.version, known.hand_id, _seal_at(known)) == (
        row.version,
        row.hand_id,
        _seal_at(row),
    )


COPIES: Final = Copies()


def live_hand(table: Table) -> LiveHand:
    """The hand that runs at a table."""
    return COPIES.live_hand(table)
