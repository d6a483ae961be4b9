"""Points for what the house expects to keep, and the levels that they lead to.

A point is the same at every game: ten minor units of edge or rake. A level counts for the month in
which it is reached, and for the next one, and in its currency: play money, which the house gives
away, leads to no level at which money is paid.
"""

from datetime import date, timedelta
from typing import Final, NamedTuple

from casino.community.promotions.rules.facts import HandFact
from games.rules.catalogue import GAMES

# In thousandths of a minor unit.
A_POINT: Final = 10_000
# What the house expects to keep of a bet by the usual rules, in hundred-thousandths.
EDGES: Final = {key: game.edge for key, game in GAMES.items() if game.edge}
# A bet at a game that does not declare it.
EDGE: Final = 1_000
_PER_MINOR: Final = 1_000
_PER_EDGE: Final = 100_000


class Level(NamedTuple):
    key: str
    # So many points in a month.
    points: int


LEVELS: Final = (
    Level("player", 0),
    Level("bronze", 100),
    Level("silver", 500),
    Level("gold", 2_000),
    Level("diamond", 8_000),
)


def kept_of(game: str, bet: int, rake: int) -> int:
    """What the house expects to keep, in thousandths of a minor unit."""
    return rake * _PER_MINOR + bet * EDGES.get(game, EDGE) * _PER_MINOR // _PER_EDGE


def level_of(this_month: int, last_month: int) -> int:
    """The number of the level by the better of two months; both in thousandths."""
    points = max(this_month, last_month) // A_POINT
    return max(number for number, level in enumerate(LEVELS) if points >= level.points)


def to_next(this_month: int) -> int | None:
    """How many points are missing to the next level; None on the highest."""
    points = this_month // A_POINT
    return next((level.points - points for level in LEVELS if level.points > points), None)


def month_of(day: date) -> date:
    return day.replace(day=1)


def month_before(month: date) -> date:
    return month_of(month - timedelta(days=1))


# By player, currency and month.
Months = dict[tuple[int, str, date], int]


class Points:
    """Points of players by currency and month, from facts in their order."""

    def __init__(self, months: Months | None = None) -> None:
        self.months: Months = months or {}

    def take(self, fact: HandFact, times: int) -> None:
        """Count a hand so many times; a negative number takes it back."""
        key = (fact.player, fact.currency, month_of(fact.day))
        self.months[key] = self.months.get(key, 0) + times * fact.kept

    def level(self, player: int, currency: str, day: date) -> int:
        month = month_of(day)
        earlier = self.months.get((player, currency, month_before(month)), 0)
        return level_of(self.months.get((player, currency, month), 0), earlier)
