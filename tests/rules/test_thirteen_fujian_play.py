"""Fujian thirteen cards: declaring specials, jokers, a hand's course, and the rules page."""

from itertools import combinations
from pathlib import Path

import pytest

from games.rules.cards import DECK, JOKERS, parse_cards
from games.rules.contract import SeatStack
from games.rules.errors import Unreadable
from games.rules.thirteen.actions import Arrange
from games.rules.thirteen.fujian import ThirteenFujian
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.state import ThirteenContext
from tests.rules.fujian_table import (
    ALL,
    BLACK,
    LOW,
    RED_BIG,
    RED_SMALL,
    SECOND,
    SPECIALS,
    THIRD,
    TOP,
    dealt_to_first,
    table,
)
from tests.rules.thirteen_table import FOUR_HANDS, opened, passed, reasons, row_results, settle

PAGE = Path(__file__).parents[2] / "docs" / "rules" / "thirteen_fujian.md"


# Declaring


def test_a_special_may_be_declared_or_not() -> None:
    cards = "2c3d4h5c6d7h8c9dThJcQdKhAc"
    rows = "2c3d4h / 5c6d7h8c9d / ThJcQdKhAc"
    other = "AdAhQs / 3h3s9s9hJh / 5s5dJsJdKs"
    state = dealt_to_first(parse_cards(cards))
    (choice,) = ALL.choices(state, 1)
    assert choice.among == ("dragon", "three_straights")
    assert row_results(settle(ALL, rows, other), 1, 2) == {"front": -1, "middle": 1, "back": 1}
    assert passed(settle(ALL, f"dragon: {cards}", other), 1, 2) == 52


def test_player_chooses_one_of_several_specials() -> None:
    cards = SPECIALS["pure dragon"][0].split(":")[1]
    result = settle(ALL, f"three_flushes: {cards}")
    assert reasons(result, 1, 2) == [("natural", 3)]


def test_a_special_takes_no_part_in_comparing_rows() -> None:
    flushes = "three_flushes: 2c3c4c5c6c 2d3d4d5d6d 2h4h6h"
    first, second = "2s3s7c / 8c8d9cJdQh / 7dTcTdKcKd", "4s6s9d / 8h8sThJcKh / TsQcQdAhAs"
    result = settle(ALL, TOP, first, second, flushes)
    assert [reasons(result, 4, loser) for loser in (1, 2, 3)] == [[("natural", 3)]] * 3
    assert [key for key, _ in reasons(result, 1, 2)] == ["row", "row", "row", "gun"]


def test_three_specials_beat_the_one_ordinary_hand() -> None:
    result = settle(ALL, BLACK, RED_SMALL, RED_BIG)
    assert [passed(result, 4, winner) for winner in (1, 2, 3)] == [-10, -10, -10]


# Jokers in specials: any card, one already held included


@pytest.mark.parametrize(
    ("special", "cards"),
    [
        ("pure_dragon", "2s3s4s5s6s7s8s9sTsJsQsBJRJ"),
        ("dragon", "2c3d4h5c6d7h8c9dThJcQdKhBJ"),
        ("twelve_royals", "JcJdJhJs QcQdQhQs KcKdKh BJRJ"),
        ("three_straight_flushes", "2c3cBJ 5d6d7d8d9d 6h7h8h9hRJ"),
        ("three_fours", "2c2d2h2s 5c5d5h5s 9c9dBJRJ Kc"),
        ("all_big", "8c8d8h 9c9d TcTd JhJs Qc KdKh BJ"),
        ("all_small", "2c2d 3h3s 4c4d 5h5s 6c6d BJ 8s8d"),
        ("one_colour", "2c2s4c4s5c6s7c9c9sJcKcKsRJ"),
        ("double_full_house", "2c2d2h3c3d 5c5dBJ6c6d 8cRJ 9h"),
        ("four_trips", "2c2d2h 5c5d5h 8c8dBJ JcJdRJ Ks"),
        ("trips_five_pairs", "2c2dRJ 4c4d 6c6d 8c8d TcTd QcBJ"),
        ("six_pairs", "2c2d 4c4d 6c6d 8c8d TcTd QcBJ Ks"),
        ("three_straights", "2c3dBJ 3c4c5d6h7s 8c9dThJcRJ"),
        ("three_flushes", "2c5cBJ 3d4d8dTdQd 2h6h7hJhRJ"),
        # Five fours are two pairs and one over.
        ("six_pairs", "2c2d 3c 4c4d4h4s 6c6d 7h BJ 8c8d"),
    ],
)
def test_jokers_complete_a_special(special: str, cards: str) -> None:
    assert Natural(special) in ALL.held_naturals(parse_cards(cards))


# The course of a hand


def test_two_jokers_make_54_cards_of_which_two_are_not_dealt() -> None:
    assert ThirteenFujian().jokers == 2
    assert ALL.composition() == (*DECK, *JOKERS)
    shoe = (*JOKERS, *DECK)
    stakes = [SeatStack(seat, 1_000) for seat in (1, 2, 3, 4)]
    state = ALL.open(stakes, shoe, ThirteenContext(button=2))
    for number, card in enumerate(shoe):
        holders = [seat for seat, hand in enumerate(state.hands, 1) if card in hand]
        assert holders == ([(3, 4, 1, 2)[number % 4]] if number < 52 else [])
    views = [ALL.view(state, seat) for seat in (None, 1, 2, 3, 4)]
    assert all(card not in view.hand for view in views for card in shoe[52:])


def test_a_table_without_jokers() -> None:
    game = table(jokers=0)
    assert game.composition() == DECK
    with pytest.raises(Unreadable):
        opened(game, SECOND, THIRD, LOW, TOP.replace("Ac", "BJ"))
    assert passed(settle(game, *FOUR_HANDS), 1, 2) == 12


def test_four_players_meet_in_pairs_in_the_order_of_the_table() -> None:
    assert list(ThirteenFujian.seats) == [4]
    moved = [(item.source, item.target) for item in settle(ALL, *FOUR_HANDS).transfers]
    assert moved == [(loser, winner) for winner, loser in combinations((1, 2, 3, 4), 2)]
    turned = [(item.source, item.target) for item in settle(ALL, *FOUR_HANDS, button=2).transfers]
    # From the left of the button: seats 3, 4, 1, 2.
    assert turned == [(4, 3), (3, 1), (3, 2), (4, 1), (4, 2), (2, 1)]


def test_a_stack_wins_and_pays_no_more_than_itself_in_that_order() -> None:
    rich = 10**6
    result = settle(table(point=125), *FOUR_HANDS, stacks=(2_519, rich, rich, rich))
    assert [passed(result, 1, loser) for loser in (2, 3, 4)] == [1_500, 1_019, 0]
    result = settle(table(point=125), *FOUR_HANDS, stacks=(rich, rich, rich, 2_000))
    assert [passed(result, winner, 4) for winner in (1, 2, 3)] == [1_500, 500, 0]


def test_rake_is_a_share_of_what_a_seat_has_won() -> None:
    result = settle(ThirteenFujian(point=10), *FOUR_HANDS)
    assert result.rake == {1: 18}
    assert result.net == {1: 360 - 18, 2: 0, 3: -120, 4: -240}


@pytest.mark.parametrize(
    ("cards", "rows"),
    [
        ("2c3d4h5c6d7h8c9dThJcQdKhAc", "3d4h6d / 7h9dThQdKh / 2c5c8cJcAc"),
        ("4c4d4h4sBJ 9c9d9hRJ 2c3d5hKs", "2c3d5h / 4c4d4h4sKs / 9c9d9hBJRJ"),
        ("4c4d4h 9c9dBJRJ 2c3d5h7cJdKs", "2c3d5h / 9c9d7cJdKs / 4c4d4hBJRJ"),
    ],
)
def test_out_of_time_the_house_arranges_and_declares_nothing(cards: str, rows: str) -> None:
    hand = parse_cards(cards)
    state = dealt_to_first(hand)
    action = ALL.fallback(state, 1)
    assert isinstance(action, Arrange)
    assert action.declare is None
    assert [set(row) for row in action.rows] == [set(parse_cards(row)) for row in rows.split("/")]
    assert 1 not in ALL.to_act(ALL.apply(state, 1, action))


# The page


def test_the_page_names_each_special_with_its_waters() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for natural, waters in ThirteenFujian().naturals.items():
        assert f"| `{natural}` | {waters} |" in page
