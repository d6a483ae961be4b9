"""Logs where a blocked event loop is: acts, streams and timers all wait for it.

The loop notes the time once a second. A thread that finds the note too old logs the calls that the
loop is in, once for each block, and does not interrupt them.
"""

import asyncio
import logging
import sys
import threading
import traceback
from time import monotonic
from typing import Final

SIGN_SECONDS: Final = 1.0
LATE_SECONDS: Final = 2.0
# The innermost calls say what holds the loop up.
CALLS_SHOWN: Final = 8

log: Final = logging.getLogger(__name__)


class Watchdog:
    """Watches the event loop that it is started in."""

    def __init__(
        self, sign_seconds: float = SIGN_SECONDS, late_seconds: float = LATE_SECONDS
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
