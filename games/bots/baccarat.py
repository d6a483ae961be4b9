"""Baccarat players: nothing can be decided but what to bet on, so each has its favourite.

Every strategy bets the table's least on its spot, once, and is done; with a stack too short it is
done at once. `best` bets where the house has the smallest edge.
"""

from functools import partial
from typing import Final

from games.bots.simulate import Bot
from games.rules.baccarat.game import (
    SPOTS,
    BaccaratTable,
    BaccaratView,
    Bet,
    Spot,
)
from games.rules.contract import Action
from games.rules.house.actions import Done


def bet_on(spot: Spot, game: BaccaratTable, view: BaccaratView) -> Action:
    """The smallest bet on one spot, then none."""
    placed = any(wager.seat == view.seat for wager in view.wagers)
    stack = next(stake.stack for stake in view.stakes if stake.seat == view.seat)
    return Done() if placed or stack < game.min else Bet(spot, game.min)


def best(game: BaccaratTable, view: BaccaratView) -> Action:
    """Banker at a table with commission; player without, and wherever the note is literal."""
    banker = game.commission_bp > 0 and not game.banker_note_literal
    return bet_on("banker" if banker else "player", game, view)


def house(game: BaccaratTable, view: BaccaratView) -> Action:
    """The house's move for an absent player: no bet."""
    return Done()


STRATEGIES: Final[dict[str, Bot[BaccaratTable, BaccaratView]]] = {
    "best": best,
    "house": house,
    **{spot: partial(bet_on, spot) for spot in SPOTS},
}
QUICK: Final = (*("banker",) * 9, *("player",) * 9, "tie", "player_pair", "banker_pair")
