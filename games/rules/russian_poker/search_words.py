"""The hands of Russian poker as they were at the end."""

from collections.abc import Sequence
from typing import Final

from games.rules.cards import Card
from games.rules.poker import CATEGORY_NAMES, category
from games.rules.russian_poker.boxes import RussianState
from games.rules.russian_poker.game import RussianPoker
from games.rules.russian_poker.hands import value_of
from games.rules.search_words import POKER_WORDS, Holders, poker_holders

WORDS: Final = POKER_WORDS


def holders(_game: RussianPoker, path: Sequence[RussianState]) -> Holders:
    def named(cards: Sequence[Card]) -> str:
        return CATEGORY_NAMES[category(value_of(cards))] if len(cards) == 5 else ""

    yield from poker_holders(path[-1], (), named)
