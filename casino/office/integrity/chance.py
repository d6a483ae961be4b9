"""The statistics of chance: pure functions over sums of results, without a database.

A result `u` is measured in bets, and counts with its weight `w`, the size of the bet: the total is
the sum of `w·u`, and its variance the sum of `w²` times the variance of one bet. All results of the
house say how one bet spreads (`Shape`): variance, skewness and tails. A bound has so many standard
errors that an honest total exceeds it with a stated probability; it is corrected for skewness and
tails by the expansion of Cornish and Fisher, since few games have bells for results.

Totals are looked at again and again as hands are played. Each look spends a part of the error that
one player may cost (`PLAYER_ERROR`), so all looks at all games together stay within it.
"""

from collections.abc import Sequence
from dataclasses import astuple, dataclass
from math import comb, exp, log, log1p, sqrt
from statistics import NormalDist
from typing import Final, NamedTuple

# One honest player in so many may be flagged, over all looks.
PLAYER_ERROR: Final = 1e-4
# The look at this number of hands has most of the error; the later ones double it.
MAIN_LOOK: Final = 2_500
EARLY_LOOKS: Final = (313, 625, 1_250)
MAIN_SHARE: Final = 0.75
EARLY_SHARE: Final = 0.125
# Of the error, the first game that a player has enough hands in has this part, and each further one
# this part of what is left.
FIRST_GAME: Final = 0.75
# An honest player may be better than the others by so much of a standard deviation a hand.
SKILL: Final = 0.005
# The expansion holds for small corrections; beyond this it says nothing more.
CORRECTION_MAX: Final = 3.0

_NORMAL: Final = NormalDist()


@dataclass(slots=True)
class Shape:
    """The spread of single results: the sums of their first four powers."""

    count: int = 0
    first: float = 0.0
    second: float = 0.0
    third: float = 0.0
    fourth: float = 0.0

    def add(self, value: float) -> None:
        square = value * value
        self.count += 1
        self.first += value
        self.second += square
        self.third += square * value
        self.fourth += square * square

    def centred(self) -> "Shape":
        """The same results, each less their mean."""
        if not self.count:
            return Shape()
        m = self.first / self.count
        second = self.second - self.count * m * m
        third = self.third - 3 * m * self.second + 2 * self.count * m**3
        fourth = self.fourth - 4 * m * self.third + 6 * m * m * self.second
        return Shape(self.count, 0.0, second, third, fourth - 3 * self.count * m**4)

    @property
    def variance(self) -> float:
        """Around nothing, which is what a fair result is on average."""
        return self.second / self.count if self.count else 0.0

    @property
    def skewness(self) -> float:
        spread = self.variance
        return self.third / self.count / spread**1.5 if spread else 0.0

    @property
    def excess(self) -> float:
        """The excess of the tails over those of a normal distribution."""
        spread = self.variance
        return max(0.0, self.fourth / self.count / spread**2 - 3) if spread else 0.0


@dataclass(slots=True)
class Total:
    """The results of one player, or between two, each with its weight."""

    count: int = 0
    total: float = 0.0
    # Sums of the squared results, and of the second and fourth powers of the weights.
    squares: float = 0.0
    weights2: float = 0.0
    weights4: float = 0.0

    def add(self, result: float, weight: float = 1.0) -> None:
        square = weight * weight
        self.count += 1
        self.total += weight * result
        self.squares += square * result * result
        self.weights2 += square
        self.weights4 += square * square

    @property
    def effective(self) -> float:
        """As many hands with equal bets say as much: one huge bet among small ones is one hand."""
        return self.weights2 * self.weights2 / self.weights4 if self.weights4 else 0.0


class Verdict(NamedTuple):
    score: float
    bound: float

    @property
    def beyond(self) -> bool:
        return self.score > self.bound


def quantile(error: float) -> float:
    """Return the standard errors that a normal value exceeds with this probability."""
    return -_NORMAL.inv_cdf(error)


def bound(error: float, shape: Shape, hands: float) -> float:
    """The quantile of a sum of so many results of this shape."""
    z = quantile(error)
    root = sqrt(hands)
    skewed = shape.skewness * (z * z - 1) / (6 * root)
    tailed = shape.excess * (z**3 - 3 * z) / (24 * hands)
    return z + min(max(skewed + tailed, 0.0), CORRECTION_MAX)


def looks_at(hands: float) -> int:
    """Return how many checkpoints this many hands have passed."""
    if hands < MAIN_LOOK:
        return sum(hands >= least for least in EARLY_LOOKS)
    return len(EARLY_LOOKS) + 1 + int(hands / MAIN_LOOK).bit_length() - 1


def share_of(look: int) -> float:
    """The part of the error that a look may spend, counted from one; all of them add up to one."""
    main = len(EARLY_LOOKS) + 1
    if look < main:
        return EARLY_SHARE / len(EARLY_LOOKS)
    if look == main:
        return MAIN_SHARE
    return (1 - MAIN_SHARE - EARLY_SHARE) / 2.0 ** (look - main)


def error_of(look: int, game: int = 0, *, player_error: float = PLAYER_ERROR) -> float:
    """Return the part of the error for a checkpoint at the player's first, second … game."""
    return player_error * FIRST_GAME * (1 - FIRST_GAME) ** game * share_of(look)


# Pairs are looked at from so many hands on, and again whenever these have doubled.
PAIR_LOOK: Final = 40
# The error of a player is shared by so many pairs, and by the two questions about each.
PAIRS: Final = 400


def pair_looks_at(hands: int) -> int:
    """Return how many checkpoints of a pair this many hands have passed."""
    return (hands // PAIR_LOOK).bit_length()


def pair_error_of(look: int) -> float:
    return PLAYER_ERROR / PAIRS / 2.0**look


def wins_beyond(total: Total, house: Shape, error: float) -> Verdict:
    """Whether a player wins more than chance and skill explain.

    The variance is that of the house's results, or the player's own where they choose wilder bets.
    """
    own = max(0.0, total.squares - total.total**2 / max(total.count, 1))
    deviation = sqrt(max(house.variance * total.weights2, own))
    if not deviation:
        return Verdict(0.0, quantile(error))
    hands = total.effective
    return Verdict(total.total / deviation - SKILL * sqrt(hands), bound(error, house, hands))


def flows_beyond(total: Total, house: Shape, error: float) -> Verdict:
    """Whether more has gone from one of a pair to the other than chance and skill explain.

    Between two players neither direction is the likelier, so skewness does not count.
    """
    even = Shape(house.count, 0.0, house.second, 0.0, house.fourth)
    forward = Total(*astuple(total))
    forward.total = abs(total.total)
    return wins_beyond(forward, even, error / 2)


def helped_beyond(total: Total, house: Shape, error: float) -> Verdict:
    """Whether one of a pair gains more against the other than against all other players.

    The advantage of a role is no help: all results are measured from what it is on average.
    """
    central, mean = house.centred(), house.first / max(house.count, 1)
    squares = total.squares - 2 * mean * total.total + total.count * mean * mean
    gained = Total(
        total.count, total.total - total.count * mean, squares, total.weights2, total.weights4
    )
    return wins_beyond(gained, central, error)


def at_least(found: int, of: int, rate: float) -> float:
    """The probability of so many or more of so many tries, each with this rate."""
    if found <= 0:
        return 1.0
    if found > of or not 0 < rate < 1:
        return 1.0 if rate >= 1 and found <= of else 0.0
    term = exp(log(comb(of, found)) + found * log(rate) + (of - found) * log1p(-rate))
    result = term
    for number in range(found, of):
        term *= (of - number) / (number + 1) * rate / (1 - rate)
        result += term
        if term < result * 1e-12:
            break
    return min(1.0, result)


class Rhythm(NamedTuple):
    """Response times of one player: how their logarithms spread, and how many are too fast."""

    acts: int
    spread: float
    fast: int


# So many acts are looked at together.
ACTS: Final = 300
# Below this a person has not seen what they answer.
FAST_SECONDS: Final = 0.15
# People's response times differ by a factor of two and more; a program's by a few percent.
SPREAD_LEAST: Final = 0.12
FAST_PART: Final = 3


def rhythm_of(acts: int, logs: float, squares: float, fast: int) -> Rhythm:
    mean = logs / acts
    return Rhythm(acts, sqrt(max(0.0, squares / acts - mean * mean)), fast)


def rhythm_of_times(times: Sequence[float]) -> Rhythm:
    logs = [log(time) for time in times]
    fast = sum(time < FAST_SECONDS for time in times)
    return rhythm_of(len(times), sum(logs), sum(logarithm * logarithm for logarithm in logs), fast)


def is_a_programs(rhythm: Rhythm) -> bool:
    """Whether no person answers so evenly, or so fast so often."""
    return rhythm.acts >= ACTS and (
        rhythm.spread < SPREAD_LEAST or rhythm.fast * FAST_PART > rhythm.acts
    )


def bound_of_tries(of: int, rate: float, error: float) -> int:
    """Return how many of so many tries an honest player has by chance, but for this error."""
    successes = 0
    while successes <= of and at_least(successes + 1, of, rate) > error:
        successes += 1
    return successes
