"""Hong Kong thirteen cards: rows, ties, prices, reports and fouls between banker and punter.

With two seats seat 1 is the punter and seat 2 the banker, and the bet is 1.
"""

from itertools import combinations

import pytest

from games.rules.errors import Unreadable
from games.rules.thirteen.actions import Arrange, Bet
from games.rules.thirteen.hongkong import ThirteenHongkong
from games.rules.thirteen.naturals import Natural
from tests.rules.cases import each, every, illegal
from tests.rules.thirteen_table import (
    BEATEN,
    BEATEN_FOUL,
    MAJOR,
    MINOR,
    SUITED,
    WINNING,
    duel,
    opened,
    passed,
    read_hand,
    reasons,
    row_results,
    settle,
)

DRAWS = ThirteenHongkong(bet_min=1)
EATS = ThirteenHongkong(bet_min=1, banker_eats_ties=True)
BOTH_TIE_RULES = every(game=[DRAWS, EATS])


# Prices

ROWS_WON = {
    "high card, pair, pair": 1 + 1 + 1,
    "front trips": 3 + 1 + 1,
    "middle full house": 1 + 2 + 1,
    "middle and back four": 1 + 8 + 4,
    "middle and back straight flush": 1 + 10 + 5,
    # To the ace a straight flush is nothing more, and equal rows behind are in order.
    "middle and back royal flush": 1 + 10 + 5,
    "back full house": 1 + 1 + 1,
    "back four": 1 + 1 + 4,
    "back straight flush": 1 + 1 + 5,
    "back royal flush": 1 + 1 + 5,
    "trips and two straight flushes": 18,
}


@BOTH_TIE_RULES
@each(*ROWS_WON.items())
def test_three_rows_won(winner: str, bets: int, game: ThirteenHongkong) -> None:
    assert duel(game, WINNING[winner], BEATEN) == bets
    assert duel(game, BEATEN, WINNING[winner]) == -bets


def test_a_price_stands_in_place_of_the_one_bet() -> None:
    settlement = settle(DRAWS, WINNING["back four"], BEATEN, bets=[7])
    assert row_results(settlement, 1, 2) == {"front": 7, "middle": 7, "back": 4 * 7}
    assert reasons(settlement, 1, 2) == [("row", 7), ("row", 7), ("royalty", 28)]


def test_a_dear_row_that_loses_costs_the_price_of_the_row_above_it() -> None:
    settlement = settle(
        DRAWS, "KcQd7c / JcJdTh8c6d / AcAdAhAs5c", "JsQh7h / 9c9d6s4c3d / 2c2d2h2s5d"
    )
    assert row_results(settlement, 1, 2) == {"front": 1, "middle": 1, "back": 4}


def test_winning_two_rows_of_three_is_worth_one_bet() -> None:
    assert duel(DRAWS, "2s3h4h / JcJdTh8c6d / AcAdTs9h5c", BEATEN) == 1


# Ties

# Hands of clubs and diamonds that meet the same of hearts and spades, and what a banker who eats
# ties wins then: the price of the own row.
MIRRORED = {
    "high card, pair, two pair": ("2c3d5c / 6c6d7c8d9c / TcTdJcJdKc", 1 + 1 + 1),
    "pair, high card in front, two flushes": ("2c2d3c / 3d5d7d9dJd / 4c6c8cTcQc", 1 + 1 + 1),
    "two straights": ("2c3d8c / 4c5d6c7d8d / 9cTdJcQdKc", 1 + 1 + 1),
    "straight A-2-3-4-5": ("7c8d9c / KcQdJcTd9d / Ac2d3c4d5c", 1 + 1 + 1),
    "two straight flushes": ("QcKdAc / 2c3c4c5c6c / 7d8d9dTdJd", 1 + 10 + 5),
}
OTHER_SUITS = str.maketrans("cd", "hs")


@each(MIRRORED)
def test_rows_equal_but_for_suits(hand: str, eaten: int) -> None:
    mirrored = hand.translate(OTHER_SUITS)
    for punter, banker in ((hand, mirrored), (mirrored, hand)):
        assert settle(DRAWS, punter, banker).lines == ()
        assert duel(DRAWS, punter, banker) == 0
        assert duel(EATS, punter, banker) == -eaten


# Punter, banker, and the rows as the punter sees them when ties draw and when they are eaten.
FRONT, MIDDLE, BACK = "front", "middle", "back"
BIGGEST_POINT = {
    "pair with a higher kicker, same straight, flush with a lower second card": (
        "KhKsAh / 3h4s5h6s7h / 2sTsJsQs8s",
        "KcKd2c / 3c4d5c6d7c / 2d8d9dTdQd",
        {FRONT: 1, BACK: 1},
        {FRONT: -1, MIDDLE: -1, BACK: -1},
    ),
    "high card, pair and two pair, each with higher cards beside": (
        "AhKsQh / 6h6sAsKh9h / JhJsThTsKd",
        "Ac3d2c / 6c6d5d4c3c / JcJd8c8d2d",
        {FRONT: 1, MIDDLE: 1, BACK: 1},
        {FRONT: -1, MIDDLE: -1, BACK: -1},
    ),
    "the banker's higher cards beside": (
        "Ac3d2c / 6c6d5d4c3c / JcJd8c8d2d",
        "AhKsQh / 6h6sAsKh9h / JhJsThTsKd",
        {FRONT: -1, MIDDLE: -1, BACK: -1},
        {FRONT: -1, MIDDLE: -1, BACK: -1},
    ),
    "a higher biggest point wins still": (
        "7h7s2h / 8h8sAs3h4h / QhQs3s3c4s",
        "5c5dAc / 6c6dKdQc9c / TcTdJcJd9d",
        {FRONT: 1, MIDDLE: 1, BACK: 1},
        {FRONT: 1, MIDDLE: 1, BACK: 1},
    ),
    "three of a kind, full house and four go by their own rank": (
        "3c3d3h / TcTdTh2c2d / JcJdJhJs4c",
        "2h2s4h / 9c9d9hAcAd / 5c5d5h5sKc",
        {FRONT: 3, MIDDLE: 2, BACK: 4},
        {FRONT: 3, MIDDLE: 2, BACK: 4},
    ),
    "a higher category wins still": (
        "2h2s3h / 4h4s5h5s6h / 7h7s7d8h9s",
        "AcKdQc / AdAhKh8c6c / KcKsQdQhJc",
        {FRONT: 1, MIDDLE: 1, BACK: 1},
        {FRONT: 1, MIDDLE: 1, BACK: 1},
    ),
    "straight to the ace over A-2-3-4-5": (
        "2h2s3h / 9h8s7h6s5h / TcJdQcKdAc",
        "7c8c9c / 9d8d7d6d5c / Ad2c3d4d5d",
        {FRONT: 1, BACK: 1},
        {FRONT: 1, MIDDLE: -1, BACK: 1},
    ),
}


@each(BIGGEST_POINT)
def test_a_banker_who_eats_ties_compares_category_and_biggest_point(
    punter: str, banker: str, drawn: dict[str, int], eaten: dict[str, int]
) -> None:
    assert row_results(settle(DRAWS, punter, banker), 1, 2) == drawn
    assert row_results(settle(EATS, punter, banker), 1, 2) == eaten


# Reports

POINTS = {"pure_dragon": 13, "dragon": 13, "three_straights": 3, "three_flushes": 3, "six_pairs": 3}


@BOTH_TIE_RULES
@every(against=["none", "foul", "false"])
@each(*POINTS.items())
def test_a_special_wins_without_comparing(
    natural: str, points: int, game: ThirteenHongkong, against: str
) -> None:
    settlement = settle(game, MINOR[natural], MAJOR[against], bets=[7])
    assert reasons(settlement, 1, 2) == [("natural", points * 7)]
    assert duel(game, MAJOR[against], MINOR[natural], bets=[7]) == -points * 7


@BOTH_TIE_RULES
@every(bankers=POINTS, punters=POINTS)
def test_when_both_report_the_banker_pays_the_punters_special(
    game: ThirteenHongkong, punters: str, bankers: str
) -> None:
    settlement = settle(game, MINOR[punters], MAJOR[bankers], bets=[7])
    assert reasons(settlement, 1, 2) == [("natural", POINTS[punters] * 7)]


@each(
    ("pure_dragon", 100),  # the green dragon at the table's price
    ("dragon", 13),  # declared as a dragon
)
def test_the_price_of_the_green_dragon_is_an_option(declared: str, points: int) -> None:
    game = ThirteenHongkong(bet_min=1, pure_dragon=100)
    hand = MINOR["pure_dragon"].replace("pure_dragon", declared)
    assert duel(game, hand, MAJOR["none"]) == points


def test_three_straights_may_have_queen_king_ace_in_front() -> None:
    assert duel(DRAWS, "three_straights: 2c3d4c5d6c7d8c9dTcJdQcKdAc", MAJOR["none"]) == 3


def test_a_special_is_won_only_when_reported() -> None:
    six_pairs = "2c2d9c / 4c4d5c5d3c / 7c7d6c6d3d"
    assert DRAWS.holds_natural(Natural.SIX_PAIRS, read_hand(six_pairs).cards)
    assert reasons(settle(DRAWS, six_pairs, MAJOR["none"]), 1, 2) == [("row", 1)] * 3


@every(natural=sorted(set(Natural) - set(map(Natural, POINTS))))
def test_other_specials_are_not_played(natural: Natural) -> None:
    state = opened(DRAWS, MINOR["none"], MAJOR["none"])
    state = DRAWS.apply(state, 1, Bet(1))
    illegal("natural_not_played", DRAWS.apply, state, 1, Arrange(declare=natural))


# Fouls


@BOTH_TIE_RULES
@each(*ROWS_WON.items())
@every(false=[False, True])
def test_a_foul_loses_each_row_at_the_price_of_the_opponents(
    winner: str, bets: int, game: ThirteenHongkong, false: bool
) -> None:
    foul = f"dragon: {BEATEN.replace(' / ', '')}" if false else BEATEN_FOUL
    assert duel(game, foul, WINNING[winner]) == -bets
    assert duel(game, WINNING[winner], foul) == bets


def test_a_foul_says_which_row_is_paid() -> None:
    settlement = settle(DRAWS, WINNING["trips and two straight flushes"], BEATEN_FOUL)
    assert reasons(settlement, 1, 2) == [("foul_row", 3), ("foul_row", 10), ("foul_row", 5)]


@BOTH_TIE_RULES
@every(mine=["foul", "false"], theirs=["foul", "false"])
def test_when_both_foul_nothing_moves(game: ThirteenHongkong, mine: str, theirs: str) -> None:
    assert settle(game, MINOR[mine], MAJOR[theirs]).lines == ()
    assert duel(game, MINOR[mine], MAJOR[theirs]) == 0


# Banker and punters


@every(banker=[1, 2, 3, 4])
def test_punters_are_compared_with_the_banker_only(banker: int) -> None:
    reports = [f"dragon: {hand.replace(' / ', '')}" for hand in SUITED.values()]
    bets = [seat for seat in (1, 2, 3, 4) if seat != banker]
    settlement = settle(DRAWS, *reports, button=banker, bets=bets)
    for first, second in combinations((1, 2, 3, 4), 2):
        punter = first + second - banker if banker in (first, second) else None
        # Each bets as much as its seat's number, and the banker pays thirteen bets.
        expected = 0 if punter is None else 13 * punter * (1 if first == punter else -1)
        assert passed(settlement, first, second) == expected


@every(count=[2, 3, 4])
def test_two_to_four_players(count: int) -> None:
    state = opened(DRAWS, *list(SUITED.values())[:count])
    assert DRAWS.to_act(state) == frozenset(range(1, count))


@every(count=[1, 5])
def test_not_fewer_and_not_more(count: int) -> None:
    with pytest.raises(Unreadable, match="2 to 4"):
        opened(DRAWS, *[BEATEN] * count)


def test_limits_that_leave_no_bet_are_refused() -> None:
    with pytest.raises(ValueError, match="smallest bet"):
        ThirteenHongkong(bet_min=2, bet_max=1)


def test_rake_is_taken_of_the_bankers_win_of_the_whole_hand() -> None:
    # The banker wins three rows at 700 from seat 1 and loses a dragon at 100 to seat 2.
    punter = "dragon: 2s3h4h5h6h7h8h9sTcJsQhKhAh"
    settlement = settle(DRAWS, BEATEN, punter, WINNING["high card, pair, pair"], bets=[700, 100])
    assert settlement.net == {1: -2100, 2: 1300 - 65, 3: 800 - 40}
    assert settlement.rake == {2: 65, 3: 40}
