"""The hand that a table shows, who plays it, and how it stands.

Each process remembers the hands that run, since everybody who looks sees the same moves. The secret
of a hand's shoe is part of what it is remembered by: no other hand of that number has the same.
"""

from collections.abc import Sequence
from functools import lru_cache
from typing import Any, Final

from games.hands import game_of, state_of
from games.models import Hand, HandSeat, Move, Seat, Table
from games.rules.contract import AnyGame, State

HANDS_REMEMBERED: Final = 256


def hand_shown(table: Table) -> tuple[Hand | None, Sequence[HandSeat]]:
    """The hand that runs, in the pause after it the one that has just ended, and who plays it."""
    if table.hand_id is not None:
        return live_hand(table)
    if table.phase == Table.Phase.WAITING and not table.hands_dealt:
        return None, ()
    last = Hand.objects.filter(table=table).select_related("shoe").order_by("-pk").first()
    if last is None or last.status != Hand.Status.FINISHED:
        return None, ()
    return last, players_of(last)


def live_hand(table: Table) -> tuple[Hand, Sequence[HandSeat]]:
    """The hand that runs and its players: neither changes before it ends."""
    assert table.hand_id is not None
    return _hand_and_players(table.hand_id, table.shoe.secret if table.shoe else "")


@lru_cache(HANDS_REMEMBERED)
def _hand_and_players(hand_id: int, _secret: str) -> tuple[Hand, Sequence[HandSeat]]:
    """No two hands of a number lie in shoes of the same secret."""
    hand = Hand.objects.select_related("shoe").get(pk=hand_id)
    return hand, players_of(hand)


def standing(hand: Hand, game: AnyGame, table: Table) -> tuple[tuple[Move, ...], State]:
    """The moves of a hand, and how it stands after them."""
    if table.hand_id == hand.pk:
        return _replayed(hand, hand.shoe.secret, table.moves_made)
    moves = tuple(hand.moves.order_by("number"))
    return moves, state_of(hand, game, moves)


@lru_cache(HANDS_REMEMBERED)
def _replayed(hand: Hand, _secret: str, made: int) -> tuple[tuple[Move, ...], State]:
    """A hand after so many moves, which never change: most look at what another just has.

    The secret of its shoe tells it from any other of that number.
    """
    moves = tuple(hand.moves.filter(number__lt=made).order_by("number"))
    return moves, state_of(hand, game_of(hand), moves)


def players_of(hand: Hand | None) -> Sequence[HandSeat]:
    """Who plays the hand that is shown."""
    return () if hand is None else list(hand.seats.select_related("player"))


def player_at(players: Sequence[HandSeat], number: int) -> Any:
    return next((one.player_id for one in players if one.number == number), None)


def names_in(hand: Hand | None, seats: Sequence[Seat]) -> dict[int, str]:
    """The players of a hand by their seats, and those who have sat down since."""
    return names_of(players_of(hand), seats)


def names_of(players: Sequence[HandSeat], seats: Sequence[Seat]) -> dict[int, str]:
    names = {seat.number: seat.player.username for seat in seats}
    return names | {one.number: one.player.username for one in players}
