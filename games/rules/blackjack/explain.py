"""Explaining the cards of a hand in the terms of blackjack."""

from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.paying import combination
from games.rules.blackjack.refusals import is_pair
from games.rules.blackjack.state import Hand
from games.rules.blackjack.totals import is_blackjack, total_of
from games.rules.cards import parse_cards
from games.rules.contract import check_cards


def explain(game: Blackjack, text: str) -> dict[str, object]:
    """A hand's total, what it is, and what it holds of the bonus table; three cards may."""
    cards = parse_cards(text)
    check_cards(cards, game.composition(), 1)
    total = total_of(cards)
    explained: dict[str, object] = {
        "cards": [card.text for card in cards],
        "total": total.points,
        "soft": total.soft,
        "bust": total.points > 21,
        "blackjack": is_blackjack(cards),
        "can_split": is_pair(Hand(cards, ())),
    }
    if len(cards) in (2, 3):
        third = cards[2] if len(cards) == 3 else None
        held = combination(cards[:2], third, game.jackpot_shares)
        if held:
            explained["bonus"] = held.name
    return explained
