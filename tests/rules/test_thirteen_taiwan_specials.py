"""Taiwanese thirteen cards, sentence by sentence: specials, tables with a banker, and stacks."""

from math import comb
from pathlib import Path
from typing import Any

import pytest

from games.rules.cards import DECK, parse_cards
from games.rules.contract import SeatStack
from games.rules.errors import Illegal
from games.rules.thirteen.actions import Arrange
from games.rules.thirteen.banking import row_comparison
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.state import ThirteenContext, ThirteenState
from games.rules.thirteen.taiwan import ThirteenTaiwan
from tests.rules.thirteen_table import (
    FOUR_HANDS,
    duel,
    passed,
    read_hand,
    reasons,
    row_results,
    settle,
)

PAGE = Path(__file__).parents[2] / "docs" / "rules" / "thirteen_taiwan.md"
TOP, SECOND, THIRD, LOW = FOUR_HANDS
GUN = [("row", 1), ("row", 1), ("row", 1), ("gun", 3)]
HOME_RUN = [*GUN, ("home_run", 6)]


def table(**options: Any) -> ThirteenTaiwan:
    return ThirteenTaiwan(**{"point": 1, "bet_min": 1, "rake_bp": 0, **options})


ALL = table()
BANKED = table(banker="fixed")


# Specials

SPECIALS = {
    "pure_dragon": ("pure_dragon: 2s3s4s5s6s7s8s9sTsJsQsKsAs", 108),
    "dragon": ("dragon: 2c3d4h5c6d7h8c9dThJcQdKhAc", 36),
    "twelve_royals": ("twelve_royals: JcJdJhJs QcQdQhQs KcKdKhKs Ac", 32),
    "three_straight_flushes": ("three_straight_flushes: 2c3c4c 5d6d7d8d9d 6h7h8h9hTh", 24),
    "three_straight_flushes_from_the_ace": (
        "three_straight_flushes: Ac2c3c Ad2d3d4d5d 9hThJhQhKh",
        24,
    ),
    "three_fours": ("three_fours: 2c2d2h2s 5c5d5h5s 9c9d9h9s Kc", 20),
    "all_big": ("all_big: 8c8d8h 9c9d TcTd JhJs Qc KdKh As", 12),
    "all_small": ("all_small: 2c2d 3h3s 4c4d 5h5s 6c6d 7h 8s8d", 12),
    "one_colour_black": ("one_colour: 2c2s4c4s5c6s7c9c9sJcKcKsAc", 10),
    "one_colour_red": ("one_colour: 2d2h4d4h5d6h7d9d9hJdKdKhAd", 10),
    "four_trips": ("four_trips: 2c2d2h 5c5d5h 8c8d8h JcJdJh Ks", 8),
    "four_trips_and_the_fourth": ("four_trips: 2c2d2h 5c5d5h 8c8d8h JcJdJh Js", 8),
    "three_straights": ("three_straights: 2c3d4h 3c4c5d6h7s 8c9dThJcQd", 4),
    "three_straights_from_and_to_the_ace": ("three_straights: Ac2d3h 4c5c6d7h8s TcJdQhKcAd", 4),
    "three_flushes": ("three_flushes: 2c5c9c 3d4d8dTdQd 2h6h7hJhKh", 3),
}


@pytest.mark.parametrize("case", SPECIALS)
def test_value_of_a_special_from_each_and_never_doubled(case: str) -> None:
    hand, points = SPECIALS[case]
    result = settle(ALL, hand)
    for loser in (2, 3, 4):
        assert reasons(result, 1, loser) == [("natural", points)]


@pytest.mark.parametrize(
    "hand",
    [
        # No front of Q-K-A, and no straight around the ace.
        "three_straights: QcKdAh 2c3d4h5c6d 2s3h4c5d6h",
        "three_straights: KcAd2h 4c5d6h7c8d 4d5h6c7d8h",
        "three_straights: JcQdKhAc2d 4c5d6h7c8d 4d5h6c",
        "three_straight_flushes: QcKcAc 2c3c4c5c6c 2d3d4d5d6d",
        "three_straight_flushes: KcAc2c 4c5c6c7c8c 4d5d6d7d8d",
        # One card too low, too high, or of the other colour.
        "twelve_royals: JcJdJhJs QcQdQhQs KcKdKhKs Tc",
        "all_big: 7c8d8h 9c9d TcTd JhJs Qc KdKh As",
        "all_small: 2c2d 3h3s 4c4d 5h5s 6c6d 7h 8s9d",
        "all_small: Ac2d 3h3s 4c4d 5h5s 6c6d 7h 8s8d",
        "one_colour: 2c2s4c4s5c6s7c9c9sJcKcKsAd",
        "dragon: 2c3d4h5c6d7h8c9dThJcQdKhKc",
        "pure_dragon: 2s3s4s5s6s7s8s9sTsJsQsKsAc",
        "three_fours: 2c2d2h2s 5c5d5h5s 9c9d9hTs Kc",
        "four_trips: 2c2d2h 5c5d5h 8c8d8h JcJdTh Ks",
        "three_flushes: 2c5c9cTc 3d4d8dTdQd 2h6h7hJh",
    ],
)
def test_hands_without_the_special(hand: str) -> None:
    cards, arranged = read_hand(hand)
    assert arranged is not None
    assert arranged.declare not in ALL.held_naturals(cards)


def test_a_special_that_is_not_reported_plays_as_rows() -> None:
    rows = "2c3d4h / 5c6d7h8c9d / ThJcQdKhAc"
    result = settle(ALL, rows, "AdAhQs / 3h3s9s9hJh / 5s5dJsJdKs")
    assert row_results(result, 1, 2) == {"front": -1, "middle": 1, "back": 1}


@pytest.mark.parametrize(
    ("special", "hands", "one_in"),
    [
        ("dragon", 4**13, 9_462),
        ("pure_dragon", 4, 158_753_389_900),
        ("twelve_royals", comb(16, 13), 1_133_952_785),
    ],
)
def test_how_rare_a_special_is(special: str, hands: int, one_in: int) -> None:
    """The hands counted here are counted one by one with the naturals."""
    assert special in ALL.naturals
    assert comb(52, 13) // hands == one_in


def test_a_foul_pays_a_special_what_it_is_worth() -> None:
    assert duel(ALL, SPECIALS["three_fours"][0], "AdKdQd / JdJh3s4s6s / 3d4d6d7d8d") == 20


def test_six_and_a_half_pairs_are_nothing_here() -> None:
    pairs = parse_cards("2c2d 3c3d 4c4d 5c5d 6c6d 7c7d Ts")
    game, state = at_the_table(pairs)
    assert Natural.SIX_PAIRS not in game.held_naturals(pairs)
    with pytest.raises(Illegal) as refusal:
        game.apply(state, 1, Arrange(declare=Natural.SIX_PAIRS))
    assert refusal.value.code == "natural_not_played"


def at_the_table(cards: tuple[Any, ...]) -> tuple[ThirteenTaiwan, ThirteenState]:
    """Seat 1 holds these cards and is to arrange."""
    left = iter(card for card in DECK if card not in cards)
    order = [card for own in cards for card in (own, next(left), next(left), next(left))]
    stakes = [SeatStack(seat, 1_000) for seat in (1, 2, 3, 4)]
    return ALL, ALL.open(stakes, order, ThirteenContext(button=4))


# Two that no card is in both of, the winner first.
RED_DRAGON = "dragon: 2d3h4d5h6d7h8d9hTdJhQdKhAd"
BLACK = SPECIALS["one_colour_black"][0]
BIG = SPECIALS["all_big"][0]
SMALL = "all_small: 2c2d 3h3s 4c4d 5h5s 6c6d 7h7s 8s"
DUELS = [
    (SPECIALS["pure_dragon"][0], RED_DRAGON, 108),
    (RED_DRAGON, BLACK, 36),
    (SPECIALS["twelve_royals"][0], SMALL, 32),
    (
        "three_straight_flushes: 2c3c4c5c6c 2d3d4d5d6d 2h3h4h",
        "three_fours: 8c8d8h8s 9c9d9h9s TcTdThTs Kc",
        24,
    ),
    ("three_fours: 2c2d2h2s 3c3d3h3s 4c4d4h4s 5c", BIG, 20),
    (BIG, SMALL, 12),
    (SMALL, "one_colour: 8c9cTcJcQcKcAc 9sTsJsQsKsAs", 12),
    ("one_colour: 2c4c6c8cTcQcAc 3s5s7s9sJsKs", "four_trips: 2d2h2s 4d4h4s 8d8h8s QdQhQs Kd", 10),
    (
        "four_trips: 2d2h2s 3d3h3s 4d4h4s 5d5h5s 6d",
        "three_straights: 2c3c4c5c6c 7c8c9c TcJcQdKdAd",
        8,
    ),
    (
        "three_straights: 2c3d4c5d6c 7c8d9c TcJdQcKdAc",
        "three_flushes: 2h3h5h 7h9hJhQhKh 2s3s6s9sTs",
        4,
    ),
]


@pytest.mark.parametrize(("winner", "loser", "points"), DUELS, ids=str)
def test_the_bigger_special_wins_in_full(winner: str, loser: str, points: int) -> None:
    assert reasons(settle(ALL, winner, loser), 1, 2) == [("natural", points)]
    assert reasons(settle(ALL, loser, winner), 2, 1) == [("natural", points)]


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (RED_DRAGON, "dragon: 2c3s4c5s6c7s8c9sTcJsQcKsAc"),
        (BIG, "all_big: 8s9h9sThTsJcJdQdQhQsKcKsAc"),
        (
            "three_flushes: 2c5c9c 3d4d8dTdQd 2h6h7hJhKh",
            "three_flushes: 3c4c6c 5d6d7d9dJd 2s3s6s9sTs",
        ),
    ],
    ids=str,
)
def test_two_specials_of_one_type_draw(first: str, second: str) -> None:
    assert reasons(settle(ALL, first, second), 1, 2) == []


@pytest.mark.parametrize(
    ("value", "winner", "points"), [(20, 2, 36), (35, 2, 36), (36, 1, 36), (200, 1, 200)]
)
def test_the_pure_dragon_is_worth_what_the_table_says(value: int, winner: int, points: int) -> None:
    result = settle(table(pure_dragon=value), SPECIALS["pure_dragon"][0], RED_DRAGON)
    assert reasons(result, winner, 3 - winner) == [("natural", points)]


# Tables with a banker, who is seat 4 here


def test_a_banker_hits_a_home_run_at_each_bet() -> None:
    result = settle(BANKED, LOW, SECOND, THIRD, TOP, bets=(2, 5, 7))
    assert [passed(result, 4, punter) for punter in (1, 2, 3)] == [12 * 2, 12 * 5, 12 * 7]
    assert reasons(result, 4, 1) == [(key, 2 * points) for key, points in HOME_RUN]


@pytest.mark.parametrize("banker", ["fixed", "rotating"])
def test_only_the_banker_hits_home_runs(banker: str) -> None:
    result = settle(table(banker=banker), TOP, THIRD, LOW, SECOND)
    assert reasons(result, 1, 4) == GUN
    assert reasons(result, 4, 2) == reasons(result, 4, 3) == GUN


def test_a_banker_hits_no_home_run_past_a_report() -> None:
    result = settle(
        BANKED,
        "three_flushes: 2c3c4c5c6c 2d3d4d5d6d 2h4h6h",
        "2s3s7c / 8c8d9cJdQh / 7dTcTdKcKd",
        "4s6s9d / 8h8sThJcKh / TsQcQdAhAs",
        TOP,
    )
    assert reasons(result, 4, 1) == [("natural", -3)]
    assert reasons(result, 4, 2) == reasons(result, 4, 3) == GUN


@pytest.mark.parametrize(
    ("punter", "banker", "points"),
    [
        (BLACK, RED_DRAGON, 10),
        (RED_DRAGON, BLACK, 36),
        (SMALL, BIG, 12),
        (RED_DRAGON, "dragon: 2c3s4c5s6c7s8c9sTcJsQcKsAc", 36),
    ],
)
def test_when_both_report_the_banker_pays_the_punter(punter: str, banker: str, points: int) -> None:
    result = settle(BANKED, punter, banker, button=2, bets=(5, 1, 1))
    assert reasons(result, 1, 2) == [("natural", points * 5)]


def test_a_banker_who_reports_alone_is_paid_by_each_punter() -> None:
    punters = (TOP, "2s3s7c / 8c8d9cJdQh / 7dTcTdKcKd", "4s6s9d / 8h8sThJcKh / TsQcQdAhAs")
    banker = "three_flushes: 2c3c4c5c6c 2d3d4d5d6d 2h4h6h"
    result = settle(BANKED, *punters, banker, bets=(1, 2, 3))
    assert [passed(result, 4, punter) for punter in (1, 2, 3)] == [3, 6, 9]


# What the banker eats (食夾棍): banker's row, punter's row, and whether the banker takes it.
EATEN = [
    ("AsKdQh", "AdKsQc", True),
    ("As3d2h", "AdKsQc", True),
    ("KsQdJh", "Ad3s2c", False),
    ("KsKd2h", "KcKhAc", True),
    ("QsQdAh", "KcKh2c", False),
    ("AsKdQhTs9c", "2c2h3c4c5h", False),
    ("KsKd2h2s3c", "KcKhQhQs3h", True),
    ("QsQdJhJs3c", "KcKh2h2c3h", False),
    ("As7s5s3s2s", "AdKdQdJd9d", True),
    ("9sTdJhQsKc", "9dTsJcQhKd", True),
    ("8s9dThJcQd", "9dTsJcQhKd", False),
    ("Ah2s3d4h5c", "TdJcQhKdAs", False),
    ("2s2d2hAsAc", "3s3d3h4s4c", False),
    ("8s8d8h8c2s", "9s9d9h9c3s", False),
    ("3s3d3hAsKc", "4s4d4h2s5c", False),
]


@pytest.mark.parametrize(("banker", "punter", "eaten"), EATEN)
def test_banker_eats_ties_by_category_and_biggest_point(
    banker: str, punter: str, eaten: bool
) -> None:
    compare = row_comparison(banker_eats_ties=True)
    assert compare(*(ALL.rank_row(parse_cards(row)) for row in (banker, punter))) == (
        1 if eaten else -1
    )


def test_banker_eats_ties_is_an_option_of_tables_with_a_banker() -> None:
    """Where equals tie, the punter in seat 1 wins all three rows by lower cards."""
    hands = (
        "AsKd3c / 9c9dAd5h4h / JsJhTdTs2c",
        "KcKsQd / 7c7h7s5c5d / 8d8h8sQhQs",
        "2s3d4d / 4s5s6c6dTc / 6h6sThKhAc",
        "AhQc2d / 9h9s8c7d2h / JcJd3h3s4c",
    )
    assert reasons(settle(BANKED, *hands), 1, 4) == GUN
    # Without a banker nobody eats, in whichever seat.
    game = table(banker_eats_ties=True)
    assert reasons(settle(game, *hands), 1, 4) == GUN
    assert reasons(settle(game, *reversed(hands)), 4, 1) == GUN
    eating = settle(table(banker="fixed", banker_eats_ties=True), *hands)
    assert reasons(eating, 4, 1) == GUN
    assert not ThirteenTaiwan().banker_eats_ties


def test_the_banker_may_be_first_in_the_comparison_or_not() -> None:
    """A banker in the first seat eats as one in the last."""
    rows = ("AhQc2d / 9h9s8c7d2h / JcJd3h3s4c", "AsKd3c / 9c9dAd5h4h / JsJhTdTs2c")
    result = settle(table(banker="fixed", banker_eats_ties=True), *rows, button=1)
    assert reasons(result, 1, 2)[:4] == GUN


# Stacks, rake, and who is not there


def test_payments_go_in_order_and_a_stack_wins_no_more_than_itself() -> None:
    game = table(point=125)
    result = settle(game, *FOUR_HANDS, stacks=(2_519, 10**6, 10**6, 10**6))
    assert [passed(result, 1, loser) for loser in (2, 3, 4)] == [1_500, 1_019, 0]
    assert reasons(result, 1, 3)[-1] == ("purse_limit", -481)
    tournament = settle(
        table(point=125, tournament=True), *FOUR_HANDS, stacks=(2_519, *[10**6] * 3)
    )
    assert [passed(tournament, 1, loser) for loser in (2, 3, 4)] == [1_500] * 3


def test_a_stack_pays_in_order_until_it_is_empty() -> None:
    for tournament in (False, True):
        game = table(point=125, tournament=tournament)
        result = settle(game, *FOUR_HANDS, stacks=(10**6, 10**6, 10**6, 2_000))
        assert [passed(result, winner, 4) for winner in (1, 2, 3)] == [1_500, 500, 0]


def test_seat_that_reached_its_cap_takes_no_further_payments() -> None:
    hands = (SECOND, THIRD, TOP, LOW)
    result = settle(table(point=100), *hands, stacks=(600, *[10**6] * 3))
    assert [passed(result, 1, other) for other in (2, 3, 4)] == [600, 0, 0]
    again = settle(table(point=100, tournament=True), *hands, stacks=(600, *[10**6] * 3))
    assert [passed(again, 1, other) for other in (2, 3, 4)] == [600, -1_200, 600]


def test_a_banker_pays_the_punters_in_order_until_the_stack_is_empty() -> None:
    result = settle(
        table(banker="fixed"), *FOUR_HANDS, bets=(10, 10, 10), stacks=(500, 500, 500, 100)
    )
    assert [passed(result, punter, 4) for punter in (1, 2, 3)] == [60, 40, 0]


def test_rake_is_a_share_of_what_a_seat_has_won_rounded_down() -> None:
    result = settle(ThirteenTaiwan(point=1), *FOUR_HANDS)
    assert result.rake == {1: 1}
    assert result.net == {1: 36 - 1, 2: -12 + 6 + 6, 3: -12 - 6 + 6, 4: -12 - 6 - 6}
    assert settle(ThirteenTaiwan(point=1, tournament=True), *FOUR_HANDS).rake == {}


@pytest.mark.parametrize(
    ("cards", "rows"),
    [
        # The best five go back, the best five of the rest in the middle; a dragon is not declared.
        ("2c3d4h5c6d7h8c9dThJcQdKhAc", "3d4h6d / 7h9dThQdKh / 2c5c8cJcAc"),
        ("2d2h3s3d3hAcAdAhKs5dQd9h8c", "3d5d8c / 2d2h9hQdKs / 3h3sAcAdAh"),
        # Of equal rows the higher suits go back.
        ("2h3h4h5h7h 2s3s4s5s7s 9dTcQd", "9dTcQd / 2h3h4h5h7h / 2s3s4s5s7s"),
    ],
)
def test_out_of_time_the_house_arranges(cards: str, rows: str) -> None:
    game, state = at_the_table(parse_cards(cards))
    action = game.fallback(state, 1)
    assert isinstance(action, Arrange)
    assert action.declare is None
    assert [set(row) for row in action.rows] == [set(parse_cards(row)) for row in rows.split("/")]


# The page


def test_the_page_names_each_special_with_its_units() -> None:
    rows = [line.split("|") for line in PAGE.read_text(encoding="utf-8").splitlines()]
    page = {(row[1].strip(), row[-2].strip()) for row in rows if len(row) == 5}
    for natural, units in ThirteenTaiwan().naturals.items():
        assert (f"`{natural}`", str(units)) in page
