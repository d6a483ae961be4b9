"""The house edges of casino hold'em: of ante and call, of the bonus, and what the wheel is worth.

Everything but the edge of a strategy that folds is exact. Hands are counted by their ranks, each
weighed by the ways to give them suits; those in which five cards share a suit are counted apart.

The edge of calling always runs over every board: by its ranks alone where it makes no flush, else
by which ranks are of the suit that may make one. Among the hands that the board leaves, those that
beat or equal a hand are counted as all that do, less those that share a card with it. A strategy
that folds saves, on each hand it folds, what calling would have lost beyond the ante; that is
sampled, so that its standard error is small. Edges are shares of the ante, as the call is not
always made, and leave the payout limit out of account.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from fractions import Fraction
from itertools import combinations, combinations_with_replacement, groupby
from math import comb, prod, sqrt
from operator import attrgetter
from random import Random
from statistics import covariance, fmean, pvariance
from typing import Final, NamedTuple

from games.rules.cards import ACE, DECK, RANKS, SUITS, Card
from games.rules.casino_holdem.calling import (
    DEALER_HANDS,
    FLUSH_CARDS,
    FLUSH_ON_BOARD,
    FOLD_VALUE,
    POINTS_TO_CALL,
    RANK_SUMS,
    call_points,
    call_value,
)
from games.rules.casino_holdem.game import (
    QUALIFYING_VALUE,
    CasinoHoldem,
    ante_odds,
    bonus_combination,
)
from games.rules.house.sides import Combination
from games.rules.poker import CODE, ranking, values_of_seven_ranks, values_of_suited_ranks

RANK_RANGE: Final = range(2, ACE + 1)
DEALS: Final = comb(52, 5) * comb(47, 2) * comb(45, 2)

# Hands whose points alone are looked at, for each that is computed.
CHEAP_HANDS: Final = 20
# The value of `calling_edge`.
CALLING_EDGE: Final = Fraction(27_464_897_003, 347_672_625_300)

# Rank by rank, how many cards.
Counts = tuple[int, ...]


class BonusOdds(NamedTuple):
    """The average results of a bonus bet of 1."""

    # The house's share, by the fixed odds alone and with the wheel; pools are not counted.
    edge: Fraction
    edge_with_wheel: Fraction
    # The pools' share, and what share of the jackpot comes back.
    to_pools: Fraction
    jackpot_share: Fraction


class Estimate(NamedTuple):
    mean: float
    standard_error: float


def qualifying_probability() -> Fraction:
    """Return how likely the dealer is to have a pair of fours or better in seven cards."""
    below = 0
    values = values_of_seven_ranks()
    for ranks in _rank_sets(7):
        if values[sum([RANK_SUMS[rank] for rank in ranks])] < QUALIFYING_VALUE:
            below += suits_without_flush(tuple(Counter(ranks).values()))
    return 1 - Fraction(below, comb(52, 7))


def suits_without_flush(counts: Counts, flush: int = FLUSH_CARDS) -> int:
    """In how many ways ranks held so often get suits, with fewer cards of each suit than a flush.

    At most one suit can have so many cards, so the suits with a flush are taken off one by one.
    """
    # How many of the ways have so many cards of one given suit.
    of_suit = [1]
    for count in counts:
        without, with_it = comb(3, count), comb(3, count - 1)
        longer = [*of_suit, 0]
        of_suit = [
            without * longer[held] + (with_it * longer[held - 1] if held else 0)
            for held in range(len(longer))
        ]
    return prod([comb(4, count) for count in counts]) - len(SUITS) * sum(of_suit[flush:])


def five_card_counts() -> Counter[int]:
    """Return how many hands of five cards have each value."""
    counts: Counter[int] = Counter()
    five = ranking().five
    for ranks in _rank_sets(5):
        first, *others = [CODE[Card(RANKS[rank - 2] + SUITS[0])] for rank in ranks]
        odd = CODE[Card(RANKS[ranks[0] - 2] + SUITS[1])]
        counts[five(odd, *others)] += suits_without_flush(tuple(Counter(ranks).values()))
        if len(set(ranks)) == FLUSH_CARDS:
            counts[five(first, *others)] += len(SUITS)
    return counts


def bonus_odds(game: CasinoHoldem) -> BonusOdds:
    """The odds of a bonus bet at a table, with its shares, its wheel and its jackpot."""
    counts = five_card_counts()
    deals = counts.total()
    paid, share = Fraction(0), Fraction(0)
    losing = 0
    for value, ways in counts.items():
        combination = bonus_combination(value, game.shares_bp, game.share_least)
        if combination is None:
            losing += ways
        elif combination.odds:
            paid += Fraction(ways * combination.odds.pays, combination.odds.to)
        else:
            share += Fraction(ways * combination.share_bp, 10_000)
            paid += ways * Fraction(*combination.least) if combination.least else 0
    edge = (losing - paid) / deals
    pools_bp = (game.jackpot_bp + game.mystery_bp) if not game.tournament else 0
    return BonusOdds(
        edge=edge,
        edge_with_wheel=edge - wheel_value(game, Fraction(losing, deals)),
        to_pools=Fraction(pools_bp, 10_000),
        jackpot_share=share / deals,
    )


def jackpot_ways(game: CasinoHoldem) -> dict[Combination, Fraction]:
    """How likely each line of the bonus table is, by which lines share the jackpot."""
    counts = five_card_counts()
    ways: Counter[Combination] = Counter()
    for value, count in counts.items():
        if combination := bonus_combination(value, game.shares_bp, game.share_least):
            ways[combination] += count
    return {combination: Fraction(count, counts.total()) for combination, count in ways.items()}


def wheel_value(game: CasinoHoldem, losing: Fraction) -> Fraction:
    """Return what the wheel adds to a bonus bet, of which so many have lost.

    The wheel card is in a box's hand once in 26 rounds, with any hand; where the wheel pays,
    a bet that had lost comes back too.
    """
    weights = sum([segment.weight for segment in game.wheel_segments])
    multiples = sum([segment.weight * segment.multiple for segment in game.wheel_segments])
    paying = sum([segment.weight for segment in game.wheel_segments if segment.multiple])
    return Fraction(2, len(DECK)) * (
        Fraction(multiples, weights) + Fraction(paying, weights) * losing
    )


def strategy_edge(
    calls: Callable[[Sequence[Card], Sequence[Card]], bool], hands: int, random: Random
) -> Estimate:
    """The edge against a strategy, from that of calling always and what its folds save.

    How far a hand is below the line of the rule says most of what a fold saves, and is had at
    little cost. So its mean is taken from many more hands, and the sample is set right by as much
    as its own mean is off (a regression estimate).
    """
    pairs = []
    for _ in range(hands):
        dealt = random.sample(DECK, 5)  # a seed that repeats # nosec B311
        hole, flop = dealt[:2], dealt[2:]
        saved = 0.0 if calls(hole, flop) else float(FOLD_VALUE - call_value(hole, flop))
        pairs.append((_points_short(hole, flop), saved))
    short, saved_each = ([pair[at] for pair in pairs] for at in (0, 1))
    dealt_many = [random.sample(DECK, 5) for _ in range(CHEAP_HANDS * hands)]  # nosec B311
    many = [_points_short(dealt[:2], dealt[2:]) for dealt in dealt_many]
    spread = pvariance(short)
    slope = covariance(short, saved_each) * (hands - 1) / hands / spread if spread else 0.0
    rest = [saved - slope * points for points, saved in pairs]
    mean = fmean(rest) + slope * fmean(many)
    variance = pvariance(rest) / hands + slope * slope * pvariance(many) / len(many)
    return Estimate(float(CALLING_EDGE) - mean, sqrt(variance))


def _points_short(hole: Sequence[Card], flop: Sequence[Card]) -> float:
    """Return how many points a hand lacks to be called by the rule."""
    return float(max(0, POINTS_TO_CALL - call_points(hole, flop)))


def calling_edge() -> Fraction:
    """The edge against calling always, over all deals; it takes about a minute."""
    return -Fraction(sum([ways * board.won() for ways, board in boards()]), DEALS)


def boards() -> Iterator[tuple[int, "Board"]]:
    """Every kind of board, with the number of boards that are of it."""
    for ranks in _rank_sets(5):
        counts = Counter(ranks)
        ways = suits_without_flush(tuple(counts.values()), FLUSH_ON_BOARD)
        if ways:
            yield ways, Board(ranks, ())
    for size in range(FLUSH_ON_BOARD, 6):
        for suited in combinations(RANK_RANGE, size):
            for others in _rank_sets(5 - size, 3):
                held = Counter(others)
                ways = len(SUITS) * prod([comb(3, count) for count in held.values()])
                yield ways, Board(others, suited)


class Board:
    """All hands on a board that has these ranks: `suited` in the suit that may make a flush.

    Cards that do the same on the board are of one kind: those of a rank in that suit, and those of
    a rank in the other suits; without such a suit, all of a rank.
    """

    def __init__(self, others: Sequence[int], suited: Sequence[int]) -> None:
        self._suited = suited
        self._board_sum = sum([RANK_SUMS[rank] for rank in (*others, *suited)])
        self._suited_sum = sum([RANK_SUMS[rank] for rank in suited])
        held = Counter(others)
        every = 3 if suited else 4
        # Each kind of card: how many are left, what it adds to a sum, whether it is of the suit.
        self._kinds = [(every - held[rank], RANK_SUMS[rank], False) for rank in RANK_RANGE]
        if suited:
            self._kinds += [(1, RANK_SUMS[rank], True) for rank in RANK_RANGE if rank not in suited]
        self._kinds = [kind for kind in self._kinds if kind[0]]

    def won(self) -> int:
        """The total win of calling, in antes, over all hands of player and dealer."""
        hands = sorted(self._hands())
        below, lower = _Tally(self._kinds), _Tally(self._kinds)
        for hand in hands:
            if hand.value < QUALIFYING_VALUE:
                below.add(hand)
        won = 0
        for value, group in groupby(hands, key=attrgetter("value")):
            alike, equal = list(group), _Tally(self._kinds)
            for hand in alike:
                equal.add(hand)
            ante = ante_odds(value).pays
            for hand in alike:
                if value < QUALIFYING_VALUE:
                    # The hand itself is among those below; it is counted off with both its cards.
                    no_play, beaten, tied = below.apart(hand) + 1, 0, 0
                else:
                    no_play, tied = below.apart(hand), equal.apart(hand) + 1
                    beaten = lower.apart(hand) - no_play
                lost = DEALER_HANDS - no_play - beaten - tied
                won += hand.ways * (no_play * ante + beaten * (ante + 2) - 3 * lost)
            for hand in alike:
                lower.add(hand)
        return won

    def _hands(self) -> Iterator["_Hand"]:
        """The hands of two that are left: value, both kinds, how many cards each can go with."""
        kinds, plain = self._kinds, values_of_seven_ranks()
        for first, (count, rank_sum, in_suit) in enumerate(kinds):
            for second in range(first, len(kinds)):
                other_count, other, other_in_suit = kinds[second]
                if first == second:
                    if count == 1:
                        continue
                    other_count = count - 1
                suited = len(self._suited) + in_suit + other_in_suit
                if self._suited and suited >= FLUSH_CARDS:
                    total = self._suited_sum + rank_sum * in_suit + other * other_in_suit
                    value = values_of_suited_ranks(suited)[total]
                else:
                    value = plain[self._board_sum + rank_sum + other]
                ways = count * other_count // (2 if first == second else 1)
                yield _Hand(value, first, second, count, other_count, ways)


class _Hand(NamedTuple):
    """Two kinds of cards: its value, how many there are of the first and then of the second."""

    value: int
    first: int
    second: int
    firsts: int
    seconds: int
    ways: int


class _Tally:
    """The number of hands of some sort, and how many of them hold one card of each kind."""

    def __init__(self, kinds: Sequence[object]) -> None:
        self._hands = 0
        self._with = [0] * len(kinds)

    def add(self, hand: _Hand) -> None:
        self._hands += hand.ways
        self._with[hand.first] += hand.seconds
        if hand.second != hand.first:
            self._with[hand.second] += hand.firsts

    def apart(self, hand: _Hand) -> int:
        """All less those with either card of a hand; one with both is taken off twice."""
        return self._hands - self._with[hand.first] - self._with[hand.second]


def _rank_sets(size: int, most: int = len(SUITS)) -> Iterator[tuple[int, ...]]:
    """All sets of so many ranks, ascending, none of them more often than there are cards of it."""
    for ranks in combinations_with_replacement(RANK_RANGE, size):
        if all(ranks[at] != ranks[at + most] for at in range(size - most)):
            yield ranks
