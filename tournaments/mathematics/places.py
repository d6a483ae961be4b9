"""Final places: the order of eliminations, and the order of the players who are left.

**Elimination.** A player is out when a hand, paid in full, leaves no chips, or fewer than the line
of a knock-out. A player who is out later places higher. Of those who go out in the same hand, the
one who had more chips at the start of the hand places higher; if these are equal, the event's draw
decides: the lower number drawn places higher. Hands that tables play in step (hand-for-hand, a
knock-out, rounds) count as the same hand.

**The end.** When play ends with several players left (the rounds are over, or fewer are left than
the game needs), they place by what they have: score, match points or chips. Those who have the same
finish level: they share the prizes of their places (`payouts.py`), and the draw puts them in order.
"""

from collections.abc import Iterable, Mapping
from itertools import groupby
from typing import NamedTuple


class Out(NamedTuple):
    """A player who went out: with the chips at the start of that hand, and the number drawn."""

    entry: int
    stack: int
    drawn: int


def best_first(outs: Iterable[Out]) -> list[Out]:
    """Those who went out in the same hand, the one who places highest first."""
    return sorted(outs, key=lambda out: (-out.stack, out.drawn))


def ranking(scores: Mapping[int, int], drawn: Mapping[int, int]) -> list[list[int]]:
    """Groups of players with the same score, the highest first; the lower number drawn leads."""
    ordered = sorted(scores, key=lambda entry: (-scores[entry], drawn[entry]))
    return [list(group) for _, group in groupby(ordered, key=lambda entry: scores[entry])]
