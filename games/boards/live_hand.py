"""The hand that a table shows, who plays it, and its state after the moves made so far."""

from collections.abc import Sequence
from typing import NamedTuple

from games.models import Hand, HandSeat, Move, Seat, Table
from games.rules.contract import AnyGame, State
from games.tables.copies import COPIES, live_hand
from games.tables.live_hands import Standing, last_hand_of, players_of
from games.tables.replay import game_of, state_of
from games.words.naming import player_title


class HandAtTable(NamedTuple):
    """The hand that a table shows, after the moves made so far.

    The state holds hidden cards: it is for views of the game, and never leaves the process.
    """

    hand: Hand
    game: AnyGame
    players: Sequence[HandSeat]
    moves: tuple[Move, ...]
    state: State


def hand_at(table: Table) -> HandAtTable | None:
    """The hand that a table shows; None between two hands if the last was not paid."""
    hand, players = hand_shown(table)
    if hand is None:
        return None
    game = game_of(hand)
    moves, state = standing(hand, game, table)
    return HandAtTable(hand, game, players, moves, state)


def hand_shown(table: Table) -> tuple[Hand | None, Sequence[HandSeat]]:
    """The live hand, in the pause after it the hand that has just ended, and who plays it."""
    if table.hand_id is not None:
        live = live_hand(table)
        return live.hand, live.players
    COPIES.forget_live(table)
    if table.phase == Table.Phase.WAITING and not table.hands_dealt:
        return None, ()
    last = last_hand_of.first(table.pk)
    if last is None or last.status != Hand.Status.FINISHED:
        return None, ()
    return last, players_of(last)


def standing(hand: Hand, game: AnyGame, table: Table) -> Standing:
    """The moves of the hand that is shown, and its state after them."""
    if table.hand_id == hand.pk:
        return live_hand(table).after(table.moves_made)
    moves = tuple(hand.moves.order_by("number"))
    return Standing(moves, state_of(hand, game, moves))


def player_at(players: Sequence[HandSeat], number: int) -> int | None:
    return next((one.player_id for one in players if one.number == number), None)


def names_in(hand: Hand | None, seats: Sequence[Seat]) -> dict[int, str]:
    """The players of a hand by their seats, and those who have sat down since."""
    return names_of(players_of(hand), seats)


def names_of(players: Sequence[HandSeat], seats: Sequence[Seat]) -> dict[int, str]:
    names = {seat.number: player_title(seat.player.username, seat.player.is_bot) for seat in seats}
    return names | {
        one.number: player_title(one.player.username, one.player.is_bot) for one in players
    }
