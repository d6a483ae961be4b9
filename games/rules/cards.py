"""Playing cards, their text form, and the compositions of the shoes that games are dealt from.

A card is written as rank and suit: `2 3 4 5 6 7 8 9 T J Q K A` and `c d h s`, as in `Td` for the
ten of diamonds. The jokers are `BJ` (black, the small one) and `RJ` (red, the big one). In a shoe
of several decks equal cards are the same value; what is conserved is how many there are.
"""

from collections.abc import Iterable
from enum import Enum
from typing import Final

from games.rules.errors import Unreadable

RANKS: Final = "23456789TJQKA"
SUITS: Final = "cdhs"
JACK: Final = 11
ACE: Final = 14
# Jokers stand above every rank; the two keep their own order, which Dou Dizhu plays by.
BLACK_JOKER_RANK: Final = 15
RED_JOKER_RANK: Final = 16


class Card(Enum):
    """One card; members stand in the canonical order of a deck."""

    # fmt: off
    C2 = "2c"; C3 = "3c"; C4 = "4c"; C5 = "5c"; C6 = "6c"; C7 = "7c"; C8 = "8c"
    C9 = "9c"; CT = "Tc"; CJ = "Jc"; CQ = "Qc"; CK = "Kc"; CA = "Ac"
    D2 = "2d"; D3 = "3d"; D4 = "4d"; D5 = "5d"; D6 = "6d"; D7 = "7d"; D8 = "8d"
    D9 = "9d"; DT = "Td"; DJ = "Jd"; DQ = "Qd"; DK = "Kd"; DA = "Ad"
    H2 = "2h"; H3 = "3h"; H4 = "4h"; H5 = "5h"; H6 = "6h"; H7 = "7h"; H8 = "8h"
    H9 = "9h"; HT = "Th"; HJ = "Jh"; HQ = "Qh"; HK = "Kh"; HA = "Ah"
    S2 = "2s"; S3 = "3s"; S4 = "4s"; S5 = "5s"; S6 = "6s"; S7 = "7s"; S8 = "8s"
    S9 = "9s"; ST = "Ts"; SJ = "Js"; SQ = "Qs"; SK = "Ks"; SA = "As"
    BLACK_JOKER = "BJ"
    RED_JOKER = "RJ"
    # fmt: on

    text: str
    rank: int
    suit: int
    is_joker: bool

    def __init__(self, text: str) -> None:
        self.text = text
        self.is_joker = text[1] == "J"
        if self.is_joker:
            self.rank = BLACK_JOKER_RANK if text == "BJ" else RED_JOKER_RANK
            self.suit = -1
        else:
            self.rank = RANKS.index(text[0]) + 2
            self.suit = SUITS.index(text[1])

    # Enum hashes a member by its name in Python code; members are unique objects, so identity
    # serves as well and costs a tenth.
    __hash__ = object.__hash__

    def __repr__(self) -> str:
        return self.text

    __str__ = __repr__


DECK: Final[tuple[Card, ...]] = tuple(card for card in Card if not card.is_joker)
JOKERS: Final[tuple[Card, ...]] = (Card.BLACK_JOKER, Card.RED_JOKER)


def composition(decks: int = 1, jokers: bool = False) -> tuple[Card, ...]:
    """The cards of one full shoe in canonical order: the decks, then a pair of jokers for each."""
    return DECK * decks + (JOKERS * decks if jokers else ())


def parse_cards(text: str) -> tuple[Card, ...]:
    """Read cards written one behind the other; spaces and commas between them do not matter."""
    compact = "".join(text.replace(",", " ").split())
    if len(compact) % 2:
        raise Unreadable("card", "{text} is not a list of cards.", text=text[:40])
    cards = []
    for start in range(0, len(compact), 2):
        name = compact[start : start + 2]
        try:
            cards.append(Card(name))
        except ValueError:
            raise Unreadable("card", "{text} is not a card.", text=name) from None
    return tuple(cards)


def cards_text(cards: Iterable[Card]) -> str:
    """The cards one behind the other, as `parse_cards` reads them."""
    return "".join(card.text for card in cards)
