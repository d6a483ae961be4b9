"""Starting hands, playing them, and ending them: the only writer of hands.

Every verb takes the time as an argument and works in one transaction under the lock of the table's
row. A seat's **turn number** is the number of moves that had been made when it became its turn (or
when it last moved, and may move again): a move for another turn is stale and changes nothing, and
the same move sent twice is answered as if it had come once. Of a player and the clock exactly one
gets a turn.

While a hand runs no money moves: stacks cannot leave the table. When nobody is to act any more, the
hand is settled in the transaction of its last move (`paying.py`).
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from typing import Any

from django.db import transaction
from django.utils.translation import gettext_noop as _n
from msgspec import to_builtins

from games import autoplay, keeping, shoes
from games.dealing import context_for, next_button
from games.hands import (
    game_from,
    game_of,
    opening,
    party_of,
    read_action,
    seat_number,
    state_of,
)
from games.models import Hand, HandSeat, Move, Seat, Shoe, Table
from games.paying import end_hand
from games.pools import jackpots_at, options_with_pools, pool_amount
from games.refusal import Refused, Stale
from games.rows import lock_table, seats_at, store_table
from games.rules.contract import HOUSE, Action, AnyGame, Party, State
from games.rules.errors import AMOUNT_MAX
from games.rules.house.actions import Done, Pool


class Playing:
    """A hand being played: its rows, its state, and the moves this transaction adds."""

    def __init__(self, table: Table, seats: Sequence[Seat], hand: Hand, state: State) -> None:
        self.table, self.seats, self.hand = table, seats, hand
        self.game: AnyGame = game_of(hand)
        self.state = state
        self.waiting = self.game.to_act(state)
        self._moves: list[Move] = []

    def play(self, party: Party, action: Action, by: Move.By, now: datetime) -> None:
        """Apply a move; `Illegal` leaves everything as it was."""
        after: State = self.game.apply(self.state, party, action)
        table, turn = self.table, self.table.turns.get(str(seat_number(party)), 0)
        self._moves.append(
            Move(
                hand=self.hand,
                number=table.moves_made,
                seat=seat_number(party),
                action=to_builtins(action),
                turn=turn,
                by=by,
                at=now,
            )
        )
        table.moves_made += 1
        before, self.state, self.waiting = self.waiting, after, self.game.to_act(after)
        self._turn_over(party, before, isinstance(action, Done) and by != Move.By.PLAYER, now)

    def _turn_over(
        self, party: Party, before: frozenset[Party], declined: bool, now: datetime
    ) -> None:
        """Number the turns of those who may act now, and set the clock where a turn is new."""
        table = self.table
        fresh = {seat for seat in self.waiting if seat == party or seat not in before}
        table.turns = number_turns(table, self.waiting, fresh)
        if HOUSE in before & self.waiting and table.deadline is None and not declined:
            # Whoever bets first, or will not bet, starts the countdown; later bets do not stop it.
            # One for whom the house declines is not there to wait.
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
        return bool(self._moves)

    def let_house_act(self, now: datetime) -> None:
        """The house names the pools that were hit, at once: nobody else is waited for."""
        while self.waiting == {HOUSE} and isinstance(
            named := self.game.fallback(self.state, HOUSE), Pool
        ):
            amount = pool_amount(self.hand, named.pool)
            self.play(HOUSE, Pool(named.pool, amount), Move.By.HOUSE, now)

    def store(self, now: datetime) -> None:
        """Write what was played, and settle the hand where nobody is to act any more."""
        Move.objects.bulk_create(self._moves)
        self._moves = []
        if self.waiting:
            self.table.due_at = next_due(self.table, self.seats, now)
        else:
            end_hand(self.table, self.seats, self.hand, self.game, self.state, now)
        store_table(self.table)
        if self.table.hand_id is None and any(seat.heir_id for seat in self.seats):
            # In the pause already, so that they take part in mixing the next shoe.
            table_id = self.table.pk
            transaction.on_commit(lambda: keeping.hand_over(table_id, now), robust=True)


def next_due(table: Table, seats: Sequence[Seat], now: datetime) -> datetime | None:
    """When the house next has something to do in the hand that runs."""
    dues = [table.deadline, autoplay.first_due(table, seats, now)]
    return min((due for due in dues if due), default=None)


def number_turns(
    table: Table, waiting: frozenset[Party], fresh: set[Party] | frozenset[Party]
) -> dict[str, int]:
    """The turn numbers of those who may act: a new one for whoever has just come to it."""
    return {
        str(seat_number(party)): table.moves_made
        if party in fresh
        else table.turns[str(seat_number(party))]
        for party in waiting
    }


def resume(table: Table, seats: Sequence[Seat]) -> Playing:
    """The hand that runs at a locked table, replayed."""
    assert table.hand_id is not None
    hand = Hand.objects.select_related("shoe").get(pk=table.hand_id)
    hand.table = table
    game = game_of(hand)
    return Playing(table, seats, hand, state_of(hand, game, hand.moves.order_by("number")))


def start_hand(table: Table, seats: Sequence[Seat], players: Sequence[Seat], now: datetime) -> None:
    """Deal the next hand to these seats from the shoe on the table, which is mixed."""
    shoe = table.shoe
    assert shoe is not None
    played = jackpots_at(table)
    game = game_from(table.game, options_with_pools(table, played))
    table.hands_dealt += 1
    shoe.rounds_played += 1
    table.button = next_button(table, players)
    context, draws = context_for(table, game, shoe, players, played)
    hand = Hand.objects.create(
        table=table,
        number=table.hands_dealt,
        game=table.game,
        rules_version=game.rules_version,
        options=to_builtins(game),
        stakes=[
            {"seat": seat.number, "purse": min(seat.stack.balance, AMOUNT_MAX)} for seat in players
        ],
        context=context,
        draws=to_builtins(draws),
        jackpots={kind: jackpot.pk for kind, jackpot in played.items()},
        shoe=shoe,
        first_card=shoe.cards_dealt,
        round_number=shoe.rounds_played,
        started_at=now,
    )
    HandSeat.objects.bulk_create(
        HandSeat(
            hand=hand,
            number=seat.number,
            seat=seat,
            player_id=seat.player_id,
            purse=min(seat.stack.balance, AMOUNT_MAX),
            game=table.game,
            table=table,
            currency_id=table.currency_id,
        )
        for seat in players
    )
    shoe.save(update_fields=["rounds_played"])
    state: State = game.open(*opening(hand, game))
    table.hand, table.phase, table.moves_made = hand, Table.Phase.PLAY, 0
    playing = Playing(table, seats, hand, state)
    table.turns = number_turns(table, playing.waiting, playing.waiting)
    table.turn_began_at = now
    window = HOUSE in playing.waiting
    table.deadline = None if window else now + timedelta(seconds=table.decision_seconds)
    playing.store(now)


def act(player: Any, table_id: int, hand_id: int, turn: int, told: Any, now: datetime) -> Table:
    """A player's move; the same one sent again has no further effect and is no error."""
    with transaction.atomic():
        table = lock_table(table_id)
        seats = seats_at(table)
        seat = next((one for one in seats if one.player_id == player.pk), None)
        if seat is None:
            raise Refused("not_seated_here", _n("You do not sit at this table."))
        if table.hand_id != hand_id:
            return _answer_again(table, seat, hand_id, turn, told)
        playing = resume(table, seats)
        action = read_action(playing.game, told)
        now_turn = table.turns.get(str(seat.number))
        if now_turn is not None and now_turn != turn:
            return _answer_again(table, seat, hand_id, turn, to_builtins(action))
        if now_turn is None and _was_played(hand_id, seat, turn, to_builtins(action)):
            return table
        seat.seen_at = now
        playing.play(seat.number, action, Move.By.PLAYER, now)
        playing.let_house_act(now)
        playing.store(now)
        return table


def _was_played(hand_id: int, seat: Seat, turn: int, told: Any) -> bool:
    return Move.objects.filter(
        hand_id=hand_id,
        seat=seat.number,
        turn=turn,
        action=told,
        by=Move.By.PLAYER,
        hand__seats__player_id=seat.player_id,
        hand__seats__number=seat.number,
    ).exists()


def _answer_again(table: Table, seat: Seat, hand_id: int, turn: int, told: Any) -> Table:
    """A move that came twice is answered with how things stand; any other is too late."""
    hand = Hand.objects.filter(pk=hand_id, table=table).first()
    if hand is None:
        raise Stale("no_such_hand", _n("There is no such hand at this table."))
    if _was_played(hand_id, seat, turn, to_builtins(read_action(game_of(hand), told))):
        return table
    if table.hand_id != hand_id:
        raise Stale("hand_over", _n("The hand is over."))
    raise Stale("turn_over", _n("That turn is over."))


def play_for_the_absent(playing: Playing, now: datetime) -> None:
    """The house plays for one of those whom it need not wait for, if the pause is over."""
    table = playing.table
    began = table.turn_began_at or now
    for seat in playing.seats:
        if (
            str(seat.number) in table.turns
            and autoplay.plays_by_itself(table, seat, now)
            and began + autoplay.pause(table, seat) <= now
        ):
            action, by = autoplay.decide(playing.game, playing.state, table, seat, now)
            playing.play(seat.number, action, by, now)
            return


def expire(playing: Playing, now: datetime) -> None:
    """The time is up: the house closes the betting, or plays for all who have not acted."""
    late = [party_of(int(number)) for number, turn in playing.table.turns.items()]
    turns = dict(playing.table.turns)
    if HOUSE in late:
        playing.play(HOUSE, playing.game.fallback(playing.state, HOUSE), Move.By.HOUSE, now)
        return
    for party in sorted(late, key=str):
        number = str(seat_number(party))
        # What one fallback leads to is a new turn for others, who have their own time.
        if playing.table.turns.get(number) == turns[number]:
            action = playing.game.fallback(playing.state, party)
            playing.play(party, action, Move.By.TIMEOUT, now)


def void(hand_id: int, reason: str, actor: str, now: datetime) -> Hand:
    """Take back a hand that runs: every stake stays where it is, and the shoe is given up."""
    table_id = Hand.objects.values_list("table_id", flat=True).get(pk=hand_id)
    with transaction.atomic():
        table = lock_table(table_id)
        if table.hand_id != hand_id:
            raise Stale("hand_over", _n("The hand is over."))
        hand = Hand.objects.select_related("shoe").get(pk=hand_id)
        hand.status, hand.ended_at = Hand.Status.VOID, now
        hand.void_reason = f"{actor}: {reason}"[:200]
        hand.save(update_fields=["status", "ended_at", "void_reason"])
        hand.seats.update(status=hand.status, ended_at=now)
        if hand.shoe.status == Shoe.Status.OPEN:
            shoes.void(hand.shoe, "a hand was voided", now)
        # The clock seals the next shoe, and gives the seats their time to commit to it.
        table.hand, table.shoe, table.phase = None, None, Table.Phase.PAUSE
        table.turns, table.deadline, table.due_at = {}, None, now
        store_table(table)
        return hand
