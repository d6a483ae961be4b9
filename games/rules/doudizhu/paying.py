"""The value of a hand in points, and the payments between landlord and farmers.

The call is doubled once for each bomb and the rocket, and for spring and anti-spring. Each farmer
and the landlord exchange so many points; where a stack makes it less, a line says whose and why.
"""

from collections.abc import Iterator, Sequence
from typing import Final, NamedTuple

from games.rules.doudizhu.combinations import Kind
from games.rules.doudizhu.ranks import RANK_NAMES
from games.rules.doudizhu.state import DoudizhuState, DoudizhuView, Turn
from games.rules.settlement import Line, Payments

BOMBS: Final = (Kind.BOMB, Kind.ROCKET)


class Doubling(NamedTuple):
    """One reason to double: the key of its line, and what fills the sentence in."""

    key: str
    values: dict[str, int | str]


class Limit(NamedTuple):
    """The most that a payment may be, by whose stack: the key of its line."""

    key: str
    seat: int
    amount: int


class Worth(NamedTuple):
    """The value of a hand before stacks limit it."""

    call: int
    point: int
    doubled: tuple[Doubling, ...]

    @property
    def points(self) -> int:
        return self.call << len(self.doubled)

    @property
    def amount(self) -> int:
        return self.points * self.point


def worth(state: DoudizhuState | DoudizhuView, point: int, *, both_springs: bool) -> Worth:
    """The call and every doubling so far; the springs are known once the hand is over."""
    doubled = [_blast(turn) for turn in state.turns if turn.reading and turn.reading.kind in BOMBS]
    if state.phase == "over":
        doubled += _springs(state.turns, state.landlord, both_springs=both_springs)
    return Worth(state.call, point, tuple(doubled))


def _blast(turn: Turn) -> Doubling:
    assert turn.reading is not None
    if turn.reading.kind == Kind.ROCKET:
        return Doubling("rocket", {"seat": turn.seat})
    return Doubling("bomb", {"seat": turn.seat, "rank": RANK_NAMES[turn.reading.place]})


def _springs(
    turns: Sequence[Turn], landlord: int | None, *, both_springs: bool
) -> Iterator[Doubling]:
    played = [turn.seat for turn in turns if turn.cards]
    spring = all(seat == landlord for seat in played)
    if spring:
        yield Doubling("spring", {})
    if played.count(played[0]) == 1 and (both_springs or not spring):
        yield Doubling("anti_spring", {})


def pay(state: DoudizhuState, value: Worth, payments: Payments, *, cash: bool) -> None:
    """The payments of a finished hand that had a landlord."""
    assert state.landlord is not None
    landlord, first = state.landlord, state.after(state.landlord)
    farmers = (first, state.after(first))
    won = state.turns[-1].seat == landlord
    stacks = {stake.seat: stake.stack for stake in state.stakes}
    if won:
        limits = [_what_farmers_pay(stacks, landlord, farmers, cash=cash)] * 2
    else:
        limits = _what_landlord_pays(stacks, landlord, farmers, value.amount, cash=cash)
    for farmer, narrowing in zip(farmers, limits, strict=True):
        source, target = (farmer, landlord) if won else (landlord, farmer)
        payments.explain(_points_lines(value, source, target))
        due = value.amount
        for limit in narrowing:
            if limit.amount < due:
                payments.explain([_limit_line(limit, due, source, target)])
                due = limit.amount
        payments.pay(source, target, due, "landlord" if won else "farmers")


def _what_farmers_pay(
    stacks: dict[int, int], landlord: int, farmers: tuple[int, int], *, cash: bool
) -> list[Limit]:
    """The same from both: what the poorer holds, and in cash half of the landlord's stack."""
    poorer = min(farmers, key=lambda seat: stacks[seat])
    limits = [Limit("farmer_short", poorer, stacks[poorer])]
    if cash:
        limits.append(Limit("landlord_limit", landlord, stacks[landlord] // 2))
    return limits


def _what_landlord_pays(
    stacks: dict[int, int], landlord: int, farmers: tuple[int, int], due: int, *, cash: bool
) -> list[list[Limit]]:
    """In cash no farmer wins more than the own stack. Then the landlord's is shared by halves, an
    odd unit to the left, and the rest of one half is paid to the other farmer.
    """
    stack = stacks[landlord]
    left, right = (min(due, stacks[farmer]) if cash else due for farmer in farmers)
    to_left = min(left, max(stack - right, stack - stack // 2))
    to_right = min(right, stack - to_left)
    return [
        [Limit("purse_limit", farmer, most), Limit("landlord_short", landlord, share)]
        for farmer, most, share in zip(farmers, (left, right), (to_left, to_right), strict=True)
    ]


def _points_lines(value: Worth, source: int, target: int) -> Iterator[Line]:
    points = value.call
    called: dict[str, int | str] = {"points": points, "point": value.point}
    yield Line("call", source, target, points * value.point, called)
    for doubling in value.doubled:
        values = {**doubling.values, "points": 2 * points}
        yield Line(doubling.key, source, target, points * value.point, values)
        points *= 2


def _limit_line(limit: Limit, due: int, source: int, target: int) -> Line:
    values: dict[str, int | str] = {"due": due, "paid": limit.amount, "seat": limit.seat}
    return Line(limit.key, target, source, due - limit.amount, values)
