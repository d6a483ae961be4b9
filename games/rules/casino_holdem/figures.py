"""The house's share at casino hold'em against the rule that players can learn, in antes."""

from collections.abc import Iterator, Mapping
from random import Random
from typing import Final

from games.rules.casino_holdem.calling import rule_is_call
from games.rules.casino_holdem.edges import strategy_edge
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.house.figure import MAIN, Figure, Progress

SAMPLES: Final = 20_000
# So many deals at once, between two looks at how far it is.
CHUNK: Final = 2_000


def main_bet(_game: CasinoHoldem, seed: str, tell: Progress) -> Figure:
    """Chunks are averaged, so the error is what theirs together is."""
    random, chunks = Random(seed), SAMPLES // CHUNK  # noqa: S311 # a seed # nosec B311
    total = squares = 0.0
    for number in range(chunks):
        estimate = strategy_edge(rule_is_call, CHUNK, random)
        total += estimate.mean
        squares += estimate.standard_error**2
        tell((number + 1) * CHUNK)
    return Figure(MAIN, total / chunks, squares**0.5 / chunks, SAMPLES)


def other_bets(_game: CasinoHoldem) -> Iterator[Figure]:
    return iter(())


def decisive(_game: CasinoHoldem) -> Mapping[str, object]:
    return {}
