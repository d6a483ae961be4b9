"""How many random hands and how many cases of a long list a run tries."""

from collections.abc import Callable, Iterable
from typing import TypeVar

import pytest

from tests.sampling import SEEDS

Case = TypeVar("Case")
Share = Callable[..., list[Case]]


@pytest.fixture(scope="session")
def share(request: pytest.FixtureRequest) -> Share[object]:
    """`share(cases)`: all of them in `make test-all`, a twentieth of them in shorter runs.

    The seed of the run says which, so that a run repeats and twenty runs try them all. At least
    `least` cases are taken.
    """
    option = request.config.getoption
    seed = 0 if option("--quick") else option("--sample")

    def take(cases: Iterable[Case], least: int = 1) -> list[Case]:
        every = list(cases)
        turns = max(1, min(SEEDS, len(every) // least))
        return every if seed is None else every[seed % turns :: turns]

    return take
