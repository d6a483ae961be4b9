"""An act in mid-hand: played on a copy of the table without a lock, and written unless another
write came first.

Most acts change nothing but the moves of a hand and whose turn it is. For these the rules run on
the cached table (`table_cache.py`), and one statement stores the moves and raises the version. It
has no effect unless the version in the database is still the cached one, so of two acts on one
version exactly one is stored; the other is played again on what the first has left.

Nothing is refused here: a copy may be old. An act that does not fit the copy is tried on a fresh
one; if it does not fit that either, the locked act (`hand_verbs.py`) decides. So is everything that
writes more than moves, turns and a link for the next shoe: the end of a hand, the call of a pool,
seconds of a time bank.

A thread plays an act with `act`. The event loop (`casino/acts.py`) does the same by
`planned` and `done`, and waits for the statement in between.
"""

from collections.abc import Callable, Sequence
from datetime import datetime
from functools import partial
from typing import Final

from games.models import Hand, Move, Seat, ShoeSeat, Table
from games.models.combined import Plan
from games.models.combined import planned as plan_writes
from games.models.prepared import Beside, InsertIfCurrent
from games.shoes.custody import WRITE_REVEAL, Receipt
from games.tables import autoplay, signals, time_bank
from games.tables.carried import Carried
from games.tables.decisions import Decision
from games.tables.hand_cache import own_row, row_of
from games.tables.hand_in_play import HandInPlay, next_due
from games.tables.lock import announce_on_commit, seat_of
from games.tables.signals import tell_played
from games.tables.squeeze import backers
from games.tables.table_cache import TABLE_CACHE, CachedTable
from wallets.storage.batched_writes import after_commit
from wallets.values.errors import Refused
from wallets.values.player import Player

# On the copy at hand, and on fresh ones; a table where other writes always come first is locked.
TRIES: Final = 3
# The columns of a table's row that an act in mid-hand changes.
TURN_FIELDS: Final = ("version", "moves_made", "turns", "turn_began_at", "deadline", "due_at")
WRITE_MOVES: Final = InsertIfCurrent(Table, TURN_FIELDS, Move)


class DoesNotFit(Exception):
    """The act is no answer to what the copy shows."""


class NeedsLock(Exception):
    """Due steps of the hand need the lock of its table."""


class Planned(HandInPlay):
    """A hand played on a copy: its table is not locked, and nothing is written yet."""

    # What the act carries for the next shoe, and the receipt for it.
    beside: Beside | None = None
    receipt: Receipt | None = None
    # Who acts.
    actor: Seat

    def require_lock(self) -> None:
        raise NeedsLock

    def raise_version(self, now: datetime) -> int:
        """Give the table the version that this act makes, and return the one that it is based on.

        The end of a hand is left to the lock.
        """
        if not self.waiting:
            raise NeedsLock
        table, version = self.table, self.table.version
        table.due_at = next_due(table, self.seats, now)
        table.version += 1
        return version

    def plan_end(self, now: datetime) -> Plan:
        """Plan the end of the hand, as the lock would write it."""
        moves = [*self.stored, *self.moves]
        if self.held or not {self.actor.number} & (backers(moves) or {self.actor.number}):
            # Who else is there to squeeze, the copy may not know.
            raise NeedsLock
        self.seats = [own_row(seat) for seat in self.seats]
        for seat in self.seats:
            seat.table = self.table
        with plan_writes(self.table, self.table.version) as plan:
            self.store(now)
            if self.beside is not None:
                self.beside.update(self.beside.row)
                self._learn_part()
        return plan

    def done(self, announce: Callable[[Table], None]) -> None:
        """The moves are stored: remember the table as it is now, and tell everybody."""
        self.stored = [*self.stored, *self.moves]
        self.learn_on_commit()
        if self.beside is not None:
            self._learn_part()
        announce(self.table)
        tell_played(self.hand, self.moves, over=False)

    def _learn_part(self) -> None:
        """Remember the part that came with the act."""
        assert self.beside is not None
        part: ShoeSeat = self.beside.row
        shoes = (self.table.shoe, self.table.next_shoe)
        shoe = next(shoe for shoe in shoes if shoe is not None and shoe.pk == part.shoe_id)
        after_commit(partial(TABLE_CACHE.learn_part, self.table.pk, shoe, part))

    def trace(self, player: Player, now: datetime) -> None:
        """Tell who has acted; the listeners ask from where."""
        signals.report(signals.Occasion.ACTED, player.pk, self.table.pk, now, self.hand.pk)


def act(
    player: Player,
    table_id: int,
    decision: Decision,
    sent: Sequence[object],
    now: datetime,
    carried: Carried,
) -> Table | None:
    """Play a player's moves and return the table after them; None if that takes the lock."""
    copy = TABLE_CACHE.known(table_id)
    for _attempt in range(TRIES):
        try:
            fresh = copy is None
            copy = copy or TABLE_CACHE.newest(table_id)
            playing = planned(copy, player, decision, sent, now, carried)
            version = playing.raise_version(now)
            if WRITE_MOVES(playing.table, version, playing.moves, playing.beside):
                playing.done(announce_on_commit)
                playing.trace(player, now)
                return playing.table
        except (NeedsLock, Table.DoesNotExist, Hand.DoesNotExist):
            return None
        except (DoesNotFit, Refused):
            if fresh:
                return None
        copy = None
    return None


def planned(
    copy: CachedTable,
    player: Player,
    decision: Decision,
    sent: Sequence[object],
    now: datetime,
    carried: Carried,
) -> Planned:
    """The hand of a copy with a player's moves played; the copy stays.

    Nothing is read, unless the copy does not have the parts of the shoe that a link is for.
    """
    table, live, standing = copy.own_table(), copy.live, copy.standing
    seat = seat_of(player, copy.seats)
    if seat is None or live is None or standing is None or table.hand_id != decision.hand:
        raise DoesNotFit
    if table.turns.get(str(seat.number)) != decision.turn:
        raise DoesNotFit
    if time_bank.used(table, seat, now):
        raise NeedsLock
    seats = [_seen(seat, now) if taken_seat is seat else taken_seat for taken_seat in copy.seats]
    playing = Planned(table, seats, row_of(live, table), live.game, standing, live)
    playing.actor = seat
    playing.answer(seat, decision.mark, sent, now)
    if (part := carried.part(player, table, now)) is not None:
        playing.beside = Beside(WRITE_REVEAL, part)
    playing.receipt = carried.receipt
    return playing


def _seen(seat: Seat, now: datetime) -> Seat:
    """The seat of a player who acts now, who is there."""
    seen = own_row(seat)
    autoplay.note_here(seen, now)
    return seen
