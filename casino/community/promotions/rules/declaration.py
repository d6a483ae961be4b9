"""A promotion as values: its kind with its terms, its time, its budget and its caps."""

from collections.abc import Iterable
from datetime import datetime
from typing import Any, Final, get_args

import msgspec
from msgspec import Struct

from casino.community.promotions.rules.bonuses import Bonus, is_deposit_bonus
from casino.community.promotions.rules.daily_tasks import DailyTasks
from casino.community.promotions.rules.kinds import Faults, fault
from casino.community.promotions.rules.ladders import HighHand, Race
from casino.community.promotions.rules.shares import (
    CashBack,
    Friend,
    HappyHour,
    Mission,
    RakeBack,
    TicketMission,
)

AnyKind = (
    Race
    | HighHand
    | Mission
    | TicketMission
    | DailyTasks
    | CashBack
    | RakeBack
    | HappyHour
    | Bonus
    | Friend
)
KINDS: Final[dict[str, type[AnyKind]]] = {kind.key: kind for kind in get_args(AnyKind)}
AMOUNT_MAX: Final = 10**13


class Declaration(Struct, frozen=True, kw_only=True, forbid_unknown_fields=True):
    """One version of a promotion; nothing else decides what it pays."""

    kind: AnyKind
    currency: str
    starts: datetime
    ends: datetime
    # The most that it pays in all, to one player, and in one day; 0 is no cap.
    budget: int
    player_max: int = 0
    day_max: int = 0

    def faults(self, dealt: Iterable[str]) -> Faults:
        """What contradicts itself; `dealt` are the games of the house's tables."""
        missing = min(set(self.kind.games) - set(dealt), default="")
        return (
            fault("ends_before_start", self.ends <= self.starts)
            + fault("no_budget", not 1 <= self.budget <= AMOUNT_MAX)
            + fault("game_not_dealt", missing, game=missing)
            + fault("cap_above_budget", max(self.player_max, self.day_max) > self.budget)
            + self.kind.faults(self.budget)
        )

    def overlaps(self, other: "Declaration") -> bool:
        """Whether one deposit could bring two bonuses."""
        both = is_deposit_bonus(self.kind) and is_deposit_bonus(other.kind)
        in_time = self.starts < other.ends and other.starts < self.ends
        return both and in_time and self.currency == other.currency


def read(terms: dict[str, Any]) -> Declaration:
    """Read stored values; raises `msgspec.ValidationError` where they are not a declaration."""
    return msgspec.convert(terms, Declaration, strict=False)


def stored(declaration: Declaration) -> dict[str, Any]:
    values: dict[str, Any] = msgspec.to_builtins(declaration)
    return values
