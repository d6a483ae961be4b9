"""Suggesting how to play a box: what a hint shows, and what a coach holds against a decision."""

from collections.abc import Sequence
from typing import Final, Literal

from msgspec import Struct

from games.rules.cards import Card
from games.rules.contract import check_cards
from games.rules.errors import Unreadable
from games.rules.russian_poker.best_play import draws, finish
from games.rules.russian_poker.game import HAND, RussianPoker
from games.rules.russian_poker.hands import read_hand
from games.rules.russian_poker.outlook import FOLDED

SUGGESTIONS_MOST: Final = 5


class Suggestion(Struct, frozen=True, kw_only=True, omit_defaults=True):
    """A way to play a box, and what it is worth in antes; folding is worth -1.

    Insurance is named where it wins on average, before the bet it belongs to.
    """

    do: Literal["exchange", "buy", "bet", "fold"]
    worth: float
    cards: tuple[Card, ...] = ()
    insurance: int = 0


def suggest(game: RussianPoker, cards: Sequence[Card]) -> list[Suggestion]:
    """The best ways to play, the best first: the last card named is the dealer's, the up card.

    Of five cards before it some may be exchanged or a sixth bought; six before it draw no more. The
    ante is the table's least.
    """
    check_cards(cards, game.composition(), 0)
    if len(cards) not in (HAND + 1, HAND + 2):
        raise Unreadable("card_count", "Name five or six cards, and the dealer's card behind them.")
    *held, up = cards
    last = _last_decision(game, held, up)
    if len(held) > HAND:
        return last
    suggestions = [
        Suggestion(do=draw.do, worth=draw.worth, cards=draw.cards)
        for draw in draws(game, game.min, held, up)
        if draw.do != "play"
    ]
    return sorted([*last, *suggestions], key=lambda suggestion: -suggestion.worth)[
        :SUGGESTIONS_MOST
    ]


def _last_decision(game: RussianPoker, held: Sequence[Card], up: Card) -> list[Suggestion]:
    """To bet, insured where that wins, or to fold."""
    last = finish(game, game.min, read_hand(held), up, held)
    insured = last.insurance * (2 * last.unqualified_chance - 1) / game.min
    bet = Suggestion(do="bet", worth=last.bet + insured, insurance=last.insurance)
    return sorted(
        [bet, Suggestion(do="fold", worth=FOLDED)], key=lambda suggestion: -suggestion.worth
    )
