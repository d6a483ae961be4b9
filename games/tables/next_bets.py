"""Bets for the next round against the house, placed before it opens.

A player bets while the last result is still shown, or while a round runs without them. Such bets
are kept in the seat's row, as actions, and are placed when the round opens: all of them or none,
and the betting is over for this player. Until then no bet is placed, so nothing is at stake and a
new intention replaces the old one.
"""

from collections.abc import Sequence
from typing import Any, Final

from msgspec import to_builtins

from games.models import Seat
from games.models.prepared import UpdateRows
from games.rules.contract import Action, AnyGame, SeatStack, State
from games.rules.errors import Illegal, Unreadable
from games.rules.house.actions import Done, require_free
from games.tables.hand_state import read_actions
from wallets.values import AMOUNT_MAX

# More bets than the spots of any table.
BETS_MAX: Final = 30
WRITE_NEXT_BETS: Final = UpdateRows(Seat, ("next_bets",))


def first_state(game: AnyGame, number: int, stack: int) -> State:
    """A round that has just opened, with one seat: what it may bet is asked of this."""
    state: State = game.open([SeatStack(number, stack)], (), game.context_type())
    return state


def require_possible(
    game: AnyGame, number: int, stack: int, sent: Sequence[object]
) -> list[dict[str, object]]:
    """The bets as actions; refused are those that no seat with this stack could place."""
    actions = read_actions(game, sent)
    # What all of them need together is said, and not what the last one lacks.
    require_free(stack, cost_of(game, number, actions))
    _after(game, first_state(game, number, stack), number, actions)
    return [to_builtins(action) for action in actions]


def cost_of(game: AnyGame, number: int, actions: Sequence[Action]) -> int:
    """What bets take from a stack, with the bets that come with blind boxes."""
    rules: Any = game
    after = _after(game, first_state(game, number, AMOUNT_MAX), number, actions)
    cost: int = rules.committed(after, number)
    return cost


def again_needs(game: AnyGame, number: int, bets: Sequence[object]) -> int:
    """What a player's last bets would cost again; 0 if there are none, or they are impossible."""
    try:
        return cost_of(game, number, read_actions(game, bets))
    except (Illegal, Unreadable):
        return 0


def due(seat: Seat, game: AnyGame, state: State) -> list[Action]:
    """Return the bets that a seat has announced, and that it is done; nothing if impossible now."""
    if not seat.next_bets:
        return []
    try:
        actions = read_actions(game, seat.next_bets)
        _after(game, state, seat.number, actions)
    except (Illegal, Unreadable):
        return []
    return [*actions, Done()]


def clear(seats: Sequence[Seat]) -> None:
    """Forget what was said: the round has opened."""
    said = [seat for seat in seats if seat.next_bets is not None]
    for seat in said:
        seat.next_bets = None
    WRITE_NEXT_BETS(said)


def _after(game: AnyGame, state: State, number: int, actions: Sequence[Action]) -> State:
    for action in actions:
        state = game.apply(state, number, action)
    return state
