"""The language in which auditors ask for cards: `jokers 2, sevens 4`, `BJ RJ 7*4`, `dealer:17`.

`docs/ledger.md` has it for people. All that is asked of a player's cards one seat has to hold;
what is asked of the dealer, or of both sides at baccarat, the house has to.
"""

import re
from typing import Final, NamedTuple

from django.utils.translation import gettext_noop as _n

from games.rules.cards import RANKS
from games.rules.search_words import JOKER, all_words
from wallets.values.errors import Refused

TEXT_MAX: Final = 120
TERMS_MAX: Final = 16
COUNT_MAX: Final = 8
_NUMBERS: Final = {"one": 1, "two": 2, "three": 3, "four": 4, "five": 5, "six": 6}
_RANKS: Final = {
    "jokers": JOKER, "joker": JOKER, "aces": "A", "kings": "K", "queens": "Q", "jacks": "J",
    "tens": "T", "nines": "9", "eights": "8", "sevens": "7", "sixes": "6", "fives": "5",
    "fours": "4", "threes": "3", "twos": "2",
}  # fmt: skip
_CARD: Final = re.compile(r"([2-9tjqka]|10)([cdhs])")
_COUNT: Final = re.compile(r"([2-9tjqka]|10|joker)\*([0-9])")
_NAMED: Final = re.compile(r"(?P<what>[a-z]+):(?P<is>[a-z_0-9]+)")
_IN_ROW: Final = re.compile(r"(?:an? )?(?P<is>[a-z ]+?) in the (?P<what>[a-z]+)")
_SPOKEN: Final = re.compile(r"([a-z]+)(?:'s total)? ([0-9]{1,2}|blackjack)")


class CardTerms(NamedTuple):
    """The tokens that one player's cards must have, and those that the house's must."""

    player: tuple[str, ...] = ()
    house: tuple[str, ...] = ()


def read(text: str) -> CardTerms:
    """Read a search by cards, or raise `Refused` with the words that cannot be read."""
    if len(text) > TEXT_MAX:
        raise Refused("cards_unreadable", _n("This search is too long."))
    tokens = [token for part in text.lower().split(",") for token in _part(part.strip())]
    if len(tokens) > TERMS_MAX:
        raise Refused("cards_unreadable", _n("This search is too long."))
    of_house = all_words().house
    house = tuple(token for token in tokens if token.partition(":")[0] in of_house)
    return CardTerms(tuple(token for token in tokens if token not in house), house)


def _part(part: str) -> list[str]:
    """Return the terms between two commas: a phrase, or terms with spaces between them."""
    words = part.split()
    if len(words) == 2:
        for count, rank in (words, words[::-1]):
            number = _NUMBERS.get(count) or (int(count) if re.fullmatch("[1-8]", count) else 0)
            if rank in _RANKS and number:
                return [f"{_RANKS[rank]}*{number}"]
    if spoken := _SPOKEN.fullmatch(part):
        return [_named(spoken[1], spoken[2], part)]
    if in_row := _IN_ROW.fullmatch(part):
        return [_named(in_row["what"], in_row["is"].replace(" ", "_"), part)]
    return [_term(word) for word in words]


def _term(word: str) -> str:
    if word in ("bj", "rj"):
        return word.upper()
    if card := _CARD.fullmatch(word):
        return f"{_rank(card[1])}{card[2]}"
    if (count := _COUNT.fullmatch(word)) and 1 <= int(count[2]) <= COUNT_MAX:
        return f"{_rank(count[1])}*{count[2]}"
    if named := _NAMED.fullmatch(word):
        return _named(named["what"], named["is"], word)
    raise _unreadable(word)


def _rank(text: str) -> str:
    rank = JOKER if text == JOKER else "T" if text == "10" else text.upper()
    assert rank == JOKER or rank in RANKS
    return rank


def _named(what: str, value: str, word: str) -> str:
    """A row, a hand, a natural or a total by its name; unknown ones are refused."""
    words = all_words()
    value = str(int(value)) if value.isdecimal() else value
    if not any(value in known.get(what, ()) for known in words):
        raise _unreadable(word)
    return f"{what}:{value}"


def _unreadable(word: str) -> Refused:
    return Refused("cards_unreadable", _n("“{text}” cannot be searched."), text=word[:40])
