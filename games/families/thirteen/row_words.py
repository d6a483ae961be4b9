"""A row by name, with the ranks that it is made of: "pair of jacks", "flush, K high"."""

from collections import Counter
from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from django.utils.translation import get_language
from django.utils.translation import pgettext_lazy as _p

from games.rules.cards import RANKS
from games.words.naming import row_term

PLURALS: Final = (
    *(_p("ranks", "twos"), _p("ranks", "threes"), _p("ranks", "fours"), _p("ranks", "fives")),
    *(_p("ranks", "sixes"), _p("ranks", "sevens"), _p("ranks", "eights"), _p("ranks", "nines")),
    *(_p("ranks", "tens"), _p("ranks", "jacks"), _p("ranks", "queens"), _p("ranks", "kings")),
    _p("ranks", "aces"),
)
# Straights have one highest card, but the lowest of them ends with an ace: their name is enough.
BY_RANKS: Final = {
    "pair": _p("a row", "pair of {first}"),
    "two_pair": _p("a row", "two pairs, {first} and {second}"),
    "three": _p("a row", "three {first}"),
    "full_house": _p("a row", "full house, {first} over {second}"),
    "four": _p("a row", "four {first}"),
    "five": _p("a row", "five {first}"),
}
BY_HIGHEST: Final = {
    "flush": _p("a row", "flush, {highest} high"),
    "high_card": _p("a row", "{highest} high"),
}


ROWS_REMEMBERED: Final = 4096


def row_words(category: str, ranks: Iterable[int]) -> str:
    """The name of a row of this category; a joker counts as the card that it replaces."""
    return _row_words(category, tuple(ranks), get_language())


@lru_cache(ROWS_REMEMBERED)
def _row_words(category: str, ranks: tuple[int, ...], _language: str | None) -> str:
    """Four viewers read a row, each on a board of their own."""
    counted = sorted(Counter(ranks).items(), key=lambda item: (item[1], item[0]), reverse=True)
    if category in BY_HIGHEST:
        highest = RANKS[max(rank for rank, _count in counted) - 2].replace("T", "10")
        return str(BY_HIGHEST[category]).format(highest=highest)
    if category not in BY_RANKS:
        return row_term(category)
    first, second = (str(PLURALS[rank - 2]) for rank, _count in (*counted, counted[0])[:2])
    return str(BY_RANKS[category]).format(first=first, second=second)
