"""The threads of a web process: requests that wait for one, and where the loop is blocked.

The loop notes the time once a second. A thread that finds the note too old logs the calls that the
loop is in, once for each block, and does not interrupt them.

Play continues while the house cannot keep up with requests. So writes, such as a move whose time
runs, are served before reads; and reads, which cost most, get half of the threads at the most. One
thread is always theirs: a player who cannot see the table cannot act. Reads are served in the order
of their arrival until the first has waited for long. Then the newest is served first, because the
oldest are about to time out and each would be answered too late. The house then gives up those that
a script repeats.
"""

import asyncio
import logging
import sys
import threading
import time
import traceback
from collections import deque
from collections.abc import Callable
from concurrent.futures import Future, ThreadPoolExecutor
from functools import partial
from itertools import takewhile
from time import monotonic
from typing import Any, Final, NamedTuple

SIGN_SECONDS: Final = 1.0
BLOCKED_SECONDS: Final = 2.0
# The innermost calls say what holds the loop up.
CALLS_SHOWN: Final = 8

log: Final = logging.getLogger(__name__)


class Watchdog:
    """Watches the event loop that it is started in."""

    def __init__(
        self, sign_seconds: float = SIGN_SECONDS, late_seconds: float = BLOCKED_SECONDS
    ) -> None:
        self._sign_seconds, self._late_seconds = sign_seconds, late_seconds
        self._ended = threading.Event()
        self._signed_at = monotonic()
        self._timer: asyncio.TimerHandle | None = None
        self._loop_thread = 0

    def start(self) -> None:
        self._loop_thread = threading.get_ident()
        self._sign(asyncio.get_running_loop())
        threading.Thread(target=self._watch, name="watchdog", daemon=True).start()

    def stop(self) -> None:
        self._ended.set()
        if self._timer is not None:
            self._timer.cancel()

    def _sign(self, loop: asyncio.AbstractEventLoop) -> None:
        self._signed_at = monotonic()
        self._timer = loop.call_later(self._sign_seconds, self._sign, loop)

    def _watch(self) -> None:
        said_of = 0.0
        while not self._ended.wait(self._sign_seconds):
            signed_at = self._signed_at
            late = monotonic() - signed_at - self._sign_seconds
            if late > self._late_seconds and said_of != signed_at:
                said_of = signed_at
                self._say(late)

    def _say(self, late: float) -> None:
        frame = sys._current_frames().get(self._loop_thread)
        calls = traceback.format_list(traceback.extract_stack(frame)[-CALLS_SHOWN:])
        log.warning("the event loop has been held up for %.1f s:\n%s", late, "".join(calls))


# From when on the newest read is served first.
LONG_SECONDS: Final = 2.0
# From when on a read that is repeated is given up. A page does so by itself after ten seconds.
LATE_SECONDS: Final = 8.0
READING: Final = frozenset({"GET", "HEAD", "OPTIONS"})
# Health checks are never queued.
WATCHED: Final = ("/health/", "/ready/", "/metrics")


class TooLateError(Exception):
    """A read has waited for so long that its asker had better ask again later."""


class Waiting(NamedTuple):
    """A request in the line: since when, what answers it, and whether its asker repeats it."""

    since: float
    work: Callable[[], object]
    answer: "Future[Any]"
    is_repeated: bool = False


class RequestQueue:
    """The order of requests for so many threads; times are seconds of any clock."""

    def __init__(self, threads: int) -> None:
        self._first: deque[Waiting] = deque()
        self._looks: deque[Waiting] = deque()
        self._looking, self._looking_max = 0, max(1, threads // 2)
        self._keeps_one = threads > 1

    def add(self, request: Waiting, *, goes_first: bool) -> None:
        (self._first if goes_first else self._looks).append(request)

    def next(self, now: float) -> tuple[Waiting, bool] | None:
        """Remove and return the next request, and whether it is a read.

        None if there is none, or if only reads wait and enough of them are being answered.
        """
        may_look = bool(self._looks) and self._looking < self._looking_max
        looks_next = may_look and self._keeps_one and not self._looking
        if self._first and not looks_next:
            return self._first.popleft(), False
        if not may_look:
            return None
        self._looking += 1
        is_long = now - self._looks[0].since > LONG_SECONDS
        return (self._looks.pop() if is_long else self._looks.popleft()), True

    def looked(self) -> None:
        """Note that a read is answered."""
        self._looking -= 1

    def late(self, now: float) -> list[Waiting]:
        """Remove and return the reads that are given up."""
        old = takewhile(lambda look: now - look.since > LATE_SECONDS, self._looks)
        late = [waiting for waiting in old if waiting.is_repeated]
        for waiting in late:
            self._looks.remove(waiting)
        return late


class Threads(ThreadPoolExecutor):
    """The threads in which the WSGI application answers requests, in the order of the line."""

    def __init__(self, count: int) -> None:
        super().__init__(max_workers=count, thread_name_prefix="WSGI")
        self._line, self._lock = RequestQueue(count), threading.Lock()

    def submit(self, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> "Future[Any]":
        """Put a request into the line: `fn` takes its environment first."""
        environ, work = args[0], partial(fn, *args, **kwargs)
        request = Waiting(time.monotonic(), work, Future(), is_repeated(environ))
        with self._lock:
            self._line.add(request, goes_first=goes_first(environ))
        # The next free thread takes the next request.
        super().submit(self._answer_next)
        return request.answer

    def _answer_next(self) -> None:
        """Answer requests until none may be answered now."""
        while True:
            now = time.monotonic()
            with self._lock:
                late, job = self._line.late(now), self._line.next(now)
            for waiting in late:
                if waiting.answer.set_running_or_notify_cancel():
                    waiting.answer.set_exception(TooLateError())
            if job is None:
                return
            request, is_look = job
            _answer(request)
            if is_look:
                with self._lock:
                    self._line.looked()


def _answer(request: Waiting) -> None:
    if not request.answer.set_running_or_notify_cancel():
        return
    try:
        result = request.work()
    except BaseException as fault:
        request.answer.set_exception(fault)
    else:
        request.answer.set_result(result)


def goes_first(environ: dict[str, Any]) -> bool:
    return environ["REQUEST_METHOD"] not in READING or environ["PATH_INFO"] in WATCHED


def is_repeated(environ: dict[str, Any]) -> bool:
    """Whether a script sends a request, and not a person who waits for the answer.

    What a page asks for by itself is asked for by the element that shows it.
    """
    is_own = environ.get("HTTP_HX_TRIGGER") == environ.get("HTTP_HX_TARGET")
    is_of_page = "HTTP_HX_REQUEST" in environ and is_own
    return is_of_page or environ["PATH_INFO"].startswith("/api/")
