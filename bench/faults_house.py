"""A crowd's house to which faults happen: quick to start again, its database on a small disk."""

import subprocess
from contextlib import ExitStack
from pathlib import Path
from typing import Any

from bench.faults_database import small_disk
from bench.faults_forks import Forks
from tests.houses.programs import Programs, Running


class FaultyHouse(Programs):
    """Its programs are forks, so that they can be killed and started every half a second."""

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        self.forks = Forks(self.variables)
        self.disk: Path | None = None
        # It ends when the programs have.
        self.beside = ExitStack()

    def open(self) -> None:
        self.disk = self.beside.enter_context(small_disk(self.postgres))
        super().open()

    def start(self, name: str, words: tuple[str, ...] | None = None) -> None:
        self.running[name] = self.fork(name, words or self.programs[name])

    def fork(self, name: str, words: tuple[str, ...]) -> Running:
        return self.forks.start(words, self.log(name), self.socket)

    def start_cold(self, name: str, words: tuple[str, ...]) -> None:
        """Not as a fork: something is to happen before the code is loaded."""
        super().start(name, words)

    def manage(self, *words: str, **_given: Any) -> subprocess.CompletedProcess[str]:
        self.log(words[0]).unlink(missing_ok=True)
        code = self.fork(words[0], ("django", *words)).wait()
        return subprocess.CompletedProcess(words, code, self.said(words[0]), "")

    def close(self) -> None:
        super().close()
        self.beside.close()
