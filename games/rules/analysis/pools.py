"""What the pools of a bonus bet cost the house: the bets' shares, and what it puts in itself.

After a hit the house fills a pool up to its seed, so a pool costs more than the shares that feed
it. Costs are shares of a bonus bet, in the long run, where every bet is the smallest one; with
larger bets the seed of a progressive jackpot weighs less. Where several games feed one pool, each
is reckoned as if it fed the pool alone.
"""

from collections.abc import Sequence
from itertools import accumulate, pairwise
from math import exp
from typing import Final, NamedTuple

from msgspec import Struct

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
