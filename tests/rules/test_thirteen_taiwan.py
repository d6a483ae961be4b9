"""Taiwanese thirteen cards, sentence by sentence: rows, guns, home runs, specials and bankers."""

from typing import Any

import pytest

from games.rules.cards import DECK, cards_text
from games.rules.contract import SeatStack
from games.rules.errors import Illegal
from games.rules.thirteen.actions import Bet
from games.rules.thirteen.state import ThirteenContext, ThirteenState
from games.rules.thirteen.taiwan import ThirteenTaiwan
from tests.rules.thirteen_table import (
    EIGHTEEN,
    FOUR_HANDS,
    ORDINARY,
    PRICED_ROWS,
    ROYAL_BACK,
    passed,
    read_hand,
    reasons,
    row_results,
    settle,
)

TOP, SECOND, THIRD, LOW = FOUR_HANDS
# The lowest of the four with its back in the middle.
FOULED = "2c3d4h / 3c3sTcTdKd / 2d2h5c6dKc"
GUN = [("row", 1), ("row", 1), ("row", 1), ("gun", 3)]
HOME_RUN = [*GUN, ("home_run", 6)]


def table(**options: Any) -> ThirteenTaiwan:
    return ThirteenTaiwan(**{"point": 1, "bet_min": 1, "rake_bp": 0, **options})


ALL = table()
BANKED = table(banker="fixed")


# The course of a hand


def dealt(game: ThirteenTaiwan, **context: int) -> ThirteenState:
    stakes = [SeatStack(seat, 1_000) for seat in (1, 2, 3, 4)]
    return game.open(stakes, DECK, ThirteenContext(**context))


def test_four_players_share_one_deck_without_jokers() -> None:
    assert list(ThirteenTaiwan.seats) == [4]
    assert ALL.composition() == DECK
    assert len(set().union(*dealt(ALL).hands)) == 52


@pytest.mark.parametrize(
    ("game", "context", "order"),
    [
        (ALL, {"button": 4}, (1, 2, 3, 4)),
        (ALL, {"button": 2}, (3, 4, 1, 2)),
        (ALL, {}, (1, 2, 3, 4)),
        (BANKED, {"banker": 1}, (2, 3, 4, 1)),
        (BANKED, {"button": 3}, (4, 1, 2, 3)),
        (BANKED, {"button": 3, "banker": 1}, (2, 3, 4, 1)),
    ],
)
def test_cards_go_one_at_a_time_from_the_left_of_banker_or_button(
    game: ThirteenTaiwan, context: dict[str, int], order: tuple[int, ...]
) -> None:
    state = dealt(game, **context)
    for number, card in enumerate(DECK):
        assert card in state.hands[order[number % 4] - 1]


def test_punters_bet_before_they_see_their_cards() -> None:
    state = dealt(table(banker="rotating", bet_min=5, bet_max=40), button=2)
    game = table(banker="rotating", bet_min=5, bet_max=40)
    assert game.to_act(state) == {1, 3, 4}
    for amount, code in ((4, "bet_too_small"), (41, "bet_too_large")):
        with pytest.raises(Illegal) as refusal:
            game.apply(state, 1, Bet(amount))
        assert refusal.value.code == code
    for seat, amount in ((1, 5), (3, 40), (4, 7)):
        assert game.view(state, seat).hand == ()
        state = game.apply(state, seat, Bet(amount))
    assert game.to_act(state) == {1, 2, 3, 4}
    assert len(game.view(state, 1).hand) == 13


def test_without_a_banker_nobody_bets_and_everyone_meets_everyone() -> None:
    assert ThirteenTaiwan().banker == "none"
    assert dealt(ALL).phase == "arrange"
    moved = [(item.source, item.target) for item in settle(ALL, *FOUR_HANDS).transfers]
    # The best hand gets from each, then the second from the two below it, then the third.
    assert moved == [(2, 1), (3, 1), (4, 1), (3, 2), (4, 2), (4, 3)]


def test_each_punter_plays_the_banker_alone_for_their_own_bet() -> None:
    result = settle(BANKED, *FOUR_HANDS, bets=(2, 5, 7), button=4)
    moved = [(item.source, item.target, item.amount) for item in result.transfers]
    assert moved == [(4, 1, 6 * 2), (4, 2, 6 * 5), (4, 3, 6 * 7)]


def test_a_smaller_stack_may_bet_itself_whole() -> None:
    game = table(banker="fixed", bet_min=100)
    state = game.open([SeatStack(s, 30 + s) for s in (1, 2, 3, 4)], DECK, ThirteenContext(button=4))
    assert game.fallback(state, 2) == Bet(32)


# Rows


def test_suits_do_not_count() -> None:
    first = "2s3s5s / TsJs9d4d2d / AsKs9s8s6s"
    second = "2h3h5h / ThJh9c4c2c / AhKh9h8h6h"
    result = settle(ALL, first, second)
    assert reasons(result, 1, 2) == []
    assert passed(result, 1, 2) == 0


# Prices

# What each row earns the first hand, by the high price list and by the low one.
PRICES = {
    "front trips": ((3, -1, -1), (3, -1, -1)),
    # And a full house in the back earns nothing.
    "middle full house": ((-1, 2, -1), (-1, 2, -1)),
    "back four": ((-1, -1, 4), (-1, -1, 3)),
    "middle four, and a back four": ((-1, 8, -4), (-1, 4, -3)),
    "back straight flush": ((-1, -1, 5), (-1, -1, 4)),
    "middle straight flush, and a back straight flush": ((-1, 10, -5), (-1, 5, -4)),
}


@pytest.mark.parametrize("prices", ["high", "low"])
@pytest.mark.parametrize("case", PRICED_ROWS)
def test_price_of_a_row(case: str, prices: str) -> None:
    expected = PRICES[case][prices == "low"]
    result = settle(table(prices=prices), *PRICED_ROWS[case])
    assert tuple(row_results(result, 1, 2).values()) == expected
    keys = [key for key, _ in reasons(result, 1, 2)]
    assert keys == ["royalty" if abs(points) > 1 else "row" for points in expected]


@pytest.mark.parametrize("prices", ["high", "low"])
def test_any_other_row_is_one_unit(prices: str) -> None:
    first = "2c3c4d / 5c5d8c8dTc / 6c7d8h9sTs"
    second = "AsKsQd / 9c9d9h3dJd / 3s5s7sJsQs"
    result = settle(table(prices=prices), first, second)
    assert reasons(result, 2, 1) == GUN


def test_prices_are_high_unless_said_otherwise() -> None:
    assert ThirteenTaiwan().prices == "high"


# Guns, home runs, fouls


def test_a_gun_doubles_the_three_base_units() -> None:
    assert reasons(settle(ALL, *FOUR_HANDS), 2, 3) == GUN
    assert passed(settle(ALL, *FOUR_HANDS), 2, 3) == 6


def test_trips_and_two_straight_flushes_earn_eighteen_and_a_gun_counts_them_once() -> None:
    result = settle(ALL, EIGHTEEN, ORDINARY, ROYAL_BACK)
    rows = [("royalty", 3), ("royalty", 10), ("royalty", 5)]
    assert reasons(result, 1, 2) == [*rows, ("gun", 3)]
    assert passed(result, 1, 2) == 18 + 3
    assert passed(settle(table(prices="low"), EIGHTEEN, ORDINARY, ROYAL_BACK), 1, 2) == 12 + 3


def test_two_rows_and_a_draw_are_no_gun() -> None:
    first = "AcAdQs / 2c2d7d7sJh / TsJdQhKsAh"
    second = "2s4s9d / 6h6s7cJcTd / TcJsQcKdAs"
    assert reasons(settle(ALL, first, second), 1, 2) == [("row", 1), ("row", 1)]


def test_a_home_run_is_twelve_from_each() -> None:
    result = settle(ALL, *FOUR_HANDS)
    for loser in (2, 3, 4):
        assert reasons(result, 1, loser) == HOME_RUN
        assert passed(result, 1, loser) == 12


@pytest.mark.parametrize("place", [1, 2, 3, 4])
def test_a_home_run_from_any_seat(place: int) -> None:
    hands = [SECOND, THIRD, LOW]
    hands.insert(place - 1, TOP)
    result = settle(ALL, *hands)
    assert [passed(result, place, loser) for loser in (1, 2, 3, 4)] == [
        0 if loser == place else 12 for loser in (1, 2, 3, 4)
    ]


def test_the_lines_say_how_many_units_they_move() -> None:
    lines = settle(ALL, *FOUR_HANDS).lines
    assert {line.key for line in lines} == {"row", "gun", "home_run"}
    assert all(line.values["points"] == line.amount for line in lines)


def test_a_home_run_counts_premiums_once() -> None:
    royal = "AdAhAs / 4h5h6h7h8h / TcJcQcKcAc"
    others = ("2c3c4s / 2d2h5s7s9c / JsJhTsThKd", "3d3h6d / 4d4c9s8sQd / 5d5c7d7cQs")
    result = settle(ALL, royal, *others)
    assert [passed(result, 1, loser) for loser in (2, 3, 4)] == [18 + 3 + 6] * 3


def test_no_home_run_when_an_opponent_has_reported() -> None:
    result = settle(
        ALL,
        TOP,
        "2s3s7c / 8c8d9cJdQh / 7dTcTdKcKd",
        "4s6s9d / 8h8sThJcKh / TsQcQdAhAs",
        "three_flushes: 2c3c4c5c6c 2d3d4d5d6d 2h4h6h",
    )
    assert reasons(result, 1, 2) == reasons(result, 1, 3) == GUN
    assert reasons(result, 1, 4) == [("natural", -3)]


def test_no_home_run_with_a_draw_among_nine_rows() -> None:
    result = settle(
        ALL,
        TOP,
        "AhAsQd / 6h6s7c8h8s / 2sTcTdKcKd",
        "2c3d4h / 5c5d8c9dQh / 2h6c6dJcJd",
        "2d7d9c / 3c3s4c8dKh / 4d4sThTsQc",
    )
    assert reasons(result, 1, 2) == [("row", 1), ("row", 1)]
    assert reasons(result, 1, 3) == reasons(result, 1, 4) == GUN


LOST = [("foul_row", 1), ("foul_row", 1), ("foul_row", 1), ("gun", 3)]


def test_rows_out_of_order_lose_three_rows_and_are_shot() -> None:
    result = settle(ALL, SECOND, THIRD, FOULED, TOP)
    assert reasons(result, 1, 3) == reasons(result, 2, 3) == LOST
    assert passed(result, 1, 3) == passed(result, 2, 3) == 6


def test_a_foul_pays_the_rows_that_it_stood_against_at_their_price() -> None:
    rich = "3h4s6h / 5h5d5s8c8d / 9c9d9h9sTh"
    assert reasons(settle(ALL, rich, FOULED.replace("Td", "7d")), 1, 2)[:4] == [
        *(("foul_row", points) for points in (1, 2, 4)),
        ("gun", 3),
    ]


def test_a_foul_is_three_of_the_nine_rows_of_a_home_run() -> None:
    result = settle(ALL, TOP, SECOND, THIRD, FOULED)
    assert reasons(result, 1, 2) == HOME_RUN
    assert reasons(result, 1, 4) == [*LOST, ("home_run", 6)]


def test_a_false_report_is_a_foul() -> None:
    false = "dragon: " + cards_text(read_hand(LOW).cards)
    result = settle(ALL, SECOND, THIRD, false, TOP)
    assert reasons(result, 1, 3) == reasons(result, 2, 3) == LOST


def test_two_fouls_exchange_nothing() -> None:
    result = settle(ALL, SECOND, "dragon: " + cards_text(read_hand(THIRD).cards), FOULED, TOP)
    assert reasons(result, 2, 3) == []


def test_a_foul_against_a_banker_costs_six_bets() -> None:
    result = settle(BANKED, FOULED, TOP, THIRD, SECOND, bets=(5, 1, 1))
    assert passed(result, 4, 1) == 6 * 5
    result = settle(BANKED, THIRD, TOP, SECOND, FOULED, bets=(5, 1, 1))
    assert [passed(result, punter, 4) for punter in (1, 2, 3)] == [30, 6, 6]
