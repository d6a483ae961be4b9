"""Shoes whose first cards a test says."""

from collections.abc import Sequence

import pytest

from games.models import Shoe
from games.rules.cards import Card, parse_cards
from games.shoes import custody


def deal_first(patch: pytest.MonkeyPatch, cards: str | Sequence[Card]) -> None:
    """Let every shoe begin with these cards."""
    first = parse_cards(cards) if isinstance(cards, str) else tuple(cards)
    # Of the patches of one test the last one holds.
    whole = getattr(custody.cards, "whole", custody.cards)

    def begins(shoe: Shoe) -> tuple[Card, ...]:
        return first + tuple(card for card in whole(shoe) if card not in first)

    begins.whole = whole  # type: ignore[attr-defined]
    patch.setattr(custody, "cards", begins)
