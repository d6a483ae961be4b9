"""A bot for the thirteen-card games.

It arranges as the solver finds best against the crowd that sits at such tables, and declares a
natural when that can expect more. As a punter it bets the least. In the Philippine manner it gives
away the three cards that leave the best middle and back, and as banker it orders an exchange when
its own hand is one that can expect to lose.
"""

from collections import defaultdict
from collections.abc import Mapping
from typing import Final

from games.bots.simulate import Bot
from games.rules.contract import Action
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.model import ExpectedPoints, RowWorth, expected_points
from games.rules.thirteen.showdown import FRONT, lowest_three
from games.rules.thirteen.solver import best_split, rank_hand
from games.rules.thirteen.state import Bet, Exchange, Give
from games.rules.thirteen.suggest import suggest_best
from games.rules.thirteen.view import ThirteenView

NOTHING: Final = RowWorth(0.0, 0.0, 0.0, 0.0, 0.0, 1, 0.0, 0.0, 1.0, 1.0)


def play_best(game: ThirteenGame, view: ThirteenView) -> Action:
    """Return the bot's action for what it sees."""
    is_banker = view.seat == view.banker
    if view.phase == "bet":
        return _least_bet(game, view)
    if view.phase == "exchange":
        expected = suggest_best(game, view.hand, is_banker=True).expected
        return Exchange(1 if expected < 0 else 0)
    if view.phase == "give":
        return _gift(game, view, expected_points(game, is_banker))
    return suggest_best(game, view.hand, is_banker=is_banker).action


def play_house(game: ThirteenGame, view: ThirteenView) -> Action:
    """The house's move for an absent player."""
    if view.phase == "bet":
        return _least_bet(game, view)
    if view.phase == "exchange":
        return Exchange(0)
    if view.phase == "give":
        return Give(lowest_three(view.hand))
    return game.arrange_for(view.hand)


STRATEGIES: Final[dict[str, Bot[ThirteenGame, ThirteenView]]] = {
    "best": play_best,
    "house": play_house,
}


def _least_bet(game: ThirteenGame, view: ThirteenView) -> Bet:
    assert game.bet_limits is not None
    stack = next(stake.stack for stake in view.stakes if stake.seat == view.seat)
    return Bet(min(game.bet_limits[0], stack))


def _gift(game: ThirteenGame, view: ThirteenView, model: ExpectedPoints) -> Give:
    """The front of the arrangement that is best when a front is worth nothing."""
    split = best_split(rank_hand(game, view.hand), _WithoutFront(model))
    return Give(split.rows[FRONT] if split else lowest_three(view.hand))


class _WithoutFront:
    """Expected points of the middle and the back alone."""

    def __init__(self, model: ExpectedPoints) -> None:
        self._model = model

    def terms(self, row: int, order: int) -> RowWorth:
        return NOTHING if row == FRONT else self._model.terms(row, order)

    def highest_terms(self, row: int) -> Mapping[int, RowWorth]:
        return defaultdict(lambda: NOTHING) if row == FRONT else self._model.highest_terms(row)

    def highest_points(self, row: int) -> Mapping[int, float]:
        return defaultdict(float) if row == FRONT else self._model.highest_points(row)

    def together(self, _front: RowWorth, _middle: RowWorth, _back: RowWorth) -> float:
        return 0.0

    together_at_most = together
