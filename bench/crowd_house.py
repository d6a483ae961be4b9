"""A house of many processes on loopback, on PostgreSQL, whose parts can be killed and started.

PostgreSQL commits durably, as in front of players: what it has acknowledged must outlive it.
"""

import os
import signal
import socket
import subprocess
import sys
import tempfile
import urllib.request
from collections.abc import Callable, Iterator, Sequence
from contextlib import ExitStack, contextmanager, suppress
from importlib import import_module
from pathlib import Path
from typing import Any, Final, Protocol, TypeVar
from urllib.parse import unquote, urlsplit

import psycopg

from tests.casino.processes import KEYS, environment
from tests.valkey import Valkey, valkey
from tests.waiting import until

REPOSITORY: Final = Path(__file__).resolve().parent.parent
CELERY: Final = ("celery", "--quiet", "--app", "casino")
WORKER: Final = ("--pool", "threads", "--concurrency", "4", "--without-gossip")
ALONE: Final = ("--without-mingle", "--without-heartbeat", "--loglevel", "ERROR")


class Running(Protocol):
    """A process that was started here."""

    pid: int

    def poll(self) -> int | None: ...
    def wait(self, timeout: float | None = None) -> int: ...
    def terminate(self) -> None: ...
    def kill(self) -> None: ...


class Postgres:
    """The cluster of this run; it is known by its number alone, so that it can be started again."""

    def __init__(self, url: str) -> None:
        self.url = url
        folder = Path(unquote(urlsplit(url).netloc.rpartition("@")[2]))
        self.data = folder / "data"
        self.log = folder / "log"
        self.pid = int((self.data / "postmaster.pid").read_text().split()[0])
        words = Path(f"/proc/{self.pid}/cmdline").read_bytes().split(b"\0")
        self.words = [word.decode() for word in words if word]
        owner = os.stat(f"/proc/{self.pid}")
        self.owner = (owner.st_uid, owner.st_gid)
        self.again: subprocess.Popen[bytes] | None = None

    def connect(self) -> psycopg.Connection:
        return psycopg.connect(self.url, autocommit=True, connect_timeout=5)

    def stop_now(self) -> None:
        """Immediately, as after a failure: nothing is written, and it recovers when it starts."""
        os.kill(self.again.pid if self.again else self.pid, signal.SIGQUIT)
        if self.again:
            self.again.wait()
        until(lambda: not self.answers() and not (self.data / "postmaster.pid").exists())

    def start(self) -> None:
        self.again = self.spawn(self.words)
        until(self.answers)

    def spawn(self, words: Sequence[str | Path]) -> subprocess.Popen[bytes]:
        """Run a program of PostgreSQL as the owner of the cluster."""
        lent = (
            {} if self.owner[0] == os.geteuid() else {"user": self.owner[0], "group": self.owner[1]}
        )
        with self.log.open("ab") as out:
            process: subprocess.Popen[bytes] = subprocess.Popen(
                words,
                stdout=out,
                stderr=out,
                cwd=self.log.parent,
                env={**os.environ, "LC_ALL": "C", "PGTZ": "UTC"},
                start_new_session=True,
                **lent,  # type: ignore[call-overload]
            )
        return process

    def ended(self) -> bool:
        return self.again is not None and self.again.poll() is not None

    def answers(self) -> bool:
        try:
            self.connect().close()
        except psycopg.Error:
            return False
        return True

    def close(self) -> None:
        if self.again:
            self.again.send_signal(signal.SIGQUIT)
            self.again.wait()


class CrowdHouse:
    """Web processes on one socket, a sweeper, a worker and a beat: each under its name."""

    def __init__(self, folder: Path, postgres: Postgres, redis: Valkey, web: int) -> None:
        self.folder, self.postgres, self.valkey = folder, postgres, redis
        self.socket = socket.create_server(("127.0.0.1", 0), backlog=2048)
        self.port = int(self.socket.getsockname()[1])
        self.variables = environment(
            folder,
            **KEYS,
            DEMO="1",
            DATABASE_URL=postgres.url,
            REDIS_URL=redis.url,
            DJANGO_SETTINGS_MODULE="casino.settings",
            PYTHONPATH=str(REPOSITORY),
        )
        fd = ("--fd", str(self.socket.fileno()), "--stop-seconds", "1")
        self.programs: dict[str, tuple[str, ...]] = {
            **{f"web {number}": ("casino.web", *fd) for number in range(1, web + 1)},
            "sweeper": ("casino.sweeper",),
            "worker": (*CELERY, "worker", *WORKER, *ALONE),
            "beat": self.beat("beat"),
        }
        self.running: dict[str, Running] = {}
        self.killed = 0

    def beat(self, name: str) -> tuple[str, ...]:
        """Each with a schedule of its own, as on two machines."""
        schedule = ("--schedule", str(self.folder / name), "--pidfile", "")
        return (*CELERY, "beat", "--loglevel", "ERROR", *schedule)

    def prepare(self) -> None:
        words = [sys.executable, "-m", "casino.prepare"]
        with (self.folder / "prepare.log").open("ab") as out:
            subprocess.run(words, env=self.variables, cwd=REPOSITORY, stdout=out, check=True)

    def open(self) -> None:
        for name in self.programs:
            self.start(name)
        until(self.answers)

    def start(self, name: str, words: tuple[str, ...] | None = None) -> None:
        with (self.folder / f"{name}.log").open("ab") as out:
            self.running[name] = subprocess.Popen(
                [sys.executable, "-m", *(words or self.programs[name])],
                env=self.variables,
                cwd=REPOSITORY,
                stdin=subprocess.DEVNULL,
                stdout=out,
                stderr=subprocess.STDOUT,
                start_new_session=True,
                pass_fds=[self.socket.fileno()],
            )

    def kill(self, name: str) -> None:
        """Without warning; only ever a process that was started here."""
        process = self.running.pop(name)
        process.kill()
        self.killed += process.wait() == -signal.SIGKILL

    def ended(self) -> list[str]:
        """Processes that have ended by themselves."""
        return [name for name, process in self.running.items() if process.poll() is not None]

    def answers(self) -> bool:
        with suppress(OSError):
            address = f"http://127.0.0.1:{self.port}/health/"
            with urllib.request.urlopen(address, timeout=5) as answer:
                return bool(answer.status == 200)
        return False

    def manage(self, *words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            env=self.variables,
            cwd=REPOSITORY,
            capture_output=True,
            text=True,
            check=False,
        )

    def close(self) -> None:
        for process in self.running.values():
            process.terminate()
        for process in self.running.values():
            try:
                process.wait(5)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        self.socket.close()


House = TypeVar("House", bound=CrowdHouse)


@contextmanager
def crowd_house(web: int, kind: Callable[[Path, Postgres, Valkey, int], House]) -> Iterator[House]:
    """A house that is open, in a folder and on a database of its own."""
    # By name: the tests are not typed as strictly as what is measured.
    clusters: Any = import_module("tests.cluster")
    with ExitStack() as stack:
        folder = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="crowd-", dir="/tmp")))
        server = clusters.installed() or clusters.fetched()
        url, _held = stack.enter_context(clusters.cluster(server, durable=True))
        postgres = Postgres(url)
        stack.callback(postgres.close)
        house = kind(folder, postgres, stack.enter_context(valkey()), web)
        stack.callback(house.close)
        house.prepare()
        yield house
