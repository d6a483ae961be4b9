"""Totals of cards, and the dealer's drawing rule.

Two to nine count what they show, ten and court cards ten, an ace one or eleven. A total is soft
where an ace counts eleven in it. An ace and a ten-value in the first two cards are a blackjack, but
not after a split: whoever asks knows that.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.rules.cards import ACE, DECK, Card
from games.rules.house.game import draw_one

# What a card counts, an ace one.
POINTS: Final = {card: 1 if card.rank == ACE else min(card.rank, 10) for card in DECK}
DEALER_STANDS: Final = 17


class Total(NamedTuple):
    """The best total of a hand: the highest that is not above 21, else the lowest."""

    points: int
    soft: bool


def points_of(cards: Sequence[Card]) -> int:
    """The best total of a hand, as a number."""
    least, ace = 0, False
    for card in cards:
        value = POINTS[card]
        least += value
        if value == 1:
            ace = True
    return least + 10 if ace and least <= 11 else least


def total_of(cards: Sequence[Card]) -> Total:
    points = points_of(cards)
    return Total(points, points > sum([POINTS[card] for card in cards]))


def is_blackjack(cards: Sequence[Card]) -> bool:
    """Whether two cards are an ace and a ten-value."""
    if len(cards) != 2:
        return False
    first, second = POINTS[cards[0]], POINTS[cards[1]]
    return first + second == 11 and (first == 1 or second == 1)


def dealer_hand(
    cards: tuple[Card, ...], drawn: int, up: Card, *, hits_soft_17: bool
) -> tuple[Card, ...]:
    """The dealer's cards, drawn to 16: it stands on every 17, or hits a soft one."""
    at = drawn
    least = POINTS[up]
    ace = least == 1
    while True:
        soft = ace and least <= 11
        points = least + 10 if soft else least
        if points > DEALER_STANDS or (points == DEALER_STANDS and not (soft and hits_soft_17)):
            return (up, *cards[drawn:at])
        value = POINTS[draw_one(cards, at)]
        at += 1
        least += value
        if value == 1:
            ace = True
