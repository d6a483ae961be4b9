"""Kinds that pay a share or a fixed sum to every player who has earned it."""

from typing import Any, ClassVar, Literal

from casino.community.promotions.rules.facts import Fact, HandFact
from casino.community.promotions.rules.kinds import (
    BASIS_POINTS,
    Gain,
    Moment,
    OfHands,
    Payment,
    Progress,
    Standing,
    Window,
)
from casino.community.promotions.rules.levels import LEVELS
from games.rules.catalogue import against_house

Faults = list[tuple[str, dict[str, Any]]]


class Mission(OfHands, frozen=True, kw_only=True, tag="mission"):
    """Do something so many times in a window, and be paid once."""

    key: ClassVar[str] = "mission"
    pays_when: ClassVar[Moment] = "at_once"

    goal: int = 20
    pay: int = 100
    # Hands to play, hands to win, or hands won with a feat.
    what: Literal["hands", "wins", "feat"] = "hands"
    feat: str = ""
    window: Window = "day"

    def earns(self, fact: Fact) -> Gain | None:
        if not self.counts(fact) or not isinstance(fact, HandFact):
            return None
        if self.what == "wins" and not fact.is_won:
            return None
        if self.what == "feat" and self.feat not in fact.feats:
            return None
        return Gain(1, 1)

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        return Payment(self.pay) if progress.points >= self.goal else None

    def faults(self, budget: int) -> Faults:
        faults: Faults = []
        if self.goal < 1 or self.pay < 1:
            faults.append(("nothing_to_do", {}))
        if self.what == "feat" and not self.feat:
            faults.append(("no_feat", {}))
        if self.pay > budget:
            faults.append(("budget_below_award", {"budget": budget, "award": self.pay}))
        return faults


class TicketMission(Mission, frozen=True, kw_only=True, tag="ticket"):
    """A mission whose reward is a ticket: `pay` is what it is worth, `event` for what it is."""

    key: ClassVar[str] = "ticket"

    event: str = ""

    def faults(self, budget: int) -> Faults:
        return Mission.faults(self, budget) + ([] if self.event else [("no_event", {})])


class Friend(OfHands, frozen=True, kw_only=True, tag="friend"):
    """Invite a friend: both are paid once the friend has really played."""

    key: ClassVar[str] = "friend"
    pays_when: ClassVar[Moment] = "at_once"

    goal: int = 50
    # For the friend, and for the player who invited them.
    pay: int = 1_000
    pay_inviter: int = 1_000
    window: Window = "all"

    def earns(self, fact: Fact) -> Gain | None:
        if not self.counts(fact) or not isinstance(fact, HandFact) or not fact.inviter:
            return None
        return Gain(1, 1)

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        return Payment(self.pay, self.pay_inviter) if progress.points >= self.goal else None

    def faults(self, budget: int) -> Faults:
        both = self.pay + self.pay_inviter
        if self.goal < 1 or self.pay < 1 or self.pay_inviter < 1:
            return [("nothing_to_do", {})]
        if both > budget:
            return [("budget_below_award", {"budget": budget, "award": both})]
        return []


class CashBack(OfHands, frozen=True, kw_only=True, tag="cash_back"):
    """A share of what a player has lost to the house in a window, all results together.

    What is lost to other players brings nothing: two of them could lose to each other on purpose.
    """

    key: ClassVar[str] = "cash_back"
    pays_when: ClassVar[Moment] = "at_end"

    share_bp: int = 500
    # A smaller loss brings nothing; no loss brings more than the most.
    loss_min: int = 1_000
    most: int = 50_000
    window: Window = "week"

    def earns(self, fact: Fact) -> Gain | None:
        if not self.counts(fact) or not isinstance(fact, HandFact):
            return None
        return Gain(-fact.net, 1) if against_house(fact.game) else None

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        if progress.points < self.loss_min:
            return None
        amount = min(self.most, progress.points * self.share_bp // BASIS_POINTS)
        return Payment(amount) if amount > 0 else None

    def faults(self, budget: int) -> Faults:
        faults: Faults = []
        if not 1 <= self.share_bp <= BASIS_POINTS or self.loss_min < 1 or self.most < 1:
            faults.append(("share_out_of_bounds", {}))
        if among_players := [game for game in self.games if not against_house(game)]:
            faults.append(("game_among_players", {"game": among_players[0]}))
        if self.most > budget:
            faults.append(("budget_below_award", {"budget": budget, "award": self.most}))
        return faults


class RakeBack(OfHands, frozen=True, kw_only=True, tag="rake_back"):
    """A share of a player's rake in a window, by the level at its end."""

    key: ClassVar[str] = "rake_back"
    pays_when: ClassVar[Moment] = "at_end"

    # One share for each level.
    shares_bp: tuple[int, ...] = (500, 750, 1_000, 1_500, 2_000)
    window: Window = "week"

    def earns(self, fact: Fact) -> Gain | None:
        if not self.counts(fact) or not isinstance(fact, HandFact) or not fact.rake:
            return None
        return Gain(fact.rake, 1)

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        amount = progress.points * self.shares_bp[standing.level] // BASIS_POINTS
        return Payment(amount) if amount > 0 else None

    def faults(self, budget: int) -> Faults:
        wrong = len(self.shares_bp) != len(LEVELS)
        wrong = wrong or not all(0 <= share <= BASIS_POINTS for share in self.shares_bp)
        return [("share_out_of_bounds", {})] if wrong else []


class HappyHour(OfHands, frozen=True, kw_only=True, tag="happy_hour"):
    """At chosen hours points count several times, and a share of the rake comes back."""

    key: ClassVar[str] = "happy_hour"
    pays_when: ClassVar[Moment] = "at_end"

    # Days of the week from 0 for Monday; hours from the first to before the last.
    days: tuple[int, ...] = (0, 1, 2, 3, 4, 5, 6)
    first_hour: int = 18
    last_hour: int = 20
    points_times: int = 2
    rake_back_bp: int = 0
    window: Window = "day"

    def is_on(self, fact: Fact) -> bool:
        if not self.counts(fact) or not isinstance(fact, HandFact):
            return False
        return fact.day.weekday() in self.days and self.first_hour <= fact.hour < self.last_hour

    def earns(self, fact: Fact) -> Gain | None:
        if not self.is_on(fact) or not isinstance(fact, HandFact) or not fact.rake:
            return None
        return Gain(fact.rake, 1) if self.rake_back_bp else None

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        amount = progress.points * self.rake_back_bp // BASIS_POINTS
        return Payment(amount) if amount > 0 else None

    def faults(self, budget: int) -> Faults:
        hours = 0 <= self.first_hour < self.last_hour <= 24
        shares = 0 <= self.rake_back_bp <= BASIS_POINTS and 1 <= self.points_times <= 10
        faults: Faults = [] if hours else [("hours_out_of_order", {})]
        return faults if shares else [*faults, ("share_out_of_bounds", {})]
