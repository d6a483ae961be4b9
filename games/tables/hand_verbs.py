"""Starting hands, playing them, and ending them: the only writer of hands.

Every verb takes the time as an argument and works in one transaction under the lock of the table's
row; only an act in mid-hand does without the lock (`optimistic_act.py`). A seat's **turn number**
is the number of moves that had been made when it became its turn (or when it last moved, and may
move again): a move for another turn is stale and changes nothing, and the same move sent twice is
answered as if it had come once. Of a player and the clock exactly one gets a turn.
"""

from collections.abc import Sequence
from datetime import datetime, timedelta
from functools import partial
from typing import Final

from django.db import transaction
from django.utils.translation import gettext_noop as _n
from msgspec import to_builtins

from games.models import Hand, HandSeat, Move, Seat, Shoe, ShoeSeat, Table
from games.models.combined import read_together, together
from games.models.hands import REASON_MAX
from games.models.prepared import Insert, Update
from games.rules.contract import HOUSE, Action, AnyGame, State
from games.rules.errors import Illegal
from games.rules.house.actions import TopUp
from games.rules.sent_choices import read_back
from games.shoes import custody
from games.tables import (
    decisions,
    hand_digest,
    next_bets,
    next_shoe,
    optimistic_act,
    signals,
    time_bank,
)
from games.tables.autoplay import note_here
from games.tables.carried import Carried
from games.tables.deal import context_for, next_button
from games.tables.decisions import Decision
from games.tables.formats import format_of
from games.tables.hand_cache import CachedHand, Standing
from games.tables.hand_in_play import HandInPlay, number_turns, resume
from games.tables.hand_state import (
    as_stored,
    game_from,
    game_of,
    lay_open_void,
    moves_of,
    opening,
    read_action,
    sealed_fields,
)
from games.tables.jackpots import jackpots_at, options_with_pools
from games.tables.lock import (
    SEATS,
    lock_table,
    read_shoes,
    reads_of_shoes,
    seat_of,
    seats_at,
    store_table,
)
from games.tables.settle import publish, report_end
from games.tables.signals import timed
from games.tables.table_cache import TABLE_CACHE
from wallets.values import AMOUNT_MAX
from wallets.values.errors import Refused, Stale
from wallets.values.player import Player

INSERT_HANDS: Final = Insert(Hand)
INSERT_SEATS: Final = Insert(HandSeat)
WRITE_ROUNDS: Final = Update(Shoe, ("rounds_played",))
TURN_OVER: Final = _n("That turn is over.")
# The code by which the rules refuse a seat that is not to act.
NOT_YOUR_TURN: Final = "not_your_turn"


def start_hand(
    table: Table,
    seats: Sequence[Seat],
    players: Sequence[Seat],
    now: datetime,
    parts: Sequence[ShoeSeat] | None = None,
) -> None:
    """Deal the next hand to these seats from the shoe on the table, which is mixed.

    The parts of the shoe are those of a caller who has read them.
    """
    with together():
        _start_hand(table, seats, players, now, parts)


def _start_hand(
    table: Table,
    seats: Sequence[Seat],
    players: Sequence[Seat],
    now: datetime,
    parts: Sequence[ShoeSeat] | None,
) -> None:
    shoe = table.shoe
    assert shoe is not None
    played = jackpots_at(table)
    game = game_from(table.game, options_with_pools(table, played))
    rules = format_of(table)
    stacks = {seat.pk: min(rules.funds(seat), AMOUNT_MAX) for seat in players}
    table.hands_dealt += 1
    shoe.rounds_played += 1
    table.button = next_button(table, players)
    hand = Hand(
        table=table,
        number=table.hands_dealt,
        game=table.game,
        rules_version=game.rules_version,
        options=as_stored(game),
        profile_version_id=table.profile_version_id,
        stakes=[{"seat": seat.number, "purse": stacks[seat.pk]} for seat in players],
        **sealed_fields(context_for(table, game, players, played), table.pk, table.hands_dealt),
        jackpots={kind: jackpot.pk for kind, jackpot in played.items()},
        shoe=shoe,
        first_card=shoe.cards_dealt,
        round_number=shoe.rounds_played,
        started_at=now,
    )
    INSERT_HANDS([hand])
    dealt_in = [
        HandSeat(
            hand=hand,
            number=seat.number,
            seat=seat,
            player=seat.player,
            starting_stack=stacks[seat.pk],
            game=table.game,
            table=table,
            currency_id=table.currency_id,
        )
        for seat in players
    ]
    INSERT_SEATS(dealt_in)
    WRITE_ROUNDS(shoe)
    state: State = game.open(*opening(hand, game))
    table.hand, table.phase, table.moves_made = hand, Table.Phase.PLAY, 0
    dealt = CachedHand(hand)
    dealt.once("players", lambda: dealt_in)
    parts = TABLE_CACHE.parts_dealt(table.pk, shoe.code) if parts is None else parts
    if parts is not None:
        dealt.once("parts", lambda: parts)
    playing = HandInPlay(table, seats, hand, dealt.game, Standing((), state), dealt)
    table.turns = number_turns(table, playing.waiting, playing.waiting)
    table.turn_began_at = now
    window = HOUSE in playing.waiting
    table.deadline = None if window else now + timedelta(seconds=table.decision_seconds)
    playing.next_parts = next_shoe.prepare(table, game, seats, players, now)
    _place_next_bets(playing, now)
    playing.store(now)


def _place_next_bets(playing: HandInPlay, now: datetime) -> None:
    """Place what players have bet before the round opened."""
    for seat in playing.seats:
        for action in next_bets.due(seat, playing.game, playing.state):
            playing.play(seat.number, action, Move.By.PLAYER, now)
    next_bets.clear(playing.seats)
    if playing.moved:
        playing.let_house_act(now)


def act(
    player: Player, table_id: int, hand_id: int, turn: int, sent: object, now: datetime
) -> Table:
    """Play a player's move; a repeated request has no further effect and is not an error."""
    return act_all(player, table_id, Decision(hand_id, turn), [sent], now)


@timed
def act_all(
    player: Player,
    table_id: int,
    decision: Decision,
    sent: Sequence[object],
    now: datetime,
    carried: Carried | None = None,
) -> Table:
    """Play several moves of a player one after another, all or none, as bets on many boxes are.

    The first of them says whether the request is repeated. The moves are played on this process's
    copy of the table and written if no other write came first. Only what cannot be done so, and
    what may have to be refused, takes the lock.
    """
    carried = carried or Carried()
    table = optimistic_act.act(player, table_id, decision, sent, now, carried)
    return table or _act_under_lock(player, table_id, decision, sent, now, carried)


def _act_under_lock(
    player: Player,
    table_id: int,
    decision: Decision,
    sent: Sequence[object],
    now: datetime,
    carried: Carried,
) -> Table:
    hand_id, turn, mark = decision
    with transaction.atomic():
        table = lock_table(table_id)
        unknown = [] if TABLE_CACHE.lend_shoes(table) else reads_of_shoes(table)
        with read_together([(SEATS, (table_id,)), *TABLE_CACHE.reads_of_live(table), *unknown]):
            seats = seats_at(table)
            if unknown:
                read_shoes(table)
            seat = seat_of(player, seats)
            if seat is None:
                raise Refused("not_seated_here", _n("You do not sit at this table."))
            if (part := carried.part(player, table, now)) is not None:
                custody.WRITE_REVEAL(part)
                transaction.on_commit(partial(TABLE_CACHE.forget_parts, table_id))
            if table.hand_id != hand_id:
                return _answer_again(table, seat, hand_id, turn, sent[0])
            playing = resume(table, seats)
        # Unreadable input is refused as such, whether or not the turn is over.
        first, *_others = [
            read_action(playing.game, read_back(playing.game, sent_move).action)
            for sent_move in sent
        ]
        now_turn = table.turns.get(str(seat.number))
        if now_turn is not None and now_turn != turn:
            return _answer_again(table, seat, hand_id, turn, to_builtins(first))
        made = _played(playing.game, hand_id, seat, turn) if now_turn is None else []
        if first in made:
            return table
        note_here(seat, now)
        time_bank.charge(table, seat, now)
        try:
            playing.answer(seat, mark, sent, now)
        except Illegal as illegal:
            if made and illegal.code == NOT_YOUR_TURN:
                raise Stale("turn_over", TURN_OVER) from None
            raise
        playing.store(now)
        signals.report(signals.Occasion.ACTED, player.pk, table_id, now, hand_id)
        return table


def _played(game: AnyGame, hand_id: int, seat: Seat, turn: int) -> list[Action]:
    """The seat's stored action for this turn, encrypted or not."""
    moves = Move.objects.filter(
        hand_id=hand_id,
        seat=seat.number,
        turn=turn,
        by=Move.By.PLAYER,
        hand__seats__player_id=seat.player_id,
        hand__seats__number=seat.number,
    )
    return [made for _party, made in moves_of(game, moves)]


def _answer_again(table: Table, seat: Seat, hand_id: int, turn: int, sent: object) -> Table:
    """Answer a repeated move with the present table; refuse any other as too late."""
    hand = Hand.objects.filter(pk=hand_id, table=table).first()
    if hand is None:
        raise Stale("no_such_hand", _n("There is no such hand at this table."))
    game = game_of(hand)
    if read_action(game, read_back(game, sent).action) in _played(game, hand_id, seat, turn):
        return table
    if table.hand_id != hand_id:
        raise Stale("hand_over", _n("The hand is over."))
    raise Stale("turn_over", TURN_OVER)


def bow_out(table: Table, seats: Sequence[Seat], seat: Seat, by: Move.By, now: datetime) -> bool:
    """Take a seat with nothing at stake out of the live hand; False if it has something at stake.

    It declines to bet, so the next player of the seat takes no part in the round. That starts no
    countdown for the others.
    """
    playing = resume(table, seats)
    if playing.game.at_stake(playing.state, seat.number):
        return False
    if seat.number in playing.waiting:
        deadline = table.deadline
        action = playing.game.fallback(playing.state, seat.number)
        playing.play(seat.number, action, by, now)
        if HOUSE in playing.waiting:
            table.deadline = deadline
        playing.let_house_act(now)
        playing.store(now)
    return True


def add_chips(table: Table, seats: Sequence[Seat], seat: Seat, amount: int, now: datetime) -> bool:
    """Let a seat with nothing at stake play the live hand with more chips.

    The answer is False if it has something at stake. A seat that has not bet by the end of the
    betting takes no part in what follows, so there is nothing to note in the hand.
    """
    playing = resume(table, seats)
    if playing.game.at_stake(playing.state, seat.number):
        return False
    if decisions.is_betting(playing.game, playing.state):
        playing.play(HOUSE, TopUp(seat.number, amount), Move.By.HOUSE, now)
        playing.store(now)
    return True


def void(hand_id: int, reason: str, actor: str, now: datetime, *, code: str = "") -> Hand:
    """Void a live hand: all chips remain where they are, and the shoe is voided too.

    The code names a reason that has a sentence in every language.
    """
    table_id = Hand.objects.values_list("table_id", flat=True).get(pk=hand_id)
    with transaction.atomic():
        table = lock_table(table_id)
        if table.hand_id != hand_id:
            raise Stale("hand_over", _n("The hand is over."))
        hand = Hand.objects.select_related("shoe").get(pk=hand_id)
        hand.status, hand.ended_at = Hand.Status.VOID, now
        hand.void_by, hand.void_code, hand.void_text = actor, code, reason[:REASON_MAX]
        fields = ("status", "ended_at", "void_by", "void_code", "void_text")
        hand.save(update_fields=[*fields, *lay_open_void(hand)])
        hand.seats.update(status=hand.status, ended_at=now)
        publish(hand, hand_digest.published_of_void(hand), now)
        report_end(table, hand, seats_at(table), None, now)
        if hand.shoe.status == Shoe.Status.OPEN:
            custody.void(hand.shoe, "a hand was voided", now)
        # The clock seals the next shoe, and gives the seats their time to commit to it.
        table.hand, table.shoe, table.phase = None, None, Table.Phase.PAUSE
        table.turns, table.deadline, table.due_at = {}, None, now
        store_table(table)
        return hand
