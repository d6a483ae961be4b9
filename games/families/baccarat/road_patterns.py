"""The patterns that players look for on the big road: a good road (好路) is one they can name.

All are read off its true columns, and say what has been, never what will come.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby
from typing import Final

from django.utils.translation import gettext_lazy as _

from games.rules.baccarat.roads import SIDES, Result, Side

# From this many on, results in a row or columns of a kind are a pattern.
RUN: Final = 4
CHOPS: Final = 4
PAIRS_OF_RESULTS: Final = 3
TURNS: Final = 4
HABIT: Final = 3

NAMES: Final = {
    "long_banker": _("Long banker"),
    "long_player": _("Long player"),
    "single_chop": _("Single chop"),
    "double_chop": _("Double chop"),
    "one_banker_two_players": _("One banker, two players"),
    "one_player_two_bankers": _("One player, two bankers"),
    "banker_runs": _("Banker repeats"),
    "player_runs": _("Player repeats"),
    "banker_chops": _("Banker chops"),
    "player_chops": _("Player chops"),
}
Column = tuple[Side, int]


def marks_of(results: Sequence[Result]) -> list[str]:
    """The names of patterns on a road, in the reader's language."""
    return [str(NAMES[pattern]) for pattern in patterns(results)]


def patterns(results: Sequence[Result]) -> list[str]:
    """The patterns in which these results end, the plainest first."""
    columns = columns_of(results)
    lengths = [length for _side, length in columns]
    found = []
    if lengths and lengths[-1] >= RUN:
        found.append(f"long_{columns[-1][0]}")
    if _all_are(lengths[-CHOPS:], 1, CHOPS):
        found.append("single_chop")
    if _all_are(_whole(lengths, 2)[-PAIRS_OF_RESULTS:], 2, PAIRS_OF_RESULTS):
        found.append("double_chop")
    found += _turns(columns)
    # Most good roads are also a habit, which would say the same in weaker words.
    return found or [habit for side in SIDES for habit in _habits(side, columns)]


def columns_of(results: Sequence[Result]) -> list[Column]:
    """The true columns of the big road: whose they are, and how long."""
    winners: list[Side] = [result.winner for result in results if result.winner != "tie"]
    return [(side, len(list(run))) for side, run in groupby(winners)]


def _all_are(lengths: Sequence[int], length: int, count: int) -> bool:
    return len(lengths) == count and set(lengths) == {length}


def _whole(lengths: Sequence[int], length: int) -> Sequence[int]:
    """Drop the last column if it may still grow this long."""
    return lengths[:-1] if lengths and lengths[-1] < length else lengths


def _turns(columns: Sequence[Column]) -> Iterable[str]:
    """One side comes once each time and the other twice."""
    latest = columns[-TURNS:]
    if len(latest) < TURNS:
        return
    for name, once in (("one_banker_two_players", "banker"), ("one_player_two_bankers", "player")):
        wanted = [1 if side == once else 2 for side, _length in latest]
        lengths = [length for _side, length in latest]
        if lengths[:-1] == wanted[:-1] and lengths[-1] <= wanted[-1]:
            yield name


def _habits(side: Side, columns: Sequence[Column]) -> Iterable[str]:
    """After one win of a side it always won again, or never; chops of both have their own name."""
    own = [length for one, length in columns if one == side]
    other = [length for one, length in columns if one != side]
    if columns and columns[-1] == (side, 1):
        own = own[:-1]
    latest = own[-HABIT:]
    if len(latest) < HABIT:
        return
    if min(latest) >= 2:
        yield f"{side}_runs"
    elif max(latest) == 1 and set(other[-HABIT:]) != {1}:
        yield f"{side}_chops"
