"""Taiwanese thirteen cards: dealing, bets, and tables with a banker, who is seat 4 here."""

from games.rules.cards import DECK, parse_cards
from games.rules.contract import SeatStack
from games.rules.thirteen.banking import row_comparison
from games.rules.thirteen.state import Bet, ThirteenContext, ThirteenState
from games.rules.thirteen.taiwan import ThirteenTaiwan
from tests.rules.cases import each, every, illegal
from tests.rules.test_thirteen_four import (
    BESIDE_FLUSHES,
    FOULED,
    GUN,
    HOME_RUN,
    LOW,
    SECOND,
    TAIWAN,
    THIRD,
    TOP,
    from_each,
    taiwan,
)
from tests.rules.thirteen_table import FOUR_HANDS, passed, reasons, settle

BANKED = taiwan(banker="fixed")


def dealt(game: ThirteenTaiwan, **context: int) -> ThirteenState:
    stakes = [SeatStack(seat, 1_000) for seat in (1, 2, 3, 4)]
    return game.open(stakes, DECK, ThirteenContext(**context))


def test_four_players_share_one_deck_without_jokers() -> None:
    assert TAIWAN.composition() == DECK
    assert len(set().union(*dealt(TAIWAN).hands)) == 52


@each(
    (TAIWAN, {"button": 4}, (1, 2, 3, 4)),
    (TAIWAN, {"button": 2}, (3, 4, 1, 2)),
    (TAIWAN, {}, (1, 2, 3, 4)),
    (BANKED, {"banker": 1}, (2, 3, 4, 1)),
    (BANKED, {"button": 3}, (4, 1, 2, 3)),
    (BANKED, {"button": 3, "banker": 1}, (2, 3, 4, 1)),
)
def test_cards_go_one_at_a_time_from_the_left_of_banker_or_button(
    game: ThirteenTaiwan, context: dict[str, int], order: tuple[int, ...]
) -> None:
    state = dealt(game, **context)
    for number, card in enumerate(DECK):
        assert card in state.hands[order[number % 4] - 1]


def test_punters_bet_before_they_see_their_cards() -> None:
    game = taiwan(banker="rotating", bet_min=5, bet_max=40)
    state = dealt(game, button=2)
    assert game.to_act(state) == {1, 3, 4}
    illegal("bet_too_small", game.apply, state, 1, Bet(4))
    illegal("bet_too_large", game.apply, state, 1, Bet(41))
    for seat, amount in ((1, 5), (3, 40), (4, 7)):
        assert game.view(state, seat).hand == ()
        state = game.apply(state, seat, Bet(amount))
    assert game.to_act(state) == {1, 2, 3, 4}
    assert len(game.view(state, 1).hand) == 13


def test_without_a_banker_nobody_bets() -> None:
    assert ThirteenTaiwan().banker == "none"
    assert dealt(TAIWAN).phase == "arrange"


def test_a_smaller_stack_may_bet_itself_whole() -> None:
    game = taiwan(banker="fixed", bet_min=100)
    state = game.open([SeatStack(s, 30 + s) for s in (1, 2, 3, 4)], DECK, ThirteenContext(button=4))
    assert game.fallback(state, 2) == Bet(32)


def test_each_punter_plays_the_banker_alone_for_their_own_bet() -> None:
    result = settle(BANKED, *FOUR_HANDS, bets=(2, 5, 7), button=4)
    moved = [(item.source, item.target, item.amount) for item in result.transfers]
    assert moved == [(4, 1, 6 * 2), (4, 2, 6 * 5), (4, 3, 6 * 7)]


def test_a_banker_hits_a_home_run_at_each_bet() -> None:
    result = settle(BANKED, LOW, SECOND, THIRD, TOP, bets=(2, 5, 7))
    assert from_each(result, 4) == [12 * 2, 12 * 5, 12 * 7]
    assert reasons(result, 4, 1) == [(key, 2 * points) for key, points in HOME_RUN]


@every(banker=["fixed", "rotating"])
def test_only_the_banker_hits_home_runs(banker: str) -> None:
    result = settle(taiwan(banker=banker), TOP, THIRD, LOW, SECOND)
    assert reasons(result, 1, 4) == GUN
    assert reasons(result, 4, 2) == reasons(result, 4, 3) == GUN


def test_a_banker_hits_no_home_run_past_a_report() -> None:
    result = settle(BANKED, BESIDE_FLUSHES[3], *BESIDE_FLUSHES[1:3], TOP)
    assert reasons(result, 4, 1) == [("natural", -3)]
    assert reasons(result, 4, 2) == reasons(result, 4, 3) == GUN


def test_a_banker_who_reports_alone_is_paid_by_each_punter() -> None:
    assert from_each(settle(BANKED, *BESIDE_FLUSHES, bets=(1, 2, 3)), 4) == [3, 6, 9]


RED_DRAGON = "dragon: 2d3h4d5h6d7h8d9hTdJhQdKhAd"
BLACK = "one_colour: 2c2s4c4s5c6s7c9c9sJcKcKsAc"


@each(
    (BLACK, RED_DRAGON, 10),
    (RED_DRAGON, BLACK, 36),
    (
        "all_small: 2c2d 3h3s 4c4d 5h5s 6c6d 7h7s 8s",
        "all_big: 8c8d8h 9c9d TcTd JhJs Qc KdKh As",
        12,
    ),
    (RED_DRAGON, "dragon: 2c3s4c5s6c7s8c9sTcJsQcKsAc", 36),
)
def test_when_both_report_the_banker_pays_the_punter(punter: str, banker: str, points: int) -> None:
    result = settle(BANKED, punter, banker, button=2, bets=(5, 1, 1))
    assert reasons(result, 1, 2) == [("natural", points * 5)]


def test_a_foul_against_a_banker_costs_six_bets() -> None:
    result = settle(BANKED, FOULED, TOP, THIRD, SECOND, bets=(5, 1, 1))
    assert passed(result, 4, 1) == 6 * 5
    result = settle(BANKED, THIRD, TOP, SECOND, FOULED, bets=(5, 1, 1))
    assert from_each(result, 4) == [-30, -6, -6]


def test_a_banker_pays_the_punters_in_order_until_the_stack_is_empty() -> None:
    result = settle(BANKED, *FOUR_HANDS, bets=(10, 10, 10), stacks=(500, 500, 500, 100))
    assert from_each(result, 4) == [-60, -40, 0]


# What the banker eats (食夾棍): banker's row, punter's row, and whether the banker takes it.
@each(
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
)
def test_banker_eats_ties_by_category_and_biggest_point(
    banker: str, punter: str, eaten: bool
) -> None:
    compare = row_comparison(banker_eats_ties=True)
    rows = (TAIWAN.rank_row(parse_cards(row)) for row in (banker, punter))
    assert compare(*rows) == (1 if eaten else -1)


def test_banker_eats_ties_is_an_option_of_tables_with_a_banker() -> None:
    """Where equals tie, the punter in seat 1 wins all three rows by lower cards."""
    hands = (
        "AsKd3c / 9c9dAd5h4h / JsJhTdTs2c",
        "KcKsQd / 7c7h7s5c5d / 8d8h8sQhQs",
        "2s3d4d / 4s5s6c6dTc / 6h6sThKhAc",
        "AhQc2d / 9h9s8c7d2h / JcJd3h3s4c",
    )
    eats = taiwan(banker="fixed", banker_eats_ties=True)
    assert not ThirteenTaiwan().banker_eats_ties
    assert reasons(settle(BANKED, *hands), 1, 4) == GUN
    # Without a banker no player eats, in whichever seat.
    game = taiwan(banker_eats_ties=True)
    assert reasons(settle(game, *hands), 1, 4) == GUN
    assert reasons(settle(game, *reversed(hands)), 4, 1) == GUN
    assert reasons(settle(eats, *hands), 4, 1) == GUN
    # A banker in the first seat eats as one in the last.
    assert reasons(settle(eats, hands[3], hands[0], button=1), 1, 2)[:4] == GUN
