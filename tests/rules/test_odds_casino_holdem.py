"""The odds of casino hold'em: known figures, and dealing out what the shortcuts count."""

from collections import Counter
from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from math import comb, prod
from random import Random

import pytest

from games.rules.cards import DECK, Card, cards_text, parse_cards
from games.rules.casino_holdem.calling import (
    POINTS_MAX,
    POINTS_TO_CALL,
    best_is_call,
    call_points,
    call_value,
    flush_suit,
    rule_is_call,
)
from games.rules.casino_holdem.edges import (
    CALLING_EDGE,
    DEALS,
    Board,
    boards,
    bonus_odds,
    five_card_counts,
    qualifying_probability,
    strategy_edge,
    suits_without_flush,
)
from games.rules.casino_holdem.game import CasinoHoldem
from games.rules.house.sides import Segment
from games.rules.poker import Category, best_of_seven, category, main_rank
from tests.rules.cases import each, every
from tests.rules.conftest import Share

# What an ante wins by category, and the least hand of the dealer, as the rules print them.
ANTE = dict.fromkeys(list(Category)[:5], 1) | dict(
    zip(list(Category)[5:10], (2, 3, 10, 20, 100), strict=True)
)


def plays(dealer: int) -> bool:
    return category(dealer) > Category.PAIR or (
        category(dealer) == Category.PAIR and main_rank(dealer) >= 4
    )


def won(player: int, dealer: int) -> int:
    """The winnings of ante and call, computed again by a slow and simple method."""
    ante = ANTE[category(player)]
    if not plays(dealer):
        return ante
    if player == dealer:
        return 0
    return ante + 2 if player > dealer else -3


def won_on_board(board: Sequence[Card], hole: Sequence[Card]) -> Counter[int]:
    """How often each result comes up against all hands of the dealer."""
    left = [card for card in DECK if card not in board and card not in hole]
    player = best_of_seven((*hole, *board))
    dealers = Counter([best_of_seven((*hand, *board)) for hand in combinations(left, 2)])
    results: Counter[int] = Counter()
    for dealer, times in dealers.items():
        results[won(player, dealer)] += times
    return results


def test_the_dealer_plays_as_often_as_is_known() -> None:
    assert f"{float(qualifying_probability()):.7f}" == "0.7577716"


def test_five_card_hands_are_as_many_as_is_known() -> None:
    by_category: Counter[str] = Counter()
    for value, ways in five_card_counts().items():
        by_category[category(value).name] += ways
    assert by_category == {
        "HIGH_CARD": 1_302_540,
        "PAIR": 1_098_240,
        "TWO_PAIR": 123_552,
        "THREE": 54_912,
        "STRAIGHT": 10_200,
        "FLUSH": 5_108,
        "FULL_HOUSE": 3_744,
        "FOUR": 624,
        "STRAIGHT_FLUSH": 36,
        "ROYAL_FLUSH": 4,
    }


@every(counts=[(1,) * 7, (2, 1, 1, 1, 1, 1), (3, 1, 1, 1, 1), (1,) * 5, (2, 3)])
def test_ways_to_give_suits_are_those_counted_one_by_one(counts: tuple[int, ...]) -> None:
    flush = 5
    suits = [list(combinations(range(4), count)) for count in counts]
    ways = 0
    stack: list[tuple[int, ...]] = [()]
    for choices in suits:
        stack = [(*held, *chosen) for held in stack for chosen in choices]
    for held in stack:
        ways += max(Counter(held).values()) < flush
    assert suits_without_flush(counts) == ways
    assert prod([comb(4, count) for count in counts]) == len(stack)


def test_the_bonus_keeps_what_the_paytable_leaves() -> None:
    """Of 2,598,960 hands 84,480 are a pair of aces; each line is its hands times what it pays."""
    pays = 84_480 * 4 + 123_552 * 4 + 54_912 * 8 + 10_200 * 10 + 5_108 * 20 + 3_744 * 40 + 62_400
    winning = 84_480 + 123_552 + 54_912 + 10_200 + 5_108 + 3_744 + 624 + 36 + 4
    odds = bonus_odds(CasinoHoldem())
    assert odds.edge == Fraction(2_598_960 - winning - pays, 2_598_960)
    assert f"{100 * float(odds.edge):.4f}" == "24.1849"
    assert odds.to_pools == Fraction(11, 100)
    assert odds.jackpot_share == (36 * Fraction(15, 100) + 4 * Fraction(1, 2)) / 2_598_960
    chips = bonus_odds(CasinoHoldem(tournament=True))
    assert chips.edge == odds.edge - Fraction(40 * 100, 2_598_960)
    assert (chips.to_pools, chips.jackpot_share) == (0, 0)


def test_the_wheel_is_worth_its_multiples_and_the_stakes_it_saves() -> None:
    """A wheel of 0 or 6 at equal chances: 3 on average, and half of the lost bets come back."""
    odds = bonus_odds(CasinoHoldem(wheel_segments=(Segment(2, 0), Segment(2, 6))))
    losing = 1 - Fraction(282_660, 2_598_960)
    assert odds.edge - odds.edge_with_wheel == Fraction(1, 26) * (3 + losing / 2)


@pytest.mark.slow
def test_the_kinds_of_boards_are_all_boards() -> None:
    assert sum(ways for ways, _ in boards()) == comb(52, 5)
    assert DEALS == 2_598_960 * 1_081 * 990
    assert DEALS % CALLING_EDGE.denominator == 0
    assert f"{100 * float(CALLING_EDGE):.2f}" == "7.90"


BOARDS = {
    "2c4d9hTsKc": Board((2, 4, 9, 10, 13), ()),
    "4c4d4h4s3c": Board((3, 4, 4, 4, 4), ()),
    "9c8c3c9dTh": Board((9, 10), (3, 8, 9)),
    "AcKcQcTc4d": Board((4,), (10, 12, 13, 14)),
    "2c7c9cQcKc": Board((), (2, 7, 9, 12, 13)),
}


@pytest.mark.long
def test_a_kind_of_board_wins_what_its_hands_win_one_by_one(share: Share[str]) -> None:
    for text in share(BOARDS, least=2):
        board = parse_cards(text)
        left = [card for card in DECK if card not in board]
        hands = [(hand, best_of_seven((*hand, *board))) for hand in combinations(left, 2)]
        total = 0
        for (first, other), value in hands:
            dealers = Counter([d for hand, d in hands if first not in hand and other not in hand])
            total += sum([won(value, dealer) * times for dealer, times in dealers.items()])
        assert BOARDS[text].won() == total, text


def test_sampled_boards_agree_with_the_edge_of_calling() -> None:
    """Four hundred boards drawn at random, within four standard errors."""
    random, each = Random(3), []
    for _ in range(400):
        board = random.sample(DECK, 5)
        suit = flush_suit(board)
        suited = tuple(sorted([card.rank for card in board if card.suit == suit]))
        others = tuple(sorted([card.rank for card in board if card.suit != suit]))
        each.append(Board(others, suited).won() / (1_081 * 990))
    mean = sum(each) / len(each)
    error = (sum([(worth - mean) ** 2 for worth in each]) / len(each) ** 2) ** 0.5
    assert abs(mean + float(CALLING_EDGE)) < 4 * error
    assert error < 0.05


@pytest.mark.slow
def test_the_value_of_a_call_is_that_of_all_deals_one_by_one(share: Share[str]) -> None:
    for text in share(["Jc5dTh8s3c", "9h4dTh8h3c", "6hQcKh8h2h"]):
        cards = parse_cards(text)
        own, three = cards[:2], cards[2:]
        left = [card for card in DECK if card not in cards]
        results: Counter[int] = Counter()
        for later in combinations(left, 2):
            results.update(won_on_board((*three, *later), own))
        assert results.total() == 1_070_190
        total = sum([result * times for result, times in results.items()])
        assert call_value(own, three) == Fraction(total, results.total()), text


def test_a_royal_flush_on_the_flop_wins_a_hundred_and_mostly_two_more() -> None:
    value = call_value(parse_cards("AcKc"), parse_cards("QcJcTc"))
    assert 101 < value < 102


def test_suits_can_be_exchanged_without_changing_the_value() -> None:
    random = Random(11)
    for _ in range(3):
        dealt = random.sample(DECK, 5)
        turned = parse_cards(cards_text(dealt).translate(str.maketrans("cdhs", "hsdc")))
        assert call_value(dealt[:2], dealt[2:]) == call_value(turned[1::-1], turned[:1:-1])


@each(
    # A pair with a hole card, four of a suit, a straight that two ranks complete: sure calls.
    ("2c2d", "Ts9c4d", POINTS_MAX),
    ("Tc2d", "Ts9c4d", POINTS_MAX),
    ("2cTc", "Ts9c4d", POINTS_MAX),
    ("3c2c", "Tc9c5d", POINTS_MAX),
    ("3c2d", "TcKc5c", POINTS_MAX),
    ("3c2d", "TcKc5h", 2 * 3 + 2 + 4),
    ("3h2d", "TcKc5c", 2 * 3 + 2),
    ("8c7d", "6s9cKd", POINTS_MAX),
    ("Tc7d", "JsQcKd", POINTS_MAX),
    # And a straight that stands already.
    ("3c2d", "4s5dAc", POINTS_MAX),
    ("3c2d", "4s5d6c", POINTS_MAX),
    ("Jc5d", "Th8s3c", 2 * 11 + 5),
    ("5cJd", "Th8s3c", 2 * 11 + 5 + 0),
    ("5cJc", "Th8s3c", 2 * 11 + 5 + 4),
    ("5cJc", "Th8s3s", 2 * 11 + 5),
    ("7c2d", "Ts9cKd", 2 * 7 + 2),
    # Just enough to call, and one too few.
    ("Tc6d", "KhQs2h", 2 * 10 + 6),
    ("Tc5d", "KhQs2h", 2 * 10 + 5),
    # One rank completes a straight: a hole in the middle, and both ends of the ranks.
    ("Tc6d", "9s8cKd", 2 * 10 + 6 + 10),
    ("2c3d", "4sAcTd", 2 * 3 + 2 + 10),
    ("Jc9d", "QsKc3d", 2 * 11 + 9 + 10),
    ("Jc6d", "QsKcAd", 2 * 11 + 6 + 10),
    ("3c2d", "AsKc4d", 2 * 3 + 2 + 10),
    ("3c2d", "AsKcQd", 2 * 3 + 2),
    # A pair and three of a kind on the flop.
    ("Kc7d", "QsJcJd", 2 * 13 + 7 + 2),
    ("Kc7d", "JsJcJd", 2 * 13 + 7 + 10),
)
def test_points_of_the_rule(hole: str, flop: str, points: int) -> None:
    assert call_points(parse_cards(hole), parse_cards(flop)) == points
    assert rule_is_call(parse_cards(hole), parse_cards(flop)) == (points >= POINTS_TO_CALL)


@pytest.mark.release
def test_the_rule_costs_little() -> None:
    """On hands drawn at random: what its decision is worth less than the better of both."""
    random = Random(5)
    lost = 0.0
    folds = hands = 60
    for _ in range(hands):
        dealt = random.sample(DECK, 5)
        hole, flop = dealt[:2], dealt[2:]
        if call_points(hole, flop) == POINTS_MAX:
            folds -= 1
            continue
        value = float(call_value(hole, flop))
        folds -= value > -1
        if rule_is_call(hole, flop) != (value > -1):
            lost += abs(value + 1)
    assert 0.08 < folds / hands < 0.3
    assert lost / hands < 0.02


@each(
    ("Kc2s", "6cTh7h", True, False),
    ("3cJs", "2c8sAh", False, True),
    ("QcJs", "3d4d7d", True, False),
    ("2s4h", "7h5d6s", True, False),
    ("6c5s", "2sAd2c", False, True),
)
def test_the_best_decision_is_right_where_the_rule_is_wrong(
    hole: str, flop: str, rule: bool, best: bool
) -> None:
    """Their calls are worth -1.08, -0.84, -1.11, -1.01 and -0.93."""
    own, three = parse_cards(hole), parse_cards(flop)
    assert (rule_is_call(own, three), best_is_call(own, three)) == (rule, best)
    assert (call_value(own, three) > -1) == best


def test_a_strategy_that_never_folds_has_the_edge_of_calling() -> None:
    always = strategy_edge(lambda hole, flop: True, 10, Random(2))
    assert always == (float(CALLING_EDGE), 0.0)


@pytest.mark.release
def test_savings_of_folding_reduce_the_edge_of_calling() -> None:
    """By points, 2.65% as another program found over all hands; within four standard errors."""
    edge = strategy_edge(rule_is_call, 250, Random(4))
    assert abs(edge.mean - 0.02653) < 4 * edge.standard_error
    assert 0.001 < edge.standard_error < 0.008


@pytest.mark.release
def test_a_strategy_that_always_folds_loses_the_ante() -> None:
    folds = strategy_edge(lambda hole, flop: False, 40, Random(4))
    assert abs(folds.mean - 1) < 4 * folds.standard_error
