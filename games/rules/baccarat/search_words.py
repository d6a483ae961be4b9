"""The cards of a coup, which the house holds, with the totals of both sides."""

from collections.abc import Sequence
from typing import Final

from games.rules.baccarat.game import BaccaratState, BaccaratTable
from games.rules.search_words import HOUSE, TOTALS, HeldWords, Holders, cards_words

WORDS: Final = HeldWords(house={"banker": TOTALS, "player": TOTALS})


def holders(_game: BaccaratTable, path: Sequence[BaccaratState]) -> Holders:
    coup = path[-1].coup
    if coup is not None:
        totals = {f"banker:{coup.banker_total}", f"player:{coup.player_total}"}
        yield HOUSE, frozenset({*cards_words((*coup.player, *coup.banker)), *totals})
