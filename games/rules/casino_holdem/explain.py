"""Explaining cards in the terms of casino hold'em."""

from games.rules.cards import Card, parse_cards
from games.rules.casino_holdem.game import CasinoHoldem, ante_odds, bonus_combination, qualifies
from games.rules.contract import check_cards
from games.rules.errors import Unreadable
from games.rules.poker import CODE, best_of_seven, category, ranking


def explain(game: CasinoHoldem, text: str) -> dict[str, object]:
    """Two cards and the flop, or the whole board, and behind it the dealer's two.

    Five cards show the bonus, seven the row of the ante's table, nine who wins.
    """
    cards = parse_cards(text)
    check_cards(cards, game.composition(), 5)
    if len(cards) not in (5, 7, 9):
        raise Unreadable(
            "card_count", "Show 5, 7 or 9 cards: two, the board, and the dealer's two."
        )
    explained = _bonus(game, cards[:5])
    if len(cards) == 5:
        return explained
    own = best_of_seven(cards[:7])
    explained |= {"hand": category(own).name.lower(), "ante_pays": ante_odds(own).pays}
    if len(cards) == 9:
        dealer = best_of_seven(cards[2:])
        explained |= {"dealer": category(dealer).name.lower(), "qualifies": qualifies(dealer)}
        explained["winner"] = _winner(own, dealer)
    return explained


def _bonus(game: CasinoHoldem, cards: tuple[Card, ...]) -> dict[str, object]:
    """The hand that two cards and the flop make, and what the bonus pays on it."""
    value = ranking().five(*[CODE[card] for card in cards])
    combination = bonus_combination(value, game.shares_bp)
    explained: dict[str, object] = {"flop_hand": category(value).name.lower(), "bonus": None}
    if combination:
        explained["bonus"] = combination.name
        if combination.odds:
            explained["bonus_pays"] = combination.odds.pays
        else:
            explained["jackpot_share_bp"] = combination.share_bp
    return explained


def _winner(own: int, dealer: int) -> str | None:
    """The side with the higher hand; None if the dealer does not qualify."""
    if not qualifies(dealer):
        return None
    if own == dealer:
        return "tie"
    return "player" if own > dealer else "dealer"
