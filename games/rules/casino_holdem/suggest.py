"""Advice on two cards and the flop: the values of calling and folding."""

from collections.abc import Sequence

from msgspec import Struct

from games.rules.cards import Card
from games.rules.casino_holdem.calling import FOLD_VALUE, call_value
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.contract import check_cards
from games.rules.errors import Unreadable


class Suggestion(Struct, frozen=True):
    """A decision, and what it wins on average, in antes."""

    do: str
    value: float


def suggest(game: CasinoHoldem, cards: Sequence[Card]) -> tuple[Suggestion, ...]:
    """Both decisions, the better one first; the two hole cards come before the flop."""
    check_cards(cards, game.composition(), 5)
    if len(cards) > 5:
        raise Unreadable("card_count", "A decision is made on two cards and the flop.")
    call = call_value(cards[:2], cards[2:])
    both = [Suggestion("call", float(call)), Suggestion("fold", float(FOLD_VALUE))]
    return tuple(both if call > FOLD_VALUE else both[::-1])
