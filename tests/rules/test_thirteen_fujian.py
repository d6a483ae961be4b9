"""Fujian thirteen cards, sentence by sentence: jokers, the order of rows, waters and doublings."""

from typing import Any

import pytest

from games.rules.errors import Illegal
from games.rules.thirteen.fujian import ThirteenFujian
from tests.rules.thirteen_table import (
    EIGHTEEN,
    FOUR_HANDS,
    ORDINARY,
    PRICED_ROWS,
    ROYAL_BACK,
    opened,
    passed,
    read_hand,
    reasons,
    row_results,
    settle,
)

TOP, SECOND, THIRD, LOW = FOUR_HANDS
# The lowest of the four with its back in the middle.
FOULED = "2c3d4h / 3c3sTcTdKd / 2d2h5c6dKc"
ROWS = [("row", 1), ("row", 1), ("row", 1)]


def table(**options: Any) -> ThirteenFujian:
    return ThirteenFujian(**{"point": 1, "rake_bp": 0, **options})


ALL = table()
FOULS = table(allow_foul=True)


# Waters

WATERS = {
    "front trips": (3, -1, -1),
    # And a full house in the back is one.
    "middle full house": (-1, 2, -1),
    "back four": (-1, -1, 4),
    "middle four, and a back four": (-1, 8, -4),
    "back straight flush": (-1, -1, 5),
    "middle straight flush, and a back straight flush": (-1, 10, -5),
}


@pytest.mark.parametrize("case", PRICED_ROWS)
def test_waters_of_a_row(case: str) -> None:
    result = settle(ALL, *PRICED_ROWS[case])
    assert tuple(row_results(result, 1, 2).values()) == WATERS[case]
    assert passed(result, 1, 2) == sum(WATERS[case])


def test_five_of_a_kind_is_ten_in_the_back_and_twenty_in_the_middle() -> None:
    fives = "2c3d5h / 4c4d4h4sBJ / 9c9d9h9sRJ"
    other = "AsKsQd / 2s3s6s7sTs / JcJdJhQcQs"
    assert row_results(settle(ALL, fives, other), 1, 2) == {"front": -1, "middle": 20, "back": 10}


def test_a_wild_row_is_worth_what_the_real_one_is() -> None:
    wild = "2cBJRJ / 3c4d5h6s7c / 5d6c7h8s9c"
    other = "AsKsQd / 4c5s6h7s8c / 2s3s4s9sTs"
    assert row_results(settle(ALL, wild, other), 1, 2) == {"front": 3, "middle": -1, "back": -1}


def test_any_other_row_is_one_water() -> None:
    first = "2c3c4d / 5c5d8c8dTc / 6c7d8h9sTs"
    second = "AsKsQd / 9c9d9h3dJd / 3s5s7sJsQs"
    assert reasons(settle(ALL, first, second), 2, 1)[:3] == ROWS


# Doublings


def test_all_three_rows_are_a_gun_and_double() -> None:
    result = settle(ALL, *FOUR_HANDS)
    assert reasons(result, 2, 3) == [*ROWS, ("gun", 3)]
    assert passed(result, 2, 3) == 6


def test_a_gun_doubles_premiums_too() -> None:
    result = settle(ALL, EIGHTEEN, ORDINARY, ROYAL_BACK)
    rows = [("royalty", 3), ("royalty", 10), ("royalty", 5)]
    assert reasons(result, 1, 2) == [*rows, ("gun", 18)]


# The first hand against others of the same front, the same middle, or neither.
LEADER = "2s3s5s / TsJs9d4d2d / AsKs9s8s6s"
ROLL_OVERS = {
    "one won, two drawn": ("2h3h5h / ThJh9c4c2c / AhQh9h8h6h", [("row", 1), ("roll_over", 1)]),
    "two won, one drawn": (
        "2h3h5h / ThJh8c4c2c / AhQh9h8h6h",
        [("row", 1), ("row", 1), ("roll_over", 2)],
    ),
    "one won, one drawn, one lost": ("2h3h6h / ThJh9c4c2c / AhQh9h8h7h", [("row", -1), ("row", 1)]),
    "two won, one lost": (
        "2h3h6h / ThJh8c4c2c / AhQh9h8h7h",
        [("row", -1), ("row", 1), ("row", 1)],
    ),
    "three drawn": ("2h3h5h / ThJh9c4c2c / AhKh9h8h6h", []),
}


@pytest.mark.parametrize("case", ROLL_OVERS)
def test_winning_a_row_and_losing_none_rolls_over(case: str) -> None:
    other, expected = ROLL_OVERS[case]
    assert reasons(settle(ALL, LEADER, other), 1, 2) == expected
    mirrored = [(key, -points) for key, points in expected]
    assert reasons(settle(ALL, other, LEADER), 1, 2) == mirrored


def test_a_roll_over_doubles_premiums_too() -> None:
    leader = "2s3s5s / TsJs9d4d2d / 8c8d8h8sAs"
    other = "2h3h5h / ThJh9c4c2c / QcQdQhKcKd"
    assert reasons(settle(ALL, leader, other), 1, 2) == [("royalty", 4), ("roll_over", 4)]


def test_all_nine_rows_are_a_home_run_of_twelve_from_each() -> None:
    result = settle(ALL, *FOUR_HANDS)
    for loser in (2, 3, 4):
        assert reasons(result, 1, loser) == [*ROWS, ("gun", 3), ("home_run", 6)]
        assert passed(result, 1, loser) == 12
    last = settle(ALL, LOW, THIRD, SECOND, TOP)
    assert [passed(last, 4, loser) for loser in (1, 2, 3)] == [12, 12, 12]


def test_the_lines_say_how_many_waters_they_move() -> None:
    rolled, _ = ROLL_OVERS["two won, one drawn"]
    for game in ((LEADER, rolled), (rolled, LEADER), FOUR_HANDS, FOUR_HANDS[::-1]):
        lines = settle(ALL, *game).lines
        assert {"roll_over", "home_run"} & {line.key for line in lines}
        assert all(line.values["points"] == line.amount for line in lines)


def test_a_home_run_doubles_premiums_once_more() -> None:
    royal = "AdAhAs / 4h5h6h7h8h / TcJcQcKcAc"
    others = (ORDINARY, "3d3h6d / 4d4c9s8sQd / 5d5c7d7cQs")
    result = settle(ALL, royal, *others)
    assert [passed(result, 1, loser) for loser in (2, 3, 4)] == [18 * 2 * 2] * 3


def test_no_home_run_with_a_special_among_the_opponents() -> None:
    result = settle(
        ALL,
        TOP,
        "2s3s7c / 8c8d9cJdQh / 7dTcTdKcKd",
        "4s6s9d / 8h8sThJcKh / TsQcQdAhAs",
        "three_flushes: 2c3c4c5c6c 2d3d4d5d6d 2h4h6h",
    )
    assert reasons(result, 1, 2) == reasons(result, 1, 3) == [*ROWS, ("gun", 3)]
    assert reasons(result, 1, 4) == [("natural", -3)]


def test_no_home_run_with_a_draw_among_nine_rows() -> None:
    result = settle(
        ALL,
        TOP,
        "AhAsQd / 6h6s7c8h8s / 2sTcTdKcKd",
        "2c3d4h / 5c5d8c9dQh / 2h6c6dJcJd",
        "2d7d9c / 3c3s4c8dKh / 4d4sThTsQc",
    )
    assert reasons(result, 1, 2) == [("row", 1), ("row", 1), ("roll_over", 2)]
    assert reasons(result, 1, 3) == reasons(result, 1, 4) == [*ROWS, ("gun", 3)]


# Fouls

FALSE = "dragon: 2c3d4h2d2h5c6dKc3c3sTcTdKd"
REFUSED = [
    (FOULED, "middle_too_high", "The middle row is higher than the back row allows."),
    (
        "2d2h5c / 3d4h6dKdTc / 2c3c3sTdKc",
        "front_too_high",
        "The front row is not lower than the middle row.",
    ),
    (FALSE, "natural_not_held", "You do not hold that natural."),
]


@pytest.mark.parametrize(("hand", "code", "sentence"), REFUSED, ids=[one[1] for one in REFUSED])
def test_a_foul_is_refused_with_its_reason_and_may_be_mended(
    hand: str, code: str, sentence: str
) -> None:
    state = opened(ALL, LOW, SECOND, THIRD, TOP)
    arranged = read_hand(hand).arranged
    assert arranged is not None
    with pytest.raises(Illegal) as refusal:
        ALL.apply(state, 1, arranged)
    assert (refusal.value.code, refusal.value.sentence) == (code, sentence)
    mended = read_hand(LOW).arranged
    assert mended is not None
    assert ALL.to_act(ALL.apply(state, 1, mended)) == {2, 3, 4}
    # Where fouls are allowed the same is taken as it is.
    assert FOULS.to_act(FOULS.apply(state, 1, arranged)) == {2, 3, 4}


def test_fouls_are_refused_unless_the_table_allows_them() -> None:
    assert not ThirteenFujian().allow_foul


@pytest.mark.parametrize("foul", [FOULED, FALSE], ids=["rows", "declaration"])
def test_a_foul_pays_the_rows_it_stood_against_and_nothing_doubles_them(foul: str) -> None:
    result = settle(FOULS, SECOND, THIRD, foul, TOP)
    lost = [("foul_row", 1), ("foul_row", 1), ("foul_row", 1)]
    assert [reasons(result, winner, 3) for winner in (1, 2, 4)] == [lost] * 3
    assert reasons(result, 3, 1) == [(key, -points) for key, points in lost]


def test_a_foul_pays_the_price_of_each_row_it_stood_against() -> None:
    rich = "3h4s6h / 5h5d5s8c8d / 9c9d9h9sTh"
    foul = FOULED.replace("Td", "7d")
    assert reasons(settle(FOULS, rich, foul), 1, 2) == [("foul_row", row) for row in (1, 2, 4)]


def test_a_foul_is_no_part_of_a_home_run() -> None:
    result = settle(FOULS, TOP, SECOND, THIRD, FOULED)
    assert reasons(result, 1, 2) == reasons(result, 1, 3) == [*ROWS, ("gun", 3)]


def test_two_fouls_exchange_nothing() -> None:
    turned = "5d6c7d / 8c8dThTsKh / 4c4d9cJdQc"
    assert reasons(settle(FOULS, turned, FOULED, SECOND), 1, 2) == []


def test_a_foul_pays_a_special_what_it_is_worth() -> None:
    result = settle(FOULS, "six_pairs: 4s4d 5d5h 6h6c 7c7d 8c8d 9c9d As", FOULED)
    assert reasons(result, 1, 2) == [("natural", 3)]
