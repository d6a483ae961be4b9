"""Template tags for blackjack: totals of cards, and the bets on a hand."""

from collections.abc import Sequence
from typing import Any, Final

from django.utils.text import capfirst
from django.utils.translation import gettext as _

from games.rules.blackjack.state import Hand
from games.rules.blackjack.totals import is_blackjack, points_of, total_of
from games.rules.cards import ACE, Card
from games.words.naming import term

# The ends of a hand that are named beside its total.
NAMED_ENDS: Final = ("bust", "surrendered")


def blackjack_total(cards: Sequence[Card]) -> str:
    """Return the total of cards at blackjack, as `soft 17`."""
    if len(cards) == 1 and cards[0].rank == ACE:
        # A single ace shows both totals.
        return "1/11"
    total = total_of(cards)
    if total.soft and total.points < 21:
        return _("soft {points}").format(points=total.points)
    return str(total.points)


def dealt_total(cards: Sequence[Card]) -> str:
    """The total of cards that come of no split: an ace and a ten-value are a blackjack."""
    return capfirst(term("blackjack")) if is_blackjack(cards) else blackjack_total(cards)


def hand_total(hand: Hand) -> str:
    """The total of a box's hand, which knows whether it is a blackjack."""
    return dealt_total(hand.cards) if hand.ended == "blackjack" else blackjack_total(hand.cards)


def ended_in_words(hand: Hand) -> str:
    """How a hand has ended, where its total does not say it."""
    return term(hand.ended) if hand.ended in NAMED_ENDS else ""


def is_bust(hand: Sequence[Card]) -> bool:
    """Whether cards count more than 21."""
    return bool(hand) and points_of(hand) > 21


def staked_by(hand: Any, box: Any) -> list[tuple[object, int]]:
    staked = zip(box.players, hand.bets, strict=True)
    return [(player, stake) for player, stake in staked if stake]


# The filters of templates, by name.
FILTERS: Final = {
    function.__name__: function
    for function in (blackjack_total, dealt_total, hand_total, is_bust, staked_by)
}
FUNCTIONS: Final[dict[str, Any]] = {}
