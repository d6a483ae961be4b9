"""A knock-out, the score carried along, and rounds drawn or by the Swiss rule."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.mathematics.payouts import Out
from tournaments.mathematics.rounds import (
    Carry,
    KnockOut,
    carried,
    drawn_round,
    fallen,
    line_of,
    ranked_round,
    rotated,
    swiss_line,
)

CUP = KnockOut(line_points=15, until=2)


def test_the_line_rises_with_the_point() -> None:
    assert [line_of(CUP, point) for point in (10, 80, 100)] == [150, 1_200, 1_500]


@pytest.mark.parametrize(
    ("chips", "before", "out"),
    [
        # On the line one stays.
        ({1: 150, 2: 149, 3: 900}, {1: 400, 2: 400, 3: 399}, [2]),
        ({1: 151, 2: 300, 3: 900}, {1: 400, 2: 400, 3: 551}, []),
        # More chips at the start of the hand places higher, then the draw.
        ({1: 0, 2: 100, 3: 900, 4: 150}, {1: 300, 2: 200, 3: 500, 4: 150}, [1, 2]),
        ({1: 0, 2: 100, 3: 900, 4: 150}, {1: 200, 2: 200, 3: 600, 4: 150}, [2, 1]),
        # If too many fall, the best of them stay.
        ({1: 0, 2: 100, 3: 900}, {1: 200, 2: 300, 3: 500}, [1]),
        ({1: 0, 2: 100, 3: 20}, {1: 90, 2: 20, 3: 10}, [3]),
    ],
)
def test_who_falls(chips: dict[int, int], before: dict[int, int], out: list[int]) -> None:
    stacks = [Out(entry, stack, drawn=-entry) for entry, stack in before.items()]
    assert [loser.entry for loser in fallen(CUP, 10, chips, stacks)] == out


@given(
    st.dictionaries(st.integers(1, 50), st.integers(0, 400), min_size=2, max_size=20),
    st.integers(2, 12),
)
def test_so_many_are_left_as_the_structure_says(chips: dict[int, int], until: int) -> None:
    cup = KnockOut(line_points=15, until=until)
    out = {out.entry for out in fallen(cup, 10, chips, [Out(chip, 1, chip) for chip in chips])}
    assert len(chips) - len(out) >= min(until, len(chips))
    assert all(chips[entry] < 150 for entry in out)
    if len(chips) - len(out) > until:
        assert out == {entry for entry in chips if chips[entry] < 150}


@pytest.mark.parametrize(
    ("carry", "chips", "score"),
    [
        (Carry(), 2_860, 2_860),
        (Carry(divide_by=20), 2_860, 143),
        (Carry(divide_by=20), 2_879, 143),
        (Carry(base=100, divide_by=20), 2_860, 243),
        (Carry(base=100, divide_by=20, most=240), 2_860, 240),
        (Carry(divide_by=20), 0, 0),
    ],
)
def test_the_score_that_is_carried(carry: Carry, chips: int, score: int) -> None:
    assert carried(carry, chips) == score


def test_first_places_meet_first_places() -> None:
    tables = [{1: 30, 2: -10, 3: -20}, {4: 5, 5: 0, 6: -5}, {7: 12, 8: 12, 9: -24}]
    scores = {1: 10, 2: 90, 3: 40, 4: 60, 5: 50, 6: -5, 7: 30, 8: 20, 9: 0}
    drawn = {entry: -entry for entry in scores}
    line = swiss_line(tables, scores, drawn)
    # 7 and 8 won as much: the higher score is the first of them.
    assert line == [4, 7, 1, 2, 5, 8, 3, 9, 6]
    assert [set(table) for table in ranked_round(line, 3, {}).tables] == [
        {1, 4, 7},
        {2, 5, 8},
        {3, 6, 9},
    ]


def test_equal_scores_stand_in_the_order_of_the_draw() -> None:
    tables = [{1: 5, 2: 0, 3: -5}, {4: 5, 5: 0, 6: -5}]
    scores = dict.fromkeys(range(1, 7), 0)
    assert swiss_line(tables, scores, {1: 9, 2: 1, 3: 2, 4: 0, 5: 5, 6: 1})[:2] == [4, 1]


def test_a_bye_stands_in_the_middle_of_the_line() -> None:
    tables = [{1: 5, 2: 0, 3: -5}]
    assert swiss_line(tables, {1: 5, 2: 0, 3: -5, 4: 99}, {}.fromkeys(range(1, 5), 0)) == [
        1,
        4,
        2,
        3,
    ]


def test_the_last_of_the_line_rest_unless_they_have_rested_more() -> None:
    assert ranked_round([4, 2, 1, 3], 3, {}).byes == (3,)
    assert ranked_round([4, 2, 1, 3], 3, {3: 1}).byes == (1,)
    assert drawn_round([4, 2, 1, 3], 3, {4: 1}).byes == (2,)


def test_seats_rotate_from_table_to_table() -> None:
    assert rotated([(1, 2, 3), (4, 5, 6), (7, 8, 9)]) == ((1, 2, 3), (6, 4, 5), (8, 9, 7))


@given(
    st.permutations(range(20)), st.integers(2, 4), st.dictionaries(st.integers(0, 19), st.just(1))
)
def test_a_round_seats_everybody_once_and_byes_are_shared(
    order: list[int], size: int, had: dict[int, int]
) -> None:
    for seating in (drawn_round(order, size, had), ranked_round(order, size, had)):
        seated = [entry for table in seating.tables for entry in table]
        assert sorted([*seated, *seating.byes]) == sorted(order)
        assert all(len(table) == size for table in seating.tables)
        most = max((had.get(entry, 0) for entry in seating.byes), default=0)
        assert all(had.get(entry, 0) >= most for entry in seated)
