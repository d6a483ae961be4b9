"""Stakes of levels as a table that is filled and shifted.

Figures are rounded to what players expect to read: two digits, the second one 0 or 5, such as 15,
20, 300 or 4,500. Below ten every number is used.
"""

from collections.abc import Sequence
from typing import Final

RISE_USUAL: Final = 1.5


def rounded(amount: float) -> int:
    """The nearest figure that players expect, at least 1."""
    if amount < 10:
        return max(1, round(amount))
    unit = 5 * 10 ** (len(str(int(amount))) - 2)
    return int(unit * round(amount / unit))


def filled(first: int, rise_percent: int, count: int) -> tuple[int, ...]:
    """So many stakes from the first one up, each at least 1 above the one before."""
    exact, stakes = float(first), [first]
    for _ in range(count - 1):
        exact *= 1 + rise_percent / 100
        stakes.append(max(rounded(exact), stakes[-1] + 1))
    return tuple(stakes)


def raised(stakes: Sequence[int]) -> tuple[int, ...]:
    """Each level gets the stake of the next one; the last one rises as it has done before."""
    return (*stakes[1:], _above(stakes))


def lowered(stakes: Sequence[int]) -> tuple[int, ...]:
    """Each level gets the stake of the one before; the first one falls as the second has risen."""
    rise = stakes[1] / stakes[0] if len(stakes) > 1 and stakes[0] else RISE_USUAL
    return (min(stakes[0], rounded(stakes[0] / max(rise, 1.0))), *stakes[:-1])


def _above(stakes: Sequence[int]) -> int:
    rise = stakes[-1] / stakes[-2] if len(stakes) > 1 and stakes[-2] else RISE_USUAL
    return max(rounded(stakes[-1] * max(rise, 1.0)), stakes[-1])
