"""Who is served next, where more requests have come than a process works on at once."""

from concurrent.futures import Future

import pytest

from casino.ops.server.request_queue import (
    FIRST_IN_A_ROW,
    LONG_SECONDS,
    RequestQueue,
    Threads,
    Waiting,
)
from tests.waiting import PATIENCE_SECONDS

LATE = LONG_SECONDS + 1


def line_of(*arrivals: tuple[float, bool]) -> tuple[RequestQueue, dict[int, int]]:
    """A line, and the number of each arrival by what answers it."""
    line, numbers = RequestQueue(), {}
    for number, (since, goes_first) in enumerate(arrivals):
        request = Waiting(since, lambda: None, Future())
        numbers[id(request.answer)] = number
        line.add(request, goes_first=goes_first)
    return line, numbers


@pytest.mark.parametrize(
    ("arrivals", "now", "served"),
    [
        ([(0.0, False), (0.1, False), (0.2, False)], 0.3, [0, 1, 2]),
        ([(0.0, False), (0.1, True), (0.2, True)], 0.3, [1, 2, 0]),
        # The oldest look has waited for long: the newest goes first, a move before all of them.
        ([(0.0, False), (0.1, False), (0.2, True)], LATE, [2, 1, 0]),
        # Moves keep their order, however long they wait.
        ([(0.0, True), (0.1, True)], LATE, [0, 1]),
        ([], 0.0, []),
    ],
)
def test_who_goes_next(arrivals: list[tuple[float, bool]], now: float, served: list[int]) -> None:
    line, numbers = line_of(*arrivals)
    assert [numbers[id(line.next(now).answer)] for _ in arrivals] == served


def test_those_who_look_are_not_forgotten_beside_many_moves() -> None:
    looks, moves = 3, 5 * FIRST_IN_A_ROW
    line, numbers = line_of(*[(0.0, False)] * looks, *[(0.0, True)] * moves)
    order = [numbers[id(line.next(1.0).answer)] for _ in range(looks + moves)]
    assert sorted(order) == list(range(looks + moves))
    places = [order.index(look) for look in range(looks)]
    assert places == [FIRST_IN_A_ROW, 2 * FIRST_IN_A_ROW + 1, 3 * FIRST_IN_A_ROW + 2]


def test_a_fault_reaches_whoever_waits_and_the_thread_goes_on() -> None:
    def answer(environ: dict[str, str]) -> str:
        if environ["PATH_INFO"] == "/broken/":
            raise ValueError("broken")
        return environ["PATH_INFO"]

    with Threads(1) as threads:
        broken, whole = (
            threads.submit(answer, {"REQUEST_METHOD": "GET", "PATH_INFO": path})
            for path in ("/broken/", "/whole/")
        )
        with pytest.raises(ValueError, match="broken"):
            broken.result(PATIENCE_SECONDS)
        assert whole.result(PATIENCE_SECONDS) == "/whole/"
