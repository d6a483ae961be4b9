"""Players of high card: `best` stays with a nine or better, and `house` folds for the absent."""

from typing import Final

from games.bots.simulate import Bot
from games.rules.contract import Action
from high_card.game import Fold, HighCard, HighCardView, Stay

NINE: Final = 9


def best(_game: HighCard, view: HighCardView) -> Action:
    return Stay() if view.hand[0].rank >= NINE else Fold()


def house(_game: HighCard, _view: HighCardView) -> Action:
    return Fold()


STRATEGIES: Final[dict[str, Bot[HighCard, HighCardView]]] = {"best": best, "house": house}
