"""Who is served next, where more requests have come than a process works on at once."""

import threading
from concurrent.futures import Future

import pytest

from casino.ops.server.threads import (
    LATE_SECONDS,
    LONG_SECONDS,
    RequestQueue,
    Threads,
    TooLateError,
    Waiting,
)
from tests.waiting import PATIENCE_SECONDS

LONG = LONG_SECONDS + 1


class Line:
    """A line for so many threads, and the numbers of the requests in it, by arrival."""

    def __init__(self, threads: int, *arrivals: tuple[float, bool], repeated: bool = False) -> None:
        self.line, self.numbers = RequestQueue(threads), dict[int, int]()
        for number, (since, goes_first) in enumerate(arrivals):
            request = Waiting(since, lambda: None, Future(), repeated)
            self.numbers[id(request.answer)] = number
            self.line.add(request, goes_first=goes_first)

    def taken(self, now: float) -> list[int]:
        """Which requests threads take, one after the other, while none of them is answered."""
        numbers = []
        while (waiting := self.line.next(now)) is not None:
            numbers.append(self.numbers[id(waiting[0].answer)])
        return numbers

    def given_up(self, now: float) -> list[int]:
        return [self.numbers[id(waiting.answer)] for waiting in self.line.late(now)]


@pytest.mark.parametrize(
    ("arrivals", "now", "taken"),
    [
        ([(0.0, False), (0.1, False), (0.2, False)], 0.3, [0, 1, 2]),
        # One look at a time beside moves; moves keep their order, however long they wait.
        ([(0.0, False), (0.1, False), (0.2, True), (0.3, True)], 0.4, [0, 2, 3, 1]),
        # The oldest look has waited for long: the newest goes first.
        ([(0.0, False), (0.1, False), (0.2, True), (0.3, True)], LONG, [1, 2, 3, 0]),
        ([], 0.0, []),
    ],
)
def test_who_goes_next(arrivals: list[tuple[float, bool]], now: float, taken: list[int]) -> None:
    assert Line(8, *arrivals).taken(now) == taken


def test_looks_take_half_of_the_threads_and_always_get_one() -> None:
    looks, moves = [(0.0, False)] * 5, [(0.0, True)] * 9
    line = Line(6, *looks)
    assert line.taken(1.0) == [0, 1, 2]
    line.line.looked()
    assert line.taken(1.0) == [3]
    line = Line(6, *looks[:2], *moves)
    assert line.taken(1.0) == [0, *range(2, 11), 1]
    # A single thread is kept for moves.
    assert Line(1, *looks[:2], *moves).taken(1.0) == [*range(2, 11), 0]


def test_a_late_look_is_given_up_if_its_asker_repeats_it() -> None:
    arrivals = [(0.0, False), (1.0, False), (1.0, True)]
    assert Line(8, *arrivals, repeated=True).given_up(LATE_SECONDS + 0.5) == [0]
    assert Line(8, *arrivals, repeated=True).given_up(LATE_SECONDS - 0.5) == []
    assert Line(8, *arrivals).given_up(LATE_SECONDS + 0.5) == []


def test_a_script_is_to_come_later_and_a_person_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("casino.ops.server.threads.LATE_SECONDS", -1.0)
    begun, ends = threading.Event(), threading.Event()

    def answer(environ: dict[str, str]) -> str:
        begun.set()
        ends.wait(PATIENCE_SECONDS)
        return environ["PATH_INFO"]

    with Threads(1) as threads:
        first = threads.submit(answer, {"REQUEST_METHOD": "POST", "PATH_INFO": "/move/"})
        assert begun.wait(PATIENCE_SECONDS)
        look = {"REQUEST_METHOD": "GET", "PATH_INFO": "/tables/1/"}
        of_page = {**look, "HTTP_HX_REQUEST": "true", "HTTP_HX_TARGET": "board"}
        person, press, script, program = (
            threads.submit(answer, request)
            for request in (
                look,
                {**of_page, "HTTP_HX_TRIGGER": "hint"},
                {**of_page, "HTTP_HX_TRIGGER": "board"},
                {**look, "PATH_INFO": "/api/v1/tables/1/"},
            )
        )
        ends.set()
        for late in (script, program):
            with pytest.raises(TooLateError):
                late.result(PATIENCE_SECONDS)
        assert first.result(PATIENCE_SECONDS) == "/move/"
        for waits in (person, press):
            assert waits.result(PATIENCE_SECONDS) == "/tables/1/"


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
