"""Players who need no pause: ready for the next hand, or with their last bets at once.

Between two hands the table shows the result until the pause ends. It ends early when all players
who would be dealt in are ready: bots, seats on auto-play and absent players always are. Alone
against the house, a player who bets as before begins the round, bets, and closes the betting with
one request. Requests name the last hand that was over, so that one sent twice has no second effect.
Bets for the next round are taken while the result is still shown (`next_bets.py`).
"""

from collections.abc import Callable, Iterable, Sequence
from datetime import datetime
from typing import Any, Final

from django.db import transaction
from django.db.models import F
from django.utils.translation import gettext_noop as _n

from games.models import Hand, HandSeat, Move, Seat, Table
from games.models.combined import Read
from games.models.prepared import Query
from games.rules.catalogue import game_type
from games.rules.contract import HOUSE
from games.rules.house.actions import Done
from games.tables import clock, hand_verbs, signals
from games.tables.admission import require_seat
from games.tables.autoplay import SIGNS, note_here, plays_by_itself
from games.tables.deal import is_mixed, no_new_hand
from games.tables.decisions import Decision
from games.tables.formats import format_of
from games.tables.hand_in_play import resume
from games.tables.hand_state import game_from
from games.tables.lock import lock_table, seats_at, store_table
from games.tables.next_bets import require_possible
from games.tables.next_shoe import may_lock
from games.tables.table_cache import TABLE_CACHE
from wallets.values.errors import Refused, Stale, require_none
from wallets.values.player import Player

# How many rounds of a table are searched for its players' last bets.
ROUNDS_MAX: Final = 5
BETS: Final = ("bet", "ante")
REMOVE: Final = "remove"
MOVES_AFTER: Final = Query(
    lambda table, number: Move.objects.filter(
        hand__table=table, hand__number__gt=number, hand__status=Hand.Status.FINISHED
    ).order_by("-hand_id", "number"),
    int,
    int,
)
Bets = list[dict[str, Any]]


def waited_for(
    table: Table,
    seats: Sequence[Seat],
    dealt_in: Iterable[Seat],
    now: datetime,
    readers: Callable[[Table], set[int]] | None = None,
) -> list[Seat]:
    """Return the seats that the next hand waits for: those who play on and are not ready.

    A player who came after the last hand, or did not bet in it, has no result to read. A caller may
    know who has one.
    """
    looking = [
        seat
        for seat in dealt_in
        if seat.ready_after != table.hands_dealt and not plays_by_itself(table, seat, seats, now)
    ]
    if not looking or not (table.hands_dealt or is_against_house(table)):
        return looking
    seat_ids = (readers or readers_of_last)(table)
    return [seat for seat in looking if seat.pk in seat_ids]


def readers_of_last(table: Table) -> set[int]:
    """The seats with a result in the hand that was dealt last, which has ended."""
    ended = TABLE_CACHE.ended_at(table) if table.hands_dealt else None
    if ended is not None:
        return readers_in(table, ended.players, ended.moves)
    # The hand is void.
    last = Hand.objects.filter(table=table, number=table.hands_dealt)
    dealt = HandSeat.objects.filter(hand__in=last)
    moves = Move.objects.filter(hand__in=last, seat__gt=0).order_by("number")
    return readers_in(table, dealt, moves)


def readers_in(table: Table, players: Iterable[HandSeat], moves: Iterable[Move]) -> set[int]:
    """The seats with a result in a hand with these players and moves.

    Against the house they are those that have bet, and not taken it back.
    """
    if not is_against_house(table):
        return {player.seat_id for player in players}
    placed: dict[int, list[dict[str, Any]]] = {}
    for move in moves:
        if _is_of_betting(move):
            placed.setdefault(move.seat, []).append(move.action)
    bet = {number for number, actions in placed.items() if left_of_bets(actions)}
    return {player.seat_id for player in players if player.number in bet}


def _is_of_betting(move: Move) -> bool:
    """Whether a move places a bet before the deal, or takes one back."""
    do = move.action["do"]
    return do == REMOVE or (do in BETS and "amount" in move.action)


def left_of_bets(actions: Iterable[dict[str, Any]]) -> Bets:
    """One bet for each box or spot, without what was taken back, in the order of placing."""
    left: dict[object, dict[str, Any]] = {}
    for action in actions:
        key = action.get("on") or action["box"]
        is_removal = action["do"] == REMOVE
        before = left.get(key, {})
        sums: dict[str, Any] = {
            name: before.get(name, 0) + (-1 if is_removal else 1) * action.get(name, 0)
            for name in ("amount", "bonus")
            if name in action or name in before
        }
        whole = is_removal and not action.get("amount") and not action.get("bonus")
        if whole or not sums["amount"]:
            left.pop(key, None)
        else:
            left[key] = {**action, **before, **sums}
    return list(left.values())


def can_hurry(table: Table) -> bool:
    """Whether there is a result to be read, and a shoe for the next hand."""
    is_paused = table.phase == Table.Phase.PAUSE and table.hands_dealt > 0
    return is_paused and table.shoe is not None


def is_against_house(table: Table) -> bool:
    """Whether one player is enough, who plays against the house."""
    return game_type(table.game).seats[0] == 1


def hurry(table: Table, seats: Sequence[Seat], now: datetime) -> bool:
    """End the pause of a locked table if no player needs the rest of it."""
    if table.phase != Table.Phase.PAUSE or table.shoe is None or table.due_at in (None, now):
        return False
    dealt_in = format_of(table).dealt_in(seats, now)
    if waited_for(table, seats, dealt_in, now) or not _may_lock(table, dealt_in, now):
        return False
    table.due_at = now
    return True


def say_ready(player: Player, table_id: int, after: int, now: datetime) -> Table:
    """Say that the result of a hand has been read; too late is no error, the next hand runs."""
    with transaction.atomic():
        table = lock_table(table_id)
        seats = seats_at(table)
        seat = require_seat(player, seats)
        if not can_hurry(table) or table.hands_dealt != after:
            return table
        seat.ready_after = after
        note_here(seat, now)
        seat.save(update_fields=["ready_after", *SIGNS])
        hurry(table, seats, now)
        store_table(table)
    if not clock.is_due(table, now):
        return table
    clock.tick(table_id, now)
    return Table.objects.get(pk=table_id)


def _may_lock(table: Table, dealt_in: Sequence[Seat], now: datetime) -> bool:
    """Whether no player loses their part in the mix: the shoe is mixed, or all have committed."""
    shoe = table.shoe
    assert shoe is not None
    if is_mixed(shoe):
        return True
    return may_lock(shoe, dealt_in, now)


def bet_again(player: Player, table_id: int, after: int, now: datetime) -> Table:
    """Place the last bets once more, all or none, and close the betting for this player."""
    table = Table.objects.get(pk=table_id)
    bets = last_bets(require_seat(player, seats_at(table)), latest_moves(table))
    if not bets:
        raise Refused("no_last_bets", _n("You have not bet here yet."))
    return bet_next(player, table_id, after, bets, now)


def bet_next(
    player: Player, table_id: int, after: int, bets: Sequence[object], now: datetime
) -> Table:
    """Place these bets in the round after a hand, all or none, and end the player's betting.

    Where others still look at the result, or the shoe is still to be mixed, they are placed when
    the round opens; if it is open already, at once.
    """
    with transaction.atomic():
        table = lock_table(table_id)
        seats = seats_at(table)
        seat = require_seat(player, seats)
        if table.hands_dealt == after and _may_bet_ahead(table, seats, seat):
            _intend(table, seats, seat, bets, now)
    clock.tick(table_id, now)
    table = Table.objects.get(pk=table_id)
    if table.hands_dealt != after + 1 or table.hand_id is None:
        return table
    if Move.objects.filter(hand_id=table.hand_id, seat=seat.number).exists():
        # The bets were placed as the round opened, or the request has come before.
        return table
    turn = table.turns.get(str(seat.number), 0)
    done = {"do": Done.__struct_config__.tag}
    return hand_verbs.act_all(player, table_id, Decision(table.hand_id, turn), [*bets, done], now)


def require_played(player: Player, table_id: int, hand_id: int, turn: int) -> None:
    """Refuse bets on a round that is over, unless they are those that the player placed in it."""
    moves = Move.objects.filter(
        hand_id=hand_id,
        hand__table=table_id,
        turn=turn,
        by=Move.By.PLAYER,
        hand__seats__player_id=player.pk,
        hand__seats__number=F("seat"),
    )
    if not moves.exists():
        raise Stale("no_more_bets", _n("No more bets."))


def _may_bet_ahead(table: Table, seats: Sequence[Seat], seat: Seat) -> bool:
    """Whether the next round is another than the one that runs for this seat."""
    if not is_against_house(table):
        return False
    if table.hand_id is None:
        return True
    running = resume(table, seats)
    # The house may close the betting as long as bets are placed.
    is_betting = HOUSE in running.waiting and seat.number in running.waiting
    return not is_betting and not running.game.at_stake(running.state, seat.number)


def _intend(
    table: Table, seats: Sequence[Seat], seat: Seat, bets: Sequence[object], now: datetime
) -> None:
    game, stack = game_from(table.game, table.options), format_of(table).funds(seat)
    require_none(no_new_hand(table, now))
    seat.next_bets = require_possible(game, seat.number, stack, bets)
    seat.ready_after = table.hands_dealt
    note_here(seat, now)
    seat.save(update_fields=["next_bets", "ready_after", *SIGNS])
    signals.report(signals.Occasion.ACTED, seat.player_id, table.pk, now)
    hurry(table, seats, now)
    store_table(table)


def latest_moves(table: Table) -> list[Move]:
    """The moves of the rounds that were dealt last and have ended, the newest round first."""
    return MOVES_AFTER(*_latest(table))


def read_of_latest_moves(table: Table) -> Read:
    return MOVES_AFTER, _latest(table)


def _latest(table: Table) -> tuple[int, int]:
    return table.pk, table.hands_dealt - ROUNDS_MAX


def last_bets(seat: Seat, latest: Iterable[Move]) -> Bets:
    """Return a player's bets in the last round in which they bet, in the order of placing.

    Of the moves of the latest rounds, those are the player's that were made since they sat down.
    """
    rounds: dict[int, list[dict[str, Any]]] = {}
    for move in latest:
        if move.seat == seat.number and move.at >= seat.sat_down_at and _is_of_betting(move):
            rounds.setdefault(move.hand_id, []).append(move.action)
    return next(filter(None, map(left_of_bets, rounds.values())), [])
