"""The data directory of a server: its lock, its keys, and its sockets."""

import contextlib
import errno
import fcntl
import json
import os
import secrets
import socket
import tempfile
import time
from base64 import urlsafe_b64encode
from collections.abc import Mapping
from pathlib import Path
from typing import Final

from casino.ops import private_files

FIRST_PORT: Final = 8000
PORTS_TRIED: Final = 20
LOCK_SECONDS_MAX: Final = 4.0
# The system limits the path of a socket to 104 bytes or a little more.
SOCKET_PATH_MAX: Final = 100


def _random_key() -> str:
    return urlsafe_b64encode(secrets.token_bytes(32)).decode()


# The keys of a server, each with the function that generates it.
KEYS: Final = {
    "SECRET_KEY": lambda: secrets.token_urlsafe(50),
    "SEALING_KEYS": _random_key,
    "SIGNING_KEYS": _random_key,
    "PUSH_KEY": _random_key,
}


# The settings that locate the data; stored next to the keys for `manage.py`.
KEPT: Final = (
    "DEMO",
    "DEMO_LIFE",
    "DATABASE_URL",
    "REPLICA_URL",
    "REDIS_URL",
    "TASKS_REDIS_URL",
    "ALLOWED_HOSTS",
    "ANCHORS_FILE",
)


class CannotOpen(Exception):
    """The reason why the server cannot start, as a sentence for its operator."""


def _given(name: str) -> str:
    """A variable of the environment, which is read here before there are any settings."""
    return os.environ.get(name, "").strip()


def data_folder() -> Path:
    given = _given("DATA_DIR")
    return Path(given).resolve() if given else private_files.TOP / ".run"


def take(folder: Path) -> int:
    """Lock the directory for this process; the lock lasts while the returned file is open."""
    try:
        private_files.make_folder(folder)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as problem:
        raise CannotOpen(f"The data cannot be kept in {folder}: {problem.strerror}.") from None
    deadline = time.monotonic() + LOCK_SECONDS_MAX
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(lock, 32, 0).decode()
            # The processes of a killed server are being ended; that takes a moment.
            if _runs(holder) or time.monotonic() > deadline:
                raise CannotOpen(
                    f"The house is open already with the data in {folder} (process {holder}). "
                    "Close it with Ctrl-C, or give this one another folder: DATA_DIR=... make run"
                ) from None
            time.sleep(0.05)
        else:
            os.ftruncate(lock, 0)
            os.pwrite(lock, str(os.getpid()).encode(), 0)
            return lock


def _runs(process: str) -> bool:
    try:
        os.kill(int(process), 0)
    except (ValueError, ProcessLookupError):
        return False
    except PermissionError:
        return True
    return True


def keys(folder: Path) -> dict[str, str]:
    """Return the keys, generated when first needed; those in the environment take precedence."""
    kept = _read(folder / "keys.json", "keys")
    missing = {name: make() for name, make in KEYS.items() if name not in kept}
    if missing:
        kept |= missing
        _write(folder / "keys.json", kept)
    return {name: _given(name) or key for name, key in kept.items()}


def _read(file: Path, what: str) -> dict[str, str]:
    if not file.exists():
        return {}
    try:
        kept: dict[str, str] = json.loads(file.read_text())
    except (OSError, ValueError) as problem:
        raise CannotOpen(f"The {what} in {file} cannot be read: {problem}.") from None
    return kept


def _write(file: Path, kept: dict[str, str]) -> None:
    """Write the whole file or nothing: without its sealing key a server cannot read its shoes."""
    new = file.with_suffix(".new")
    new.touch(mode=0o600)
    new.write_text(json.dumps(kept, indent=1))
    new.replace(file)


def remember(folder: Path, environment: Mapping[str, str]) -> None:
    """Store the settings of the running server, for `manage.py` commands.

    For keys from the environment, store only that the environment supplied them.
    """
    kept = {name: environment[name] for name in KEPT if environment.get(name)}
    given = [name for name in KEYS if _given(name)]
    _write(folder / "settings.json", kept | ({"given": ",".join(given)} if given else {}))


def move_in(folder: Path) -> None:
    """Take settings and keys from this directory, unless the environment names its own.

    An environment that names a key or a database belongs to another server, so nothing is mixed
    into it.
    """
    if not (folder / "keys.json").exists():
        return
    kept = {"DEMO": "1", "REDIS_URL": f"unix://{folder}/valkey.sock"}
    kept |= _read(folder / "settings.json", "settings") | {"DATA_DIR": str(folder)}
    given = [name for name in kept.pop("given", "").split(",") if name]
    named = {name: _given(name) for name in (*KEYS, "DATABASE_URL") if _given(name)}
    if any(name not in given and kept.get(name) != value for name, value in named.items()):
        return
    if missing := [name for name in given if name not in named]:
        raise CannotOpen(
            f"The house in {folder} was opened with {' and '.join(missing)} from the environment. "
            "Set the same here."
        )
    for name, value in (kept | _read(folder / "keys.json", "keys")).items():
        if not _given(name):
            os.environ[name] = value


def listening_socket(host: str, wanted: str) -> socket.socket:
    """Open a socket at the given port, or else at the first free one from 8000 on."""
    if wanted and not (wanted.isdecimal() and int(wanted) < 2**16):
        raise CannotOpen(f"PORT must be a number from 0 to 65535, not {wanted!r}.")
    ports = [int(wanted)] if wanted else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
    for port in ports:
        with contextlib.suppress(OSError):
            return _listen(host, port)
    try:
        return _listen(host, ports[0])
    except OSError as problem:
        if problem.errno != errno.EADDRINUSE:
            raise CannotOpen(f"{host}:{ports[0]} cannot be used: {problem.strerror}.") from None
        raise CannotOpen(
            f"Port {ports[0]} is taken by another program. Choose another: PORT=8080 make run"
        ) from None


def _listen(host: str, port: int) -> socket.socket:
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    listening = socket.socket(family, socket.SOCK_STREAM)
    try:
        listening.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listening.bind((host, port))
        listening.listen(1024)
    except OSError:
        listening.close()
        raise
    return listening


def valkey_socket(folder: Path) -> Path:
    """Return the path of the Redis socket: in the directory, unless that path is too long."""
    within = folder / "valkey.sock"
    if len(os.fsencode(within)) <= SOCKET_PATH_MAX:
        return within
    return (
        Path(tempfile.mkdtemp(prefix="card-room-", dir="/tmp")) / "valkey.sock"
    )  # a folder of our own # nosec B108
