"""The prospects of a hand of Russian poker, counting its draws by ranks and ways.

The combination of five cards follows from the sum of their rank codes (`games/rules/poker.py`) and
by whether they share a suit. So the draws of some cards are a list of rank sums, each with its
number of ways; those of one suit are listed besides, as what they are worth more or less than their
ranks alone.

The dealer's hand is counted exactly: over all sets of four that the cards not seen can make, it is
known how many do not qualify, and how many qualify below and above any value. From that follows
what betting is worth, and what insurance is. Everything is in antes.

One thing is approximate until the dealer's cards are turned: what a strong hand can win by buying a
dealer who does not qualify a card. Here that card pairs one of the four that stay in their average
number of ways; straights, flushes and what the free second change brings come in constant shares. A
hand that is worth the price beats a pair, and only from a straight on what is more than a pair.
`purchase` is exact when it is decided.
"""

from bisect import bisect_left, bisect_right
from collections import Counter
from collections.abc import Iterable, Sequence
from functools import cache
from itertools import accumulate, combinations, combinations_with_replacement
from math import comb
from typing import Final, NamedTuple

from games.rules.cards import ACE, DECK, Card
from games.rules.house.antes import BET_ANTES
from games.rules.poker import RANK_CODES, SUIT_BITS
from games.rules.russian_poker.boxes import (
    RussianBox,
    changed_hand,
    changes_again,
    hand_win,
    insurable,
    least_insurance,
)
from games.rules.russian_poker.game import RussianPoker
from games.rules.russian_poker.hands import (
    FIVE,
    STRAIGHT_LEAST,
    THREE_LEAST,
    Hand,
    qualifies,
    read_hand,
    value_of,
)

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
                    draws[size + taken].sums.extend([total + added for total in sums])
                    draws[size + taken].ways.extend([way * times for way in ways])
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


# How often the dealer who was bought a card gets a pair by the free second change, and how often a
# straight or a flush; counted over random hands.
SECOND_CHANCE: Final = 0.021
STRAIGHT_CHANCE: Final = 0.017
LOST: Final = 1 + BET_ANTES
FOLDED: Final = -1.0


class DealerOdds:
    """The odds of the dealer's hand, given the up card and the cards not seen."""

    def __init__(self, up: Card, unseen: Unseen, draws: RankDraws) -> None:
        values, shown = plain_values(), rank_sum((up,))
        ways: Counter[int] = Counter()
        for ranks, count in zip(draws.sums, draws.ways, strict=True):
            ways[values[shown + ranks]] += count
        for ranks in unseen.suit_draws(up.suit, 4):
            ways[values[shown + ranks]] -= 1
            ways[suited_value(shown + ranks)] += 1
        self._values: Final = sorted(value for value in ways if qualifies(value))
        self._below: Final = [0, *accumulate(ways[value] for value in self._values)]
        self.total: Final = ways.total()
        self.qualified: Final = self._below[-1]

    @property
    def unqualified_chance(self) -> float:
        return 1 - self.qualified / self.total

    def below(self, values: Iterable[int]) -> list[int]:
        """In how many ways the dealer qualifies and has less than each of these."""
        ways, dealer = self._below, self._values
        return [ways[bisect_left(dealer, value)] for value in values]

    def not_above(self, values: Iterable[int]) -> list[int]:
        """In how many ways the dealer qualifies and has no more than each of these."""
        ways, dealer = self._below, self._values
        return [ways[bisect_right(dealer, value)] for value in values]


class Promise(NamedTuple):
    """The winnings of a hand with its bet and unqualified, and the most it is insured for."""

    win: float
    unqualified: float
    insurance: float


class Outlook:
    """The worth of betting with a hand, for one box at one table."""

    def __init__(self, game: RussianPoker, ante: int, dealer: DealerOdds, unseen: Unseen) -> None:
        self.dealer: Final = dealer
        self._game: Final = game
        self._ante: Final = ante
        self._change: Final = _change_chance(unseen)
        self._promises: Final[dict[tuple[int, bool], Promise]] = {}
        self.insurance_rate: Final = 2 * dealer.unqualified_chance - 1

    def bet(self, hand: Hand) -> float:
        """Return what ante and bet win on average, the dealer's purchase included."""
        return self._bets([hand.value], hand.pays)[0]

    def finished(self, hand: Hand) -> float:
        """The worth of a hand that draws no more: bet or folded, and insured if that wins."""
        return self.all_finished([hand.value], hand.pays)[0]

    def all_finished(self, values: Sequence[int], pays: int) -> list[float]:
        """Return what hands are worth that pay alike and are of one kind of `Lines`."""
        insurance = 0.0
        if values[0] >= THREE_LEAST and self.insurance_rate > 0:
            insurance = self._promise(values[0], pays).insurance * self.insurance_rate
        return [max(FOLDED, bet + insurance) for bet in self._bets(values, pays)]

    def _bets(self, values: Sequence[int], pays: int) -> list[float]:
        dealer, promise = self.dealer, self._promise(values[0], pays)
        unqualified = (dealer.total - dealer.qualified) * promise.unqualified
        lowest = (unqualified - dealer.qualified * LOST) / dealer.total
        win, lost = promise.win / dealer.total, LOST / dealer.total
        return [
            lowest + win * below + lost * not_above
            for below, not_above in zip(dealer.below(values), dealer.not_above(values), strict=True)
        ]

    def _promise(self, value: int, pays: int) -> Promise:
        """Return what a hand can win: the same for all that pay alike and beat a pair alike."""
        kind = pays, value >= STRAIGHT_LEAST
        if kind not in self._promises:
            most = min(BET_ANTES * self._ante * pays, self._game.max_payout)
            insurance = _placeable(self._game, self._ante, most)
            win = most / self._ante
            unqualified = self._unqualified(win, value >= STRAIGHT_LEAST)
            self._promises[kind] = Promise(win, unqualified, insurance / self._ante)
        return self._promises[kind]

    def _unqualified(self, win: float, beats_straight: bool) -> float:
        """Return the winnings against a dealer who does not qualify: 1:1, or more by a purchase."""
        even = min(self._ante, self._game.max_payout) / self._ante
        unchanged = 1 - self._change - STRAIGHT_CHANCE
        straight = STRAIGHT_CHANCE * (win if beats_straight else -LOST)
        return max(even, self._change * win + straight + unchanged * even - 1)


def outlook(game: RussianPoker, ante: int, up: Card, seen: Iterable[Card]) -> Outlook:
    """The outlook of a box whose owner has seen these cards and the dealer's first."""
    unseen = Unseen((up, *seen))
    return Outlook(game, ante, DealerOdds(up, unseen, unseen.rank_draws(4)[4]), unseen)


def most_insurance(game: RussianPoker, ante: int, hand: Hand) -> int:
    """The most that a hand can be insured for; 0 where it cannot be."""
    win = hand_win(ante, hand, game.max_payout)
    return _placeable(game, ante, win) if insurable(hand) else 0


def _placeable(game: RussianPoker, ante: int, win: int) -> int:
    """The most insurance for a hand that would win so much; 0 where that is below the least."""
    most = min(game.insurance_cap, win, game.room(RussianBox(seat=1, box=1, ante=ante)))
    return most if most >= least_insurance(ante) else 0


class Purchase(NamedTuple):
    """The two answers to a dealer who does not qualify, in antes; the price is taken off."""

    accepted: float
    bought: float


def purchase(
    game: RussianPoker,
    ante: int,
    hand: Hand,
    dealer: tuple[Card, ...],
    seen: Iterable[Card],
) -> Purchase:
    """Return the worth of accepting 1:1, and of buying the dealer a card.

    Exact: over every card not seen, and every second card where there is a free change.
    """
    left = Unseen((*dealer, *seen)).cards
    win = hand_win(ante, hand, game.max_payout) / ante
    even = min(ante, game.max_payout) / ante
    total = 0.0
    for card in left:
        draws: list[tuple[Card, ...]] = [(card,)]
        if changes_again(dealer, card):
            draws = [(card, other) for other in left if other is not card]
        results = [_result(changed_hand(dealer, draw), hand, win, even) for draw in draws]
        total += sum(results) / len(results)
    return Purchase(even, total / len(left) - 1)


def _result(dealer: Sequence[Card], hand: Hand, win: float, even: float) -> float:
    value = value_of(dealer)
    if not qualifies(value):
        return even
    if hand.value == value:
        return 0
    return win if hand.value > value else -LOST


def _change_chance(unseen: Unseen) -> float:
    """About how often the dealer who is bought a card gets a pair.

    Each of the four cards that stay has a rank of which some are not seen; a rank is the likelier
    the dealer's, the more of it are out.
    """
    counts = unseen.counts
    out = sum(counts)
    mates = sum(count * (count - 1) for count in counts) / out
    return 4 * mates / (out - 4) + SECOND_CHANCE
