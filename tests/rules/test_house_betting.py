"""The bounds of what a seat can add to a standing bet."""

from games.rules.house.betting import addition_bounds
from tests.rules.cases import each


@each(
    (0, 1_000, (100, 500)),
    (0, 300, (100, 300)),
    (0, 100, (100, 100)),
    (0, 99, None),
    (60, 1_000, (40, 440)),
    (60, 39, None),
    (100, 1_000, (1, 400)),
    (499, 1_000, (1, 1)),
    (500, 1_000, None),
    (300, 0, None),
)
def test_limits_of_a_further_bet_between_100_and_500(
    standing: int, free: int, bounds: tuple[int, int] | None
) -> None:
    assert addition_bounds(standing, 100, 500, free) == bounds
