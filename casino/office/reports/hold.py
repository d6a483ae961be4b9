"""The hold of bets, the share that the rules promise the house, and the distance between the two.

The standard error is that of a ratio over the hands, as stakes differ. A bet more than four
standard errors off is flagged: chance alone does so once in 16,000 times. Of a main bet the promise
is what the best play leaves the house, so only a hold below it is flagged.
"""

from fractions import Fraction
from math import hypot, sqrt
from typing import Final

from django.utils.translation import gettext

from casino.office.reports.columns import By
from casino.office.reports.figures import Figures
from casino.office.reports.grouping import Group, group_of
from casino.office.reports.promises import Promise, promised
from casino.office.reports.sums import MAIN, WHOLE, Place, TableSums
from games.rules.catalogue import against_house
from games.words.naming import term

DRIFTS: Final = 4
# Of so many standard errors is the interval that holds the truth 95 times in 100.
LIKELY: Final = 1.96
# With fewer hands the errors follow no bell.
HANDS_LEAST: Final = 100


class BetHold:
    """The sums of one bet, with what was promised of its handle as far as the rules say it."""

    def __init__(self) -> None:
        self.sums = TableSums()
        self.promised = Fraction(0)
        # How far off the promise may be, as an amount; errors of one figure do not even out.
        self.uncertain = 0.0
        self.reckoned = True
        self.at_best = False

    def add(self, sums: TableSums, promise: Promise | None) -> None:
        self.sums.add(sums)
        if promise is None:
            self.reckoned = False
            return
        self.promised += promise.edge * sums.handle
        self.uncertain += promise.error * sums.handle
        self.at_best |= promise.at_best

    def promise(self, handle: int) -> Promise | None:
        """Return the promised share of a handle of all these bets together."""
        if not self.reckoned or not handle:
            return None
        return Promise(self.promised / handle, self.uncertain / handle, self.at_best)

    @property
    def error(self) -> float | None:
        """The standard error of the hold, as a share of the handle."""
        found, handle = self.sums, self.sums.handle
        if not handle or found.counted < 2:
            return None
        # Whole numbers up to the last step: squares of amounts outgrow what a float holds.
        squares = (
            found.kept_squares * handle**2
            - 2 * found.kept * handle * found.products
            + found.kept**2 * found.handle_squares
        )
        return sqrt(max(0, squares) / handle**4)

    @property
    def off(self) -> float | None:
        """The distance between hold and promise, in standard errors."""
        error = self.error
        if not self.reckoned or not error:
            return None
        error = hypot(error, self.uncertain / self.sums.handle)
        return float((self.sums.kept - self.promised) / self.sums.handle) / error

    @property
    def drifts(self) -> bool:
        """Whether neither chance explains it nor, above what best play leaves, how people play."""
        off = self.off
        if off is None or self.sums.counted < HANDS_LEAST:
            return False
        return off < -DRIFTS or (off > DRIFTS and not self.at_best)


def bet_in_words(bet: str) -> str:
    if bet in (WHOLE, MAIN):
        return gettext("all bets") if bet == WHOLE else gettext("main bet")
    return str(term(bet))


def verdict(held: BetHold) -> str:
    if not held.reckoned:
        return gettext("not calculated")
    if held.sums.counted < HANDS_LEAST:
        return gettext("too few hands")
    if held.drifts:
        return gettext("drifts")
    if held.off is not None and held.off > DRIFTS:
        return gettext("above best play")
    return gettext("as promised")


def held_by(figures: Figures, by: By) -> dict[tuple[Group, str], BetHold]:
    """The bets against the house by group; all bets of a hand together have an empty name."""
    promises = _promises(figures)
    found: dict[tuple[Group, str], BetHold] = {}
    parts: dict[Place, BetHold] = {}
    whole: list[tuple[Place, TableSums]] = []
    for place, bet, sums in figures.tables(bets=True):
        if not against_house(place.game):
            continue
        if bet == WHOLE:
            whole.append((place, sums))
            continue
        if place.profile not in promises:
            # Its first day has been stored since.
            promises = _promises(figures)
        promise = promises[place.profile].get(bet)
        found.setdefault((group_of(place, by), bet), BetHold()).add(sums, promise)
        parts.setdefault(place, BetHold()).add(sums, promise)
    for place, sums in whole:
        due = parts.get(place, BetHold()).promise(sums.handle)
        found.setdefault((group_of(place, by), WHOLE), BetHold()).add(sums, due)
    return found


def _promises(figures: Figures) -> dict[str, dict[str, Promise]]:
    """What the rules promise of each bet against the house, by profile."""
    return {
        profile: promised(game, options)
        for profile, (game, options) in figures.settings().items()
        if against_house(game)
    }
