"""Buying the dealer a card: the highest card of a dealer who does not qualify is exchanged.

Such a dealer has five different ranks, so there is one highest card. It makes way for the next card
of the shoe. Where that card has the very rank of the one it replaces and the dealer still does not
qualify, the highest card, now that one, is exchanged once more for free; that is the end of it.
"""

from collections.abc import Sequence

from games.rules.cards import Card
from games.rules.house.game import draw
from games.rules.russian_poker.hands import qualifies, value_of


def highest_card(dealer: Sequence[Card]) -> Card:
    return max(dealer, key=lambda card: card.rank)


def changed_hand(dealer: tuple[Card, ...], draws: Sequence[Card]) -> tuple[Card, ...]:
    """The dealer's five cards after each card drawn has taken the place of the highest."""
    for card in draws:
        highest = highest_card(dealer)
        dealer = tuple([card if one is highest else one for one in dealer])
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
