"""The boxes of a round of Russian poker: actions, insurance, answers, results.

Folding and the antes are those of all games with an ante: `games/rules/house/antes.py`.

A dealer who does not qualify has five different ranks, so there is one highest card. It makes way
for the next card of the shoe. Where that card has the very rank of the one it replaces and the
dealer still does not qualify, the highest card, now that one, is exchanged once more for free; that
is the end of it.

On each box come first the antes that went for cards, then ante and bet, then the insurance. Main
bets are ante and bet; what they win is cut at the maximum payout of the box. By the second edition
of the rules the insurance counts with them; by the first it is paid in full.
"""

from collections.abc import Sequence
from typing import Annotated, Final, Literal

from msgspec import Meta
from msgspec.structs import replace

from games.rules.cards import Card
from games.rules.contract import Action, Amount, Choice, Choices, Party
from games.rules.house.actions import Box
from games.rules.house.antes import BET_ANTES, AnteBox, AnteState
from games.rules.house.game import draw
from games.rules.house.sides import BACKS
from games.rules.house.till import EVEN, Till
from games.rules.russian_poker.hands import (
    THREE_LEAST,
    Hand,
    best_value,
    qualifies,
    read_hand,
    value_of,
)


class Exchange(Action, frozen=True):
    """For one ante, two to five cards of the box are exchanged for as many new ones."""

    box: Box
    cards: tuple[Card, ...]


class Buy(Action, frozen=True):
    """For one ante, the box gets a sixth card."""

    box: Box


class Insure(Action, frozen=True):
    """A bet that the dealer does not qualify, beside a hand of three of a kind or better."""

    box: Box
    amount: Amount


class Bet(Action, frozen=True):
    """The box plays on, for twice its ante."""

    box: Box


class BuyDealer(Action, frozen=True, tag="buy_dealer"):
    """For one ante, this box meets the dealer with the highest card exchanged."""

    box: Box


class Pick(Action, frozen=True):
    """One of the three prizes of the lucky game, which lie face down."""

    box: Box
    place: Annotated[int, Meta(ge=1, le=BACKS)]


class Accept(Action, frozen=True):
    """The box takes 1:1 on its ante from the dealer who does not qualify."""

    box: Box


def highest_card(dealer: Sequence[Card]) -> Card:
    return max(dealer, key=lambda card: card.rank)


def changed_hand(dealer: tuple[Card, ...], draws: Sequence[Card]) -> tuple[Card, ...]:
    """The dealer's five cards after each card drawn has taken the place of the highest."""
    for card in draws:
        highest = highest_card(dealer)
        dealer = tuple([card if held is highest else held for held in dealer])
    return dealer


def changes_again(dealer: tuple[Card, ...], card: Card) -> bool:
    """Whether this card, drawn for the dealer's highest, brings the free second change."""
    return card.rank == highest_card(dealer).rank and not qualifies(
        value_of(changed_hand(dealer, (card,)))
    )


def dealer_draws(dealer: tuple[Card, ...], cards: tuple[Card, ...], first: int) -> tuple[Card, ...]:
    """The one or two cards of the round, from the `first` on, that the dealer gets."""
    drawn = draw(cards, first, 1)
    if changes_again(dealer, drawn[0]):
        drawn = draw(cards, first, 2)
    return drawn


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


ANSWERS: Final = (Accept, BuyDealer)


def unanswered(state: RussianState) -> list[RussianBox]:
    """The boxes still in that have not said what they do about a dealer who does not qualify."""
    if state.phase != "dealer":
        return []
    return [box for box in state.boxes if box.is_in and not box.answer]


def answer_choices(state: RussianState, seat: Party, free: int) -> Choices:
    choices = []
    for box in unanswered(state):
        if box.seat == seat:
            choices.append(Choice("accept", box=box.box))
            if box.ante <= free:
                choices.append(Choice("buy_dealer", box=box.box, cost=box.ante))
    return tuple(choices)


def with_dealer_drawn(state: RussianState) -> RussianState:
    """The round when all have answered: the dealer draws if a player has bought the card."""
    state = replace(state, phase="over")
    if not [box for box in state.boxes if box.answer == "buy_dealer"]:
        return state
    draws = dealer_draws(state.dealer, state.cards, state.taken)
    return replace(state, dealer_draws=draws, taken=state.taken + len(draws))


def settle_boxes(state: RussianState, max_payout: int, *, insurance_counts: bool) -> Till:
    """The till after everything but the bonus bets."""
    till = Till(state.stakes, max_payout)
    for box in state.boxes:
        _pay_for_cards(till, box)
        if box.folded:
            till.lose(box.seat, "ante", box.ante, box.box)
        else:
            _settle_hand(till, state, box)
        if box.insurance:
            _settle_insurance(till, state, box, max_payout, insurance_counts)
    return till


def _pay_for_cards(till: Till, box: RussianBox) -> None:
    for bought in (box.drawn, box.answer):
        if bought and bought != "accept":
            till.charge(f"{bought}_paid", box.seat, box.ante, {"box": box.box})


def _settle_hand(till: Till, state: RussianState, box: RussianBox) -> None:
    """Ante and bet against the dealer's hand, the changed one for a box that has bought it."""
    dealer = state.changed_dealer if box.answer == "buy_dealer" else state.dealer
    dealer_value = value_of(dealer)
    if not qualifies(dealer_value):
        till.win(box.seat, "ante", box.ante, EVEN, box.box)
        return
    value = best_value(box.cards)
    if value < dealer_value:
        till.lose(box.seat, "ante", box.ante, box.box)
        till.lose(box.seat, "bet", box.bet, box.box)
    elif value > dealer_value:
        combinations = read_hand(box.cards).combinations
        for key, combination in zip(("hand_won", "second_won"), combinations, strict=False):
            till.win_hand(key, box.seat, box.bet, combination.odds, box.box, combination.name)


def _settle_insurance(
    till: Till, state: RussianState, box: RussianBox, max_payout: int, counts: bool
) -> None:
    """It wins where the first five of the dealer do not qualify.

    On a blind box it was placed unseen: it counts only with a hand that may be insured, and only
    for what that hand would win; the excess is returned.
    """
    hand = read_hand(box.cards)
    if not insurable(hand):
        return
    amount = min(box.insurance, hand_win(box.ante, hand, max_payout))
    if state.dealer_qualifies:
        till.lose(box.seat, "insurance", amount, box.box)
    elif counts:
        till.win_named("insurance_won", box.seat, amount, box.box)
    else:
        till.prize("insurance_won", box.seat, amount, {"box": box.box})
