"""The boxes of a round of Russian poker, and what their hands may be insured for."""

from typing import Literal

from games.rules.cards import Card
from games.rules.house.antes import BET_ANTES, AnteBox, AnteState
from games.rules.russian_poker.dealer import changed_hand
from games.rules.russian_poker.hands import THREE_LEAST, Hand, qualifies, value_of

Drawn = Literal["", "exchange", "buy"]
Answer = Literal["", "accept", "buy_dealer"]


class RussianBox(AnteBox, frozen=True, kw_only=True):
    """A box: the five cards it was dealt, its present cards, and its purchases."""

    dealt: tuple[Card, ...] = ()
    drawn: Drawn = ""
    insurance: int = 0
    answer: Answer = ""
    # Which of the three prizes it has picked in the lucky game.
    pick: int = 0

    @property
    def committed(self) -> int:
        bought = (self.drawn != "") + (self.answer == "buy_dealer")
        return self.ante * (1 + bought) + self.bonus + self.bet + self.insurance

    @property
    def is_in(self) -> bool:
        """Whether it has a bet to win or lose."""
        return self.bet > 0

    @property
    def exchanged(self) -> int:
        """Return how many of its dealt cards it has exchanged."""
        return sum([card not in self.cards for card in self.dealt])


class RussianState(AnteState, frozen=True, kw_only=True):
    """A round; in the phase `decide` open boxes draw and bet, in `dealer` all who are in answer.

    In `pick` boxes that hold the lucky card choose among face-down prizes.
    """

    boxes: tuple[RussianBox, ...] = ()
    # The dealer's first five cards, and what was bought for the highest of them.
    dealer_draws: tuple[Card, ...] = ()
    # How many of the round's cards have left the shoe.
    taken: int = 0

    @property
    def dealer_turned(self) -> bool:
        """Whether all of the dealer's cards lie open: once boxes are in or insured, and decided."""
        stakes = any(box.is_in or box.insurance for box in self.boxes)
        return self.phase not in ("bet", "decide") and stakes

    @property
    def dealer_qualifies(self) -> bool:
        """Whether the dealer's first five cards do."""
        return qualifies(value_of(self.dealer))

    @property
    def changed_dealer(self) -> tuple[Card, ...]:
        """The dealer's cards for those who have bought."""
        return changed_hand(self.dealer, self.dealer_draws)


def hand_win(ante: int, hand: Hand, max_payout: int) -> int:
    """The win of a hand that beats a dealer who qualifies."""
    return min(BET_ANTES * ante * hand.pays, max_payout)


def insurable(hand: Hand) -> bool:
    return hand.value >= THREE_LEAST


def least_insurance(ante: int) -> int:
    """Half an ante, rounded up."""
    return (ante + 1) // 2
