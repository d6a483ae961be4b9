"""Naturals with jokers: what some cards for them hold."""

from collections import Counter
from collections.abc import Callable
from itertools import combinations_with_replacement
from random import Random
from typing import TypeAlias

import pytest

from games.rules.cards import DECK, JOKERS, RANKS, SUITS, Card, cards_text
from games.rules.thirteen.naturals import Natural, holds
from tests.rules.cases import each
from tests.rules.conftest import Share
from tests.rules.naturals import (
    BY_SUIT,
    NO_HIGH_FRONT,
    Hand,
    Reading,
    checked,
    of_rank,
    straight_flush_cards,
    straight_flush_hands,
    straight_ranks,
    suited,
)

HANDS = 400


def of_suit(*suits: str) -> list[Card]:
    return [card for card in DECK if card.text[1] in suits]


# Jokers: a hand holds a natural if and only if some card for each joker makes one that does. What
# a hand without jokers holds is decided here anew, for hands with a card twice as well.


def merged(sizes: tuple[int, ...]) -> list[tuple[int, ...]]:
    """What becomes of groups of cards when some of them happen to be of the same rank."""
    if not sizes:
        return [()]
    first, others = sizes[0], merged(sizes[1:])
    apart = {tuple(sorted((first, *rest))) for rest in others}
    together = {
        tuple(sorted((*rest[:place], rest[place] + first, *rest[place + 1 :])))
        for rest in others
        for place in range(len(rest))
    }
    return sorted(apart | together)


SHAPES = {
    Natural.SIX_PAIRS: merged((2, 2, 2, 2, 2, 2, 1)),
    Natural.TRIPS_FIVE_PAIRS: merged((3, 2, 2, 2, 2, 2)),
    Natural.DOUBLE_FULL_HOUSE: merged((3, 3, 2, 2, 2, 1)),
    Natural.FOUR_TRIPS: merged((3, 3, 3, 3, 1)),
    Natural.THREE_FOURS: merged((4, 4, 4, 1)),
}
FLUSH_SHAPES = merged((5, 5, 3))


Decision: TypeAlias = Callable[[str, str, Reading], bool]

# By the ranks and the suits of the thirteen cards.
DECISIONS: dict[Natural, Decision] = {
    Natural.THIRTEEN_SUITED: lambda ranks, suits, reading: len(set(suits)) == 1,
    Natural.DRAGON: lambda ranks, suits, reading: len(set(ranks)) == 13,
    Natural.PURE_DRAGON: lambda ranks, suits, reading: (
        (len(set(ranks)), len(set(suits))) == (13, 1)
    ),
    Natural.TWELVE_ONE: lambda ranks, suits, reading: (
        max(map(suits.count, SUITS)) >= 12 if reading else not 1 < reds(suits) < 12
    ),
    Natural.THREE_STRAIGHTS: lambda ranks, suits, reading: (
        "".join(sorted(ranks)) in straight_ranks(**reading)
    ),
    Natural.THREE_FLUSHES: lambda ranks, suits, reading: shape_of(suits) in FLUSH_SHAPES,
    Natural.THREE_STRAIGHT_FLUSHES: lambda ranks, suits, reading: (
        "".join(sorted(map(str.__add__, ranks, suits))) in straight_flush_cards(**reading)
    ),
    Natural.TWELVE_ROYALS: lambda ranks, suits, reading: set(ranks) <= set("JQKA"),
    Natural.ALL_BIG: lambda ranks, suits, reading: set(ranks) <= set("89TJQKA"),
    Natural.ALL_SMALL: lambda ranks, suits, reading: set(ranks) <= set("2345678"),
    Natural.ONE_COLOUR: lambda ranks, suits, reading: reds(suits) in {0, 13},
} | {
    natural: lambda ranks, suits, reading, shapes=shapes: shape_of(ranks) in shapes
    for natural, shapes in SHAPES.items()
}


def reds(suits: str) -> int:
    return suits.count("d") + suits.count("h")


def shape_of(ranks_or_suits: str) -> tuple[int, ...]:
    return tuple(sorted(Counter(ranks_or_suits).values()))


def is_held_by_trying(natural: Natural, hand: Hand, reading: Reading) -> bool:
    decide = DECISIONS[natural]
    real = [card.text for card in hand if not card.is_joker]
    ranks, suits = map("".join, zip(*real, strict=True))
    return any(
        decide(
            ranks + "".join(card.text[0] for card in stand_ins),
            suits + "".join(card.text[1] for card in stand_ins),
            reading,
        )
        for stand_ins in combinations_with_replacement(DECK, 13 - len(real))
    )


def natural_cards(random: Random, natural: Natural, reading: Reading) -> list[Card]:
    """The real cards of a hand that holds the natural; where it has a card too often, none."""
    match natural:
        case Natural.DRAGON:
            return suited(random, RANKS)
        case Natural.THREE_STRAIGHTS:
            return suited(random, random.choice(sorted(straight_ranks(**reading))))
        case Natural.THREE_STRAIGHT_FLUSHES:
            return list(random.choice(straight_flush_hands(**reading)))
        case Natural.THREE_FLUSHES:
            counts = zip(random.sample(SUITS, 4), random.choice(FLUSH_SHAPES), strict=False)
            return [card for suit, count in counts for card in random.sample(of_suit(suit), count)]
        case _ if natural in SHAPES:
            counts = zip(
                random.sample(RANKS, 13), random.choice(dealt_shapes(natural)), strict=False
            )
            return suited(random, "".join(rank * count for rank, count in counts))
        case _:
            return random.sample(random.choice(sources(natural, reading)), 13)


def dealt_shapes(natural: Natural) -> list[tuple[int, ...]]:
    """The shapes of the natural that one deck and two jokers can make."""
    return [shape for shape in SHAPES[natural] if sum(max(0, count - 4) for count in shape) <= 2]


def sources(natural: Natural, reading: Reading) -> list[list[Card]]:
    """The parts of the deck any thirteen cards of which hold the natural."""
    match natural:
        case Natural.TWELVE_ROYALS:
            return [of_rank(*"JQKA")]
        case Natural.ALL_BIG:
            return [of_rank(*"89TJQKA")]
        case Natural.ALL_SMALL:
            return [of_rank(*"2345678")]
        case Natural.TWELVE_ONE | Natural.ONE_COLOUR if not reading:
            return [of_suit(*"dh"), of_suit(*"cs")]
        case _:
            return [of_suit(suit) for suit in SUITS]


def near_hand(seed: int, natural: Natural, reading: Reading) -> Hand:
    """A hand at or beside the natural: some cards of it exchanged, up to two of them for jokers."""
    random = Random(seed)
    real = natural_cards(random, natural, reading)
    jokers = max(13 - len(real), random.randrange(3))
    strangers = random.sample([card for card in DECK if card not in real], random.randrange(5))
    kept = random.sample(real, 13 - jokers - len(strangers))
    return checked(tuple(random.sample([*kept, *strangers, *JOKERS[:jokers]], 13)))


@pytest.mark.long
@each(
    *((natural, {}) for natural in Natural),
    (Natural.TWELVE_ONE, BY_SUIT),
    (Natural.THREE_STRAIGHTS, NO_HIGH_FRONT),
    (Natural.THREE_STRAIGHT_FLUSHES, NO_HIGH_FRONT),
)
def test_jokers_hold_what_some_cards_for_them_hold(
    natural: Natural, reading: Reading, share: Share[int]
) -> None:
    outcomes: Counter[tuple[int, bool]] = Counter()
    for seed in share(range(HANDS)):
        hand = near_hand(seed, natural, reading)
        expected = is_held_by_trying(natural, hand, reading)
        assert holds(natural, hand, **reading) == expected, (seed, cards_text(hand))
        outcomes[sum(card.is_joker for card in hand), expected] += 1
    # With no joker, one and two, both outcomes came up often enough to mean something.
    often = min(outcomes[jokers, outcome] for jokers in range(3) for outcome in (True, False))
    assert outcomes.total() < HANDS or often >= 5
