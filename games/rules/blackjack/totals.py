"""What cards count, and how the dealer draws.

Two to nine count what they show, ten and court cards ten, an ace one or eleven. A total is soft
where an ace counts eleven in it. An ace and a ten-value in the first two cards are a blackjack, but
not after a split: whoever asks knows that.
"""

from collections.abc import Sequence
from typing import Final, NamedTuple

from games.rules.cards import ACE, Card
from games.rules.house.game import draw

# What a card counts, by its rank, with the ace as one.
POINTS: Final = (0, 0, 2, 3, 4, 5, 6, 7, 8, 9, 10, 10, 10, 10, 1)
DEALER_STANDS: Final = 17


class Total(NamedTuple):
    """The best total of a hand: the highest that is not above 21, else the lowest."""

    points: int
    soft: bool


def points(card: Card) -> int:
    """What a card counts, an ace one."""
    return POINTS[card.rank]


def total_of(cards: Sequence[Card]) -> Total:
    least, ace = 0, False
    for card in cards:
        rank = card.rank
        least += POINTS[rank]
        if rank == ACE:
            ace = True
    if ace and least <= 11:
        return Total(least + 10, True)
    return Total(least, False)


def is_blackjack(cards: Sequence[Card]) -> bool:
    """Whether two cards are an ace and a ten-value."""
    if len(cards) != 2:
        return False
    first, second = POINTS[cards[0].rank], POINTS[cards[1].rank]
    return first + second == 11 and (first == 1 or second == 1)


def dealer_hand(
    cards: tuple[Card, ...], drawn: int, up: Card, *, hits_soft_17: bool
) -> tuple[Card, ...]:
    """The dealer's cards, drawn to 16: it stands on every 17, or hits a soft one."""
    hand: tuple[Card, ...] = (up,)
    while True:
        held = total_of(hand)
        if held.points > DEALER_STANDS or (
            held.points == DEALER_STANDS and not (held.soft and hits_soft_17)
        ):
            return hand
        hand += draw(cards, drawn, 1)
        drawn += 1
