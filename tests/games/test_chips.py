"""Chips by their values, and how a sum is stacked of them."""

import pytest

from games.boards.betting import STACK_MAX, rack, stack, value_of


@pytest.mark.parametrize(
    ("least", "most", "chips"),
    [
        (1_00, 1_000_00, (1_00, 5_00, 25_00, 100_00, 500_00, 1_000_00)),
        (1_00, 50_00, (1_00, 5_00, 25_00)),
        (10_00, 500_00, (5_00, 25_00, 100_00, 500_00)),
        (25_00, 2_000_00, (25_00, 100_00, 500_00, 1_000_00)),
        (50, 10_00, (50, 2_50)),
        (20_00, 20_00, (5_00,)),
    ],
)
def test_a_rack_makes_every_smallest_bet(least: int, most: int, chips: tuple[int, ...]) -> None:
    assert rack(least, most, 2) == chips
    assert least % chips[0] == 0


def test_a_sum_is_stacked_with_the_largest_at_the_bottom() -> None:
    assert stack(132_00, 2) == (100, 25, 5, 1, 1)
    assert stack(50, 2) == (1,)
    assert len(stack(9_999_00, 2)) == STACK_MAX


def test_a_chip_has_the_colour_of_what_it_is_worth() -> None:
    assert [value_of(amount, 2) for amount in (50, 1_00, 7_00, 500_00)] == [1, 1, 5, 500]
