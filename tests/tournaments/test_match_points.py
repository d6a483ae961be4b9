"""Match points: the same cards compared across tables, so that the cards count for nothing."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.mathematics.match_points import (
    Score,
    bye_points,
    compared,
    deal_points,
    ranking,
    share_bp,
)


@pytest.mark.parametrize(
    ("results", "points"),
    [
        ([12, -6, -12, 24], [4, 2, 0, 6]),
        ([6, 6, -6, 6], [4, 4, 0, 4]),
        ([3, 3], [1, 1]),
        ([5], [0]),
        # No result is level with everybody.
        ([12, None, -12, 24], [3, 3, 1, 5]),
        ([None, None, 9], [2, 2, 2]),
    ],
)
def test_the_points_of_a_seat(results: list[int | None], points: list[int]) -> None:
    assert compared(results) == points


lines = st.lists(st.none() | st.integers(-20, 20), min_size=1, max_size=30)


@given(lines)
def test_the_points_are_those_of_all_pairs(results: list[int | None]) -> None:
    def points(one: int | None, other: int | None) -> int:
        if one is None or other is None or one == other:
            return 1
        return 2 if one > other else 0

    expected = [
        sum(points(result, other) for j, other in enumerate(results) if i != j)
        for i, result in enumerate(results)
    ]
    assert compared(results) == expected


@given(lines, st.integers(-1_000, 1_000))
def test_points_sum_to_zero_about_the_average_and_cards_count_for_nothing(
    results: list[int | None], luck: int
) -> None:
    points = compared(results)
    average = bye_points(len(results), 1)
    assert sum(point - average for point in points) == 0
    # Had the cards been worth more at every table, nothing would be different.
    assert compared([None if result is None else result + luck for result in results]) == points


def test_a_deal_is_compared_seat_by_seat() -> None:
    points = deal_points(
        {1: {1: 20, 2: -10, 3: -10}, 2: {1: -40, 2: 20, 3: 20}, 5: None}, seats=(1, 2, 3)
    )
    assert points == {
        (1, 1): 3,
        (2, 1): 1,
        (5, 1): 2,
        (1, 2): 1,
        (2, 2): 3,
        (5, 2): 2,
        (1, 3): 1,
        (2, 3): 3,
        (5, 3): 2,
    }


@pytest.mark.parametrize(
    ("points", "tables", "deals", "expected"),
    [(30, 4, 8, 6_250), (48, 4, 8, 10_000), (0, 4, 8, 0), (24, 4, 8, 5_000), (0, 1, 8, 5_000)],
)
def test_the_share_of_all_points(points: int, tables: int, deals: int, expected: int) -> None:
    assert share_bp(points, bye_points(tables, deals)) == expected


def test_points_then_chips_rank() -> None:
    scores = {1: Score(30, 5), 2: Score(30, 9), 3: Score(31, -80), 4: Score(30, 5)}
    assert ranking(scores, {1: 4, 2: 3, 3: 2, 4: 1}) == [[3], [2], [4, 1]]
