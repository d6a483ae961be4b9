"""Tests wait for what they expect, never for a time."""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

T = TypeVar("T")


def until(condition: Callable[[], T], seconds_max: float = 45) -> T:
    """What the condition answers once that is true."""
    deadline = time.monotonic() + seconds_max
    while True:
        if answer := condition():
            return answer
        assert time.monotonic() < deadline, "what was waited for did not come"
        time.sleep(0.02)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # One that has ended and whose end nobody has read yet is no longer there.
    state = Path(f"/proc/{process}/stat")
    try:
        return state.read_text().rpartition(")")[2].split()[0] != "Z"
    except FileNotFoundError:
        return not Path("/proc/self").exists()
