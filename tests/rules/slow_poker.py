"""Poker hands read slowly, to compare the ranking with.

The slow reading shares nothing with the ranking: it counts ranks and suits card by card, and
for a joker it tries all fifty-two cards. Of a row it says what the rules page says: the category,
the ranks that come before the joker is asked for, how few jokers, the ranks that come after.
"""

from collections import Counter
from collections.abc import Sequence
from itertools import combinations_with_replacement
from typing import NamedTuple

from games.rules.cards import DECK, Card
from games.rules.poker import CODE, Ranking, Wheel, ranking

LADDER = (
    *("high_card", "pair", "two_pair", "three", "straight", "flush", "full_house", "four"),
    *("straight_flush", "royal_flush", "five"),
)
WHEELS: tuple[Wheel, ...] = ("low", "second")


class Slow(NamedTuple):
    """A row as the slow reading has it; greater wins, and of equal ranks the longer row."""

    category: int
    main: tuple[int, ...]
    real: int
    kickers: tuple[int, ...]


class Reading(NamedTuple):
    wheel: Wheel
    royal: bool
    jokers: int = 0

    @property
    def ranks(self) -> Ranking:
        return ranking(wheel=self.wheel, royal=self.royal, jokers=self.jokers)


def value(ranks: Ranking, cards: Sequence[Card]) -> int:
    codes = [CODE[card] for card in cards]
    return ranks.three(*codes) if len(cards) == 3 else ranks.five(*codes)


def slow_natural(cards: Sequence[tuple[int, str]], reading: Reading) -> Slow:
    """A row without jokers, its cards as rank and suit; a card may stand in it twice."""
    ranks = sorted((rank for rank, _ in cards), reverse=True)
    slows = [slow_sets(ranks)]
    if len(cards) == 3:
        return slows[0]
    suited = len({suit for _, suit in cards}) == 1
    if suited:
        # With a card held twice, a flush may well have two aces.
        slows.append(Slow(LADDER.index("flush"), tuple(ranks), 2, ()))
    top = 0
    if ranks == list(range(ranks[0], ranks[0] - 5, -1)):
        top = 2 * ranks[0]
    elif ranks == [14, 5, 4, 3, 2]:
        # Where the wheel is second it goes between the king's straight and the ace's.
        top = 2 * 5 if reading.wheel == "low" else 2 * 13 + 1
    if top:
        royal = reading.royal and top == 2 * 14
        name = "royal_flush" if royal else "straight_flush"
        slows.append(Slow(LADDER.index(name if suited else "straight"), (top,), 2, ()))
    return max(slows)


def slow_sets(ranks: Sequence[int]) -> Slow:
    """What a row is by its equal ranks alone."""
    counted = sorted(Counter(ranks).items(), key=lambda item: (-item[1], -item[0]))
    shape = [count for _, count in counted]
    ordered = tuple(rank for rank, _ in counted)
    shapes = {
        (1,): ("high_card", len(ordered)),
        (2, 1): ("pair", 1),
        (2, 2): ("two_pair", 2),
        (3,): ("three", 1),
        (3, 1): ("three", 1),
        (3, 2): ("full_house", 1),
        (4, 1): ("four", 1),
        (5,): ("five", 1),
    }
    name, mains = shapes[(1,) if shape[0] == 1 else tuple(shape[:2])]
    return Slow(LADDER.index(name), ordered[:mains], 2, ordered[mains:])


def slow(cards: Sequence[Card], reading: Reading) -> Slow:
    """The highest row that any cards for the jokers make, marked by how many jokers it took."""
    real = [(card.rank, card.text[1]) for card in cards if not card.is_joker]
    jokers = len(cards) - len(real)
    deck = [(card.rank, card.text[1]) for card in DECK]
    tries = combinations_with_replacement(deck, jokers)
    return max(slow_natural([*real, *wild], reading) for wild in tries)._replace(real=2 - jokers)


def sign(first: object, second: object) -> int:
    return (first > second) - (first < second)  # type: ignore[operator]
