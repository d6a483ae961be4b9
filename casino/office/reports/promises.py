"""The promised hold of a bet: from the rules, if it involves no decision;
otherwise what best play leaves the house, with the error of that figure.

How people play is not known, so the house may hold more of a main bet than is promised, and only
less is wrong. The pools' share of a bonus bet is paid back some day, so both sides leave it out, as
they do the house's own payments into pools: no table pays it.
"""

from collections.abc import Mapping
from fractions import Fraction
from functools import lru_cache
from typing import Final, NamedTuple

import msgspec

from casino.office.reports.sums import MAIN
from games.profiles.main_bets import main_figure
from games.rules.analysis.edges import house_edges
from games.rules.contract import AnyGame
from games.tables.replay import game_from
from wallets.values.errors import Refused

_PROFILES: Final = 256


# Figures that were sampled are no more exact than this.
_PARTS: Final = 10**12


class Promise(NamedTuple):
    """The share that the house keeps on average, and how far off that may be."""

    edge: Fraction
    error: float = 0.0
    # Whether it is what the best play leaves: others leave more.
    at_best: bool = False


def exact_edges(game: str, options: Mapping[str, object]) -> dict[str, Fraction]:
    """By bet without a decision: the share that the house keeps on average."""
    found, _played = _exact(game, msgspec.json.encode(options, order="sorted"))
    return {bet: promise.edge for bet, promise in found.items()}


def promised(game: str, options: Mapping[str, object]) -> dict[str, Promise]:
    """By bet: what is promised."""
    found, played = _exact(game, msgspec.json.encode(options, order="sorted"))
    main = None if played is None else main_figure(played)
    if main is None:
        return found
    edge = Fraction(main.mean).limit_denominator(_PARTS)
    return found | {MAIN: Promise(edge, main.error or 0.0, at_best=True)}


@lru_cache(maxsize=_PROFILES)
def _exact(game: str, options: bytes) -> tuple[dict[str, Promise], AnyGame | None]:
    try:
        played = game_from(game, msgspec.json.decode(options))
    except Refused:
        # Options that no rules read any more promise nothing.
        return {}, None
    return {bet: Promise(edge) for bet, edge in house_edges(played).items()}, played
