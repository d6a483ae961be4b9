"""A crowd's house to which faults happen: quick to start again, its database on a small disk."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from bench.crowd_house import CrowdHouse, Postgres, Running, crowd_house
from bench.faults_database import small_disk
from bench.faults_forks import Forks
from tests.valkey import Valkey


class FaultyHouse(CrowdHouse):
    """Its programs are forks, so that they can be killed and started every half a second."""

    def __init__(self, folder: Path, postgres: Postgres, redis: Valkey, web: int) -> None:
        super().__init__(folder, postgres, redis, web)
        self.forks = Forks(self.variables)
        self.disk: Path | None = None

    def start(self, name: str, words: tuple[str, ...] | None = None) -> None:
        self.running[name] = self.fork(name, words or self.programs[name])

    def fork(self, name: str, words: tuple[str, ...]) -> Running:
        return self.forks.start(words, self.log(name), self.socket)

    def start_cold(self, name: str, words: tuple[str, ...]) -> None:
        """Not as a fork: something is to happen before the code is loaded."""
        super().start(name, words)

    def stop(self, name: str) -> None:
        """As whoever deploys: ask it to end, and wait until it has."""
        process = self.running.pop(name)
        process.terminate()
        process.wait()

    def finish(self, name: str) -> None:
        """Wait until it has done what it was started for."""
        assert not self.running.pop(name).wait(), self.said(name)

    def kill_group(self, name: str) -> None:
        """It and its children at once; a fork leads a process group of its own."""
        children = self.children(name)
        process = self.running.pop(name)
        os.killpg(process.pid, signal.SIGKILL)
        process.wait()
        self.killed += 1 + children

    def children(self, name: str) -> int:
        pid = self.running[name].pid
        return len(Path(f"/proc/{pid}/task/{pid}/children").read_text().split())

    def bury(self, name: str) -> None:
        """One that has killed itself counts like the others."""
        code = self.running.pop(name).wait()
        assert code == -signal.SIGKILL, f"{name} ended with code {code}"
        self.killed += 1

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        self.log(words[0]).unlink(missing_ok=True)
        code = self.fork(words[0], ("django", *words)).wait()
        return subprocess.CompletedProcess(words, code, self.said(words[0]), "")

    def log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def said(self, name: str) -> str:
        return self.log(name).read_text()


@contextmanager
def faulty_house(web: int) -> Iterator[FaultyHouse]:
    with crowd_house(web, FaultyHouse) as house, small_disk(house.postgres) as disk:
        house.disk = disk
        try:
            yield house
        finally:
            house.close()
