"""The house's share of the main bet and of insurance at blackjack."""

from collections.abc import Iterator, Mapping
from typing import Final

from games.rules.blackjack.analysis.bonus import insurance_edge
from games.rules.blackjack.analysis.edge import edge_of
from games.rules.blackjack.game import Blackjack
from games.rules.cards import Card
from games.rules.house.figure import MAIN, Figure, Progress

SAMPLES: Final = 1
INSURANCE: Final = "insurance"


def main_bet(game: Blackjack, _seed: str, _tell: Progress) -> Figure:
    """By basic strategy."""
    return Figure(MAIN, edge_of(game))


def other_bets(game: Blackjack) -> Iterator[Figure]:
    """Insurance, where the dealer shows an ace and nothing else has been seen."""
    shoe = list(game.composition())
    shoe.remove(Card("As"))
    yield Figure(INSURANCE, float(insurance_edge(shoe)))


def decisive(game: Blackjack) -> Mapping[str, object]:
    return {"hit_soft_17": game.hit_soft_17, "original_bets_only": game.original_bets_only}
