"""Explaining the cards of a box in the terms of Russian poker."""

from games.rules.cards import parse_cards
from games.rules.contract import check_cards
from games.rules.errors import Unreadable
from games.rules.russian_poker.boxes import insurable
from games.rules.russian_poker.game import HAND, RussianPoker
from games.rules.russian_poker.hands import bonus_combination, qualifies, read_hand


def explain(game: RussianPoker, text: str) -> dict[str, object]:
    """Five or six cards: both combinations, what they pay, and the bonus on the first five."""
    cards = parse_cards(text)
    check_cards(cards, game.composition(), 0)
    if len(cards) not in (HAND, HAND + 1):
        raise Unreadable("card_count", "A box holds five or six cards.")
    hand = read_hand(cards)
    bonus = bonus_combination(cards[:HAND], game.jackpot_shares)
    return {
        "combinations": [
            {
                "name": combination.name,
                "cards": [card.text for card in cards if card in combination.cards],
                "pays": combination.odds.pays,
            }
            for combination in hand.combinations
        ],
        "pays": hand.pays,
        "qualifies": qualifies(hand.value),
        "insurable": insurable(hand),
        "bonus": bonus.name if bonus else None,
    }
