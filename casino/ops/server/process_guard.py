"""No process outlives its supervisor, however the supervisor ends, and each may have files enough.

A guard process is forked before anything else starts. It reads from a pipe whose other end only the
supervisor has open. When that end closes, the supervisor has exited, and the guard ends everything
that it had started.

Every stream is an open file, and 1,024 are soon reached.
"""

import os
import resource
import signal
import time
from contextlib import suppress
from typing import Final, NoReturn

END_SECONDS_MAX: Final = 2.0


class Guard:
    """Tracks the leaders of process groups that must not be left behind."""

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
        # If the guard was killed, the server still runs.
        with suppress(BrokenPipeError):
            os.write(self._held, line)

    def dismiss(self) -> None:
        """Release the guard, which ends the process groups that it still tracks."""
        os.close(self._held)
        os.waitpid(self._process, 0)


def _keep_watch(lifeline: int) -> NoReturn:
    os.setsid()
    # A signal that is sent to all processes by name is meant for the server; the guard ends last.
    for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
        signal.signal(number, signal.SIG_IGN)
    leaders: set[int] = set()
    with open(lifeline, "rb") as messages:
        for line in messages:
            leader = int(line[1:])
            if line[:1] == b"+":
                leaders.add(leader)
            else:
                leaders.discard(leader)
    end(leaders, END_SECONDS_MAX)
    os._exit(0)


def end(leaders: set[int], seconds_max: float) -> None:
    """Ask process groups to end, and kill those that have not ended in time."""
    left = {leader for leader in leaders if tell(leader, signal.SIGTERM)}
    deadline = time.monotonic() + seconds_max
    while left and time.monotonic() < deadline:
        time.sleep(0.02)
        left = {leader for leader in left if tell(leader, 0)}
    for leader in left:
        tell(leader, signal.SIGKILL)


def tell(leader: int, how: int) -> bool:
    """Send a signal to a process group; return whether it still existed."""
    try:
        os.killpg(leader, how)
    except (ProcessLookupError, PermissionError):
        return False
    return True


FILES_MAX: Final = 16_384


def allow_many_connections() -> None:
    """Use what the system allows, for this process and those that it starts."""
    allowed, most = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = FILES_MAX if most == resource.RLIM_INFINITY else min(most, FILES_MAX)
    if allowed < wanted:
        with suppress(ValueError, OSError):
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, most))
