"""Totals of cards, and the dealer's drawing rule.

Two to nine count what they show, ten and court cards ten, an ace one or eleven. A total is soft
where an ace counts eleven in it. An ace and a ten-value in the first two cards are a blackjack, but
not after a split, which the caller knows.
"""

from collections.abc import Sequence
from itertools import product
from typing import Final, NamedTuple

from games.rules.cards import ACE, DECK, Card
from games.rules.house.game import too_few_cards

# The value of a card, an ace one.
POINTS: Final = {card: 1 if card.rank == ACE else min(card.rank, 10) for card in DECK}
# The same with one bit more for an ace, above all sums of points: a sum says whether it has one.
ACE_BIT: Final = 1 << 12
COUNTED: Final = {card: value | ACE_BIT if value == 1 else value for card, value in POINTS.items()}
DEALER_STANDS: Final = 17
# An ace and a ten-value, in either order.
BLACKJACKS: Final = frozenset(
    (first, second)
    for first, second in product(DECK, repeat=2)
    if {POINTS[first], POINTS[second]} == {1, 10}
)


class Total(NamedTuple):
    """The best total of a hand: the highest that is not above 21, else the lowest."""

    points: int
    soft: bool


def points_of(cards: Sequence[Card]) -> int:
    """The best total of a hand, as a number."""
    total = 0
    for card in cards:
        total += COUNTED[card]
    if total < ACE_BIT:
        return total
    least = total % ACE_BIT
    return least + 10 if least <= 11 else least


def total_of(cards: Sequence[Card]) -> Total:
    points = points_of(cards)
    return Total(points, points > sum([POINTS[card] for card in cards]))


def is_blackjack(cards: Sequence[Card]) -> bool:
    """Whether two cards are an ace and a ten-value."""
    return tuple(cards) in BLACKJACKS


def dealer_hand(
    cards: tuple[Card, ...], drawn: int, up: Card, *, hits_soft_17: bool
) -> tuple[Card, ...]:
    """The dealer's cards, drawn to 16: it stands on every 17, or hits a soft one."""
    hand, at = [up], drawn
    plan = DEALER_PLANS[hits_soft_17][up]
    while plan:
        if at == len(cards):
            raise too_few_cards(cards, at + 1)
        card = cards[at]
        hand.append(card)
        plan = plan[card]
        at += 1
    return tuple(hand)


class DealerPlan(dict[Card, "DealerPlan"]):
    """The dealer's total after each possible next card; empty on a total to stand on."""


def _dealer_plans(*, hits_soft_17: bool) -> DealerPlan:
    """The plan before the first card: so drawing is one look-up a card."""
    known: dict[tuple[int, bool], DealerPlan] = {}

    def plan(least: int, ace: bool) -> DealerPlan:
        if (least, ace) not in known:
            soft = ace and least <= 11
            points = least + 10 if soft else least
            known[least, ace] = after = DealerPlan()
            if points < DEALER_STANDS or (points == DEALER_STANDS and soft and hits_soft_17):
                for card, value in POINTS.items():
                    after[card] = plan(least + value, ace or value == 1)
        return known[least, ace]

    return plan(0, ace=False)


DEALER_PLANS: Final = {hits: _dealer_plans(hits_soft_17=hits) for hits in (False, True)}
