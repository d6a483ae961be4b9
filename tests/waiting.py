"""Tests wait for what they expect, never for a time."""

import time
from collections.abc import Callable
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T], seconds_max: float = 20) -> T:
    """What the condition answers once that is true."""
    deadline = time.monotonic() + seconds_max
    while True:
        if answer := condition():
            return answer
        assert time.monotonic() < deadline, "what was waited for did not come"
        time.sleep(0.02)
