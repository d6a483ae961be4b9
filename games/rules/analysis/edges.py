"""The bets at a table that pay their players on average, and how much: exact, as fractions.

It is asked before a table is opened with such options: only bets whose edge an option can turn are
looked at. What the pools get of a bonus bet they give back to players some day, so it is no gain of
the house; what a jackpot holds already is left out.
"""

from fractions import Fraction
from typing import Final

from games.rules.analysis import russian_poker
from games.rules.analysis.baccarat import exact_odds
from games.rules.analysis.blackjack import bonus as blackjack
from games.rules.analysis.casino_holdem_edges import bonus_odds
from games.rules.baccarat.game import BaccaratTable
from games.rules.blackjack.game import Blackjack
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.contract import AnyGame
from games.rules.house.bonus import BonusGame
from games.rules.russian_poker.game import RussianPoker

WHOLE_BP: Final = 10_000


def players_edges(game: AnyGame) -> dict[str, Fraction]:
    """Return what players win of a bet on average, by the word for the bet; often nothing."""
    return {bet: -edge for bet, edge in house_edges(game).items() if edge < 0}


def house_edges(game: AnyGame) -> dict[str, Fraction]:
    """Return what the house keeps of each bet on average that an option can turn against it."""
    if isinstance(game, BaccaratTable):
        odds = exact_odds(game, game.composition())
        return {str(spot): edge for spot, edge in odds.edges.items()}
    if isinstance(game, BonusGame):
        pools_bp = 0 if game.tournament else game.jackpot_bp + game.mystery_bp
        return {"bonus": _bonus_edge(game) - Fraction(pools_bp, WHOLE_BP)}
    return {}


def _bonus_edge(game: AnyGame) -> Fraction:
    """Return the house's share of a bonus bet while the jackpot is empty, pools included."""
    if isinstance(game, Blackjack):
        return blackjack.bonus_edge(game)
    if isinstance(game, CasinoHoldem):
        odds = bonus_odds(game)
        return odds.edge_with_wheel if game.wheel else odds.edge
    assert isinstance(game, RussianPoker)
    return russian_poker.bonus_edge(
        game, bonus_card=game.bonus_card, wheel=game.wheel, lucky_game=game.lucky_game
    )
