"""The combinations of five or six cards at Russian poker, and what they and the bonus pay.

A hand is the best five of its cards; A-2-3-4-5 is the lowest straight, and the royal flush is
above all. The lowest hand that counts is ace-king: no pair, but an ace and a king. A dealer with
less does not qualify, and a player with less cannot beat a dealer who does.

The cards that make a combination are its **own cards**: the ace and the king, the two of a pair,
the four of two pairs, three, four, and all five of a straight, a flush or a full house. The others
are kickers; they decide between equal combinations but belong to none.

The **second combination** is the one that pays most among all combinations, formed from all five or
six cards, that have at least one own card which is not an own card of the main combination. It may
share all the others, and may be of the same kind. It is paid where the main combination is:

* five cards: only ace-king can be second. A-A-K-7-2 pays a pair and ace-king, K-K-K-K-A pays four
  and ace-king; A-A-K-K-7 pays two pairs alone, as its ace and king are own cards already;
* a straight of six, or with a rank doubled, pays two straights; six cards of a suit, two flushes; a
  flush of five whose sixth card completes a straight, a flush and a straight;
* two threes are two full houses, three pairs are two pairs twice, four and a pair are four and a
  full house; a flush whose sixth card pairs one of its cards is a flush and a pair.

Three of a kind pays 10:1, a straight 21:1, a flush 40:1, a full house 60:1 and four of a kind
150:1; a straight flush wins at least 15 and a royal flush at least 50 hundredths of the jackpot,
and never less than four of a kind pays.
"""

from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import Final, NamedTuple

from games.rules.cards import ACE, Card, parse_cards
from games.rules.house import sides
from games.rules.house.till import Odds
from games.rules.poker import CATEGORY_NAMES, CODE, Category, category, ranking

KING: Final = ACE - 1
CODE_OF: Final = CODE.__getitem__
FIVE: Final = ranking(wheel="low", royal=True, jokers=0).five

ACE_KING: Final = "ace_king"
# The win of a bet with each combination, from the lowest up.
PAYTABLE: Final[dict[str, Odds]] = {
    ACE_KING: Odds(1),
    "pair": Odds(1),
    "two_pair": Odds(2),
    "three": Odds(3),
    "straight": Odds(4),
    "flush": Odds(5),
    "full_house": Odds(7),
    "four": Odds(20),
    "straight_flush": Odds(50),
    "royal_flush": Odds(100),
}
_NAMES: Final = {kind: kind.name.lower() for kind in Category}
_WHOLE: Final = frozenset(
    (Category.STRAIGHT, Category.FLUSH, Category.STRAIGHT_FLUSH, Category.ROYAL_FLUSH)
)


class Combination(NamedTuple):
    """A line of the paytable that some cards make, its own cards, and its value as a hand."""

    name: str
    cards: frozenset[Card]
    value: int

    @property
    def odds(self) -> Odds:
        return PAYTABLE[self.name]


class Hand(NamedTuple):
    """The value of five or six cards: below ace-king there is no combination to be paid."""

    value: int
    main: Combination | None
    second: Combination | None

    @property
    def combinations(self) -> tuple[Combination, ...]:
        return tuple(combination for combination in (self.main, self.second) if combination)

    @property
    def pays(self) -> int:
        """The winnings of the bet, in units of it, when the hand beats a dealer who qualifies."""
        return sum(combination.odds.pays for combination in self.combinations)


def value_of(cards: Sequence[Card]) -> int:
    """The value of five cards as a hand: the greater wins, equal ones tie."""
    return FIVE(*map(CODE_OF, cards))


# The lowest value that counts, and the lowest of three of a kind and of a straight.
QUALIFYING: Final = value_of(parse_cards("AcKd4h3s2c"))
THREE_LEAST: Final = value_of(parse_cards("2c2d2h4s3c"))
STRAIGHT_LEAST: Final = value_of(parse_cards("Ac2d3h4s5c"))


def qualifies(value: int) -> bool:
    """Whether it is ace-king or better."""
    return value >= QUALIFYING


def best_value(cards: Sequence[Card]) -> int:
    """The value of the best five of five or six cards, far quicker to find than what they hold."""
    return value_of(cards) if len(cards) == 5 else max(_values_of_fives(cards))


def read_hand(cards: Sequence[Card]) -> Hand:
    """The main and the second combination of five or six cards."""
    values = _values_of_fives(cards)
    value = max(values)
    if value < QUALIFYING:
        return Hand(value, None, None)
    fives = list(combinations(cards, 5))
    main = _combination(value, fives[values.index(value)])
    second = _other_five(values, fives, main) if len(fives) > 1 else None
    return Hand(value, main, second or _other_ace_king(cards, main))


def _values_of_fives(cards: Sequence[Card]) -> list[int]:
    """The value of each five of the cards, in the order of `combinations`."""
    return [FIVE(*five) for five in combinations(map(CODE_OF, cards), 5)]


def _combination(value: int, five: Sequence[Card]) -> Combination:
    """The name of five cards that qualify, and the cards that make the combination."""
    kind = category(value)
    if kind in _WHOLE:
        return Combination(_NAMES[kind], frozenset(five), value)
    if kind == Category.HIGH_CARD:
        own = [card for card in five if card.rank >= KING]
        return Combination(ACE_KING, frozenset(own), value)
    ranks = [card.rank for card in five]
    own = [card for card in five if ranks.count(card.rank) > 1]
    return Combination(_NAMES[kind], frozenset(own), value)


def _other_five(
    values: Sequence[int], fives: Sequence[Sequence[Card]], main: Combination
) -> Combination | None:
    """The best of the other fives of six cards that has an own card outside the main one's.

    A higher hand never pays less, so the highest is the one that pays most.
    """
    for value, five in sorted(zip(values, fives, strict=True), key=_value, reverse=True):
        if value >= QUALIFYING and not main.cards.issuperset(five):
            other = _combination(value, five)
            if not other.cards <= main.cards:
                return other
    return None


def _value(valued: tuple[int, Sequence[Card]]) -> int:
    return valued[0]


def _other_ace_king(cards: Sequence[Card], main: Combination) -> Combination | None:
    """Ace-king counts in addition to any combination that does not hold both already.

    It is the lowest second combination: what else is one pays no less.
    """
    aces = [card for card in cards if card.rank == ACE]
    kings = [card for card in cards if card.rank == KING]
    for ace in aces:
        for king in kings:
            if not (ace in main.cards and king in main.cards):
                return Combination(ACE_KING, frozenset((ace, king)), QUALIFYING)
    return None


BONUS_TABLE: Final[dict[str, Odds]] = {
    "three": Odds(10),
    "straight": Odds(21),
    "flush": Odds(40),
    "full_house": Odds(60),
    "four": Odds(150),
}
JACKPOT_HANDS: Final = ("straight_flush", "royal_flush")


def bonus_combination(
    dealt: Sequence[Card], shares_bp: Mapping[str, int], least: Odds | None = None
) -> sides.Combination | None:
    """Return what five cards win: fixed odds, or a share of the jackpot if the table has one.

    A share pays no less than `least`.
    """
    name = CATEGORY_NAMES[category(value_of(dealt))]
    if name in shares_bp:
        return sides.Combination(name, None, shares_bp[name], least)
    odds = BONUS_TABLE["four"] if name in JACKPOT_HANDS else BONUS_TABLE.get(name)
    return sides.Combination(name, odds) if odds else None
