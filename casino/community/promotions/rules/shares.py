"""Kinds that pay a share or a fixed sum to every player who has earned it."""

from datetime import date
from typing import ClassVar, Literal

from casino.community.promotions.rules.facts import HandFact
from casino.community.promotions.rules.kinds import (
    BASIS_POINTS,
    Faults,
    Gain,
    Moment,
    OfHands,
    Payment,
    Progress,
    Standing,
    Window,
    fault,
    payment,
    too_dear,
)
from casino.community.promotions.rules.levels import LEVELS
from games.rules.catalogue import against_house
from games.rules.house.till import FEATS as HOUSE_FEATS


class Mission(OfHands, frozen=True, kw_only=True, tag="mission"):
    """Do something so many times in a window, and be paid once."""

    key: ClassVar[str] = "mission"

    goal: int = 20
    pay: int = 100
    # Hands to play, hands to win, or hands won with a feat.
    what: Literal["hands", "wins", "feat"] = "hands"
    feat: str = ""
    window: Window = "day"

    def gains(self, hand: HandFact) -> Gain | None:
        is_done = {"hands": True, "wins": hand.is_won, "feat": self.feat in hand.feats}[self.what]
        return Gain(1, 1) if is_done else None

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        return Payment(self.pay) if progress.points >= self.goal else None

    def faults(self, budget: int) -> Faults:
        return (
            fault("nothing_to_do", min(self.goal, self.pay) < 1)
            + fault("no_feat", self.what == "feat" and not self.feat)
            + too_dear(self.pay, budget)
        )

    def is_open(self, game: str, day: date, hour: int) -> bool:
        is_elsewhere = self.what == "feat" and against_house(game) != (self.feat in HOUSE_FEATS)
        return super().is_open(game, day, hour) and not is_elsewhere


class TicketMission(Mission, frozen=True, kw_only=True, tag="ticket"):
    """A mission whose reward is a ticket: `pay` is what it is worth, `event` for what it is."""

    key: ClassVar[str] = "ticket"

    event: str = ""

    def faults(self, budget: int) -> Faults:
        return Mission.faults(self, budget) + fault("no_event", not self.event)


class Friend(OfHands, frozen=True, kw_only=True, tag="friend"):
    """Invite a friend: both are paid once the friend has really played."""

    key: ClassVar[str] = "friend"

    goal: int = 50
    # For the friend, and for the player who invited them.
    pay: int = 1_000
    pay_inviter: int = 1_000
    window: Window = "all"

    def gains(self, hand: HandFact) -> Gain | None:
        return Gain(1, 1) if hand.inviter else None

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        return Payment(self.pay, self.pay_inviter) if progress.points >= self.goal else None

    def faults(self, budget: int) -> Faults:
        is_nothing = min(self.goal, self.pay, self.pay_inviter) < 1
        return fault("nothing_to_do", is_nothing) or too_dear(self.pay + self.pay_inviter, budget)


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

    def gains(self, hand: HandFact) -> Gain | None:
        return Gain(-hand.net, 1) if against_house(hand.game) else None

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        if progress.points < self.loss_min:
            return None
        return payment(min(self.most, progress.points * self.share_bp // BASIS_POINTS))

    def faults(self, budget: int) -> Faults:
        is_in_bounds = 1 <= self.share_bp <= BASIS_POINTS and min(self.loss_min, self.most) >= 1
        among_players = next((game for game in self.games if not against_house(game)), "")
        return (
            fault("share_out_of_bounds", not is_in_bounds)
            + fault("game_among_players", among_players, game=among_players)
            + too_dear(self.most, budget)
        )

    def is_open(self, game: str, day: date, hour: int) -> bool:
        return super().is_open(game, day, hour) and against_house(game)


class RakeBack(OfHands, frozen=True, kw_only=True, tag="rake_back"):
    """A share of a player's rake in a window, by the level at its end."""

    key: ClassVar[str] = "rake_back"
    pays_when: ClassVar[Moment] = "at_end"

    # One share for each level.
    shares_bp: tuple[int, ...] = (500, 750, 1_000, 1_500, 2_000)
    window: Window = "week"

    def gains(self, hand: HandFact) -> Gain | None:
        return Gain(hand.rake, 1) if hand.rake else None

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        return payment(progress.points * self.shares_bp[standing.level] // BASIS_POINTS)

    def faults(self, budget: int) -> Faults:
        is_in_bounds = all(0 <= share <= BASIS_POINTS for share in self.shares_bp)
        return fault("share_out_of_bounds", not is_in_bounds or len(self.shares_bp) != len(LEVELS))


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

    def is_on(self, hand: HandFact) -> bool:
        return self.is_open(hand.game, hand.day, hand.hour)

    def is_open(self, game: str, day: date, hour: int) -> bool:
        in_time = self.first_hour <= hour < self.last_hour and day.weekday() in self.days
        return in_time and super().is_open(game, day, hour)

    def gains(self, hand: HandFact) -> Gain | None:
        is_counted = self.rake_back_bp and hand.rake and self.is_on(hand)
        return Gain(hand.rake, 1) if is_counted else None

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        return payment(progress.points * self.rake_back_bp // BASIS_POINTS)

    def faults(self, budget: int) -> Faults:
        hours = 0 <= self.first_hour < self.last_hour <= 24
        shares = 0 <= self.rake_back_bp <= BASIS_POINTS and 1 <= self.points_times <= 10
        return fault("hours_out_of_order", not hours) + fault("share_out_of_bounds", not shares)
