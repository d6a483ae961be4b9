"""The cache of the tables that a process serves: each entry is valid for one version.

An entry holds a table's row, its seats with players and stacks, the live hand with its moves and
state, and between two hands the hand that has just ended. Everything in it was read from the
database, or learned from a transaction of this process after its commit. Every verb that changes
what an entry holds raises the table's version (`tests/games/test_versions.py` compares them), so an
entry is recognised as old by its version alone: a write that is based on it names that version and
has no effect at any other (`optimistic_act.py`).

This is the only memory of tables and hands in a process; `docs/decisions.md` says what it saves. A
state holds hidden cards. It stays in the memory of this process, which can open the shoe of a live
hand anyway.
"""

from collections import OrderedDict
from collections.abc import Iterable, Sequence
from functools import cached_property, partial
from threading import Lock
from typing import Any, Final

from django.db import connection

from games.models import Hand, HandSeat, Move, Seat, Shoe, ShoeSeat, Table
from games.models.combined import Read, read_together
from games.models.prepared import INTEGER_MAX
from games.rules.contract import AnyGame, State
from games.shoes.custody import PARTS
from games.tables.hand_cache import (
    OF_LIVE,
    SHOE,
    CachedHand,
    Once,
    Standing,
    hand_with_shoe,
    last_hand_of,
    live_hand_at,
    live_moves_at,
    live_players_at,
    moves_between,
    next_parts_at,
    own_row,
    players_in_hand,
)
from games.tables.hand_state import game_of, state_of
from games.tables.lock import ROW, SEATS
from wallets.money.accounts import account
from wallets.storage.batched_writes import after_commit

# More tables than one process serves at a time; each entry is some 100 kB.
TABLES_REMEMBERED: Final = 1024
NEXT_SHOE: Final = Table._meta.get_field("next_shoe")
# A round without a bet is deleted: a reader who has its table's row reads the row again.
READINGS: Final = 3


class EndedHand(Once):
    """A hand that is over, with its result: read once for all who look at the table."""

    def __init__(
        self,
        hand: Hand,
        moves: Sequence[Move],
        players: Sequence[HandSeat],
        parts: Sequence[ShoeSeat] | None = None,
    ) -> None:
        super().__init__()
        self.hand, self.moves, self.players = hand, tuple(moves), tuple(players)
        # The parts of its shoe, if they are known.
        self.parts = parts

    @cached_property
    def game(self) -> AnyGame:
        return game_of(self.hand)

    @cached_property
    def state(self) -> State:
        return state_of(self.hand, self.game, self.moves)


class CachedTable:
    """A table at one version. Its rows are shared by all threads: change none of them."""

    def __init__(
        self,
        table: Table,
        seats: Iterable[Seat],
        live: CachedHand | None = None,
        standing: Standing | None = None,
    ) -> None:
        self.table, self.seats = table, tuple(seats)
        # The hand that runs, and how far it has come at this version.
        self.live, self.standing = live, standing
        # The seats' parts in the shoes that are being mixed, by name and status of the shoe.
        self.parts: dict[tuple[str, str], Sequence[ShoeSeat]] = {}

    @property
    def version(self) -> int:
        return self.table.version

    @cached_property
    def ended(self) -> EndedHand | None:
        """The hand dealt last, once it has ended; None while a hand runs, and for a void one."""
        if self.table.hand_id is not None or not self.table.hands_dealt:
            return None
        return TABLE_CACHE.ended_at(self.table)

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
    """The result of the hand dealt last; of a hand that is known, only its row is read again."""
    hand = last_hand_of.first(table.pk)
    if hand is None or hand.status != Hand.Status.FINISHED:
        return None
    if known is not None and known.hand.pk == hand.pk:
        return known
    with read_together(_reads_of(hand.pk)):
        moves = moves_between(hand.pk, 0, INTEGER_MAX)
        return EndedHand(hand, moves, players_in_hand(hand.pk))


def _reads_of(hand_id: int) -> list[Read]:
    """What is read of a hand besides its row."""
    return [(moves_between, (hand_id, 0, INTEGER_MAX)), (players_in_hand, (hand_id,))]


class _Remembered:
    def __init__(self) -> None:
        self.copy: CachedTable | None = None
        self.live: CachedHand | None = None
        # The hand that ended last, and the version at which it was known to be paid.
        self.ended: EndedHand | None = None
        self.ended_at_version: int | None = None
        # The table's accounts by their kinds, which never change.
        self.accounts: dict[str, int] = {}


class TableCache:
    def __init__(self) -> None:
        self._tables: OrderedDict[int, _Remembered] = OrderedDict()
        self._lock = Lock()
        # How many parts of shoes have been given, as far as this process has heard.
        self.parts_given = 0

    def known(self, table_id: int) -> CachedTable | None:
        """The copy that is remembered, which may be old; nothing is read."""
        with self._lock:
            remembered = self._tables.get(table_id)
        return remembered.copy if remembered is not None else None

    def newest(self, table_id: int) -> CachedTable:
        """The copy of the newest version: reads the row, and the rest if the version is newer."""
        for _reading in range(READINGS - 1):
            try:
                return self._read(table_id)
            except Hand.DoesNotExist:
                # The round was called off after its table was read.
                continue
        return self._read(table_id)

    def _read(self, table_id: int) -> CachedTable:
        given = self.parts_given
        with read_together(self.reads_of_newest(table_id)):
            row = ROW.get(table_id)
            begins = row.hand_id is not None and self._live_at(row) is None
            if begins:
                self._begin(row)
            copy = self.of(row)
            if begins and row.next_shoe is not None:
                parts = next_parts_at(table_id)
                if given == self.parts_given:
                    copy.parts[row.next_shoe.pk, row.next_shoe.status] = parts
            return copy

    def _begin(self, row: Table) -> None:
        """Remember the hand that has begun at a table, if what was read is all of one moment."""
        hand, moves = live_hand_at.first(row.pk), live_moves_at(row.pk) if row.moves_made else []
        players = live_players_at(row.pk)
        if hand is None or hand.pk != row.hand_id or len(moves) != row.moves_made:
            return
        live = CachedHand(hand)
        live.learn(Standing(tuple(moves), state_of(hand, live.game, moves)))
        live.once("players", lambda: players)
        self._remembered(row.pk).live = live

    def reads_of_newest(self, table_id: int) -> list[Read]:
        """What `newest` reads, if the hand is still the one that is known, or has just begun."""
        reads: list[Read] = [(ROW, (table_id,)), (SEATS, (table_id,))]
        known = self.known(table_id)
        if known is not None and known.live is not None:
            return [*reads, known.live.read_of_later()]
        return [*reads, *((query, (table_id,)) for query in OF_LIVE)]

    def of(self, row: Table) -> CachedTable:
        """The copy of a row that has just been read or written."""
        known = self.known(row.pk)
        if known is not None and _is_same(known.table, row):
            return known
        seats = SEATS(row.pk)
        live = self.cached_hand(row) if row.hand_id is not None else None
        table = CachedTable(row, seats, live, live.after(row.moves_made) if live else None)
        # A transaction may read rows that are never committed, and another may get the same
        # version.
        if not connection.in_atomic_block:
            self.learn(table)
        return table

    def learn(self, copy: CachedTable, *, is_own: bool = False) -> None:
        """Remember a copy of a committed version.

        No other process has changed the table since the version before one that is this process's
        own: what it read then of the shoes still holds, but for what is announced (`forget_parts`).
        """
        remembered = self._remembered(copy.table.pk)
        if remembered.copy is not None and remembered.copy.version + 1 == copy.version and is_own:
            copy.parts = {**remembered.copy.parts, **copy.parts}
        remembered.copy = copy
        if copy.live is not None:
            remembered.live, remembered.ended, remembered.ended_at_version = copy.live, None, None
            if copy.standing is not None:
                copy.live.learn(copy.standing)

    def cached_hand(self, table: Table) -> CachedHand:
        """The live hand of a table's row."""
        assert table.hand_id is not None
        known = self._live_at(table)
        if known is not None:
            return known
        with read_together(self.reads_of_live(table)):
            hand = CachedHand(hand_with_shoe.get(table.hand_id))
            hand.after(table.moves_made)
            assert hand.players
        self._remembered(table.pk).live = hand
        return hand

    def reads_of_live(self, table: Table) -> list[Read]:
        """What `cached_hand` and its moves read at this row."""
        if table.hand_id is None:
            return []
        known = self._live_at(table)
        if known is None:
            return [(hand_with_shoe, (table.hand_id,)), *_reads_of(table.hand_id)]
        later = [known.read_of_later()] if known.moves_known < table.moves_made else []
        return [*later, *known.unread()]

    def _live_at(self, table: Table) -> CachedHand | None:
        with self._lock:
            remembered = self._tables.get(table.pk)
        live = remembered.live if remembered is not None else None
        if live is None or live.hand.pk != table.hand_id:
            return None
        # A hand of another shoe has the same number where the database was replaced.
        return live if live.hand.shoe_id == table.shoe_id else None

    def learn_ended(self, ended: EndedHand, copy: CachedTable) -> None:
        """Remember the result of a hand, once its end is committed as this copy's version."""
        self.learn(copy, is_own=True)
        remembered = self._remembered(ended.hand.table_id)
        remembered.live, remembered.ended, remembered.ended_at_version = None, ended, copy.version

    def lend_shoes(self, table: Table) -> bool:
        """Give a locked row the shoes that this process has read or written at its version."""
        known = self.known(table.pk)
        if known is None or known.version != table.version or not _is_same(known.table, table):
            return False
        for field in (SHOE, NEXT_SHOE):
            if getattr(table, field.attname) is None or field.is_cached(table):
                continue
            lent: Any = field.get_cached_value(known.table, default=None)
            if lent is None:
                return False
            field.set_cached_value(table, own_row(lent))
        return True

    def parts_dealt(self, table_id: int, shoe: str) -> Sequence[ShoeSeat] | None:
        """The seats' parts in a shoe that an earlier hand was dealt from, if they are known."""
        remembered = self._remembered(table_id)
        if remembered.ended is not None and remembered.ended.hand.shoe_id == shoe:
            return remembered.ended.parts
        return None

    def account_of(self, table: Table, kind: str) -> int:
        accounts = self._remembered(table.pk).accounts
        if kind not in accounts:
            number = account(kind, table.reference, table.currency_id).pk
            after_commit(partial(accounts.__setitem__, kind, number))
            return number
        return accounts[kind]

    def ended_at(self, table: Table) -> EndedHand | None:
        """The result of the hand that a table has dealt last; None where it is void or reversed."""
        remembered = self._remembered(table.pk)
        if remembered.ended_at_version == table.version:
            return remembered.ended
        with read_together(self.reads_of_ended(table)):
            ended = _read_ended(table, remembered.ended)
        if not connection.in_atomic_block:
            remembered.ended, remembered.ended_at_version = ended, table.version
        return ended

    def reads_of_ended(self, table: Table) -> list[Read]:
        """What `ended_at` reads at this row, if the hand dealt last is the one that is known."""
        remembered = self._remembered(table.pk)
        if not table.hands_dealt or remembered.ended_at_version == table.version:
            return []
        last: Read = (last_hand_of, (table.pk,))
        if remembered.ended is not None or remembered.live is None:
            return [last]
        return [last, *_reads_of(remembered.live.hand.pk)]

    def forget(self, table: Table) -> None:
        with self._lock:
            self._tables.pop(table.pk, None)

    def parts_of(self, table: Table, shoe: Shoe) -> Sequence[ShoeSeat]:
        """What seats have given to a shoe that is mixed, as this copy of the table has it."""
        copy, key, given = self.known(table.pk), (shoe.pk, shoe.status), self.parts_given
        if copy is None or copy.version != table.version:
            return PARTS(shoe.pk)
        if key not in copy.parts:
            parts = PARTS(shoe.pk)
            if given != self.parts_given:
                return parts
            copy.parts = {**copy.parts, key: parts}
        return copy.parts[key]

    def learn_part(self, table_id: int, shoe: Shoe, part: ShoeSeat) -> None:
        """A seat has given its part with an act, which made a version."""
        copy, key = self.known(table_id), (shoe.pk, shoe.status)
        if copy is not None and key in copy.parts:
            now = tuple(part if seat.pk == part.pk else seat for seat in copy.parts[key])
            copy.parts = {**copy.parts, key: now}

    def forget_parts(self, table_id: int) -> None:
        """Forget what seats have given to the shoes of a table: one has given its part."""
        self.parts_given += 1
        if (copy := self.known(table_id)) is not None:
            copy.parts = {}

    def forget_live(self, table: Table) -> None:
        """Drop the live hand of a table where none runs any more."""
        with self._lock:
            remembered = self._tables.get(table.pk)
        if remembered is not None:
            remembered.live = None
            if remembered.copy is not None and remembered.copy.live is not None:
                remembered.copy = None

    def clear(self) -> None:
        """Forget everything, as a process that has just started."""
        with self._lock:
            self._tables.clear()

    def _remembered(self, table_id: int) -> _Remembered:
        with self._lock:
            remembered = self._tables.setdefault(table_id, _Remembered())
            self._tables.move_to_end(table_id)
            while len(self._tables) > TABLES_REMEMBERED:
                self._tables.popitem(last=False)
        return remembered


def _is_same(known: Table, row: Table) -> bool:
    """Whether a row is the one of a copy, and no other row with its numbers."""
    return (known.version, known.hand_id, known.shoe_id) == (
        row.version,
        row.hand_id,
        row.shoe_id,
    )


TABLE_CACHE: Final = TableCache()


def cached_hand(table: Table) -> CachedHand:
    """The hand that runs at a table."""
    return TABLE_CACHE.cached_hand(table)


def game_of_live(table_id: int, hand_id: int) -> AnyGame | None:
    """The rules of a hand that was known to run at a table, without a look at the database."""
    copy = TABLE_CACHE.known(table_id)
    live = copy.live if copy is not None else None
    return live.game if live is not None and live.hand.pk == hand_id else None
