"""Counting draws at Russian poker: by ranks and ways, so that few sums stand for all the cards.

The combination of five cards follows from the sum of their rank codes (`games/rules/poker.py`) and
by whether they share a suit. So the draws of some cards are a list of rank sums, each with its
number of ways; those of one suit are listed besides, as what they are worth more or less than their
ranks alone.
"""

from collections.abc import Iterable, Sequence
from functools import cache
from itertools import combinations, combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

from games.rules.cards import ACE, DECK, Card
from games.rules.poker import RANK_CODES, SUIT_BITS
from games.rules.russian_poker.hands import FIVE, STRAIGHT_LEAST, THREE_LEAST, read_hand

RANKS: Final = range(2, ACE + 1)
_BY_PLACE: Final = {(card.rank, card.suit): card for card in DECK}


class Lines(NamedTuple):
    """Hands of five that pay alike and are alike above or below three of a kind and a straight.

    Their rank sums, each with its value.
    """

    pays: int
    ranks: list[int]
    values: list[int]


class RankDraws(NamedTuple):
    """The draws of a number of cards: their rank sums, and the number of ways to get each."""

    sums: list[int]
    ways: list[int]


class Unseen:
    """The cards that have not been seen: how many of each rank, and the ranks of each suit."""

    def __init__(self, seen: Iterable[Card]) -> None:
        hidden = set(seen)
        self.cards: Final = [card for card in DECK if card not in hidden]
        self.counts: Final = [0] * len(RANKS)
        self.suits: Final[list[list[int]]] = [[], [], [], []]
        for card in self.cards:
            self.counts[card.rank - 2] += 1
            self.suits[card.suit].append(RANK_CODES[card.rank - 2])

    def rank_draws(self, most: int) -> list[RankDraws]:
        """The draws of no card, of one, and so on."""
        draws = [RankDraws([0], [1]), *[RankDraws([], []) for _ in range(most)]]
        for code, count in zip(RANK_CODES, self.counts, strict=False):
            # Downwards, so that no draw gets cards of one rank twice.
            for size in range(most - 1, -1, -1):
                sums, ways = draws[size]
                for taken in range(1, min(count, most - size) + 1):
                    added, times = taken * code, comb(count, taken)
                    draws[size + taken].sums.extend([one + added for one in sums])
                    draws[size + taken].ways.extend([one * times for one in ways])
        return draws

    def suit_draws(self, suit: int, size: int) -> list[int]:
        """The rank sums of the draws of so many cards that are all of one suit."""
        return [sum(codes) for codes in combinations(self.suits[suit], size)]


def rank_sum(cards: Iterable[Card]) -> int:
    return sum(RANK_CODES[card.rank - 2] for card in cards)


def suited_value(ranks: int) -> int:
    return FIVE(ranks << SUIT_BITS, 0, 0, 0, 0)


@cache
def plain_values() -> dict[int, int]:
    """The values of all hands of five that are not of one suit, by rank sum."""
    return {
        ranks: value for lines in plain_lines() for ranks, value in zip(*lines[1:], strict=True)
    }


@cache
def plain_lines() -> tuple[Lines, ...]:
    """All hands of five that are not of one suit."""
    return _grouped(
        # Equal ranks stand together, so that turning through the suits makes no card twice.
        [_BY_PLACE[rank, place % 4] for place, rank in enumerate(ranks)]
        for ranks in combinations_with_replacement(RANKS, 5)
        if ranks[0] < ranks[4]
    )


@cache
def suited_lines() -> tuple[Lines, ...]:
    """All hands of five that are of one suit."""
    return _grouped([_BY_PLACE[rank, 0] for rank in ranks] for ranks in combinations(RANKS, 5))


def _grouped(hands: Iterable[Sequence[Card]]) -> tuple[Lines, ...]:
    groups: dict[tuple[int, bool, bool], Lines] = {}
    for cards in hands:
        value, pays = (hand := read_hand(cards)).value, hand.pays
        kind = pays, value >= THREE_LEAST, value >= STRAIGHT_LEAST
        lines = groups.setdefault(kind, Lines(pays, [], []))
        lines.ranks.append(rank_sum(cards))
        lines.values.append(value)
    return tuple(groups.values())
