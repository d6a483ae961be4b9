"""A house whose programs are started one by one, each under its name, and killed as one likes."""

import os
import signal
import socket
import subprocess
import sys
from collections.abc import Collection
from pathlib import Path
from typing import Final, Protocol

from tests.houses.folder import InProcesses
from tests.houses.guests import Person
from tests.houses.postgres import Postgres
from tests.houses.surroundings import REPOSITORY
from tests.valkey import Valkey
from tests.waiting import PATIENCE_SECONDS, until

SERVER: Final = "casino.ops.server.web"
CELERY: Final = ("celery", "--quiet", "--app", "casino")
WORKER: Final = ("--pool", "threads", "--concurrency", "4", "--without-gossip")
ALONE: Final = ("--without-mingle", "--without-heartbeat", "--loglevel", "ERROR")
STOP_SECONDS_MAX: Final = 5


class Running(Protocol):
    """A process that was started here."""

    pid: int

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


class Programs(InProcesses):
    """Web processes, a sweeper, a worker and a beat, or `only` some of them.

    The web processes share a socket, or have one each that serves its tables (`by_table`).
    """

    # Those that were opened for it.
    postgres: Postgres
    valkey: Valkey
    people: list[Person]

    def __init__(
        self,
        folder: Path,
        web: int = 1,
        only: Collection[str] = (),
        by_table: bool = False,
        **variables: str,
    ) -> None:
        super().__init__(
            folder,
            **{
                "DJANGO_SETTINGS_MODULE": "casino.settings",
                "PYTHONPATH": str(REPOSITORY),
                **variables,
            },
        )
        # The house is handed a socket that listens: a port that was free may be taken by now.
        self.sockets = [
            socket.create_server(("127.0.0.1", 0), backlog=2048)
            for _number in range(web if by_table else 1)
        ]
        self.socket = self.sockets[0]
        self.address = f"http://127.0.0.1:{self.port_of(0)}/"
        self.programs = {
            name: words
            for name, words in self.all_programs(web).items()
            if not only or name.split()[0] in only
        }
        self.running: dict[str, Running] = {}
        self.killed = 0

    def all_programs(self, web: int) -> dict[str, tuple[str, ...]]:
        """Each program's module and arguments, by its name."""
        served = [
            ("--fd", str(self.sockets[number % len(self.sockets)].fileno()), "--stop-seconds", "1")
            for number in range(web)
        ]
        return {
            **{
                f"web {at}": ("casino.ops.server.web", *words) for at, words in enumerate(served, 1)
            },
            "sweeper": ("casino.ops.sweeper",),
            "worker": (*CELERY, "worker", *WORKER, *ALONE),
            "beat": self.beat("beat"),
        }

    def port_of(self, table: int) -> int:
        """The port of the process that serves this table, as a proxy routes by its number."""
        port: int = self.sockets[table % len(self.sockets)].getsockname()[1]
        return port

    def beat(self, name: str) -> tuple[str, ...]:
        """Each with a schedule of its own, as on two machines."""
        schedule = ("--schedule", str(self.folder / name), "--pidfile", "")
        return (*CELERY, "beat", "--loglevel", "ERROR", *schedule)

    def prepare(self, *, demo: bool) -> None:
        """Make the database ready; on SQLite without a demonstration it is, being a copy."""
        words = ["-m", "casino.ops.prepare"] if demo else ["manage.py", "migrate", "-v0"]
        if demo or "DATABASE_URL" in self.variables:
            with self.log("prepare").open("ab") as out:
                command = [sys.executable, *words]
                subprocess.run(command, env=self.variables, cwd=REPOSITORY, stdout=out, check=True)

    def open(self) -> None:
        for name in self.programs:
            self.start(name)
        served = {str(listener.fileno()) for listener in self.sockets}
        if any(served.intersection(words) for words in self.programs.values()):
            until(lambda: self.answers() or self.ended())
        assert not self.ended(), [self.said(name) for name in self.ended()]

    def answers(self) -> bool:
        return self.visit("health/", 5)[0] == 200

    def start(self, name: str, words: tuple[str, ...] | None = None) -> None:
        with self.log(name).open("ab") as out:
            self.running[name] = subprocess.Popen(
                [sys.executable, "-m", *(words or self.programs[name])],
                # The database knows the program's connections by this name.
                env={**self.variables, "PGAPPNAME": name},
                cwd=REPOSITORY,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=[listener.fileno() for listener in self.sockets],
            )

    def stop(self, name: str, how: signal.Signals = signal.SIGTERM) -> int:
        """As at a deploy: ask it to end, and wait until it has."""
        process = self.running.pop(name)
        os.kill(process.pid, how)
        return process.wait(PATIENCE_SECONDS)

    def kill(self, name: str) -> None:
        """Without warning; only ever a process that was started here."""
        process = self.running.pop(name)
        process.kill()
        self.killed += process.wait() == -signal.SIGKILL

    def kill_group(self, name: str) -> None:
        """It and its children at once: each program leads a process group of its own."""
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

    def finish(self, name: str) -> None:
        """Wait until it has done what it was started for."""
        assert not self.running.pop(name).wait(), self.said(name)

    def ended(self) -> list[str]:
        """Processes that have ended by themselves."""
        return [name for name, process in self.running.items() if process.poll() is not None]

    def log(self, name: str) -> Path:
        return self.folder / f"{name}.log"

    def said(self, name: str) -> str:
        """What a program has printed."""
        return self.log(name).read_text(errors="replace")

    def close(self) -> None:
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            try:
                process.wait(STOP_SECONDS_MAX)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.running.clear()
        for listener in self.sockets:
            listener.close()
