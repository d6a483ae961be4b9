"""Prizes from a curve: how many are paid, and how steeply the prizes fall.

An operator chooses the percentage of entries that are paid and a shape. The curve gives one table
of shares for each number of paid places, so the prizes follow the size of the field.

**Places.** So many per cent of the entries are paid, rounded to the next place, at least one, and
at least two from four entries on. Equal prizes are tickets: they are rounded down, because a ticket
is paid for by whole entries.

**Shares.** Place p is worth (p + 0.6) to the power of -s, where s is the steepness of the shape.
Places from the tenth on share bands in which all prizes are equal. Shares are rounded down to a
tenth of a per cent, the smallest ones to a hundredth; the rest is added to the first place. Equal
prizes are one band, from which nothing is left over: the pool is divided by their number.
"""

from bisect import bisect_left
from collections.abc import Iterator
from typing import Final, Literal, NamedTuple

from tournaments.mathematics.payouts import (
    BASIS_POINTS,
    PLACES_MAX,
    ByFieldSize,
    ByPercentage,
    FieldTable,
    Payouts,
    Share,
)

Shape = Literal["equal", "flat", "even", "steep"]

PAID: Final = (5, 10, 15, 20, 25, 33, 50)
STEEPNESS: Final[dict[Shape, float]] = {"equal": 0.0, "flat": 0.6, "even": 1.0, "steep": 1.4}
OFFSET: Final = 0.6
# The numbers of paid places that have a table of their own, and the last places of the bands.
STEPS: Final = (*range(1, 11), 12, 15, 18, 21, 25, 30, 35, 40, 50, 60, 80, 100, 125, 150, 200, 300)
BANDS: Final = (*range(1, 10), 12, 15, 20, 30, 40, 60, 80, 100, 150, 200, 300)
TICKETS_MAX: Final = 100
# Shares above this many basis points are tenths of a per cent.
TENTH_FROM: Final = 50
# From so many entries on, two places are paid at least.
TWO_FROM: Final = 4


class Curve(NamedTuple):
    """The percentage of entries that are paid, and the shape of the prizes."""

    paid: int
    shape: Shape


CURVES: Final = tuple(Curve(paid, shape) for paid in PAID for shape in STEEPNESS)


def payouts_of(curve: Curve, entries_max: int) -> Payouts:
    tables = tuple(_tables(curve, min(entries_max, PLACES_MAX)))
    return ByPercentage(tables[0].shares) if len(tables) == 1 else ByFieldSize(tables)


def curve_of(payouts: Payouts, entries_max: int) -> Curve | None:
    """The curve that gives these payouts, if one does."""
    for curve in CURVES:
        if payouts_of(curve, entries_max) == payouts:
            return curve
    return None


def places_of(curve: Curve, entries: int) -> int:
    """How many places are paid with so many entries."""
    if curve.shape == "equal":
        return max(1, entries * curve.paid // 100)
    rounded = (entries * curve.paid + 50) // 100
    return max(rounded, 2 if entries >= TWO_FROM else 1)


def _tables(curve: Curve, entries_max: int) -> Iterator[FieldTable]:
    """A table for each step that a field of this size reaches; the first one begins with two."""
    fields = range(2, entries_max + 1)

    def places(entries: int) -> int:
        return places_of(curve, entries)

    # A field with one ticket more has its own table.
    steps = range(1, TICKETS_MAX + 1) if curve.shape == "equal" else STEPS
    reached = [step for step in steps if places(2) <= step <= places(fields[-1])]
    for step in reached:
        yield FieldTable(fields[bisect_left(fields, step, key=places)], _shares(curve.shape, step))


def _shares(shape: Shape, places: int) -> tuple[Share, ...]:
    if shape == "equal":
        return (Share(BASIS_POINTS // places, places),)
    weights = [(place + OFFSET) ** -STEEPNESS[shape] for place in range(1, places + 1)]
    total, shares, first = sum(weights), [], 0
    for last in (*(band for band in BANDS if band < places), places):
        band = weights[first:last]
        share = int(BASIS_POINTS * sum(band) / len(band) / total)
        if share > TENTH_FROM:
            share -= share % 10
        shares.append(Share(max(1, share), last - first))
        first = last
    rest = BASIS_POINTS - sum(share.share * share.places for share in shares[1:])
    return (Share(rest), *shares[1:])
