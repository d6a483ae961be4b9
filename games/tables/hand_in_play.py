"""A live hand as one transaction plays it: its rows, its state, and the moves that are added.

`hand_verbs.py` has the verbs: they take the hand up, let it play, and store what has become of it.

A hand whose deal other tables play, too, is **held back** when it is played out: it remains live,
moves no chip, and hides its result until the table's organiser has it settled (`waiting_hands.py`).

While a hand is live no chip moves: the stacks in it cannot leave the table. When no seat has to act
any more, the hand is settled in the transaction of its last move (`settle.py`). A round against the
house without a bet is no hand: it is called off and leaves no rows.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta

from django.db import transaction

from games.models import Hand, Move, Seat, ShoeSeat, Table
from games.models.combined import send_waiting, together
from games.rules.contract import HOUSE, Action, AnyGame, Party, State, lasting_shoe
from games.rules.house.actions import Pool, is_done, is_removal, is_top_up, pool_named
from games.rules.sent_choices import read_back
from games.shoes import custody
from games.tables import autoplay, decisions, next_shoe
from games.tables.deal import no_new_hand
from games.tables.formats import format_of
from games.tables.hand_cache import (
    CachedHand,
    Standing,
    own_row,
    row_of,
)
from games.tables.hand_digest import Rows
from games.tables.hand_state import read_actions, seat_number, write_move
from games.tables.jackpots import pool_amount
from games.tables.lock import seats_at, store_table
from games.tables.settle import INSERT_MOVES, end_hand
from games.tables.signals import tell_played
from games.tables.table_cache import TABLE_CACHE, CachedTable, EndedHand, cached_hand
from games.words.refusals import NO_BETS
from wallets.storage.batched_writes import after_commit
from wallets.values.errors import require_none


class HandInPlay:
    """A hand being played: its rows, its state, and the moves this transaction adds."""

    def __init__(
        self,
        table: Table,
        seats: Sequence[Seat],
        hand: Hand,
        game: AnyGame,
        standing: Standing,
        live: CachedHand,
    ) -> None:
        self.table, self.seats, self.hand, self.game = table, seats, hand, game
        self.held = bool(hand.shoe.deal)
        self.stored: Sequence[Move]
        self.stored, self.state = standing
        self.waiting = self.game.to_act(self.state)
        # The process's copy of the hand, which others share.
        self._live = live
        self.moves = list[Move]()
        # The parts of the next shoe, if it is sealed in this transaction.
        self.next_parts: Sequence[ShoeSeat] | None = None

    def answer(self, seat: Seat, mark: str, sent: Sequence[object], now: datetime) -> None:
        """Play what a player has sent for their turn, and what the house does at once."""
        moves = [read_back(self.game, sent_move) for sent_move in sent]
        actions = read_actions(self.game, [move.action for move in moves])
        for move in moves:
            decisions.require_decision(self.game, self.state, seat.number, mark, move)
        for action in actions:
            decisions.require_bet(self.game, self.state, seat.number, action)
            if not self.bettors and not is_done(action):
                # The first bet makes a round a hand.
                require_none(no_new_hand(self.table, now))
            self.play(seat.number, action, Move.By.PLAYER, now)
        if HOUSE in self.waiting and is_removal(actions[-1]) and not self.bettors:
            # Without a bet no player waits, so nothing counts down.
            self.table.deadline = None
        self.let_house_act(now)

    def play(self, party: Party, action: Action, by: Move.By, now: datetime) -> None:
        """Apply a move; `Illegal` leaves everything as it was."""
        after: State = self.game.apply(self.state, party, action)
        table, turn = self.table, self.table.turns.get(str(seat_number(party)), 0)
        move = Move(
            hand=self.hand,
            number=table.moves_made,
            seat=seat_number(party),
            turn=turn,
            by=by,
            at=now,
        )
        write_move(move, action, self.game, after, held=self.held)
        self.moves.append(move)
        table.moves_made += 1
        before, self.state, self.waiting = self.waiting, after, self.game.to_act(after)
        # A player for whom the house declines is not there to wait, and chips are no bet.
        waits_for_nobody = by != Move.By.PLAYER and (is_done(action) or is_top_up(action))
        self._turn_over(party, before, waits_for_nobody, now)

    def _turn_over(
        self, party: Party, before: frozenset[Party], waits_for_nobody: bool, now: datetime
    ) -> None:
        """Number the turns of those who may act now, and set the clock where a turn is new."""
        table = self.table
        # When the betting ends, seats that could still bet may have another decision.
        closed = HOUSE in before - self.waiting
        fresh = {seat for seat in self.waiting if closed or seat == party or seat not in before}
        table.turns = number_turns(table, self.waiting, fresh)
        if HOUSE in before & self.waiting and table.deadline is None and not waits_for_nobody:
            # The first player who bets starts the countdown; later bets do not stop it.
            table.deadline = now + timedelta(seconds=table.betting_seconds)
        if not fresh:
            return
        table.turn_began_at = now
        if HOUSE not in self.waiting:
            table.deadline = now + timedelta(seconds=table.decision_seconds)
        elif HOUSE not in before:
            table.deadline = None

    @property
    def moved(self) -> bool:
        return bool(self.moves)

    def let_house_act(self, now: datetime) -> None:
        """Do what the house does at once: name the pools that were hit, and close the betting.

        The betting is over as soon as all who have bet are done: no seat waits for the others.
        """
        while HOUSE in self.waiting:
            due = self.game.fallback(self.state, HOUSE)
            if pool := pool_named(due):
                self.require_lock()
                due = Pool(pool, pool_amount(self.hand, pool))
            elif not self.bettors or not self.waiting.isdisjoint(self.bettors):
                return
            self.play(HOUSE, due, Move.By.HOUSE, now)

    @property
    def bettors(self) -> set[Party]:
        """The seats whose money depends on the hand."""
        return decisions.bettors(self.game, self.state)

    def require_lock(self) -> None:
        """The table of a hand that is played in a transaction is locked."""

    def learn_on_commit(self) -> None:
        """Remember the table at this version, once nothing can undo it."""
        version, standing = self.table.version, Standing(tuple(self.stored), self.state)
        shoe, parts, given = self.table.next_shoe, self.next_parts, TABLE_CACHE.parts_given

        def learn() -> None:
            if self.table.version == version:
                copy = CachedTable(own_row(self.table), self.seats, self._live, standing)
                if parts is not None and shoe is not None and given == TABLE_CACHE.parts_given:
                    copy.parts = {(shoe.pk, shoe.status): parts}
                TABLE_CACHE.learn(copy, is_own=True)

        after_commit(learn)

    def store(self, now: datetime) -> None:
        """Write the moves, and settle the hand if no seat has to act any more."""
        if not self.waiting and not self.bettors:
            self.call_off(now)
            return
        if not self.waiting and not self.held:
            self.settle(now)
            return
        INSERT_MOVES(self.moves)
        tell_played(self.hand, self.moves, over=False)
        self.stored, self.moves = [*self.stored, *self.moves], []
        if self.waiting:
            self.table.due_at = next_due(self.table, self.seats, now)
        else:
            self._hold_back(now)
        store_table(self.table)
        if self.waiting:
            self.learn_on_commit()

    def _hold_back(self, now: datetime) -> None:
        rules, hand, seats = format_of(self.table), self.hand, self.seats
        self.table.turns, self.table.deadline, self.table.due_at = {}, None, None
        transaction.on_commit(lambda: rules.after_commit(hand, seats, now), robust=True)

    def call_off(self, now: datetime) -> None:
        """Call off a round without a bet."""
        delete_round(self.table, self.hand, self.game, now)

    def settle(self, now: datetime) -> None:
        """Write the last moves of a hand, settle it, and clear its table."""
        # A hand that ends as it opens has no key yet.
        send_waiting()
        played, self.moves = self.moves, []
        moves = [*map(own_row, self.stored), *played]
        players = [*map(own_row, self._live.players)]
        rows = Rows(self.hand, moves, players)
        parts = self._live.parts
        with together():
            moved = end_hand(rows, parts, self.seats, self.game, self.state, now)
            tell_played(self.hand, played, over=True)
            store_table(self.table)
        ended, copy = (
            EndedHand(*rows, parts),
            CachedTable(own_row(self.table), paid(self.seats, moved)),
        )
        after_commit(lambda: TABLE_CACHE.learn_ended(ended, copy))


def paid(seats: Sequence[Seat], moved: Mapping[int, int]) -> list[Seat]:
    """The seats with the stacks that a posting has left them."""
    after = [own_row(seat) for seat in seats]
    for seat in after:
        if change := moved.get(seat.stack_id, 0):
            seat.stack = own_row(seat.stack)
            seat.stack.balance += change
    return after


def delete_round(table: Table, hand: Hand, game: AnyGame, now: datetime) -> None:
    """Delete a round without a bet: the next round gets its number and its draws.

    No card was dealt and no draw was shown. A shoe for many rounds continues where it was; one that
    was mixed for this round alone is voided in public, as others may be dealt in next.
    """
    shoe = hand.shoe
    shoe.rounds_played -= 1
    shoe.save(update_fields=["rounds_played"])
    table.hands_dealt -= 1
    table.hand, table.phase, table.turns = None, Table.Phase.PAUSE, {}
    table.moves_made, table.turn_began_at, table.deadline = 0, None, None
    table.due_at = now + timedelta(seconds=table.pause_seconds)
    if lasting_shoe(game) is None:
        custody.void(shoe, NO_BETS, now)
        next_shoe.take_next(table, game, now)
    store_table(table)
    hand.moves.all().delete()
    hand.seats.all().delete()
    hand.delete()


def next_due(table: Table, seats: Sequence[Seat], now: datetime) -> datetime | None:
    """Return when the house next has something to do in the hand that runs."""
    dues = [table.deadline, autoplay.first_due(table, seats, now)]
    return min((due for due in dues if due), default=None)


def number_turns(
    table: Table, waiting: frozenset[Party], fresh: set[Party] | frozenset[Party]
) -> dict[str, int]:
    """The turn numbers of those who may act: a new one for a seat that has just got the turn."""
    return {
        str(seat_number(party)): table.moves_made
        if party in fresh
        else table.turns[str(seat_number(party))]
        for party in waiting
    }


def resume(table: Table, seats: Sequence[Seat]) -> HandInPlay:
    """The hand that runs at a locked table, replayed."""
    live = cached_hand(table)
    standing = live.after(table.moves_made)
    return HandInPlay(table, seats, row_of(live, table), live.game, standing, live)


def is_held(table: Table) -> bool:
    """Whether the hand at a table is played out, and waits to be settled."""
    return table.phase == Table.Phase.PLAY and table.hand_id is not None and not table.turns


def settle_held(table: Table, now: datetime) -> Hand:
    """Settle the hand of a locked table that was played out and held back."""
    assert is_held(table)
    playing = resume(table, seats_at(table))
    playing.settle(now)
    return playing.hand
