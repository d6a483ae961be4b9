"""Kinds that rank players against one another, and pay when their window is over."""

from datetime import date
from typing import ClassVar, Literal

from casino.community.promotions.rules.facts import HandFact
from casino.community.promotions.rules.kinds import (
    Faults,
    Gain,
    Moment,
    OfHands,
    Payment,
    Progress,
    Standing,
    Window,
    fault,
    too_dear,
)
from games.rules.catalogue import against_house


class Race(OfHands, frozen=True, kw_only=True, tag="race"):
    """Points for hands, wins or rake in a window, and a prize for each of the first places."""

    key: ClassVar[str] = "race"
    pays_when: ClassVar[Moment] = "at_end"

    by: Literal["hands", "wins", "rake"] = "hands"
    prizes: tuple[int, ...] = (5_000, 3_000, 1_000)
    hands_min: int = 20
    window: Window = "week"

    def gains(self, hand: HandFact) -> Gain | None:
        points = {"hands": 1, "wins": int(hand.is_won), "rake": hand.rake}[self.by]
        return Gain(points, 1)

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        if not 1 <= standing.place <= len(self.prizes) or progress.points < 1:
            return None
        return Payment(self.prizes[standing.place - 1])

    def faults(self, budget: int) -> Faults:
        in_order = [*self.prizes] == sorted(self.prizes, reverse=True)
        prizes, has_all = sum(self.prizes), min(self.prizes, default=0) >= 1
        return fault("prizes_out_of_order", not (in_order and has_all)) + fault(
            "prizes_above_budget", prizes > budget, budget=budget, prizes=prizes
        )


class HighHand(OfHands, frozen=True, kw_only=True, tag="high_hand"):
    """The highest hand of a window wins; the hand itself is the proof."""

    key: ClassVar[str] = "high_hand"
    pays_when: ClassVar[Moment] = "at_end"

    pay: int = 500
    window: Window = "hour"

    def gains(self, hand: HandFact) -> Gain | None:
        return Gain(hand.high, 1) if hand.high else None

    def is_open(self, game: str, day: date, hour: int) -> bool:
        return super().is_open(game, day, hour) and not against_house(game)

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        is_first = standing.place == 1 and progress.points > 0
        return Payment(self.pay) if is_first else None

    def faults(self, budget: int) -> Faults:
        return fault("nothing_to_do", self.pay < 1) or too_dear(self.pay, budget)
