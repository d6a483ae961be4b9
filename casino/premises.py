"""The folder where a house keeps its data: its lock, its keys, the sockets it is reached by."""

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
from pathlib import Path
from typing import Final

FIRST_PORT: Final = 8000
PORTS_TRIED: Final = 20
LOCK_SECONDS_MAX: Final = 4.0
# The system's limit for the path of a socket is 104 bytes or a little more.
SOCKET_PATH_MAX: Final = 100


class CannotOpen(Exception):
    """Why the house cannot be opened, as a sentence for whoever tries."""


def data_folder() -> Path:
    told = os.environ.get("DATA_DIR", "").strip()
    return Path(told).resolve() if told else Path(__file__).resolve().parent.parent / ".run"


def take(folder: Path) -> int:
    """Take the folder for this process; the file that is answered holds it while it is open."""
    try:
        folder.mkdir(parents=True, exist_ok=True)
        lock = os.open(folder / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as problem:
        raise CannotOpen(f"The data cannot be kept in {folder}: {problem.strerror}.") from None
    deadline = time.monotonic() + LOCK_SECONDS_MAX
    while True:
        try:
            fcntl.flock(lock, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            holder = os.pread(lock, 32, 0).decode()
            # What a killed house left running is being ended; that takes a moment.
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
    """The two keys of a house, made when it is first opened; those in the environment go first."""
    file = folder / "keys.json"
    if file.exists():
        try:
            kept: dict[str, str] = json.loads(file.read_text())
        except (OSError, ValueError) as problem:
            raise CannotOpen(f"The keys in {file} cannot be read: {problem}.") from None
    else:
        kept = {
            "SECRET_KEY": secrets.token_urlsafe(50),
            "SEALING_KEYS": urlsafe_b64encode(secrets.token_bytes(32)).decode(),
        }
        # Written whole or not at all: without its sealing key the house could not read its shoes.
        new = folder / "keys.new"
        new.touch(mode=0o600)
        new.write_text(json.dumps(kept, indent=1))
        new.replace(file)
    return {name: os.environ.get(name) or key for name, key in kept.items()}


def listening_socket(host: str, asked: str) -> socket.socket:
    """A socket at the port that is asked for; the first free one from 8000 on if none is."""
    if asked and not (asked.isdecimal() and int(asked) < 2**16):
        raise CannotOpen(f"PORT must be a number from 0 to 65535, not {asked!r}.")
    ports = [int(asked)] if asked else range(FIRST_PORT, FIRST_PORT + PORTS_TRIED)
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
    """Where the house's own Redis listens: in the folder, unless its path is too long for that."""
    within = folder / "valkey.sock"
    if len(os.fsencode(within)) <= SOCKET_PATH_MAX:
        return within
    return Path(tempfile.mkdtemp(prefix="card-room-", dir="/tmp")) / "valkey.sock"
