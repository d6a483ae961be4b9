"""The exact house edge of basic strategy, and the odds of the dealer's hand.

Which cards the dealer can draw to an up card does not depend on the shoe, so they are found once:
every set of cards with which the dealer ends, and in how many orders. Sets that begin alike share
their beginning, and so each shoe is only walked through in one line of products.

Every set of cards that basic strategy can draw is run through, and behind each every set that the
dealer can draw, with the cards gone from the shoe that lie on the table. A hand is played by its
total; so which cards it holds matters only for what is left, and sets are counted, not orders.

**Splits.** All hands of a split are played alike, so what they are worth together is so many times
what one of them is worth. How many there will be is decided by their second cards, each of the
split rank or not. Which cards those are that are not is not known to the others; but what a hand
is worth, taken over any one card more that is gone, is what it is worth without knowing that card:

    worth(k, j) = chance × worth(k + 1, j) + (1 - chance) × worth(k, j + 1)

where k cards of the rank and j others are gone, and the chance is that of the next being of the
rank. So all that is needed follows from hands for which only cards of the rank are gone.
"""

from collections import Counter, defaultdict
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Final, NamedTuple

from games.rules.blackjack.analysis.strategy import (
    BLACKJACK,
    BUST,
    CARDS,
    COUNTS,
    FIRST,
    LATER,
    UNSPLIT,
    VALUES,
    BasicHand,
    Rules,
    best_move,
    dealer_draws,
    lost_to_blackjack,
    rules_of,
    start,
    with_card,
)
from games.rules.blackjack.game import Blackjack
from games.rules.blackjack.state import HANDS

# How the dealer's hand can end, in the order of the chances.
ENDS: Final = (17, 18, 19, 20, 21, BUST, BLACKJACK)
CARDS_MOST: Final = 17

# How many cards of each value, from nothing for the value 0.
Cards = tuple[int, ...]
NOTHING: Final[Cards] = (0,) * 11


class _Step(NamedTuple):
    """So many cards of one value more than an earlier set: its place, and that of the cards."""

    before: int
    cards: int


class _End(NamedTuple):
    """Sets with which the dealer ends in one way and with so many cards: the steps, the orders."""

    end: int
    cards: int
    sets: list[tuple[int, int, int]]


class Draws:
    """Everything that the dealer can draw to one up card."""

    def __init__(self, up: int, hits_soft_17: bool) -> None:
        orders: Counter[tuple[int, Cards]] = Counter()

        def draw(held: BasicHand, drawn: Cards) -> None:
            if dealer_draws(held, hits_soft_17):
                for value in VALUES:
                    more = (*drawn[:value], drawn[value] + 1, *drawn[value + 1 :])
                    draw(with_card(held, value), more)
            elif sum(drawn) == 1 and held.points == 21:
                orders[ENDS.index(BLACKJACK), drawn] += 1
            else:
                orders[ENDS.index(min(held.points, BUST)), drawn] += 1

        draw(start(up), NOTHING)
        self._steps: list[_Step] = []
        places: dict[Cards, int] = {NOTHING: 0}
        sets: dict[tuple[int, int], list[tuple[int, int, int]]] = defaultdict(list)
        for (end, drawn), count in orders.items():
            before, cards = self._step(places, drawn)
            sets[end, sum(drawn)].append((before, cards, count))
        self._ends = [_End(end, cards, ways) for (end, cards), ways in sets.items()]

    def _step(self, places: dict[Cards, int], drawn: Cards) -> _Step:
        """The last step to this set: from the same set without the cards of its highest value.

        All that it begins with is put in its place among the products before.
        """
        value = max(value for value in VALUES if drawn[value])
        without = (*drawn[:value], 0, *drawn[value + 1 :])
        if without not in places:
            self._steps.append(self._step(places, without))
            places[without] = len(places)
        return _Step(places[without], CARDS_MOST * value + drawn[value])

    def chances(self, left: Sequence[int]) -> list[float]:
        """Return how likely each end is, with so many cards of each value left in the shoe."""
        # In how many orders so many cards of one value can be taken, by the place of both.
        taken: list[float] = []
        for count in left:
            ways = 1.0
            for already in range(CARDS_MOST):
                taken.append(ways)
                ways *= count - already
        products = [1.0]
        for before, cards in self._steps:
            products.append(products[before] * taken[cards])
        shares, size = [1.0], sum(left)
        for already in range(CARDS_MOST):
            # There is no way to take more cards than are left, for any share.
            shares.append(shares[-1] / max(size - already, 1))
        chances = [0.0] * len(ENDS)
        for end, cards, sets in self._ends:
            ways = sum([products[before] * taken[of] * orders for before, of, orders in sets])
            chances[end] += ways * shares[cards]
        return chances


@cache
def draws(up: int, hits_soft_17: bool) -> Draws:
    return Draws(up, hits_soft_17)


# How many bits each value has in the number that says which cards are gone.
BITS: Final = 6


class Outcome(NamedTuple):
    """One way for the second cards of a split to come.

    `others` are the hands whose second card is not of the split rank; `rest` those that got theirs
    when there were as many hands as there may be, of any rank.
    """

    chance: float
    others: int
    rest: int

    @property
    def hands(self) -> int:
        return self.others + self.rest


def split_outcomes(card: int, of_rank: int, size: int) -> Iterator[Outcome]:
    """All ways, with so many cards of the rank left in a shoe of this size; aces split once."""
    if card == 1:
        yield Outcome(1.0, 0, 2)
        return

    def draw(chance: float, others: int, rest: int, hands: int) -> Iterator[Outcome]:
        if not chance:
            return
        if not rest or hands == HANDS:
            yield Outcome(chance, others, rest)
            return
        again = hands - 2
        of_those = (of_rank - again) / (size - again - others)
        yield from draw(chance * of_those, others, rest + 1, hands + 1)
        yield from draw(chance * (1 - of_those), others + 1, rest - 1, hands)

    yield from draw(1.0, 0, 2, 2)


class Table:
    """A box against one dealer's card, and the cards that are left in the shoe."""

    def __init__(self, rules: Rules, up: int, *, is_added: bool = False) -> None:
        self._rules = rules
        self._up = up
        self._is_added = is_added
        self._draws = draws(up, rules.hits_soft_17)
        self.left = list(COUNTS)
        self.left[up] -= 1
        self.size = CARDS - 1
        # Which cards are gone, as one number, and what is known of such shoes.
        self._gone = 0
        self._ends: dict[int, list[float]] = {}
        self._played: dict[tuple[int, BasicHand, bool], float] = {}

    def take(self, value: int, count: int = 1) -> None:
        self.left[value] -= count
        self.size -= count
        self._gone += count << BITS * value

    def put_back(self, value: int, count: int = 1) -> None:
        self.take(value, -count)

    def box(self) -> float:
        """Return what a box is worth, over all its first two cards."""
        worth = 0.0
        for first in VALUES:
            for second in range(first, 11):
                ways = self.left[first] * (self.left[second] - (first == second))
                self.take(first)
                self.take(second)
                worth += ways * (1 if first == second else 2) * self.two(first, second)
                self.put_back(first)
                self.put_back(second)
        return worth / (self.size * (self.size - 1))

    def two(self, first: int, second: int) -> float:
        held = with_card(start(first), second)
        if held.points == 21:
            waits = self.left[11 - self._up] / self.size if self._up in (1, 10) else 0.0
            return 1.5 * (1 - waits)
        if first == second:
            held = held._replace(pair=first)
        move = best_move(self._rules, held, self._up, FIRST)
        if move == "surrender":
            return -0.5
        return self._split(first) if move == "split" else self.play(held, is_first=True)

    def play(self, held: BasicHand, *, is_first: bool) -> float:
        """Return what a hand is worth that is not split, or not any more."""
        if held.points >= 21:
            return self.stand(held.points)
        situation = self._gone, held, is_first
        if situation not in self._played:
            move = best_move(self._rules, held, self._up, UNSPLIT if is_first else LATER)
            if move == "stand":
                self._played[situation] = self.stand(held.points)
            else:
                self._played[situation] = self._draw(held, doubled=move == "double")
        return self._played[situation]

    def _draw(self, held: BasicHand, *, doubled: bool) -> float:
        worth = 0.0
        for value in VALUES:
            if not self.left[value]:
                continue
            chance = self.left[value] / self.size
            after = with_card(held._replace(pair=0), value)
            self.take(value)
            if doubled:
                worth += chance * self.stand(after.points, 2)
            else:
                worth += chance * self.play(after, is_first=False)
            self.put_back(value)
        return worth

    def stand(self, points: int, stake: float = 1) -> float:
        """The worth of a hand that gets no more cards."""
        if points > 21:
            return -stake
        if self._gone not in self._ends:
            self._ends[self._gone] = self._draws.chances(self.left)
        worth = 0.0
        for end, chance in zip(ENDS, self._ends[self._gone], strict=True):
            if end == BLACKJACK:
                worth -= lost_to_blackjack(self._rules, stake, self._is_added) * chance
            elif end == BUST or end < points:
                worth += stake * chance
            elif end > points:
                worth -= stake * chance
        return worth

    def _for_added_hands(self) -> "Table":
        """The same shoe, and what is known of it, for hands that a split has added."""
        other = Table(self._rules, self._up, is_added=True)
        other.left, other.size = list(self.left), self.size
        other._gone, other._ends = self._gone, self._ends
        return other

    def _split(self, card: int) -> float:
        """Return what a pair is worth that is split, and split again as often as it can be."""
        outcomes = list(split_outcomes(card, self.left[card], self.size))
        self.put_back(card)
        original = added = SplitHand(self, card)
        if self._rules.original_bets_only:
            added = SplitHand(self._for_added_hands(), card)
        worth = 0.0
        for outcome in outcomes:
            # The first hand was the first to get a second card.
            others, rest = outcome.others, outcome.rest
            if others:
                hands = original.other(outcome) + (others - 1) * added.other(outcome)
            else:
                hands, rest = original.any(outcome), rest - 1
            worth += outcome.chance * (hands + (rest * added.any(outcome) if rest else 0))
        self.take(card)
        return worth


class SplitHand:
    """One hand after a split; of the shoe its own card is gone, and others as an outcome says."""

    def __init__(self, table: Table, card: int) -> None:
        self._table = table
        self._card = card
        self._of_rank = table.left[card]
        self._size = table.size
        self._known: dict[tuple[int, int], tuple[float, float]] = {}

    def other(self, outcome: Outcome) -> float:
        """Return what the hand is worth if its second card is known to be of another rank."""
        again, others = outcome.hands - 1, outcome.others - 1
        return self._worths(again, others)[0] / (1 - self._chance(again, others))

    def any(self, outcome: Outcome) -> float:
        """Return what the hand is worth if nothing is known of its second card."""
        return self._worths(outcome.hands - 1, outcome.others)[1]

    def _chance(self, of_rank: int, others: int) -> float:
        """The chance that the next card is of the rank when this many are gone."""
        return (self._of_rank - of_rank) / (self._size - of_rank - others)

    def _worths(self, of_rank: int, others: int) -> tuple[float, float]:
        """Return what it is worth when so many are gone: with another second card, and with any.

        The first is weighed with how likely such a second card is.
        """
        if (of_rank, others) not in self._known:
            if not others:
                self._known[of_rank, 0] = self._second_cards(of_rank)
            else:
                chance = self._chance(of_rank, others - 1)
                before = self._worths(of_rank, others - 1)
                more = self._worths(of_rank + 1, others - 1) if chance else (0.0, 0.0)
                self._known[of_rank, others] = (
                    (before[0] - chance * more[0]) / (1 - chance),
                    (before[1] - chance * more[1]) / (1 - chance),
                )
        return self._known[of_rank, others]

    def _second_cards(self, of_rank: int) -> tuple[float, float]:
        table, card = self._table, self._card
        table.take(card, of_rank)
        worths = [0.0] * 11
        for value in VALUES:
            if not table.left[value]:
                continue
            held = with_card(start(card), value)
            chance = table.left[value] / table.size
            table.take(value)
            if card == 1:
                worths[value] = chance * table.stand(held.points)
            else:
                pair = card if value == card else 0
                worths[value] = chance * table.play(held._replace(pair=pair), is_first=True)
            table.put_back(value)
        table.put_back(card, of_rank)
        return sum(worths) - worths[card], sum(worths)


@cache
def house_edge(rules: Rules) -> float:
    """The share of an original stake that the house keeps on average."""
    worths = [COUNTS[up] / CARDS * Table(rules, up).box() for up in VALUES]
    return -sum(worths)


def edge_of(game: Blackjack) -> float:
    """The house edge at a table with these options."""
    return house_edge(rules_of(game))
