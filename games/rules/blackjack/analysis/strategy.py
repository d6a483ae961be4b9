"""Basic strategy, computed: what each move is worth by the hand's total and the dealer's card.

The player knows the own total, whether it is soft, whether it is a pair, and the dealer's card, and
nothing else: a hard total is the average of the two cards it can be, weighed by how often it is
them. The cards drawn come out of six decks less these two and the dealer's, and each is drawn as if
none had been drawn before it. There is no hole card, so a player who doubles or splits against a
ten or an ace stakes more before the dealer's blackjack is known; the table says whether it takes
what was added.

Points are 1 for an ace to 10. Worth is in units of the original stake.
"""

from collections import defaultdict
from collections.abc import Sequence
from functools import cache, reduce
from itertools import combinations_with_replacement
from typing import Final, NamedTuple

from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.refusals import Choice
from games.rules.blackjack.totals import POINTS
from games.rules.cards import Card

DECKS: Final = Blackjack.decks
CARDS: Final = 52 * DECKS
# How many cards of six decks have each value; ten-values are counted together.
COUNTS: Final = (0, *[4 * DECKS] * 9, 16 * DECKS)
VALUES: Final = range(1, 11)
BUST: Final = 22
# How the dealer's hand can end: a total, bust, or blackjack, which is above 21.
BLACKJACK: Final = 23

# The choices with more than two cards, with two after a split, and with the first two.
LATER: Final[frozenset[Choice]] = frozenset(["stand", "hit"])
UNSPLIT: Final[frozenset[Choice]] = LATER | {"double"}
FIRST: Final[frozenset[Choice]] = UNSPLIT | {"split", "surrender"}


class Rules(NamedTuple):
    """The options that change what a move is worth."""

    hits_soft_17: bool
    original_bets_only: bool


class BasicHand(NamedTuple):
    """The part of a hand that basic strategy sees; `pair` is the value of two equal cards, or 0."""

    points: int
    soft: bool
    pair: int = 0


def rules_of(game: Blackjack) -> Rules:
    return Rules(game.hit_soft_17, game.original_bets_only)


def with_card(held: BasicHand, drawn: int) -> BasicHand:
    """The hand with one card more; above 21 it is bust."""
    points, soft = held.points + drawn, held.soft
    if drawn == 1 and points <= 11:
        points, soft = points + 10, True
    if points > 21 and soft:
        points, soft = points - 10, False
    return BasicHand(points, soft)


def start(first: int) -> BasicHand:
    """A hand of one card."""
    return BasicHand(11, True) if first == 1 else BasicHand(first, False)


def pair_of(value: int) -> BasicHand:
    """A hand of two cards with these values."""
    return with_card(start(value), value)._replace(pair=value)


def held_of(cards: Sequence[Card]) -> BasicHand:
    """Return what basic strategy sees of these cards."""
    values = [POINTS[card] for card in cards]
    if len(values) == 2 and values[0] == values[1]:
        return pair_of(values[0])
    return reduce(with_card, values[1:], start(values[0]))


def dealer_draws(held: BasicHand, hits_soft_17: bool) -> bool:
    return held.points < 17 or (held.points == 17 and held.soft and hits_soft_17)


def lost_to_blackjack(rules: Rules, stake: float, is_added: bool) -> float:
    """Return what a dealer's blackjack takes of the stake on a hand that is not bust."""
    if not rules.original_bets_only:
        return stake
    return 0 if is_added else 1


class Outlook:
    """The prospects of any hand against one dealer's card, with these cards out of the shoe.

    `is_added` marks a hand that a split has added to the original one.
    """

    def __init__(
        self, rules: Rules, up: int, gone: Sequence[int] = (), *, is_added: bool = False
    ) -> None:
        self.rules = rules
        self.up = up
        self.is_added = is_added
        left = list(COUNTS)
        for value in (up, *gone):
            left[value] -= 1
        self._chances = [count / sum(left) for count in left]
        self._ends = self._dealer_ends()
        self._hits: dict[BasicHand, float] = {}

    def _dealer_ends(self) -> dict[int, float]:
        """Return how likely the dealer's hand is to end in each way."""
        first = start(self.up)
        known: dict[BasicHand, dict[int, float]] = {}

        def ends_from(held: BasicHand) -> dict[int, float]:
            if not dealer_draws(held, self.rules.hits_soft_17):
                return {min(held.points, BUST): 1.0}
            if held not in known:
                ends: dict[int, float] = defaultdict(float)
                for drawn in VALUES:
                    after = with_card(held, drawn)
                    further = ends_from(after)
                    if held == first and after == BasicHand(21, True):
                        further = {BLACKJACK: 1.0}
                    for end, chance in further.items():
                        ends[end] += self._chances[drawn] * chance
                known[held] = ends
            return known[held]

        return ends_from(first)

    def stand(self, points: int, stake: float = 1) -> float:
        """The worth of a hand that gets no more cards."""
        if points > 21:
            return -stake
        worth = -lost_to_blackjack(self.rules, stake, self.is_added) * self._ends[BLACKJACK]
        for end, chance in self._ends.items():
            if end == BUST or end < points:
                worth += stake * chance
            elif points < end <= 21:
                worth -= stake * chance
        return worth

    def hit(self, held: BasicHand) -> float:
        """Return what a hand is worth that gets a card and is then played as well as it can be."""
        held = held._replace(pair=0)
        if held not in self._hits:
            self._hits[held] = sum(
                self._chances[drawn] * self._play_on(with_card(held, drawn)) for drawn in VALUES
            )
        return self._hits[held]

    def _play_on(self, held: BasicHand) -> float:
        stand = self.stand(held.points)
        return stand if held.points >= 21 else max(stand, self.hit(held))

    def double(self, held: BasicHand) -> float:
        return sum(
            self._chances[drawn] * self.stand(with_card(held, drawn).points, 2) for drawn in VALUES
        )

    def split_hand(self, card: int) -> float:
        """The worth of one hand after a split; aces get only one card."""
        worth = 0.0
        for drawn in VALUES:
            held = with_card(start(card), drawn)
            best = self.stand(held.points)
            if card != 1 and held.points < 21:
                best = max(best, self.hit(held), self.double(held))
            worth += self._chances[drawn] * best
        return worth


def two_cards(held: BasicHand, up: int) -> dict[tuple[int, int], int]:
    """The two cards that a hand can be, and how often it is them; a pair only if nothing else."""
    left = list(COUNTS)
    left[up] -= 1
    cards: dict[tuple[int, int], int] = {}
    for first, second in combinations_with_replacement(VALUES, 2):
        if first != second and with_card(start(first), second) == held._replace(pair=0):
            cards[first, second] = left[first] * left[second]
    if held.pair or not cards:
        pair = held.pair or (1 if held.soft else held.points // 2)
        return {(pair, pair): 1}
    return cards


@cache
def worths(rules: Rules, held: BasicHand, up: int) -> dict[Choice, float]:
    """Return what each move with the first two cards of a box is worth, the best first."""
    worths: dict[Choice, float] = {"stand": 0.0, "hit": 0.0, "double": 0.0}
    cards = two_cards(held, up)
    for two, ways in cards.items():
        share = ways / sum(cards.values())
        outlook = Outlook(rules, up, two)
        worths["stand"] += share * outlook.stand(held.points)
        worths["hit"] += share * outlook.hit(held)
        worths["double"] += share * outlook.double(held)
        if held.pair:
            added = Outlook(rules, up, two, is_added=True)
            worths["split"] = outlook.split_hand(held.pair) + added.split_hand(held.pair)
    if up != 1:
        worths["surrender"] = -0.5
    return dict(sorted(worths.items(), key=lambda item: -item[1]))


@cache
def best_move(rules: Rules, held: BasicHand, up: int, allowed: frozenset[Choice]) -> Choice:
    return next(move for move in worths(rules, held, up) if move in allowed)
