"""What a bet is promised to keep for the house: exact, from the rules, where nothing is decided.

Where a player decides, the return depends on how they play, and nothing is promised. What the pools
get of a bonus bet they give back some day, so it is left out on both sides.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Any, Final

import msgspec

from games.rules.analysis.edges import house_edges
from games.rules.errors import RulesError
from games.tables.replay import game_from

_PROFILES: Final = 256


def promised(game: str, options: Mapping[str, Any]) -> dict[str, Fraction]:
    """By bet: the share that the house keeps on average."""
    return _edges(game, msgspec.json.encode(options, order="sorted"))


@lru_cache(maxsize=_PROFILES)
def _edges(game: str, options: bytes) -> dict[str, Fraction]:
    try:
        return house_edges(game_from(game, msgspec.json.decode(options)))
    except RulesError:
        # Options that no rules read any more promise nothing.
        return {}
