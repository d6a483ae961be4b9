"""The processes of the house, and the thread by which each says which code it runs.

Every ten seconds a process writes a line about itself into a hash of Redis: nothing of it has to
last. Expired entries of processes are removed on the next read. The thread sleeps until something
was counted; an idle process wakes every ten seconds.
"""

import json
import os
import socket
import threading
import time
from collections import Counter
from collections.abc import Callable
from typing import Any, ClassVar, Final, NamedTuple

import redis

from casino.ops.metrics import counting
from casino.ops.metrics.counting import breaker
from casino.ops.running_code import running_code
from games.live import announcing

KEY: Final = "card-room:processes"
EVERY_SECONDS: Final = 10.0
GONE_AFTER_SECONDS: Final = 40.0
PROGRAMS: Final = ("web", "sweeper", "worker", "beat")
HOST_MAX: Final = 60


class Process(NamedTuple):
    """A process as it last described itself; the time is the seconds since then."""

    program: str
    host: str
    number: int
    version: str
    sha256: str
    streams: int
    age: float


def note(program: str, streams: int = 0) -> None:
    """Write what this process is; without Redis nothing is written."""
    if not breaker.may_try():
        return
    code = running_code()
    line = [program, _host(), os.getpid(), code.version, code.sha256, streams, time.time()]
    try:
        announcing.client().hset(KEY, _name(), json.dumps(line))
    except (redis.RedisError, OSError):
        breaker.failed()


def forget() -> None:
    """Remove the line of this process, which ends."""
    if breaker.may_try():
        try:
            announcing.client().hdel(KEY, _name())
        except (redis.RedisError, OSError):
            breaker.failed()


def running() -> list[Process] | None:
    """The processes that were heard of lately; None while Redis is away."""
    try:
        lines: Any = announcing.client().hgetall(KEY)
        processes, gone = read(lines, time.time())
        if gone:
            announcing.client().hdel(KEY, *gone)
    except (redis.RedisError, OSError):
        return None
    return processes


def codes() -> Counter[str] | None:
    """Return how many processes run each code; None while Redis is away."""
    processes = running()
    return None if processes is None else Counter(process.sha256 for process in processes)


def read(lines: dict[bytes, bytes], now: float) -> tuple[list[Process], list[bytes]]:
    """The processes, and the names of those that are gone or unreadable."""
    processes, gone = [], []
    for name, line in lines.items():
        process = _read(line, now)
        if process is None or process.age > GONE_AFTER_SECONDS:
            gone.append(name)
        else:
            processes.append(process)
    return sorted(processes), gone


def _read(line: bytes, now: float) -> Process | None:
    try:
        program, host, number, version, sha256, streams, at = json.loads(line)
        process = Process(
            str(program), str(host), int(number), str(version), str(sha256), int(streams),
            max(0.0, now - float(at)),
        )  # fmt: skip
    except (TypeError, ValueError):
        return None
    return process if process.program in PROGRAMS else None


def _host() -> str:
    return socket.gethostname()[:HOST_MAX]


def _name() -> str:
    return f"{_host()}:{os.getpid()}"


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
    counting.flush()
    forget()


def _keep_on(program: str, streams: Callable[[], int], ends: threading.Event) -> None:
    # The code is what the files are now; later files do not change a running process.
    running_code()
    noted = -EVERY_SECONDS
    while not ends.is_set():
        if time.monotonic() - noted >= EVERY_SECONDS:
            noted = time.monotonic()
            note(program, streams())
        left = EVERY_SECONDS - (time.monotonic() - noted)
        if counting.gathered.wait(max(0.0, left)):
            ends.wait(GATHER_SECONDS)
            counting.flush()
