"""The order of those who go out in the same hand, and of those who are left at the end."""

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from tournaments.places import Out, best_first, places_of, ranking


@pytest.mark.parametrize(
    ("left", "outs", "expected"),
    [
        (3, [Out(7, 100, 1)], {7: 4}),
        # More chips at the start of the hand.
        (3, [Out(7, 100, 1), Out(8, 101, 2)], {8: 4, 7: 5}),
        # Then the lower number drawn.
        (0, [Out(7, 100, 9), Out(8, 100, 2), Out(9, 300, 5)], {9: 1, 8: 2, 7: 3}),
        (5, [], {}),
    ],
)
def test_the_places_of_a_hand(left: int, outs: list[Out], expected: dict[int, int]) -> None:
    assert places_of(left, outs) == expected


@given(st.dictionaries(st.integers(1, 99), st.integers(1, 5), max_size=12), st.integers(0, 50))
def test_everybody_has_one_place_whatever_the_order_of_the_rows(
    stacks: dict[int, int], left: int
) -> None:
    outs = [Out(entry, stack, -entry) for entry, stack in stacks.items()]
    found = places_of(left, outs)
    assert sorted(found.values()) == list(range(left + 1, left + 1 + len(outs)))
    assert places_of(left, outs[::-1]) == found
    ordered = best_first(outs)
    assert all(one.stack >= other.stack for one, other in itertools.pairwise(ordered))


def test_equal_scores_are_level_and_the_draw_leads() -> None:
    scores = {1: 40, 2: -5, 3: 40, 4: 90, 5: 40}
    drawn = {1: 3, 2: 1, 3: 2, 4: 5, 5: 4}
    assert ranking(scores, drawn) == [[4], [3, 1, 5], [2]]
