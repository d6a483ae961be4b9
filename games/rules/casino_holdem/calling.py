"""Calling in casino hold'em: the exact value of a call, and a rule that a player can learn.

The value of a call is what ante and call win together on average, in antes; a fold is worth -1. It
is exact: all 1,081 boards that the flop can become are run through, and on each all 990 hands of
the dealer. Boards that give the player the same hand out of the same ranks are taken together, and
of the dealer's hands the ranks alone are looked at; then, on each board with three cards of a suit,
the hands that make a flush are set right. That takes some milliseconds.

The rule gives points, and calls from `POINTS_TO_CALL` on. It was fitted to the values of all hands
and costs half a per cent of the ante against perfect play. Far from the line too it is wrong about
some hands: a flop of three of a suit that one does not hold is worse than its points. The payout
limit of a table is left out of account.
"""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from functools import cache
from itertools import combinations, combinations_with_replacement
from typing import Final

from games.rules.cards import ACE, DECK, RANKS, Card
from games.rules.casino_holdem.game import QUALIFYING_VALUE, ante_odds
from games.rules.poker import (
    SEVEN_RANK_CODES,
    best_of_seven,
    values_of_seven_ranks,
    values_of_suited_ranks,
)

FOLD_VALUE: Final = Fraction(-1)
FLUSH_CARDS: Final = 5
FLUSH_ON_BOARD: Final = 3
DEALER_HANDS: Final = 990
BOARDS: Final = 1_081

POINTS_TO_CALL: Final = 26
POINTS_MAX: Final = 99

# The key of each rank in the tables of ranks; there is none below 2.
RANK_SUMS: Final = (0, 0, *SEVEN_RANK_CODES)


def call_value(hole: Sequence[Card], flop: Sequence[Card]) -> Fraction:
    """Return what ante and call win on average, in antes, with no other cards known."""
    left = [card for card in DECK if card not in hole and card not in flop]
    left_of_rank = rank_counts(left)
    alike: Counter[tuple[int, int, int]] = Counter()
    total = 0
    for turn, river in combinations(left, 2):
        board = (*flop, turn, river)
        # Where no flush is possible the ranks say what the player has.
        value = 0
        suit = flush_suit(board)
        if suit is not None:
            value = best_of_seven((*hole, *board))
            rest = [card for card in left if card is not turn and card is not river]
            total += _won_more_by_flushes(board, suit, rest, value)
        low, high = (turn.rank, river.rank) if turn.rank < river.rank else (river.rank, turn.rank)
        alike[low, high, value] += 1
    values, flop_sum, hole_sum = values_of_seven_ranks(), rank_sum(flop), rank_sum(hole)
    for (low, high, value), times in alike.items():
        counts = list(left_of_rank)
        counts[low] -= 1
        counts[high] -= 1
        board_sum = flop_sum + RANK_SUMS[low] + RANK_SUMS[high]
        own = value or values[board_sum + hole_sum]
        hands = [(values[board_sum + ranks], ways) for ranks, ways in _pairs(counts)]
        total += times * _won(hands, own)
    return Fraction(total, BOARDS * DEALER_HANDS)


def best_is_call(hole: Sequence[Card], flop: Sequence[Card]) -> bool:
    """Whether to call, by the exact value."""
    return call_value(hole, flop) > FOLD_VALUE


def rule_is_call(hole: Sequence[Card], flop: Sequence[Card]) -> bool:
    """Whether to call by points alone."""
    return call_points(hole, flop) >= POINTS_TO_CALL


def call_points(hole: Sequence[Card], flop: Sequence[Card]) -> int:
    """The points of a hand that holds no more than high cards; anything better is a sure call.

    Better are a pair that is not the flop's alone, four of a suit, and a straight that two ranks
    complete. The higher hole card counts twice and the lower once; one rank that completes a
    straight is 10, three of a suit with a hole card among them 4, a pair on the flop 2, three of a
    kind there 10.
    """
    high, low = sorted([card.rank for card in hole], reverse=True)
    flop_ranks = {card.rank for card in flop}
    suited = _suited(hole, flop)
    completing = _completing_ranks({high, low, *flop_ranks})
    if high == low or high in flop_ranks or low in flop_ranks or suited >= 4 or completing >= 2:
        return POINTS_MAX
    flop_points = {3: 0, 2: 2, 1: 10}[len(flop_ranks)]
    return 2 * high + low + 10 * completing + 4 * (suited == 3) + flop_points


def _suited(hole: Sequence[Card], flop: Sequence[Card]) -> int:
    """Return how many of the five cards are of the suit of a hole card."""
    suits = [card.suit for card in (*hole, *flop)]
    return max([suits.count(card.suit) for card in hole])


def _completing_ranks(ranks: set[int]) -> int:
    """Return how many ranks would make a straight with these; all if there is one already."""
    with_low_ace = ranks | ({1} if ACE in ranks else set())
    missing = [set(range(top - 4, top + 1)) - with_low_ace for top in range(5, ACE + 1)]
    if set() in missing:
        return len(RANKS)
    return len(set().union(*[gap for gap in missing if len(gap) == 1]))


def rank_sum(cards: Sequence[Card]) -> int:
    """Return the key of the ranks in `values_of_seven_ranks` and `values_of_suited_ranks`."""
    return sum([RANK_SUMS[card.rank] for card in cards])


def rank_counts(cards: Sequence[Card]) -> list[int]:
    """Return how many of these cards there are of each rank."""
    counts = [0] * (ACE + 1)
    for card in cards:
        counts[card.rank] += 1
    return counts


def flush_suit(board: Sequence[Card]) -> int | None:
    """The suit in which this board makes flushes possible."""
    suits = [card.suit for card in board]
    for suit in suits[:FLUSH_ON_BOARD]:
        if suits.count(suit) >= FLUSH_ON_BOARD:
            return suit
    return None


@cache
def rank_pairs() -> tuple[tuple[int, int, int], ...]:
    """Two ranks and their sum, the lower first."""
    pairs = combinations_with_replacement(range(2, ACE + 1), 2)
    return tuple([(low, high, RANK_SUMS[low] + RANK_SUMS[high]) for low, high in pairs])


def _pairs(counts: Sequence[int]) -> list[tuple[int, int]]:
    """The sums of two ranks out of so many cards, with the ways to take them."""
    pairs = []
    for low, high, ranks in rank_pairs():
        ways = counts[low] * counts[high]
        if low == high:
            ways = (ways - counts[low]) // 2
        if ways:
            pairs.append((ranks, ways))
    return pairs


def _won(dealer_hands: Sequence[tuple[int, int]], value: int) -> int:
    """Return what a hand wins with ante and call, in antes, against so many hands of each value."""
    ante = ante_odds(value).pays
    won = 0
    for dealer, ways in dealer_hands:
        if dealer < QUALIFYING_VALUE:
            won += ways * ante
        elif dealer < value:
            won += ways * (ante + 2)
        elif dealer > value:
            won -= ways * 3
    return won


def _won_more_by_flushes(board: Sequence[Card], suit: int, rest: Sequence[Card], value: int) -> int:
    """Return the gain where the dealer's flushes count; `rest` is what they are made of."""
    plain, board_sum = values_of_seven_ranks(), rank_sum(board)
    on_board = [card for card in board if card.suit == suit]
    suited = [RANK_SUMS[card.rank] for card in rest if card.suit == suit]
    others = rank_counts([card for card in rest if card.suit != suit])
    changed = 0
    for held, hands in _flush_hands(suited, others, FLUSH_CARDS - len(on_board)).items():
        flushes, flush_sum = values_of_suited_ranks(len(on_board) + held), rank_sum(on_board)
        made = [(flushes[flush_sum + own], ways) for own, _, ways in hands]
        taken = [(plain[board_sum + ranks], ways) for _, ranks, ways in hands]
        changed += _won(made, value) - _won(taken, value)
    return changed


def _flush_hands(
    suited: Sequence[int], others: Sequence[int], needed: int
) -> dict[int, list[tuple[int, int, int]]]:
    """The hands with at least so many cards of a suit, by how many they have of it.

    Each is the sum of those, the sum of both cards, and the ways to take it.
    """
    hands = {2: [(card + other, card + other, 1) for card, other in combinations(suited, 2)]}
    if needed <= 1:
        single = [(RANK_SUMS[rank], count) for rank, count in enumerate(others) if count]
        hands[1] = [(card, card + other, ways) for card in suited for other, ways in single]
    if needed <= 0:
        hands[0] = [(0, ranks, ways) for ranks, ways in _pairs(others)]
    return hands
