"""The house's share of each bet of a game, as far as it is known without waiting.

Exact shares come from the rules, by the functions that the operator's preview uses. The main bets
of games in which a player decides take a worker minutes: those of the usual rules are reckoned
already, and a table with other rules shows them once a worker has reckoned such rules.
"""

from functools import lru_cache
from typing import Any

from games.models import ProfileVersion
from games.profiles import figures, reckoning
from games.profiles.figures import MAIN, Figure
from games.profiles.main_bets import main_figure
from games.rules.analysis.edges import NO_SEEDS
from games.rules.analysis.pools import PoolTerms
from games.rules.catalogue import against_house
from games.rules.contract import AnyGame
from wallets.values.errors import Refused

# So many sets of options stay in memory: each is reckoned in a third of a second.
GAMES_KEPT = 256


def known_figures(
    game: AnyGame, version: ProfileVersion | None, terms: PoolTerms = NO_SEEDS
) -> list[Figure]:
    """The figures of a game against the house, the main bet first; none among players."""
    if not against_house(game.key):
        return []
    main = (version and _of_version(version)) or main_figure(game)
    # Every game is a frozen struct, though the contract does not say that it can be hashed.
    options: object = game
    return [*([main] if main else []), *_exact(options, terms)]


def _of_version(version: ProfileVersion) -> Figure | None:
    try:
        return reckoning.figures_of(reckoning.of_version(version)).get(MAIN)
    except Refused:
        # The rules read the options of this version no more.
        return None


@lru_cache(maxsize=GAMES_KEPT)
def _exact(game: Any, terms: PoolTerms) -> tuple[Figure, ...]:
    return tuple(figures.exact_bets(game, terms))
