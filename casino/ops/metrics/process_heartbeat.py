"""A thread of each process that carries its counts to Redis and says which code it runs.

It sleeps until something was counted; an idle process wakes every ten seconds.
"""

import threading
import time
from collections.abc import Callable
from typing import ClassVar, Final

from casino.ops.metrics import counts, processes
from casino.ops.running_code import running_code

GATHER_SECONDS: Final = 1.0


class _Running:
    ends: ClassVar[threading.Event | None] = None


def start(program: str, streams: Callable[[], int] = lambda: 0) -> None:
    """Begin, once a process."""
    if _Running.ends is not None:
        return
    _Running.ends = threading.Event()
    work = (program, streams, _Running.ends)
    threading.Thread(target=_keep_on, args=work, name="metrics", daemon=True).start()


def stop() -> None:
    """End the thread and carry over what is left, when the process ends."""
    if _Running.ends is None:
        return
    _Running.ends.set()
    _Running.ends = None
    counts.flush()
    processes.forget()


def _keep_on(program: str, streams: Callable[[], int], ends: threading.Event) -> None:
    # The code is what the files are now; later files do not change a running process.
    running_code()
    noted = -processes.EVERY_SECONDS
    while not ends.is_set():
        if time.monotonic() - noted >= processes.EVERY_SECONDS:
            noted = time.monotonic()
            processes.note(program, streams())
        left = processes.EVERY_SECONDS - (time.monotonic() - noted)
        if counts.gathered.wait(max(0.0, left)):
            ends.wait(GATHER_SECONDS)
            counts.flush()
