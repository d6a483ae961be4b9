"""The hands of casino hold'em, each the best of two cards with the whole board."""

from collections.abc import Sequence
from typing import Final

from games.rules.cards import Card
from games.rules.casino_holdem.game import CasinoHoldem, HoldemState
from games.rules.poker import CATEGORY_NAMES, best_of_seven, category
from games.rules.search_words import POKER_WORDS, Holders, poker_holders

WORDS: Final = POKER_WORDS


def holders(_game: CasinoHoldem, path: Sequence[HoldemState]) -> Holders:
    board = path[-1].board

    def named(cards: Sequence[Card]) -> str:
        whole = len(cards) == 2 and len(board) == 5
        return CATEGORY_NAMES[category(best_of_seven((*cards, *board)))] if whole else ""

    yield from poker_holders(path[-1], board, named)
