"""The hand that a table shows, who plays it, and its state after the moves made so far."""

from collections.abc import Sequence
from typing import NamedTuple

from games.models import Hand, HandSeat, Move, Seat, Table
from games.rules.contract import AnyGame, State
from games.tables.hand_cache import Once, players_of
from games.tables.table_cache import TABLE_CACHE, cached_hand
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
    # What was worked out about the hand, and its moves, at whichever version.
    known: Once


def hand_at(table: Table) -> HandAtTable | None:
    """The hand that a table shows; None between two hands if the last was not paid."""
    if table.hand_id is not None:
        live = cached_hand(table)
        return HandAtTable(live.hand, live.game, live.players, *live.after(table.moves_made), live)
    ended = TABLE_CACHE.ended_at(table) if table.hands_dealt else None
    TABLE_CACHE.forget_live(table)
    if ended is None:
        return None
    return HandAtTable(ended.hand, ended.game, ended.players, ended.moves, ended.state, ended)


def player_at(players: Sequence[HandSeat], number: int) -> int | None:
    return next((player.player_id for player in players if player.number == number), None)


def names_in(hand: Hand | None, seats: Sequence[Seat]) -> dict[int, str]:
    """The players of a hand by their seats, and those who have sat down since."""
    return names_of(players_of(hand), seats)


def names_of(players: Sequence[HandSeat], seats: Sequence[Seat]) -> dict[int, str]:
    """By seat. Players who still sit there have the newest names."""
    dealt = {player.number: player.player for player in players}
    sitting = {seat.number: seat.player for seat in seats}
    shown = sitting | {
        number: player
        for number, player in dealt.items()
        if number not in sitting or sitting[number].pk != player.pk
    }
    return {
        number: player_title(player.username, player.is_bot) for number, player in shown.items()
    }
