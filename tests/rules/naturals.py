"""Hands of thirteen cards for tests of naturals, and the straights that there are."""

from collections import Counter
from functools import cache
from itertools import combinations_with_replacement, product
from random import Random
from typing import Any, TypeAlias

from games.rules.cards import DECK, JOKERS, RANKS, SUITS, Card, cards_text, parse_cards

Hand: TypeAlias = tuple[Card, ...]
Reading: TypeAlias = dict[str, Any]


def of_suits(text: str) -> Hand:
    """A hand of these suits, whose ranks begin anew at every suit."""
    counts = Counter(text.replace(" ", ""))
    jokers = counts.pop("*", 0)
    texts = [RANKS[index] + suit for suit, count in counts.items() for index in range(count)]
    return checked((*(Card(card) for card in texts), *JOKERS[:jokers]))


def checked(hand: Hand) -> Hand:
    assert len(set(hand)) == len(hand) == 13
    return hand


def of_rank(*ranks: str) -> list[Card]:
    return [card for card in DECK if card.text[0] in ranks]


NO_HIGH_FRONT: Reading = {"high_front": False}
BY_SUIT: Reading = {"twelve_by": "suit"}


# Straights: every way to put three together, built from the rows up.
RUN = "A23456789TJQKA"


def runs(length: int, high: bool = True) -> list[str]:
    return [RUN[start : start + length] for start in range(14 - length + high)]


@cache
def straight_ranks(high_front: bool = True) -> frozenset[str]:
    """The ranks, sorted, of all hands that are three straights."""
    backs = combinations_with_replacement(runs(5), 2)
    return frozenset(
        "".join(sorted(front + middle + back))
        for (middle, back), front in product(backs, runs(3, high_front))
    )


@cache
def straight_flush_cards(high_front: bool = True) -> frozenset[str]:
    """The cards, sorted, of all hands that are three straight flushes, doubled cards too."""

    def rows(length: int, high: bool = True) -> list[tuple[str, ...]]:
        suited = product(runs(length, high), SUITS)
        return [tuple(rank + suit for rank in run) for run, suit in suited]

    backs = [middle + back for middle, back in combinations_with_replacement(rows(5), 2)]
    return frozenset(
        "".join(sorted(front + back)) for front, back in product(rows(3, high_front), backs)
    )


def suited(random: Random, ranks: str) -> list[Card]:
    return [
        Card(rank + suit)
        for rank, count in Counter(ranks).items()
        for suit in random.sample(SUITS, min(4, count))
    ]


@cache
def straight_flush_hands(high_front: bool = True) -> list[tuple[Card, ...]]:
    """The real cards of those three straight flushes that one deck and two jokers can make."""
    every = (tuple(dict.fromkeys(parse_cards(text))) for text in straight_flush_cards(high_front))
    return sorted((hand for hand in every if len(hand) >= 11), key=cards_text)
