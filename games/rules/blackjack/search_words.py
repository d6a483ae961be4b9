"""The hands of the boxes at blackjack with their totals, and the dealer's."""

from collections.abc import Sequence
from typing import Final

from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import BlackjackState
from games.rules.blackjack.totals import is_blackjack, points_of
from games.rules.cards import Card
from games.rules.search_words import HOUSE, TOTALS, HeldWords, Holders, cards_words

_TOTALS: Final = TOTALS | {"blackjack"}
WORDS: Final = HeldWords(seat={"total": _TOTALS}, house={"dealer": _TOTALS})


def holders(_game: Blackjack, path: Sequence[BlackjackState]) -> Holders:
    state = path[-1]
    if state.dealer:
        yield HOUSE, frozenset({*cards_words(state.dealer), *_total("dealer", state.dealer)})
    for box in state.boxes:
        for hand in box.hands:
            words = frozenset({*cards_words(hand.cards), *_total("total", hand.cards)})
            for player in box.players[:1]:
                yield player.seat, words


def _total(name: str, cards: Sequence[Card]) -> set[str]:
    blackjack = {f"{name}:blackjack"} if is_blackjack(cards) else set()
    return {f"{name}:{points_of(cards)}"} | blackjack
