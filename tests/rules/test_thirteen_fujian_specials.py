"""Fujian thirteen cards, sentence by sentence: specials, real and wild, and a hand's course."""

from collections.abc import Sequence
from itertools import combinations
from pathlib import Path
from typing import Any

import msgspec
import pytest

from games.rules.cards import DECK, JOKERS, Card, parse_cards
from games.rules.contract import SeatStack
from games.rules.errors import Illegal, Unreadable
from games.rules.thirteen.actions import Arrange
from games.rules.thirteen.fujian import ThirteenFujian
from games.rules.thirteen.naturals import Natural
from games.rules.thirteen.state import ThirteenContext, ThirteenState
from tests.rules.thirteen_table import (
    FOUR_HANDS,
    opened,
    passed,
    read_hand,
    reasons,
    row_results,
    settle,
)

PAGE = Path(__file__).parents[2] / "docs" / "rules" / "thirteen_fujian.md"
TOP, SECOND, THIRD, LOW = FOUR_HANDS


def table(**options: Any) -> ThirteenFujian:
    return ThirteenFujian(**{"point": 1, "rake_bp": 0, **options})


ALL = table()


def dealt_to_first(cards: Sequence[Card]) -> ThirteenState:
    """Seat 1 holds these cards, the others what there is, and all are to arrange."""
    left = iter(card for card in DECK if card not in cards)
    order = [card for own in cards for card in (own, next(left), next(left), next(left))]
    stakes = [SeatStack(seat, 1_000) for seat in (1, 2, 3, 4)]
    return ALL.open(stakes, order, ThirteenContext(button=4))


# Each special, in the printed order

SPECIALS = {
    "pure dragon": ("pure_dragon: 2s3s4s5s6s7s8s9sTsJsQsKsAs", 52),
    "dragon": ("dragon: 2c3d4h5c6d7h8c9dThJcQdKhAc", 26),
    "twelve royals": ("twelve_royals: JcJdJhJs QcQdQhQs KcKdKhKs Ac", 24),
    "three straight flushes": ("three_straight_flushes: 2c3c4c 5d6d7d8d9d 6h7h8h9hTh", 18),
    "three fours": ("three_fours: 2c2d2h2s 5c5d5h5s 9c9d9h9s Kc", 16),
    "all big": ("all_big: 8c8d8h 9c9d TcTd JhJs Qc KdKh As", 10),
    "all small": ("all_small: 2c2d 3h3s 4c4d 5h5s 6c6d 7h 8s8d", 10),
    "one colour, black": ("one_colour: 2c2s4c4s5c6s7c9c9sJcKcKsAc", 10),
    "one colour, red": ("one_colour: 2d2h4d4h5d6h7d9d9hJdKdKhAd", 10),
    "two full houses and a pair": ("double_full_house: 2c2d2h3c3d 5c5d5h6c6d 8c8d 9h", 8),
    "four trips": ("four_trips: 2c2d2h 5c5d5h 8c8d8h JcJdJh Ks", 6),
    "trips and five pairs": ("trips_five_pairs: 2c2d2h 4c4d 6c6d 8c8d TcTd QcQd", 5),
    "six and a half pairs": ("six_pairs: 2c2d 4c4d 6c6d 8c8d TcTd QcQd Ks", 3),
    "three straights": ("three_straights: 2c3d4h 3c4c5d6h7s 8c9dThJcQd", 3),
    "three straights with Q-K-A in front": ("three_straights: QcKdAh 2c3d4h5c6d 2s3h4c5d6h", 3),
    "three flushes": ("three_flushes: 2c5c9c 3d4d8dTdQd 2h6h7hJhKh", 3),
}
DRAGONS = ("pure dragon", "dragon")


@pytest.mark.parametrize("case", SPECIALS)
def test_value_of_a_special_from_each(case: str) -> None:
    hand, waters = SPECIALS[case]
    # A dragon that beats all three opponents is doubled, nothing else is.
    doubled = [("dragon_over_all", waters)] if case in DRAGONS else []
    result = settle(ALL, hand)
    for loser in (2, 3, 4):
        assert reasons(result, 1, loser) == [("natural", waters), *doubled]


def test_a_dragon_over_all_is_52_from_each_and_a_pure_one_104() -> None:
    for case, waters in (("dragon", 52), ("pure dragon", 104)):
        result = settle(ALL, SPECIALS[case][0])
        assert [passed(result, 1, loser) for loser in (2, 3, 4)] == [waters] * 3
        won = [line for line in result.lines if line.target == 1]
        assert [line.values["points"] for line in won] == [waters // 2] * 6


@pytest.mark.parametrize(
    ("option", "special"),
    [
        ("all_big", "all big"),
        ("all_small", "all small"),
        ("one_colour", "one colour, red"),
        ("double_full_house", "two full houses and a pair"),
        ("four_trips", "four trips"),
        ("trips_five_pairs", "trips and five pairs"),
    ],
)
def test_waters_that_are_an_option(option: str, special: str) -> None:
    result = settle(table(**{option: 77}), SPECIALS[special][0])
    assert reasons(result, 1, 2) == [("natural", 77)]


@pytest.mark.parametrize(
    "hand",
    [
        "twelve_royals: JcJdJhJs QcQdQhQs KcKdKhKs Tc",
        "all_big: 7c8d8h 9c9d TcTd JhJs Qc KdKh As",
        "all_small: Ac2d 3h3s 4c4d 5h5s 6c6d 7h 8s8d",
        "one_colour: 2c2s4c4s5c6s7c9c9sJcKcKsAd",
        "dragon: 2c3d4h5c6d7h8c9dThJcQdKhKc",
        "pure_dragon: 2s3s4s5s6s7s8s9sTsJsQsKsAc",
        "double_full_house: 2c2d2h3c3d 5c5d5h6c6d 8c7d 9h",
        "trips_five_pairs: 2c2d2h 4c4d 6c6d 8c8d TcTd QcKd",
        "six_pairs: 2c2d 4c4d 6c6d 8c8d TcTd QcJd Ks",
        "three_straights: KcAd2h 4c5d6h7c8d 4d5h6c7d8h",
        "three_flushes: 2c5c9cTc 3d4d8dTdQd 2h6h7hJh",
    ],
)
def test_hands_without_the_special_cannot_declare_it(hand: str) -> None:
    cards, arranged = read_hand(hand)
    assert arranged is not None
    assert arranged.declare not in ALL.held_naturals(cards)
    with pytest.raises(Illegal) as refusal:
        ALL.apply(dealt_to_first(cards), 1, arranged)
    assert refusal.value.code == "natural_not_held"


# Special against special, the winner first

BLACK = "one_colour: 2c2s4c4s5c6s7c9c9sJcKcKsAc"
RED_DRAGON = "dragon: 2d3h4d5h6d7h8d9hTdJhQdKhAd"
SMALL = "all_small: 2c2d 3h3s 4c4d 5h5s 6c6d 7h7s 8s"
RED_SMALL = "all_small: 2d2h3d3h4d4h5d5h6d6h7d7h8d"
RED_BIG = "all_big: 8h9d9hTdThJdJhQdQhKdKhAdAh"
DUELS = {
    "pure dragon over dragon": (SPECIALS["pure dragon"][0], RED_DRAGON, 104),
    "dragon over twelve royals": (
        "dragon: 2c3c4d5d6h7h8c9dTcJsQsKsBJ",
        "twelve_royals: JcJdJhQcQdQhKcKdKhAcAdAhAs",
        52,
    ),
    "twelve royals over all small": (SPECIALS["twelve royals"][0], SMALL, 24),
    "three straight flushes over three fours": (
        "three_straight_flushes: 2c3c4c5c6c 2d3d4d5d6d 2h3h4h",
        "three_fours: 8c8d8h8s 9c9d9h9s TcTdThTs Kc",
        18,
    ),
    "three fours over all big": (
        "three_fours: 2c2d2h2s 3c3d3h3s 4c4d4h4s 5c",
        SPECIALS["all big"][0],
        16,
    ),
    "one colour over two full houses": (
        "one_colour: 2c4c6c8cTcQcAc 3s5s7s9sJsKs",
        "double_full_house: 2d2h2s4d4h 6d6h6s8d8h TdTh Qd",
        10,
    ),
    "two full houses over four trips": (
        "double_full_house: 2c2d2h3c3d 5c5d5h6c6d 8c8d 9h",
        "four_trips: TcTdTh JcJdJh QcQdQh KcKdKh As",
        8,
    ),
    "four trips over trips and five pairs": (
        "four_trips: TcTdTh JcJdJh QcQdQh KcKdKh As",
        "trips_five_pairs: 2c2d2h 4c4d 5c5d 6c6d 7c7d 8c8d",
        6,
    ),
    "trips and five pairs over six pairs": (
        "trips_five_pairs: 2c2d2h 4c4d 5c5d 6c6d 7c7d 8c8d",
        "six_pairs: 4h4s 5h5s 6h6s 7h7s 8h8s 9h9s 3s",
        5,
    ),
    # At equal value the one that is printed earlier.
    "all big over all small": (RED_BIG, RED_SMALL, 10),
    "all small over one colour": (RED_SMALL, BLACK, 10),
    "all big over one colour": (RED_BIG, BLACK, 10),
    "six pairs over three straights": (
        "six_pairs: 2c2d 4c4d 6c6d 8c8d TcTd QcQd Kc",
        "three_straights: 2h3h4s 3s4h5s6s7s 8s9hThJhQs",
        3,
    ),
    "three straights over three flushes": (
        "three_straights: 2c3d4c5d6c 7c8d9c TcJdQcKdAc",
        "three_flushes: 2h3h5h 7h9hJhQhKh 2s3s6s9sTs",
        3,
    ),
    # Real above wild of the same type, however high the cards; a higher type wins all the same.
    "real six pairs over wild ones": (
        "six_pairs: 2c2d 3c3d 4c4d 5c5d 6c6d 7c7d 8s",
        "six_pairs: 9h9s ThTs JhJs QhQs KhKs AhBJ 2s",
        3,
    ),
    "wild six pairs over real three flushes": (
        "six_pairs: 9h9s ThTs JhJs QhQs KhKs AhBJ 2s",
        "three_flushes: 2c3c5c 7c9cJcQcKc 3d4d6d9dTd",
        3,
    ),
    "wild three straights below real ones": (
        "three_straights: 2c3d4c5d6c 7c8d9c TcJdQcKdAc",
        "three_straights: 2h3s4h5s6h 7h8s9h ThJsQhKsBJ",
        3,
    ),
    "a joker as the odd card is wild": (
        "six_pairs: 2c2d 3c3d 4c4d 5c5d 6c6d 7c7d 8s",
        "six_pairs: 9h9s ThTs JhJs QhQs KhKs AhAs BJ",
        3,
    ),
    "wild all big over real all small": ("all_big: 8h9d9hTdThJdJhQdQhKdKhAdBJ", RED_SMALL, 10),
}


@pytest.mark.parametrize("case", DUELS)
def test_which_special_wins(case: str) -> None:
    winner, loser, waters = DUELS[case]
    assert passed(settle(ALL, winner, loser), 1, 2) == waters
    assert passed(settle(ALL, loser, winner), 2, 1) == waters


@pytest.mark.parametrize(
    ("first", "second"),
    [
        (RED_DRAGON, "dragon: 2c3s4c5s6c7s8c9sTcJsQcKsAc"),
        (
            "six_pairs: 2c2d 3c3d 4c4d 5c5d 6c6d 7cRJ 8s",
            "six_pairs: 9h9s ThTs JhJs QhQs KhKs AhBJ 2s",
        ),
        (
            "three_straights: 2c3d4c5d6c 7c8d9c TcJdQcKdRJ",
            "three_straights: 2h3s4h5s6h 7h8s9h ThJsQhKsBJ",
        ),
    ],
    ids=["real", "wild six pairs", "wild straights"],
)
def test_two_specials_of_one_type_both_real_or_both_wild_draw(first: str, second: str) -> None:
    assert reasons(settle(ALL, first, second), 1, 2) == []


def test_all_big_all_small_and_one_colour_in_one_hand() -> None:
    result = settle(ALL, BLACK, RED_SMALL, RED_BIG)
    assert [passed(result, 3, loser) for loser in (1, 2, 4)] == [10, 10, 10]
    assert passed(result, 2, 1) == passed(result, 2, 4) == passed(result, 1, 4) == 10


def test_a_moved_value_moves_the_special() -> None:
    result = settle(table(all_small=30), RED_SMALL, "dragon: 2c3s4c5s6c7s8c9sTcJsQcKsAc")
    assert reasons(result, 1, 2) == [("natural", 30)]


# Dragons and the other three


def test_a_dragon_that_draws_with_another_is_not_doubled() -> None:
    result = settle(ALL, RED_DRAGON, "dragon: 2c3s4c5s6c7s8c9sTcJsQcKsAc")
    assert [reasons(result, 1, loser) for loser in (3, 4)] == [[("natural", 26)]] * 2
    assert [reasons(result, 2, loser) for loser in (3, 4)] == [[("natural", 26)]] * 2


def test_a_dragon_below_a_pure_one_is_not_doubled_and_the_pure_one_is() -> None:
    result = settle(ALL, RED_DRAGON, SPECIALS["pure dragon"][0])
    assert [passed(result, 2, loser) for loser in (1, 3, 4)] == [104] * 3
    assert [passed(result, 1, loser) for loser in (3, 4)] == [26] * 2


def test_a_real_dragon_over_a_wild_one_is_doubled_and_the_wild_one_is_not() -> None:
    result = settle(ALL, "dragon: 2c3s4c5s6c7s8c9sTcJsQcKsBJ", RED_DRAGON)
    assert [passed(result, 2, loser) for loser in (1, 3, 4)] == [52] * 3
    assert [passed(result, 1, loser) for loser in (3, 4)] == [26] * 2


def test_a_dragon_over_lesser_specials_is_doubled() -> None:
    flushes = "three_flushes: 2c3c5c 7c9cJcQcKc 3s4s6s9sTs"
    result = settle(ALL, RED_DRAGON, flushes)
    assert [passed(result, 1, loser) for loser in (2, 3, 4)] == [52] * 3


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


def test_the_page_names_each_option_with_its_default() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for name, default in msgspec.to_builtins(ThirteenFujian()).items():
        shown = str(default).lower() if isinstance(default, bool) else default
        assert f"| `{name}` | {shown} |" in page


def test_the_page_names_each_special_with_its_waters() -> None:
    page = PAGE.read_text(encoding="utf-8")
    for natural, waters in ThirteenFujian().naturals.items():
        assert f"| `{natural}` | {waters} |" in page
