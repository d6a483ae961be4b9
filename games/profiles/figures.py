"""What the options of a game do: what the house keeps of each bet, or takes of each hand.

Exact where the rules can reckon it; where they cannot, an average over deals drawn from a seed,
with its standard error. Shares are of the bet named; amounts are in minor units. Nothing of it is
money that moves, so figures may be floats.
"""

from collections.abc import Callable, Iterator, Mapping
from itertools import count, islice
from random import Random
from typing import Any, Final

from msgspec import Struct

from games.profiles.sampling import Progress, sample_hands
from games.rules.analysis.blackjack.bonus import insurance_edge
from games.rules.analysis.blackjack.edge import edge_of
from games.rules.analysis.casino_holdem import rule_is_call
from games.rules.analysis.casino_holdem_edges import strategy_edge
from games.rules.analysis.edges import house_edges
from games.rules.analysis.russian_poker import average_worth
from games.rules.cards import DECK, Card
from games.rules.catalogue import against_house
from games.rules.contract import AnyGame
from games.rules.russian_poker.game import RussianPoker
from games.rules.shoe import perm

MAIN: Final = "main"
INSURANCE: Final = "insurance"

# How many hands, deals or samples a figure is averaged over.
SAMPLES: Final = {"casino_holdem": 20_000, "russian_poker": 6_000}
HANDS: Final = 2_000
# So many deals at once, between two looks at how far it is.
CHUNK: Final = 2_000


class Figure(Struct, frozen=True):
    """One figure: `key` is the bet, or what is averaged; no error means that it is exact."""

    key: str
    mean: float
    error: float | None = None
    samples: int = 0


def wanted(game: AnyGame) -> int:
    """How many steps there are to count while the figures are reckoned."""
    if against_house(game.key):
        return SAMPLES.get(game.key, 1)
    return HANDS


def figures(game: AnyGame, stack: int, seed: str, tell: Progress) -> list[Figure]:
    """All figures of a game; `tell` hears how many steps are done, and may stop it."""
    if not against_house(game.key):
        return list(_among_players(game, stack, seed, tell))
    return [*_main_bets(game, seed, tell), *exact_bets(game)]


def exact_bets(game: AnyGame) -> Iterator[Figure]:
    """The bets whose shares the rules reckon exactly, in a third of a second."""
    for bet, edge in house_edges(game).items():
        yield Figure(bet, float(edge))
    if game.key in FURTHER_BETS:
        yield FURTHER_BETS[game.key](game)


def _insurance(game: Any) -> Figure:
    """Blackjack, where the dealer shows an ace and nothing else has been seen."""
    shoe = list(game.composition())
    shoe.remove(Card("As"))
    return Figure(INSURANCE, float(insurance_edge(shoe)))


def _main_bets(game: AnyGame, seed: str, tell: Progress) -> Iterator[Figure]:
    """The edge of the main bet: baccarat has none beside its spots, which are exact."""
    if game.key in MAIN_BETS:
        yield MAIN_BETS[game.key](game, seed, tell)
    tell(wanted(game))


def _playing(game: Any, _seed: str, _tell: Progress) -> Figure:
    """Blackjack by its basic strategy."""
    return Figure(MAIN, edge_of(game))


def _calling(_game: AnyGame, seed: str, tell: Progress) -> Figure:
    """Casino hold'em against the rule that players can learn, in antes.

    Chunks are averaged, so the error is what theirs together is.
    """
    samples, random = SAMPLES["casino_holdem"], Random(seed)  # noqa: S311 # a seed # nosec B311
    chunks = samples // CHUNK
    total = squares = 0.0
    for number in range(chunks):
        estimate = strategy_edge(rule_is_call, CHUNK, random)
        total += estimate.mean
        squares += estimate.standard_error**2
        tell((number + 1) * CHUNK)
    return Figure(MAIN, total / chunks, squares**0.5 / chunks, samples)


def _drawing(game: RussianPoker, seed: str, tell: Progress) -> Figure:
    """Russian poker with the best play, in antes."""
    samples, key = SAMPLES["russian_poker"], seed.encode().ljust(32)[:32]

    def deals() -> Iterator[list[Card]]:
        for number in islice(count(), samples):
            if number % (CHUNK // 10) == 0:
                tell(number)
            yield [DECK[at] for at in perm(key, str(number).encode(), len(DECK))[:6]]

    average = average_worth(game, game.min, deals(), samples // 20)
    return Figure(MAIN, -average.mean, average.standard_error, samples)


FURTHER_BETS: Final[Mapping[str, Callable[[Any], Figure]]] = {"blackjack": _insurance}
MAIN_BETS: Final[Mapping[str, Callable[[Any, str, Progress], Figure]]] = {
    "blackjack": _playing,
    "casino_holdem": _calling,
    "russian_poker": _drawing,
}


def _among_players(game: AnyGame, stack: int, seed: str, tell: Progress) -> Iterator[Figure]:
    for key, mean in sample_hands(game, stack, HANDS, seed, tell).items():
        yield Figure(key, mean.mean, mean.error, HANDS)
