"""The players of a made-up history: they play as the house's quicker bots, for varying bets."""

from random import Random
from typing import Any, Final, NamedTuple

from msgspec.structs import replace

from games.bots.simulate import Strategy, quick_strategies, strategies
from games.rules.contract import Action, AnyGame, State, View
from games.rules.errors import Illegal

TIMES_LEAST: Final = (1, 1, 1, 2, 2, 3, 5)
BONUS_CHANCE: Final = 0.4


class Made(NamedTuple):
    """A move, and the state after it."""

    action: Action
    after: State


class Player:
    """One style of play at a game, with its own random numbers."""

    def __init__(self, game: AnyGame, chances: Random) -> None:
        self._game, self._chances = game, chances
        self._known = strategies(game)

    def move(self, state: State, seat: int) -> Made:
        """Make the seat's move: a larger bet than the least if its stack allows it."""
        view: View = self._game.view(state, seat)
        action = self._style()(self._game, view)
        if type(action) is self._game.bet_action:
            larger: Action = self._larger(action)
            try:
                return Made(larger, self._game.apply(state, seat, larger))
            except Illegal:
                pass
        return Made(action, self._game.apply(state, seat, action))

    def _style(self) -> Strategy:
        quick = quick_strategies(self._game)
        return self._known[quick[0] if len(quick) == 1 else self._chances.choice(quick)]

    def _larger(self, bet: Any) -> Any:
        game: Any = self._game
        times = self._chances.choice(TIMES_LEAST)
        changed = {"amount": bet.amount * times}
        if hasattr(bet, "bonus") and self._chances.random() < BONUS_CHANCE:
            changed["bonus"] = game.bonus_min
        return replace(bet, **changed)
