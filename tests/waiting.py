"""Tests wait for what they expect, never for a time.

The only limit is one that ends what would never end. It is not what a test is about, and it is so
long that no busy machine comes near it.
"""

import os
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final, TypeVar

T = TypeVar("T")

# However busy the machine is: what has not come by then does not come.
PATIENCE_SECONDS: Final = 240


def until(
    condition: Callable[[], T],
    seconds_max: float = PATIENCE_SECONDS,
    otherwise: Callable[[], str] = lambda: "what was waited for did not come",
) -> T:
    """What the condition answers once that is true; `otherwise` says what did not come."""
    deadline = time.monotonic() + seconds_max
    while True:
        if answer := condition():
            return answer
        assert time.monotonic() < deadline, otherwise()
        time.sleep(0.02)


def alive(process: int) -> bool:
    try:
        os.kill(process, 0)
    except ProcessLookupError:
        return False
    # One that has ended, but was not waited for yet, is no longer there.
    state = Path(f"/proc/{process}/stat")
    try:
        return state.read_text().rpartition(")")[2].split()[0] != "Z"
    except ProcessLookupError:
        return False  # it has ended while its state was read
    except FileNotFoundError:
        return not Path("/proc/self").exists()
