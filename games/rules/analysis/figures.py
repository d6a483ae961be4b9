"""Figures of a game's options against the house: what it keeps of each bet.

Exact where the rules can reckon it; where they cannot, an average over deals drawn from a seed,
with its standard error. The main bet, and bets besides those of `edges`, are in the module
`figures` of the family. Nothing of it is money that moves, so figures may be floats.
"""

from collections.abc import Iterator, Mapping
from typing import Protocol, cast

from games.rules.analysis.edges import NO_SEEDS, PoolTerms, house_edges
from games.rules.catalogue import GAMES, part_of
from games.rules.contract import AnyGame
from games.rules.house.figure import Figure, Progress


class FamilyFigures(Protocol):
    """The module `figures` of a family; one without it has only bets whose edges are exact."""

    # How many deals the main bet is averaged over; 1 if it is exact.
    SAMPLES: int

    def main_bet(self, game: object, seed: str, tell: Progress, /) -> Figure: ...

    def other_bets(self, game: object, /) -> Iterator[Figure]: ...

    def decisive(self, game: object, /) -> Mapping[str, object]:
        """The options that decide the main bet, and no others."""


def _figures_of(key: str) -> FamilyFigures | None:
    return cast(FamilyFigures | None, part_of(GAMES[key].family, "figures"))


def has_main_bet(key: str) -> bool:
    """Whether a game has a main bet whose edge depends on how it is played."""
    return _figures_of(key) is not None


def decisive_options(game: AnyGame) -> Mapping[str, object]:
    """The options that decide the edge of the main bet; limits, bonus bets and pools do not."""
    known = _figures_of(game.key)
    return known.decisive(game) if known else {}


def samples_of(game: AnyGame) -> int:
    """Return how many steps there are to count while the figures are reckoned."""
    known = _figures_of(game.key)
    return known.SAMPLES if known else 1


def bank_figures(
    game: AnyGame, seed: str, tell: Progress, terms: PoolTerms = NO_SEEDS
) -> Iterator[Figure]:
    """The main bet, unless its spots are exact, and then the exact bets."""
    if known := _figures_of(game.key):
        yield known.main_bet(game, seed, tell)
    tell(samples_of(game))
    yield from exact_bets(game, terms)


def exact_bets(game: AnyGame, terms: PoolTerms = NO_SEEDS) -> Iterator[Figure]:
    """The bets whose shares the rules compute, with what the house puts into their pools."""
    for bet, edge in house_edges(game, terms).items():
        yield Figure(bet, float(edge))
    if known := _figures_of(game.key):
        yield from known.other_bets(game)
