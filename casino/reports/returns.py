"""Whether games keep what they promise: the hold of each bet beside the share the rules give.

The standard error is that of a ratio over the hands, as stakes differ. A bet that lies more than
four standard errors off is flagged: chance alone does so once in 16,000 times.
"""

from collections.abc import Iterator
from fractions import Fraction
from math import sqrt
from typing import Any, Final

from django.utils.translation import gettext
from django.utils.translation import gettext_lazy as _

from casino.reports.figures import Figures
from casino.reports.grouping import Group, described, group_of, key_columns
from casino.reports.promises import promised
from casino.reports.rake import percent
from casino.reports.report import By, Column, Row
from casino.reports.revenue import HANDLE, HANDS
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
        self.reckoned = True

    def add(self, sums: TableSums, edge: Fraction | None) -> None:
        self.sums.add(sums)
        self.reckoned &= edge is not None
        self.promised += (edge or 0) * sums.handle

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
        """How many standard errors the hold lies off the promise."""
        error = self.error
        if not self.reckoned or not error:
            return None
        return float((self.sums.kept - self.promised) / self.sums.handle) / error

    @property
    def drifts(self) -> bool:
        off = self.off
        return off is not None and abs(off) > DRIFTS and self.sums.counted >= HANDS_LEAST


class Returns:
    name = "returns"
    title = _("Returns")
    allowed: tuple[By, ...] = ("game", "day", "table", "profile")

    def columns(self, by: By) -> list[Column]:
        return [
            *key_columns(by),
            Column("bet", _("Bet")),
            HANDS,
            HANDLE,
            Column("kept", _("Kept by the house"), "money", "hands"),
            Column("hold", _("Hold"), "percent"),
            Column("promised", _("Promised"), "percent"),
            Column("low", _("At least, 95%"), "percent"),
            Column("high", _("At most, 95%"), "percent"),
            Column("error", _("Standard error"), "percent"),
            Column("off", _("Standard errors off"), "number"),
            Column("verdict", _("Verdict")),
        ]

    def rows(self, span: Span, by: By) -> Iterator[Row]:
        found = held_by(Figures(span), by)
        row_of = described({group for group, _bet in found}, by)
        for group, bet in sorted(found, key=str):
            held = found[group, bet]
            if not held.sums.handle:
                continue
            yield row_of(group) | _row(bet, held)


def _row(bet: str, held: Held) -> dict[str, Any]:
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
    return gettext("drifts") if held.drifts else gettext("as promised")


def held_by(figures: Figures, by: By) -> dict[tuple[Group, str], Held]:
    """The bets against the house by group; all bets of a hand together have an empty name."""
    settings = figures.settings()
    found: dict[tuple[Group, str], Held] = {}
    parts: dict[Place, Fraction | None] = {}
    whole: list[tuple[Place, TableSums]] = []
    for place, bet, sums in figures.tables(bets=True):
        if not against_house(place.game):
            continue
        if bet == WHOLE:
            whole.append((place, sums))
            continue
        edge = promised(*settings[place.profile]).get(bet)
        found.setdefault((group_of(place, by), bet), Held()).add(sums, edge)
        before = parts.get(place, Fraction(0))
        parts[place] = None if edge is None or before is None else before + edge * sums.handle
    for place, sums in whole:
        due = parts.get(place)
        edge = None if due is None or not sums.handle else due / sums.handle
        found.setdefault((group_of(place, by), WHOLE), Held()).add(sums, edge)
    return found
