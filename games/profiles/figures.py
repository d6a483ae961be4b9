"""Figures of a game's options: the house's share of each bet, or its rake of each hand.

Against the house the rules say it (`games.rules.analysis.figures`); among players it is averaged
over hands of bots, as are the decisions of a round against the house, and its rake if it has any.
"""

from collections.abc import Iterator
from typing import Final

from games.profiles.sampling import RAKE, sample_hands
from games.rules.analysis.figures import bank_figures, exact_bets, samples_of
from games.rules.contract import AnyGame
from games.rules.house.figure import MAIN, Figure, Progress

__all__ = ["MAIN", "Figure", "exact_bets", "figures", "wanted"]

# How many hands among players a figure is averaged over.
HANDS: Final = 2_000
# And how many rounds against the house: Russian poker takes a worker half a minute for so many.
ROUNDS: Final = 400


def wanted(game: AnyGame) -> int:
    """Return the number of steps for the progress bar while figures are calculated."""
    return samples_of(game) + ROUNDS if game.against_house else HANDS


def figures(game: AnyGame, stack: int, seed: str, tell: Progress) -> list[Figure]:
    """All figures of a game; `tell` gets the number of finished steps, and may stop it."""
    if game.against_house:
        found, before = list(bank_figures(game, seed, tell)), samples_of(game)
        rounds = _sampled(game, stack, ROUNDS, seed, lambda done: tell(before + done))
        # Without a rake there is nothing to say of it.
        return [*found, *(one for one in rounds if one.key != RAKE or one.mean)]
    return list(_sampled(game, stack, HANDS, seed, tell))


def _sampled(game: AnyGame, stack: int, hands: int, seed: str, tell: Progress) -> Iterator[Figure]:
    for key, mean in sample_hands(game, stack, hands, seed, tell).items():
        yield Figure(key, mean.mean, mean.error, hands)
