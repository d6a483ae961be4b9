"""Whether games keep what they promise: the hold of each bet beside the share the rules give.

The standard error is that of a ratio over the hands, as stakes differ. A bet that lies more than
four standard errors off is flagged: chance alone does so once in 16,000 times. Of a main bet the
promise is what the best play leaves the house, so only a hold below it is flagged.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import hypot, sqrt
from typing import Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.reports.behind_hands import HOUSE
from casino.reports.figures import Figures
from casino.reports.grouping import Group, described, group_of, key_columns
from casino.reports.promises import Promise, promised
from casino.reports.rake import percent
from casino.reports.report import By, Column, Row
from casino.reports.revenue import HANDLE
from casino.reports.spans import Span
from casino.reports.sums import MAIN, WHOLE, Place, TableSums
from games.rules.catalogue import against_house
from games.words.naming import term

DRIFTS: Final = 4
# Of so many standard errors is the interval that holds the truth 95 times in 100.
LIKELY: Final = 1.96
# With fewer hands the errors follow no bell.
HANDS_LEAST: Final = 100


class Held:
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


class Returns:
    name = "returns"
    title = _("Returns")
    allowed: tuple[By, ...] = ("game", "day", "table", "profile")

    def columns(self, by: By) -> list[Column]:
        return [
            *key_columns(by),
            Column("bet", _("Bet")),
            Column("hands", _("Hands"), "count", "flow", "hands", "counted"),
            HANDLE,
            Column("kept", _("Kept by the house"), "money", "flow", "hands"),
            Column("hold", _("Hold"), "percent", "ratio"),
            Column("promised", _("Promised"), "percent", "ratio"),
            Column("low", _("At least, 95%"), "percent", "ratio"),
            Column("high", _("At most, 95%"), "percent", "ratio"),
            Column("error", _("Standard error"), "percent", "ratio"),
            Column("off", _("Standard errors off"), "number", "ratio"),
            Column("verdict", _("Verdict")),
        ]

    def rows(self, span: Span, by: By) -> Iterator[Row]:
        found = held_by(Figures(span), by)
        row_of = described({group for group, _bet in found}, by)
        for group, bet in sorted(found, key=str):
            held = found[group, bet]
            if not held.sums.handle:
                continue
            row = row_of(group)
            row["_only"] |= {"against": HOUSE, "bet": bet}
            yield row | _row(bet, held)


def _row(bet: str, held: Held) -> dict[str, object]:
    sums, error = held.sums, held.error
    hold = percent(sums.kept, sums.handle)
    spread = None if error is None else 100 * LIKELY * error
    return {
        "bet": bet_in_words(bet),
        "_bet": bet,
        "_drifts": held.drifts,
        "hands": sums.counted,
        "handle": sums.handle,
        "kept": sums.kept,
        "hold": hold,
        "promised": float(100 * held.promised / sums.handle) if held.reckoned else None,
        "low": None if spread is None or hold is None else hold - spread,
        "high": None if spread is None or hold is None else hold + spread,
        "error": None if error is None else 100 * error,
        "off": held.off,
        "verdict": verdict(held),
    }


def bet_in_words(bet: str) -> str:
    if bet in (WHOLE, MAIN):
        return gettext("all bets") if bet == WHOLE else gettext("main bet")
    return str(term(bet))


def verdict(held: Held) -> str:
    if not held.reckoned:
        return gettext("not reckoned")
    if held.sums.counted < HANDS_LEAST:
        return gettext("too few hands")
    if held.drifts:
        return gettext("drifts")
    if held.off is not None and held.off > DRIFTS:
        return gettext("above best play")
    return gettext("as promised")


def held_by(figures: Figures, by: By) -> dict[tuple[Group, str], Held]:
    """The bets against the house by group; all bets of a hand together have an empty name."""
    promises = {
        profile: promised(game, options)
        for profile, (game, options) in figures.settings().items()
        if against_house(game)
    }
    found: dict[tuple[Group, str], Held] = {}
    parts: dict[Place, Held] = {}
    whole: list[tuple[Place, TableSums]] = []
    for place, bet, sums in figures.tables(bets=True):
        if not against_house(place.game):
            continue
        if bet == WHOLE:
            whole.append((place, sums))
            continue
        promise = promises[place.profile].get(bet)
        found.setdefault((group_of(place, by), bet), Held()).add(sums, promise)
        parts.setdefault(place, Held()).add(sums, promise)
    for place, sums in whole:
        due = parts.get(place, Held()).promise(sums.handle)
        found.setdefault((group_of(place, by), WHOLE), Held()).add(sums, due)
    return found
