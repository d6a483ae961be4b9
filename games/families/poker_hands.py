"""Examples of five-card hands, for the families that use them."""

from typing import Final

from games.boards.rule_tables import Example
from games.rules.cards import Card, parse_cards
from games.rules.poker import CODE, Category, Ranking, category
from games.words.naming import term

# From high to low. What an ace and a joker make hangs on the table.
POKER_HANDS: Final = {
    Category.FIVE: "9s9h9d9cRJ",
    Category.ROYAL_FLUSH: "AsKsQsJsTs",
    Category.STRAIGHT_FLUSH: "9h8h7h6h5h",
    Category.FOUR: "QsQhQdQc4d",
    Category.FULL_HOUSE: "JsJhJd6c6s",
    Category.FLUSH: "KdTd8d6d3d",
    Category.STRAIGHT: "Ts9h8c7d6s",
    Category.THREE: "8s8h8dKc4s",
    Category.TWO_PAIR: "AsAd7h7c9s",
    Category.PAIR: "TsThKd6c3s",
    Category.HIGH_CARD: "AhJc9d6s3h",
}


def poker_examples(ranks: Ranking, *, has_jokers: bool = False) -> tuple[Example, ...]:
    """The combinations at a table with this ranking, each with example cards."""
    hands = {kind: parse_cards(text) for kind, text in POKER_HANDS.items()}
    return tuple(
        Example(term(kind.name.lower()), cards)
        for kind, cards in hands.items()
        if _made(ranks, cards, has_jokers) == kind
    )


def _made(ranks: Ranking, cards: tuple[Card, ...], has_jokers: bool) -> Category | None:
    """The name of five cards; empty if one of them is not in the deck."""
    if not has_jokers and any(card.is_joker for card in cards):
        return None
    return category(ranks.five(*[CODE[card] for card in cards]))
