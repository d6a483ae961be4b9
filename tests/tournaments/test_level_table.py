"""Stakes of levels that are filled and shifted."""

import pytest

from tournaments.mathematics.presets import filled, lowered, raised, rounded


@pytest.mark.parametrize(
    ("exact", "shown"),
    [(0.2, 1), (7.4, 7), (12.4, 10), (33.8, 35), (256.3, 250), (1_946.2, 2_000), (4_378.9, 4_500)],
)
def test_figures_are_those_that_players_expect(exact: float, shown: int) -> None:
    assert rounded(exact) == shown


def test_levels_are_filled_by_how_much_they_rise() -> None:
    assert filled(10, 50, 8) == (10, 15, 20, 35, 50, 75, 100, 150)
    # They rise in every case, however little is asked for.
    assert filled(2, 0, 4) == (2, 3, 4, 5)


def test_levels_shift_up_and_go_on_as_they_rose() -> None:
    assert raised((10, 20, 40)) == (20, 40, 80)
    assert raised((10,)) == (15,)


def test_levels_shift_down_and_begin_lower() -> None:
    assert lowered((10, 20, 40)) == (5, 10, 20)
    assert lowered((1, 1)) == (1, 1)
