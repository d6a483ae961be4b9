"""The cards of boxes with an ante and of their dealer, and the names of their hands."""

from collections.abc import Callable, Sequence
from typing import Final

from games.rules.cards import Card
from games.rules.house.antes import AnteState
from games.rules.poker import CATEGORY_NAMES
from games.rules.search_words import HOUSE, HeldWords, Holders, cards_words

POKER_WORDS: Final = HeldWords(
    seat={"hand": frozenset(CATEGORY_NAMES)}, house={"dealer": frozenset(CATEGORY_NAMES)}
)


def poker_holders(
    state: AnteState, board: Sequence[Card], named: Callable[[Sequence[Card]], str]
) -> Holders:
    """The boxes and the dealer; `named` is the name of a whole hand, or nothing."""
    dealer = _hand("dealer", named(state.dealer))
    yield HOUSE, frozenset({*cards_words((*state.dealer, *board)), *dealer})
    for box in state.boxes:
        yield box.seat, frozenset({*cards_words(box.cards), *_hand("hand", named(box.cards))})


def _hand(name: str, hand: str) -> set[str]:
    return {f"{name}:{hand}"} if hand else set()
