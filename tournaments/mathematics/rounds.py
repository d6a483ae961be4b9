"""Dou Dizhu's own tournament: a knock-out (打立出局), then fixed rounds (定局积分 or 瑞士移位).

**打立出局.** All tables play in step: the next hand begins when every table has finished. The line
is `line_points` times the point of the level, and rises with it. A player with fewer chips than the
line when a hand has ended is out; who has just as many stays. The knock-out is over as soon as
`until` players are left. If a hand would leave fewer, the best of those who fell stay, until there
are enough: more chips at the start of the hand first, then the draw (as in `places.py`). Byes go to
those who have had the fewest, for one hand each.

**Carried points.** The score that a player takes along is

    base + chips // divide_by, but no more than `most` if that is given,

and no other trace of the knock-out remains. All players then get the score and `chips` on top as
new chips; the old ones are burnt. The score at any time is the stack less `chips`, and may be
negative. A player without chips is out and places below all who continue.

**定局积分** (`fixed`). So many rounds of so many hands at `point` chips a point. Seats are drawn
anew for each round. Chips stay with their players from round to round.

**瑞士移位** (`swiss`). The first round is drawn. After each round the players of each table rank by
what they won or lost in the round, and equal ones by their score. In the next round first places
meet first places, second places second places, and so on: all first places by score, then all
second places by score and so on stand in one line (equal scores by the draw), which is cut into
tables. A player who had a bye is ranked as second of three: in the middle.

**Byes.** Where players do not fill the tables, those who have had the fewest byes rest; among
equals the draw decides for a drawn round, and the last of the line rest in a Swiss round. A bye
costs and brings nothing.

**The end.** Players rank by score; those with the same score finish level.
"""

from collections.abc import Mapping, Sequence
from typing import Annotated, Literal

from msgspec import Meta, Struct

from games.rules.contract import Amount
from tournaments.mathematics.payouts import Money, Out, best_first
from tournaments.mathematics.seating import Seating, Sizes, byes, first_seats

Count = Annotated[int, Meta(ge=1, le=1_000)]


class KnockOut(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """打立出局: players below the line are out, until so many are left."""

    # The line is so many times the point of the level.
    line_points: Annotated[int, Meta(ge=0, le=1_000_000)]
    until: Annotated[int, Meta(ge=2, le=10_000)]


class Carry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """The score that a player takes along: base + chips // divide_by, up to a maximum."""

    base: Money = 0
    divide_by: Amount = 1
    most: Money | None = None


class Rounds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """定局积分 (manner `fixed`) or 瑞士移位 (manner `swiss`): so many rounds of so many hands."""

    manner: Literal["fixed", "swiss"]
    count: Count
    hands: Count
    point: Amount
    # What each player gets in addition to the carried score. The score is the stack less these.
    chips: Amount
    carry: Carry = Carry()


def line_of(knock_out: KnockOut, point: int) -> int:
    """The chips that a player needs to stay in at a level; at least one."""
    return max(1, knock_out.line_points * point)


def fallen(
    knock_out: KnockOut, point: int, chips: Mapping[int, int], before: Sequence[Out]
) -> list[Out]:
    """Return the players who are out after a hand, the best place first.

    `chips` are those of every player left, after the hand; `before` has the same players with
    their chips at its start.
    """
    line = line_of(knock_out, point)
    below = best_first(out for out in before if chips[out.entry] < line)
    staying = len(chips) - len(below)
    return below[max(0, knock_out.until - staying) :]


def carried(carry: Carry, chips: int) -> int:
    """The score that a player takes along from the knock-out."""
    score = carry.base + chips // carry.divide_by
    return score if carry.most is None else min(score, carry.most)


def drawn_round(order: Sequence[int], size: int, had: Mapping[int, int]) -> Seating:
    sizes = Sizes(size, size)
    spare = len(order) - sizes.seated(len(order))
    return first_seats(order, sizes, byes(order, spare, had))


def ranked_round(line: Sequence[int], size: int, had: Mapping[int, int]) -> Seating:
    """A round in which neighbours of a ranking meet; the last of it have byes, if due."""
    sizes = Sizes(size, size)
    spare = len(line) - sizes.seated(len(line))
    seating = first_seats(line, sizes, byes(line[::-1], spare, had))
    return Seating(rotated(seating.tables), seating.byes)


def rotated(tables: Sequence[Sequence[int]]) -> tuple[tuple[int, ...], ...]:
    """Each table's players one seat further than those of the table before it."""
    return tuple(
        tuple(table[(seat - number) % len(table)] for seat in range(len(table)))
        for number, table in enumerate(tables)
    )


def swiss_line(
    tables: Sequence[Mapping[int, int]], scores: Mapping[int, int], drawn: Mapping[int, int]
) -> list[int]:
    """First places by score, then second places, and so on.

    `tables` has what each player won or lost in the round, table by table; players of `scores` who
    are at none of them had a bye.
    """
    place: dict[int, int] = {}
    for table in tables:
        ordered = sorted(table, key=lambda entry: (-table[entry], -scores[entry], drawn[entry]))
        place |= {entry: number for number, entry in enumerate(ordered, start=1)}
    middle = (max((len(table) for table in tables), default=1) + 1) // 2
    return sorted(
        scores, key=lambda entry: (place.get(entry, middle), -scores[entry], drawn[entry])
    )
