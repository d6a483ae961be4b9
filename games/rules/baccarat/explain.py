"""Explaining the cards of a coup in the terms of baccarat."""

from msgspec import to_builtins

from games.rules.baccarat.coup import deal_coup
from games.rules.baccarat.game import BaccaratTable
from games.rules.cards import parse_cards
from games.rules.contract import check_cards
from games.rules.errors import Unreadable


def explain(game: BaccaratTable, text: str) -> dict[str, object]:
    """Four to six cards in dealing order: the two hands, their totals and who wins."""
    cards = parse_cards(text)
    check_cards(cards, game.composition(), 4)
    coup = deal_coup(cards, game.banker_note_literal)
    dealt = len(coup.player) + len(coup.banker)
    if len(cards) > dealt:
        raise Unreadable("card_count", "This coup ends with {count} cards.", count=dealt)
    explained: dict[str, object] = to_builtins(coup)
    return explained
