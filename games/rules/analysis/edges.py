"""The bets at a table that pay their players on average, and how much: exact, as fractions.

It is asked before a table is opened with such options: only bets whose edge an option can turn are
looked at. What the pools get of a bonus bet they give back to players some day, so it is no gain of
the house, and what the house puts into a pool after a hit is a loss. What a jackpot holds already
is left out.
"""

from collections.abc import Iterator, Sequence
from fractions import Fraction
from functools import lru_cache
from itertools import accumulate, pairwise
from math import exp
from typing import Any, Final, NamedTuple

from msgspec import Struct, structs

from games.rules.baccarat.game import BaccaratTable
from games.rules.baccarat.odds import exact_odds
from games.rules.blackjack.analysis import bonus as blackjack
from games.rules.blackjack.game import Blackjack
from games.rules.casino_holdem.edges import bonus_odds, jackpot_ways
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.contract import AnyGame
from games.rules.house.bonus import BonusGame
from games.rules.russian_poker import best_play as russian_poker
from games.rules.russian_poker.game import RussianPoker

# After a hit the house fills a pool up to its seed, so a pool costs more than the shares that
# feed it. Costs are shares of a bonus bet, in the long run, where every bet is the smallest one;
# with larger bets the seed of a progressive jackpot weighs less. Where several games feed one
# pool, each is reckoned as if it fed the pool alone.

# The level of a pool is reckoned at so many points, until it no longer changes.
POINTS: Final = 600
ROUNDS_MAX: Final = 1_000
STEADY: Final = 1e-7


class PoolTerms(Struct, frozen=True):
    """How the house starts the pools of a table, in minor units.

    `seed` is what a progressive jackpot shows after a hit. A mystery prize begins with
    `mystery_seed` and falls between `lowest` and `highest`.
    """

    seed: int = 0
    mystery_seed: int = 0
    lowest: int = 0
    highest: int = 0


class JackpotLine(NamedTuple):
    """A line that wins a share of the jackpot, and at least so many bonus bets."""

    chance: float
    share: float
    least: float


def progressive_cost(share: float, lines: Sequence[JackpotLine], seed: float) -> float:
    """What a progressive jackpot costs of each bonus bet; the seed is in bonus bets.

    It is the share that feeds the pool, what the house puts in after hits, and what it adds where
    the share of a small pool is below the line's fixed odds.
    """
    hit = sum(line.chance for line in lines)
    if not hit:
        return share
    weights = [line.chance / hit for line in lines]
    levels = _levels(share / hit, lines, weights, seed)
    added = 0.0
    for line, weight in zip(lines, weights, strict=True):
        kept = 1 - line.share
        filled = kept * levels.lacking(seed / kept) if kept else seed
        topped = line.share * levels.lacking(line.least / line.share) if line.share else line.least
        added += weight * (filled + topped)
    return share + hit * added


def mystery_cost(share: float, stake: int, terms: PoolTerms) -> float:
    """What a mystery prize costs of each bonus bet of this stake.

    A prize is fed by what bets bring between the seed and the trigger; what the last one brings
    beyond the trigger is left for the next prize.
    """
    step = share * stake
    if not step or not terms.highest:
        return share
    seed, count = terms.mystery_seed, terms.highest - terms.lowest + 1
    # The triggers above the seed are equally likely; at most one bet is due at the others.
    above = min(count, max(0, terms.highest - seed))
    first = max(terms.lowest, seed + 1)
    waited = above * ((first + terms.highest) / 2 - seed) / count if above else 0.0
    left = (seed**2 + step**2) / (2 * step) if seed < step else seed
    fed = waited - (left - seed) + step / 2 * above / count + step * (1 - above / count)
    drawn, at_once = above * (first + terms.highest) / 2, (count - above) * seed
    return share * (drawn + at_once) / count / fed


class _Levels:
    """How likely a pool holds at most so much when it is hit, at points from the seed on."""

    def __init__(self, start: float, step: float, above: Sequence[float]) -> None:
        self._start, self._step = start, step
        below = [1 - chance for chance in above]
        parts = [step * (chance + other) / 2 for chance, other in pairwise(below)]
        self._sums = list(accumulate(parts, initial=0.0))

    def lacking(self, level: float) -> float:
        """Return how much the pool lacks to this level on average; 0 where it never lacks any."""
        place = (level - self._start) / self._step
        if place <= 0:
            return 0.0
        number = min(int(place), len(self._sums) - 1)
        if number == len(self._sums) - 1:
            return self._sums[-1] + (place - number) * self._step
        return self._sums[number] + (place - number) * (self._sums[number + 1] - self._sums[number])


def _levels(
    growth: float, lines: Sequence[JackpotLine], weights: Sequence[float], seed: float
) -> _Levels:
    """The level of a pool at a hit, in the long run; between hits it grows exponentially spread.

    `left` is how likely more than a level is left in the pool after a hit and the house's filling
    up, `above` how likely more than a level is in it at the next hit.
    """
    taken = sum(weight * line.share for line, weight in zip(lines, weights, strict=True))
    reach = growth * (2 / taken + 15)
    left = [0.0]
    # A few points find the shape in many rounds; all points then need few rounds.
    for count in (POINTS // 8, POINTS):
        step = reach / count
        start = [_at(left, number * (len(left) - 1) / count) for number in range(count + 1)]
        spots = [_spots(line.share, seed, step, count) for line in lines]
        left, above = _settled(start, exp(-step / growth), spots, weights)
    return _Levels(seed, step, above)


# The points of a level: which one is below it, and how far it is on the way to the next.
_Spots = list[tuple[int, float]]


def _spots(share: float, seed: float, step: float, count: int) -> _Spots:
    """For each point, the level before a hit that leaves the point; from the end on, none does."""
    if share >= 1:
        return []
    places = (((seed + number * step) / (1 - share) - seed) / step for number in range(count + 1))
    return [(int(place), place % 1) for place in places if place < count]


def _settled(
    left: list[float], decay: float, spots: Sequence[_Spots], weights: Sequence[float]
) -> tuple[list[float], list[float]]:
    """What is left after a hit and above a level before one, once rounds change them no more."""
    above, total = [0.0], sum(left)
    for _round in range(ROUNDS_MAX):
        above = [1.0]
        for chance, other in pairwise(left):
            above.append(decay * above[-1] + (1 - decay) * (chance + other) / 2)
        left = [0.0] * len(left)
        for weight, of_line in zip(weights, spots, strict=True):
            for number, (spot, part) in enumerate(of_line):
                left[number] += weight * (above[spot] + part * (above[spot + 1] - above[spot]))
        before, total = total, sum(left)
        if abs(total - before) <= STEADY * len(left):
            break
    return left, above


def _at(values: Sequence[float], place: float) -> float:
    number = int(place)
    if number >= len(values) - 1:
        return 0.0
    return values[number] + (place - number) * (values[number + 1] - values[number])


WHOLE_BP: Final = 10_000
# Of pools without a seed only what bets feed is paid out.
NO_SEEDS: Final = PoolTerms()
# What pools cost is computed to so many parts of a bet.
PARTS: Final = 10**9
KEPT: Final = 256


def players_edges(game: AnyGame, terms: PoolTerms = NO_SEEDS) -> dict[str, Fraction]:
    """Return what players win of a bet on average, by the word for the bet; often nothing."""
    return {bet: -edge for bet, edge in house_edges(game, terms).items() if edge < 0}


def house_edges(game: AnyGame, terms: PoolTerms = NO_SEEDS) -> dict[str, Fraction]:
    """Return what the house keeps of each bet on average that an option can turn against it."""
    if isinstance(game, BaccaratTable):
        odds = exact_odds(game, game.composition())
        return {str(spot): edge for spot, edge in odds.edges.items()}
    if isinstance(game, BonusGame):
        edge = _of_the_bonus(_any_share(game)).edge
        return {"bonus": edge + least_of_lines(game) - pools_cost(game, terms)}
    return {}


def least_of_lines(game: AnyGame) -> Fraction:
    """Return what `_bonus_edge` takes off for the fixed odds below the shares of a jackpot.

    It assumes an empty jackpot; in truth the pool pays them, and the house what the share lacks.
    """
    if not isinstance(game, BonusGame) or not game.has_jackpot:
        return Fraction(0)
    return sum((chance * least for chance, _share, least in _lines_of(game)), Fraction(0))


def jackpot_chance(game: AnyGame) -> Fraction:
    """Return how likely a bonus bet is to win a share of the jackpot; 0 in games without one."""
    if not isinstance(game, BonusGame) or not game.has_jackpot:
        return Fraction(0)
    return sum((chance for chance, _share, _least in _lines_of(game)), Fraction(0))


@lru_cache(maxsize=KEPT)
def pools_cost(game: Any, terms: PoolTerms) -> Fraction:
    """Return what the pools cost the house of a bonus bet: what feeds them, and what it adds."""
    if game.tournament:
        return Fraction(0)
    cost = Fraction(game.mystery_bp, WHOLE_BP)
    if terms.highest:
        cost = _parts(mystery_cost(game.mystery_bp / WHOLE_BP, game.bonus_min, terms))
    if not game.has_jackpot or not terms.seed:
        return cost + Fraction(game.jackpot_bp, WHOLE_BP)
    floats = [JackpotLine(*map(float, line)) for line in _lines_of(game)]
    share = game.jackpot_bp / WHOLE_BP
    return cost + _parts(progressive_cost(share, floats, terms.seed / game.bonus_min))


def _parts(share: float) -> Fraction:
    return Fraction(round(share * PARTS), PARTS)


class _Bonus(NamedTuple):
    """What a bonus bet is worth whatever share of it the pools get."""

    edge: Fraction
    lines: tuple[tuple[Fraction, Fraction, Fraction], ...]


@lru_cache(maxsize=KEPT)
def _of_the_bonus(game: Any) -> _Bonus:
    """Count the deals once for all shares: a manager who changes one waits for the answer."""
    return _Bonus(_bonus_edge(game), tuple(_jackpot_lines(game)) if game.has_jackpot else ())


def _any_share(game: Any) -> Any:
    """The game as `_of_the_bonus` keeps it: whether bets feed a jackpot matters, not how much."""
    return structs.replace(game, jackpot_bp=min(game.jackpot_bp, 1), mystery_bp=0)


def _lines_of(game: Any) -> tuple[tuple[Fraction, Fraction, Fraction], ...]:
    return _of_the_bonus(_any_share(game)).lines


def _jackpot_lines(game: AnyGame) -> Iterator[tuple[Fraction, Fraction, Fraction]]:
    """The lines that win a share of the jackpot: how likely, which share, and at least how much."""
    if isinstance(game, Blackjack):
        items = blackjack.bonus_lines(game).items()
    elif isinstance(game, CasinoHoldem):
        items = jackpot_ways(game).items()
    else:
        assert isinstance(game, RussianPoker)
        items = russian_poker.jackpot_ways(game).items()
    for combination, chance in items:
        if combination.share_bp:
            least = Fraction(*combination.least) if combination.least else Fraction(0)
            yield chance, Fraction(combination.share_bp, WHOLE_BP), least


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
