"""Two ways of playing Dou Dizhu against each other: each deal twice, with the sides swapped.

The result is how often the first wins as landlord and as farmers; `simulate --against` prints it.
The bidding of `best` decides the landlord, the same for both games of a deal; without a call, the
first caller plays for one point.
"""

import hashlib
from typing import Final

import msgspec

from games.bots.doudizhu import STRATEGIES, Strategy, call
from games.rules.contract import SeatStack
from games.rules.doudizhu.game import REDEALS_MAX, Doudizhu
from games.rules.doudizhu.state import DEALT, DoudizhuContext, DoudizhuState
from games.rules.shoe import perm
from wallets.values import AMOUNT_MAX

STAKES: Final = tuple(SeatStack(seat, AMOUNT_MAX) for seat in (1, 2, 3))


class Result(msgspec.Struct, frozen=True):
    """A match of two strategies: how often the first won in each part, and its points a game."""

    games: int
    as_landlord: float
    as_farmers: float
    overall: float
    points: float


def match(first: str, second: str, deals: int, seed: str, game: Doudizhu | None = None) -> Result:
    """Play each deal twice: the first strategy as landlord, then as both farmers."""
    # In the third round without a call, a tournament makes the first caller landlord.
    table = msgspec.structs.replace(game or Doudizhu(), point=1, tournament=True)
    bot, two = STRATEGIES[first], STRATEGIES[second]
    key = hashlib.sha256(seed.encode()).digest()
    landlord_wins = farmer_wins = points = 0
    for number in range(deals):
        called = _called(table, key, number)
        won = _landlord_net(table, called, bot, two)
        lost = _landlord_net(table, called, two, bot)
        landlord_wins += won > 0
        farmer_wins += lost < 0
        points += won - lost
    return Result(
        games=2 * deals,
        as_landlord=landlord_wins / deals,
        as_farmers=farmer_wins / deals,
        overall=(landlord_wins + farmer_wins) / (2 * deals),
        points=points / (2 * deals),
    )


def _called(game: Doudizhu, key: bytes, number: int) -> DoudizhuState:
    """A deal after its bidding."""
    shoe = game.composition()
    cards = [shoe[at] for at in perm(key, f"deal {number}".encode(), len(shoe))]
    wild = perm(key, f"wild {number}".encode(), DEALT)[0]
    state = game.open(STAKES, cards, DoudizhuContext(wild=wild, redeals=REDEALS_MAX))
    while state.phase == "call":
        state = game.apply(state, state.turn, call(game, game.view(state, state.turn)))
    return state


def _landlord_net(
    game: Doudizhu, state: DoudizhuState, landlord: Strategy, farmers: Strategy
) -> int:
    while state.phase == "play":
        strategy = landlord if state.turn == state.landlord else farmers
        action = strategy(game, game.view(state, state.turn))
        state = game.apply(state, state.turn, action)
    assert state.landlord is not None
    return game.settle(state).net[state.landlord]
