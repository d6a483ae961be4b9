"""No process outlives the one that answers for it, however that one ends.

A guard is forked before anything else is started. It holds one end of a pipe; when nobody holds the
other, its house has gone, and it ends whatever that had started.
"""

import os
import signal
import time
from contextlib import suppress
from typing import Final, NoReturn

END_SECONDS_MAX: Final = 2.0


class Guard:
    """Knows the leaders of process groups that must not be left behind."""

    def __init__(self) -> None:
        lifeline, self._held = os.pipe()
        self._process = os.fork()
        if self._process:
            os.close(lifeline)
        else:
            os.close(self._held)
            _keep_watch(lifeline)

    def add(self, leader: int) -> None:
        self._tell(b"+%d\n" % leader)

    def remove(self, leader: int) -> None:
        self._tell(b"-%d\n" % leader)

    def _tell(self, line: bytes) -> None:
        # A guard that somebody has killed is no reason to close a house.
        with suppress(BrokenPipeError):
            os.write(self._held, line)

    def dismiss(self) -> None:
        """Let it go; it ends what it still knows of."""
        os.close(self._held)
        os.waitpid(self._process, 0)


def _keep_watch(lifeline: int) -> NoReturn:
    os.setsid()
    # Whoever stops the house by name means the house; the guard goes last.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    leaders: set[int] = set()
    with open(lifeline, "rb") as told:
        for line in told:
            leader = int(line[1:])
            if line[:1] == b"+":
                leaders.add(leader)
            else:
                leaders.discard(leader)
    end(leaders, END_SECONDS_MAX)
    os._exit(0)


def end(leaders: set[int], seconds_max: float) -> None:
    """Ask process groups to end; those that have not after a while are not asked again."""
    left = {leader for leader in leaders if tell(leader, signal.SIGTERM)}
    deadline = time.monotonic() + seconds_max
    while left and time.monotonic() < deadline:
        time.sleep(0.02)
        left = {leader for leader in left if tell(leader, 0)}
    for leader in left:
        tell(leader, signal.SIGKILL)


def tell(leader: int, how: int) -> bool:
    """Send a signal to a process group; whether there still was one."""
    try:
        os.killpg(leader, how)
    except (ProcessLookupError, PermissionError):
        return False
    return True
