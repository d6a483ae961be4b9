"""A whole house as `make run` opens it: a supervisor, and all programs below it."""

import signal
import subprocess
import sys
from pathlib import Path
from uuid import uuid4

from tests.houses.folder import InProcesses, family
from tests.houses.surroundings import REPOSITORY, environment
from tests.valkey import Valkey
from tests.waiting import PATIENCE_SECONDS, until


class Supervised(InProcesses):
    """It makes its own keys, its own Redis and the demonstration players, unless it is told to."""

    # Where it was opened with a Redis that a test can stop.
    valkey: Valkey

    def __init__(self, folder: Path, **variables: str) -> None:
        super().__init__(folder)
        self.output = folder.parent / f"{uuid4()}.out"
        with self.output.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "casino.ops.server.supervisor"],
                env=environment(folder, **{"PORT": "0", **variables}),
                cwd=REPOSITORY,
                stdout=out,
                stderr=out,
            )

    def text(self) -> str:
        """All that the house has printed."""
        return self.output.read_text()

    def open(self) -> None:
        """Wait until it can be visited and everything of it runs."""
        until(lambda: "Ctrl-C closes it" in self.text() or self.process.poll() is not None)
        self.address = next((word for word in self.text().split() if word.startswith("http")), "")
        assert self.address, self.text()

    def family(self) -> dict[int, str]:
        """Every process of the house, with its command."""
        return family(self.process.pid)

    def one(self, word: str) -> int:
        """The first process with this word in its command."""
        return next(pid for pid, command in self.family().items() if word in command)

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(how)
        return self.process.wait(PATIENCE_SECONDS)

    def close(self) -> None:
        if self.process.poll() is None:
            self.stop()
