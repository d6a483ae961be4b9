"""The order of those who go out in the same hand, and of those who are left at the end."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.mathematics.payouts import Out, best_first, ranking


@pytest.mark.parametrize(
    ("outs", "expected"),
    [
        ([Out(7, 100, 1)], [7]),
        # More chips at the start of the hand.
        ([Out(7, 100, 1), Out(8, 101, 2)], [8, 7]),
        # Then the lower number drawn.
        ([Out(7, 100, 9), Out(8, 100, 2), Out(9, 300, 5)], [9, 8, 7]),
        ([], []),
    ],
)
def test_who_places_higher_of_those_out_in_a_hand(outs: list[Out], expected: list[int]) -> None:
    assert [out.entry for out in best_first(outs)] == expected


@given(st.dictionaries(st.integers(1, 99), st.integers(1, 5), max_size=12))
def test_the_order_of_the_rows_decides_no_place(stacks: dict[int, int]) -> None:
    outs = [Out(entry, stack, -entry) for entry, stack in stacks.items()]
    ordered = best_first(outs)
    assert sorted(ordered) == sorted(outs)
    assert best_first(outs[::-1]) == ordered
    assert all(out.stack >= other.stack for out, other in itertools.pairwise(ordered))


def test_equal_scores_are_level_and_the_draw_leads() -> None:
    scores = {1: 40, 2: -5, 3: 40, 4: 90, 5: 40}
    drawn = {1: 3, 2: 1, 3: 2, 4: 5, 5: 4}
    assert ranking(scores, drawn) == [[4], [3, 1, 5], [2]]
