"""Template tags for blackjack: totals of cards, and the bets on a hand."""

from collections.abc import Sequence
from typing import Any, Final

from django.utils.translation import gettext as _

from games.rules.blackjack.totals import points_of
from games.rules.cards import ACE, Card


def blackjack_total(hand: Any) -> str:
    """Return the total of cards at blackjack, as `soft 17`."""
    least = sum(1 if card.rank == ACE else min(card.rank, 10) for card in hand)
    if len(hand) == 1 and least == 1:
        # A single ace shows both totals.
        return "1/11"
    if least <= 11 and any(card.rank == ACE for card in hand):
        return _("soft {points}").format(points=least + 10)
    return str(least)


def is_bust(hand: Sequence[Card]) -> bool:
    """Whether cards count more than 21."""
    return bool(hand) and points_of(hand) > 21


def staked_by(hand: Any, box: Any) -> list[tuple[object, int]]:
    staked = zip(box.players, hand.bets, strict=True)
    return [(player, stake) for player, stake in staked if stake]


# The filters of templates, by name.
FILTERS: Final = {function.__name__: function for function in (blackjack_total, is_bust, staked_by)}
FUNCTIONS: Final[dict[str, Any]] = {}
