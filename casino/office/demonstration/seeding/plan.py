"""The times and tables of the hands of a made-up history: more in the evening."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta
from itertools import accumulate, pairwise
from typing import Final, NamedTuple

from wallets.values.days import ONE_DAY, start_of

# The parts of a gaming day, three hours each, and how much of its play falls into each.
PARTS: Final = (6, 9, 14, 20, 24, 18, 6, 3)
PART: Final = timedelta(hours=3)
# Monday to Sunday.
WEEK: Final = (9, 9, 10, 11, 16, 19, 14)
# Tables open a little after the beginning of a part, and are empty before its end.
EDGE: Final = timedelta(minutes=15)
# So many hands at most are played and written together: memory does not depend on the history.
SLICE_HANDS: Final = 2_000


class Part(NamedTuple):
    """A part of a day with the number of its hands."""

    start: datetime
    hands: int

    @property
    def opens(self) -> datetime:
        return self.start + EDGE

    @property
    def closes(self) -> datetime:
        return self.start + PART - EDGE


def portions(total: int, weights: Sequence[int]) -> list[int]:
    """Whole portions of a total by weight; they add up to the total."""
    whole = sum(weights)
    reached = [total * upto // whole for upto in accumulate(weights)]
    return [upto - before for before, upto in zip([0, *reached], reached, strict=False)]


def days(
    hands: int, count: int, last: date, *, grows: bool = False
) -> list[tuple[date, list[Part]]]:
    """The days up to the last one, each with its parts.

    In a house that grows, the last day has three times the hands of the first.
    """
    dates = [last - ONE_DAY * ago for ago in range(count - 1, -1, -1)]
    sizes = range(count, 3 * count, 2) if grows else [1] * count
    of_days = portions(
        hands, [WEEK[day.weekday()] * size for day, size in zip(dates, sizes, strict=True)]
    )
    found = []
    for day, of_day in zip(dates, of_days, strict=True):
        begins = start_of(day)
        parts = [
            Part(begins + PART * number, some)
            for number, some in enumerate(portions(of_day, PARTS))
        ]
        found.append((day, parts))
    return found


def slices(part: Part) -> list[tuple[datetime, datetime]]:
    """The beginnings and ends of the slices into which a part of a day is cut."""
    count = max(1, -(-part.hands // SLICE_HANDS))
    span = part.closes - part.opens
    inner = [part.opens + span * number / count for number in range(1, count)]
    edges = [part.start, *inner, part.start + PART]
    return list(pairwise(edges))


def starts(part: Part, hands: int) -> list[datetime]:
    """Return when the hands of a table begin, evenly over a part of a day."""
    span = part.closes - part.opens
    return [part.opens + span * number / max(hands, 1) for number in range(hands)]
