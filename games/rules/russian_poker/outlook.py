"""The prospects of a hand of Russian poker against a dealer who shows one card.

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
from itertools import accumulate
from typing import Final, NamedTuple

from games.rules.cards import Card
from games.rules.house.antes import BET_ANTES
from games.rules.russian_poker.boxes import RussianBox, hand_win, insurable, least_insurance
from games.rules.russian_poker.dealer import changed_hand, changes_again
from games.rules.russian_poker.draws import RankDraws, Unseen, plain_values, rank_sum, suited_value
from games.rules.russian_poker.game import RussianPoker
from games.rules.russian_poker.hands import STRAIGHT_LEAST, THREE_LEAST, Hand, qualifies, value_of

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
