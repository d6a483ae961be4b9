"""The queue of requests that wait for a thread of a web process.

Play continues while the house cannot keep up with requests. So writes, such as a move whose time
runs, are served before reads. After four writes one read is served: a player who cannot see the
table cannot act. Reads are served in the order of their arrival until the first has waited for
long. Then the newest is served first, because the oldest are about to time out and each would be
answered too late.
"""

import threading
import time
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from typing import Any, Final, NamedTuple

# After so many that go first, one of the others.
FIRST_IN_A_ROW: Final = 4
# From when on the newest read is served first. A page gives up after ten seconds.
LONG_SECONDS: Final = 2.0
READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
# Health checks are never queued.
WATCHED: Final = ("/health/", "/ready/", "/metrics")


class Waiting(NamedTuple):
    """A request in the line: since when, and what answers it."""

    since: float
    work: Callable[[], object]
    answer: "Future[Any]"


class RequestQueue:
    """The order of requests; times are seconds of any clock."""

    def __init__(self) -> None:
        self._first: deque[Waiting] = deque()
        self._looks: deque[Waiting] = deque()
        self._in_a_row = 0

    def add(self, request: Waiting, *, goes_first: bool) -> None:
        (self._first if goes_first else self._looks).append(request)

    def next(self, now: float) -> Waiting:
        """Remove and return the next request; there must be one."""
        if self._first and (not self._looks or self._in_a_row < FIRST_IN_A_ROW):
            self._in_a_row += 1
            return self._first.popleft()
        self._in_a_row = 0
        if now - self._looks[0].since > LONG_SECONDS:
            return self._looks.pop()
        return self._looks.popleft()


class Threads(ThreadPoolExecutor):
    """The threads in which the WSGI application answers requests, in the order of the line."""

    def __init__(self, count: int) -> None:
        super().__init__(max_workers=count, thread_name_prefix="WSGI")
        self._line, self._lock = RequestQueue(), threading.Lock()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Put a request into the line: `fn` takes its environment first."""
        request = Waiting(time.monotonic(), partial(fn, *args, **kwargs), Future())
        with self._lock:
            self._line.add(request, goes_first=goes_first(args[0]))
        # The next free thread takes the next request.
        super().submit(self._answer_next)
        return request.answer

    def _answer_next(self) -> None:
        with self._lock:
            request = self._line.next(time.monotonic())
        if not request.answer.set_running_or_notify_cancel():
            return
        try:
            found = request.work()
        except BaseException as fault:
            request.answer.set_exception(fault)
        else:
            request.answer.set_result(found)


def goes_first(environ: dict[str, Any]) -> bool:
    return environ["REQUEST_METHOD"] not in READING or environ["PATH_INFO"] in WATCHED
