"""Bonuses: money that becomes the player's own once so much has been wagered.

Own money is used first, and alone: a bonus waits in an account of its own, every bet is made with
the wallet, and what the bets amount to is counted by game. At games against the house a share of
each bet counts, nothing of bets that cover one another; among players the rake, times twenty.
"""

from typing import ClassVar, Final, Literal

from casino.community.promotions.rules.facts import Fact, HandFact
from casino.community.promotions.rules.kinds import (
    BASIS_POINTS,
    Faults,
    Gain,
    OfHands,
    Payment,
    Progress,
    Standing,
    Window,
    fault,
    payment,
    too_dear,
)
from casino.community.promotions.rules.levels import EDGE, EDGES

PERCENT: Final = 100
# At a rake of 5 %, rake times this is about what was won.
RAKE_TIMES: Final = 20
# Of a bet at which the house keeps less than this, only a tenth counts, in percent.
EDGE_WHOLE: Final = 1_500
SMALL_EDGE: Final = 10


class Bonus(OfHands, frozen=True, kw_only=True, tag="bonus"):
    """A welcome or a reload: a sum or a share of a deposit, to be wagered several times."""

    key: ClassVar[str] = "bonus"

    # The first hand, the first deposit, or every deposit (one in each window).
    given_for: Literal["first_hand", "first_deposit", "deposit"] = "first_deposit"
    # A share of the deposit, at most so much; or a fixed sum for the first hand.
    share_bp: int = 10_000
    most: int = 10_000
    deposit_min: int = 1_000
    times: int = 10
    # A hand with a larger bet counts nothing.
    bet_max: int = 2_000
    days: int = 14
    window: Window = "all"

    def earns(self, fact: Fact) -> Gain | None:
        if isinstance(fact, HandFact):
            wanted = self.given_for == "first_hand" and self.counts(fact)
            return Gain(self.most, 1) if wanted else None
        if self.given_for == "first_hand" or fact.amount < self.deposit_min:
            return None
        if self.given_for == "first_deposit" and fact.number != 1:
            return None
        return Gain(min(self.most, fact.amount * self.share_bp // BASIS_POINTS))

    def pays(self, progress: Progress, standing: Standing) -> Payment | None:
        return payment(min(self.most, progress.points))

    def wagers(self, fact: HandFact) -> int:
        """What a hand counts towards the release of a bonus."""
        if not self.counts(fact) or fact.bet > self.bet_max:
            return 0
        if fact.rake:
            return fact.rake * RAKE_TIMES
        return fact.wagered * share_of(fact.game) // PERCENT

    def faults(self, budget: int) -> Faults:
        return (
            fault("nothing_to_do", min(self.most, self.times, self.days, self.bet_max) < 1)
            + fault("share_out_of_bounds", not 1 <= self.share_bp <= 2 * BASIS_POINTS)
            + too_dear(self.most, budget)
        )


def share_of(game: str) -> int:
    """The share of a bet at a game that counts towards wagering, in percent."""
    return PERCENT if EDGES.get(game, EDGE) >= EDGE_WHOLE else SMALL_EDGE


def is_deposit_bonus(kind: object) -> bool:
    return isinstance(kind, Bonus) and kind.given_for != "first_hand"
