"""The model behind the suggestions: what an arrangement can expect to win from one opponent.

The opponent is a player of the same game who arranges well. How strong such players' rows are was
measured by letting the solver play against itself until its arrangements no longer changed; of each
row the share of opponents below any value is kept in `populations.py`, and so is how often they
declare which natural. Against that crowd every row has a chance to win and to lose, a gain (its own
price when it wins) and a cost (the winner's price when it loses).

Doublings and extra points depend on several rows together: the extra point of Chinese poker on who
wins more rows, the Taiwanese scoop of all three, the Fujian doublings on who loses none. They are
reckoned as if an opponent's three rows had nothing to do with each other; in self-play all three
were won from 12 of 100 opponents, and so the model said, for weak hands and strong. A sweep also
needs the other two opponents, who are taken to be strangers to the first; how often one who has won
all three rows becomes a sweep was counted in self-play.

The model's omissions: the cards a player holds are missing from the opponents' hands; a strong back
often comes with a weak front; stacks and exchanges. Where a banker plays the others, it takes
banker and punters for players of one kind. The points are per opponent.
"""

from bisect import bisect_right
from collections.abc import Callable, Mapping
from functools import cache, lru_cache, partial
from typing import Final, NamedTuple, Protocol

from games.rules.poker import CATEGORY_SHIFT, MAIN_RANK_SHIFT, Category, category
from games.rules.thirteen.banking import HongkongManner
from games.rules.thirteen.chinese_poker import STRAIGHTS_AND_FLUSHES, ChinesePoker
from games.rules.thirteen.fujian import ThirteenFujian
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.populations import POPULATIONS
from games.rules.thirteen.showdown import BACK, FRONT, MIDDLE, Shown
from games.rules.thirteen.taiwan import BASE_UNITS, ThirteenTaiwan

SHARE_UNIT: Final = 10_000
SUIT_STEPS: Final = 3
# Categories in which no two rows of one deck have equal ranks, so that suits decide nothing.
NEVER_EQUAL: Final = (Category.THREE, Category.FULL_HOUSE, Category.FOUR)


class RowWorth(NamedTuple):
    """The worth of a row against the crowd.

    The chances to win and lose by a row without premium are separate, for an extra point that a
    premium forfeits. The chances not to lose the row and not to win it follow from the others, and
    are reckoned once for all arrangements that the row is tried in.
    """

    points: float
    win: float
    lose: float
    gain: float
    cost: float
    price: int
    win_plain: float
    lose_plain: float
    kept: float
    let: float


# The places of an arrangement's rows in their game's order.
Orders = tuple[int, int, int]
Together = Callable[[RowWorth, RowWorth, RowWorth], float]


class RowShares(NamedTuple):
    """The strength of opponents' rows: at certain values, the share of rows below."""

    values: tuple[int, ...]
    shares: tuple[float, ...]

    def below(self, value: float) -> float:
        """The share of rows below a value; between two known values it rises evenly."""
        above = bisect_right(self.values, value)
        if above == 0:
            return 0.0
        if above == len(self.values):
            return 1.0
        start, end = self.values[above - 1], self.values[above]
        low, high = self.shares[above - 1], self.shares[above]
        return low + (high - low) * (value - start) / (end - start)


class Population(NamedTuple):
    """The crowd: its rows, the naturals it declares (real or wild), and its home runs."""

    rows: tuple[RowShares, RowShares, RowShares]
    naturals: Mapping[tuple[Natural, bool], float]
    # Of those who win all three rows from one opponent, how many do so from all.
    home_run: float

    @property
    def arranged(self) -> float:
        """The share of hands that are arranged, not declared."""
        return 1.0 - sum(self.naturals.values())


class ExpectedPoints:
    """The expected points of rows and naturals in one game, for the banker or for anyone else."""

    def __init__(self, game: ThirteenGame, population: Population, *, is_banker: bool) -> None:
        self.game = game
        self.population = population
        self.is_banker = is_banker
        self.together, self.together_at_most = _together(game, population, is_banker)
        self.suit_bits = 2 if isinstance(game, ChinesePoker) else 0
        self._rows: dict[tuple[int, int], RowWorth] = {}
        self._highest = tuple(HighestTerms(self.terms, row, self.suit_bits) for row in range(3))
        self._highest_points = tuple(HighestPoints(terms) for terms in self._highest)
        self._crowd = [
            (share, Shown(0, (), False, natural, wild))
            for (natural, wild), share in population.naturals.items()
        ]
        self._from_naturals = self._from_crowd(Shown(1, (), False, None, False))

    def terms(self, row: int, order: int) -> RowWorth:
        known = self._rows.get((row, order))
        if known is None:
            known = self._rows[row, order] = self._row(row, order)
        return known

    def highest_terms(self, row: int) -> Mapping[int, RowWorth]:
        return self._highest[row]

    def highest_points(self, row: int) -> Mapping[int, float]:
        return self._highest_points[row]

    def of_rows(self, orders: Orders) -> float:
        """The points of an arrangement, opponents who declare included."""
        return self.of_worth(worth(self, orders))

    def of_worth(self, points: float) -> float:
        return points * self.population.arranged + self._from_naturals

    def of_natural(self, natural: Natural, wild: bool) -> float:
        """The points of declaring a natural."""
        mine = Shown(1, (), False, natural, wild)
        against_rows = self._compare(mine, Shown(0, (), False, None, False))
        return against_rows * self.population.arranged + self._from_crowd(mine)

    def _from_crowd(self, mine: Shown) -> float:
        """Return what a hand gets from those who declare, weighted by how many they are."""
        return sum(share * self._compare(mine, theirs) for share, theirs in self._crowd)

    def _compare(self, mine: Shown, theirs: Shown) -> int:
        others = [Shown(seat, (), False, None, False) for seat in (2, 3)]
        table = (mine, theirs, *others)
        if self.game.bet_limits is None or self.is_banker:
            return sum(score.points for score in self.game.compare(mine, theirs, table))
        return -sum(score.points for score in self.game.compare(theirs, mine, table))

    def _row(self, row: int, order: int) -> RowWorth:
        value = order >> self.suit_bits
        kind = category(value)
        below = self.population.rows[row].below
        won_under, lost_from = self._bounds(order, kind)
        win, lose = below(won_under), 1.0 - below(lost_from)
        price = self.game.row_prices.get((row, kind), 1)
        cost, lose_plain = lose, lose
        for (at, rich), points in self.game.row_prices.items():
            if at == row:
                start = max(lost_from, rich << CATEGORY_SHIFT)
                share = max(0.0, below(rich + 1 << CATEGORY_SHIFT) - below(start))
                cost += (points - 1) * share
                lose_plain -= share
        gain = price * win
        win_plain = win if price == 1 else 0.0
        lose_plain = max(0.0, lose_plain)
        kept, let = 1.0 - lose, 1.0 - win
        return RowWorth(gain - cost, win, lose, gain, cost, price, win_plain, lose_plain, kept, let)

    def _bounds(self, order: int, kind: Category) -> tuple[float, float]:
        """The row wins from what is under the first value and loses to all from the second on."""
        game = self.game
        if (
            isinstance(game, HongkongManner | ThirteenTaiwan)
            and game.banker_eats_ties
            and game.bet_limits is not None
        ):
            point = (order >> MAIN_RANK_SHIFT) + self.is_banker << MAIN_RANK_SHIFT
            return point, point
        value, suit = order >> self.suit_bits, order & (1 << self.suit_bits) - 1
        if isinstance(game, ChinesePoker) and _suits_decide(game, kind):
            # Three other suits could be the opponent's; so many of them are lower.
            return value + suit / SUIT_STEPS, value + suit / SUIT_STEPS
        return value, value + 1


class HighestTerms(dict[int, RowWorth]):
    """By a row's value without suits: its worth with the best suits, reckoned when asked for."""

    def __init__(self, terms: Callable[[int, int], RowWorth], row: int, suit_bits: int) -> None:
        super().__init__()
        self._terms = terms
        self._row = row
        self._suit_bits = suit_bits

    def __missing__(self, value: int) -> RowWorth:
        terms = self[value] = self._terms(self._row, (value + 1 << self._suit_bits) - 1)
        return terms


class HighestPoints(dict[int, float]):
    """The points alone, for those who ask a thousand times."""

    def __init__(self, terms: HighestTerms) -> None:
        super().__init__()
        self._terms = terms

    def __missing__(self, value: int) -> float:
        points = self[value] = self._terms[value].points
        return points


class _Worth(Protocol):
    """Something that knows the worth of rows: this model, or another objective of the solver."""

    def terms(self, row: int, order: int) -> RowWorth: ...
    def together(self, front: RowWorth, middle: RowWorth, back: RowWorth) -> float: ...


def worth(objective: _Worth, orders: Orders) -> float:
    """Return what three rows are worth by their places in the game's order."""
    front, middle, back = (objective.terms(row, orders[row]) for row in (FRONT, MIDDLE, BACK))
    return front.points + middle.points + back.points + objective.together(front, middle, back)


@lru_cache(maxsize=16)
def expected_points(game: ThirteenGame, is_banker: bool = False) -> ExpectedPoints:
    """The model of a table; what it has reckoned is kept, as the same rows come again and again."""
    return ExpectedPoints(game, _population(manner(game)), is_banker=is_banker)


def manner(game: ThirteenGame) -> str:
    """Return the crowd at a table; only options that change how players arrange change it."""
    match game:
        case ChinesePoker():
            return f"chinese_{game.table}"
        case ThirteenTaiwan():
            return "taiwan"
        case ThirteenFujian():
            return f"fujian_{game.jokers}"
    return "hongkong"


@cache
def _population(name: str) -> Population:
    return read_population(POPULATIONS[name])


def read_population(stored: Mapping[str, str]) -> Population:
    """A crowd as it is stored: rows as `value:share`, in hexadecimal and ten thousandths."""
    front, middle, back = (_read_row(stored[name]) for name in ("front", "middle", "back"))
    naturals = {}
    for entry in stored["naturals"].split():
        name, kind, share = entry.split(":")
        naturals[Natural(name), kind == "wild"] = int(share) / SHARE_UNIT
    return Population((front, middle, back), naturals, int(stored["home_run"]) / SHARE_UNIT)


def _read_row(text: str) -> RowShares:
    pairs = [entry.split(":") for entry in text.split()]
    values = tuple(int(value, 16) for value, _ in pairs)
    return RowShares(values, tuple(int(share) / SHARE_UNIT for _, share in pairs))


def _suits_decide(game: ChinesePoker, kind: Category) -> bool:
    if kind in STRAIGHTS_AND_FLUSHES:
        return True
    return kind not in NEVER_EQUAL and not game.residual_tie


# The joint value of rows, game by game, with the most that rows not above these can earn.


def _together(
    game: ThirteenGame, population: Population, is_banker: bool
) -> tuple[Together, Together]:
    match game:
        case ChinesePoker(table="plain"):
            return _majority, _majority
        case ChinesePoker(extra_point="no_premium"):
            return _majority_without_premium, _majority_at_most
        case ThirteenTaiwan():
            equals = game.bet_limits is None
            runs = population.arranged**2 if is_banker or equals else 0.0
            victim = population.home_run if equals or not is_banker else 0.0
            shot = partial(_shot, runs, victim)
            return shot, shot
        case ThirteenFujian():
            doubled = partial(_doubled, population.arranged**2, population.home_run)
            return doubled, doubled
    return _nothing, _nothing


def _nothing(_front: RowWorth, _middle: RowWorth, _back: RowWorth) -> float:
    return 0.0


def _majority(front: RowWorth, middle: RowWorth, back: RowWorth) -> float:
    """The chance to win more rows than one loses, less the chance of the opposite.

    This is the mean sign of x + y + z, where each is 1, -1 or 0 for a row won, lost or tied. The
    sign is a polynomial: half of x + y + z - xyz, and half of x once more where y and z are tied.
    """
    _, x_win, x_lose, _, _, _, _, _, _, _ = front
    _, y_win, y_lose, _, _, _, _, _, _, _ = middle
    _, z_win, z_lose, _, _, _, _, _, _, _ = back
    x, y, z = x_win - x_lose, y_win - y_lose, z_win - z_lose
    x_tie, y_tie, z_tie = 1.0 - x_win - x_lose, 1.0 - y_win - y_lose, 1.0 - z_win - z_lose
    tied = x * y_tie * z_tie + x_tie * (y * z_tie + y_tie * z)
    return (x + y + z - x * y * z + tied) / 2.0


def _majority_without_premium(front: RowWorth, middle: RowWorth, back: RowWorth) -> float:
    """The same where no row may be won with a premium: none counts except with two that may."""
    ties = [1.0 - row.win - row.lose for row in (front, middle, back)]
    means = [row.win_plain - row.lose_plain for row in (front, middle, back)]
    plain = [row.win_plain + row.lose_plain for row in (front, middle, back)]
    mean = -means[0] * means[1] * means[2]
    for row, first, second in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
        both = (plain[first] + ties[first]) * (plain[second] + ties[second])
        mean += means[row] * (both + ties[first] * ties[second])
    return mean / 2.0


def _majority_at_most(front: RowWorth, middle: RowWorth, back: RowWorth) -> float:
    """The chance to win more rows: a lower row wins no more, but may not forfeit the point."""
    tied = [1.0 - row.win - row.lose for row in (front, middle, back)]
    x, y, z = front.win, middle.win, back.win
    single_win = x * tied[1] * tied[2] + y * tied[0] * tied[2] + z * tied[0] * tied[1]
    return x * y + x * z + y * z - 2.0 * x * y * z + single_win


def _shot(runs: float, victim: float, front: RowWorth, middle: RowWorth, back: RowWorth) -> float:
    """Base units doubled for all three rows, and once more for a home run."""
    won = front.win * middle.win * back.win
    lost = front.lose * middle.lose * back.lose
    shots = BASE_UNITS * (won - lost)
    return shots + 2 * BASE_UNITS * (runs * won**3 - victim * lost)


def _doubled(
    runs: float, victim: float, front: RowWorth, middle: RowWorth, back: RowWorth
) -> float:
    """All that passes doubled when one loses no row, and twice more for a home run."""
    _, x_win, x_lose, x_gain, x_cost, x_price, _, _, x_kept, x_let = front
    _, y_win, y_lose, y_gain, y_cost, y_price, _, _, y_kept, y_let = middle
    _, z_win, z_lose, z_gain, z_cost, z_price, _, _, z_kept, z_let = back
    won = x_gain * y_kept * z_kept + x_kept * (y_gain * z_kept + y_kept * z_gain)
    lost = x_cost * y_let * z_let + x_let * (y_cost * z_let + y_let * z_cost)
    run = (x_price + y_price + z_price) * (x_win * y_win * z_win) ** 3
    swept = x_cost * y_lose * z_lose + x_lose * (y_cost * z_lose + y_lose * z_cost)
    return won - lost + 2.0 * (runs * run - victim * swept)
