"""Dou Dizhu's own tournament: a knock-out, then fixed rounds."""

from typing import Annotated, Literal

from msgspec import Meta, Struct

from games.rules.contract import Amount
from tournaments.payouts import Money

Count = Annotated[int, Meta(ge=1, le=1_000)]


class KnockOut(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """打立出局: whoever falls below the line is out, until so many players are left."""

    # The line is so many times the point of the level.
    line_points: Annotated[int, Meta(ge=0, le=1_000_000)]
    until: Annotated[int, Meta(ge=2, le=10_000)]


class Carry(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """Which score a player takes along: base + chips // divide_by, but at most so much."""

    base: Money = 0
    divide_by: Amount = 1
    most: Money | None = None


class Rounds(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """定局积分 (manner `fixed`) or 瑞士移位 (manner `swiss`): so many rounds of so many hands."""

    manner: Literal["fixed", "swiss"]
    count: Count
    hands: Count
    point: Amount
    # What each player is given beside the carried score. The score is the stack less these.
    chips: Amount
    carry: Carry = Carry()
