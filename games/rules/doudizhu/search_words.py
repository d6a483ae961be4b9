"""The cards of each player of Dou Dizhu, the middle among the landlord's."""

from collections.abc import Sequence
from typing import Final

from games.rules.doudizhu.game import Doudizhu
from games.rules.doudizhu.state import DoudizhuState
from games.rules.search_words import HeldWords, Holders, cards_words, ever_held

WORDS: Final = HeldWords()


def holders(_game: Doudizhu, path: Sequence[DoudizhuState]) -> Holders:
    for place, stake in enumerate(path[-1].stakes):
        yield stake.seat, frozenset(cards_words(ever_held(path, place)))
