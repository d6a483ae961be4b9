"""The cards of each player of thirteen cards, the kinds of their rows, and their natural."""

from collections.abc import Sequence
from typing import Final

from games.rules.poker import CATEGORY_NAMES
from games.rules.search_words import HeldWords, Holders, cards_words, ever_held
from games.rules.thirteen.game import ThirteenGame
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.showdown import ROW_NAMES
from games.rules.thirteen.state import ThirteenState

WORDS: Final = HeldWords(
    seat={
        **dict.fromkeys(ROW_NAMES, frozenset(CATEGORY_NAMES)),
        "natural": frozenset(natural.value for natural in Natural),
    }
)


def holders(game: ThirteenGame, path: Sequence[ThirteenState]) -> Holders:
    last = path[-1]
    for place, stake in enumerate(last.stakes):
        words = set(cards_words(ever_held(path, place)))
        arranged = last.arranged[place]
        if arranged is not None and arranged.declare is not None:
            words.add(f"natural:{arranged.declare.value}")
        if arranged is not None and all(arranged.rows):
            for name, row in zip(ROW_NAMES, arranged.rows, strict=True):
                words.add(f"{name}:{CATEGORY_NAMES[game.rank_row(row).category]}")
        yield stake.seat, frozenset(words)
