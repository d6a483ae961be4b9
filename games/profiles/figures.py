"""Figures of a game's options: the house's share of each bet, or its rake of each hand.

Against the house the rules say it (`games.rules.analysis.figures`); among players it is averaged
over hands of bots.
"""

from collections.abc import Iterator
from typing import Final

from games.profiles.sampling import sample_hands
from games.rules.analysis.figures import (
    MAIN,
    Figure,
    Progress,
    bank_figures,
    exact_bets,
    samples_of,
)
from games.rules.contract import AnyGame

__all__ = ["MAIN", "Figure", "exact_bets", "figures", "wanted"]

# How many hands among players a figure is averaged over.
HANDS: Final = 2_000


def wanted(game: AnyGame) -> int:
    """Return the number of steps for the progress bar while figures are calculated."""
    return samples_of(game) if game.against_house else HANDS


def figures(game: AnyGame, stack: int, seed: str, tell: Progress) -> list[Figure]:
    """All figures of a game; `tell` hears how many steps are done, and may stop it."""
    if game.against_house:
        return list(bank_figures(game, seed, tell))
    return list(_among_players(game, stack, seed, tell))


def _among_players(game: AnyGame, stack: int, seed: str, tell: Progress) -> Iterator[Figure]:
    for key, mean in sample_hands(game, stack, HANDS, seed, tell).items():
        yield Figure(key, mean.mean, mean.error, HANDS)
