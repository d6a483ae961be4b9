"""What happens to PostgreSQL: it stops, loses connections, disk or the machine it runs on."""

import os
import shutil
import signal
import subprocess
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final

import psycopg

from tests.houses.postgres import Postgres
from tests.waiting import until

DISK: Final = "1G"
SOCKET: Final = ".s.PGSQL.5432"
FOLLOWED_SECONDS: Final = 2.0
RESTART_SECONDS: Final = 3.0

# A settlement is what writes entries of the ledger; it is ended by the statement that finds it.
END_A_SETTLEMENT: Final = """
    SELECT pg_terminate_backend(pid) FROM pg_locks
    WHERE relation = 'wallets_entry'::regclass AND mode = 'RowExclusiveLock' AND granted
    AND pid <> pg_backend_pid() LIMIT 1
"""
END_OTHERS: Final = """
    SELECT pg_terminate_backend(pid) FROM pg_stat_activity
    WHERE backend_type = 'client backend' AND pid <> ALL(%s)
"""
# What fills the log of the database until it needs a new file.
FILL_LOG: Final = "SELECT pg_logical_emit_message(false, 'full', 'disk'), pg_switch_wal()"


def stop(postgres: Postgres, meanwhile: Callable[[float], None]) -> None:
    postgres.stop_now()
    try:
        meanwhile(RESTART_SECONDS)
    finally:
        postgres.start()


def freeze(postgres: Postgres, seconds: float, meanwhile: Callable[[float], None]) -> None:
    """Stop all processes of the server: they take what they are sent, and say nothing."""
    stopped = postgres.freeze()
    try:
        meanwhile(seconds)
    finally:
        for process in stopped:
            os.kill(process, signal.SIGCONT)


def end_settlement(postgres: Postgres) -> None:
    with postgres.connect() as database:
        until(lambda: database.execute(END_A_SETTLEMENT).fetchone())


def exhaust(postgres: Postgres, seconds: float) -> None:
    """Hold every connection that the server has, and end those of the house."""
    with ExitStack() as stack:
        held: list[psycopg.Connection] = []

        def hold() -> None:
            with suppress(psycopg.OperationalError):
                while True:
                    held.append(stack.enter_context(postgres.connect()))

        hold()
        # If a backend of the house ends, the next connection gets its place.
        ends = time.monotonic() + seconds
        while time.monotonic() < ends:
            held[0].execute(END_OTHERS, [[connection.info.backend_pid for connection in held]])
            hold()
            time.sleep(0.1)


@contextmanager
def small_disk(postgres: Postgres) -> Iterator[Path | None]:
    """Move the cluster to a disk of its own; None, and no move, if this user may not mount one."""
    disk = postgres.log.parent / "disk"
    disk.mkdir()
    words = ["mount", "-t", "tmpfs", "-o", f"size={DISK}", "tmpfs", str(disk)]
    if subprocess.run(words, capture_output=True, check=False).returncode:
        yield None
        return
    try:
        postgres.stop_now()
        os.chown(disk, *postgres.owner)
        subprocess.run(["cp", "-a", postgres.data, disk / "data"], check=True)
        postgres.words = moved(postgres.words, postgres.data, disk / "data")
        postgres.data = disk / "data"
        postgres.start()
        yield disk
    finally:
        postgres.close()
        subprocess.run(["umount", "--lazy", disk], check=True)


def fill_disk(postgres: Postgres, disk: Path, seconds: float) -> None:
    """Leave no page free, first to the tables and then to the log, too, and give all back later."""
    ballast = disk / "ballast"
    with ballast.open("wb") as file:
        size, began = 0, time.monotonic()
        while time.monotonic() < began + seconds:
            space = os.statvfs(disk)
            if free := space.f_bavail * space.f_frsize:
                with suppress(OSError):
                    os.posix_fallocate(file.fileno(), size, free)
                    size += free
            if time.monotonic() > began + seconds / 2:
                with suppress(psycopg.Error), postgres.connect() as database:
                    database.execute(FILL_LOG)
            time.sleep(0.2)
    ballast.unlink()
    # It ends where it could not recover for want of space.
    until(lambda: postgres.answers() or postgres.ended())
    if postgres.ended():
        postgres.start()


def promote_standby(postgres: Postgres) -> None:
    """Copy the database, follow it, lose the primary, and go on at the copy.

    The primary waits for the copy before it answers, as where nothing acknowledged may be lost. The
    house finds the new primary under the old address.
    """
    old, folder = postgres.data, postgres.log.parent
    sockets = Path(tempfile.mkdtemp(prefix="s", dir=folder))
    data = old.parent / f"data-{sockets.name}"
    os.chown(sockets, *postgres.owner)
    copying = Path(postgres.words[0]).with_name("pg_basebackup")
    source = ("-h", str(folder), "-U", "house", "-D", str(data))
    copied = postgres.spawn([copying, *source, "-R", "-X", "stream", "-c", "fast"]).wait()
    assert not copied, postgres.log.read_text()[-600:]
    words = moved(postgres.words, old, data)
    words = [f"unix_socket_directories={sockets}" if "unix_socket" in w else w for w in words]
    standby = postgres.spawn(words)
    try:
        until(lambda: answers(sockets))
        postgres.keep_in_step()
        time.sleep(FOLLOWED_SECONDS)
        postgres.stop_now()
        with at(sockets) as database:
            database.execute("SELECT pg_promote()")
    except BaseException:
        standby.send_signal(signal.SIGQUIT)
        standby.wait()
        raise
    postgres.data, postgres.words, postgres.again = data, words, standby
    link = folder / SOCKET
    link.unlink(missing_ok=True)
    link.symlink_to(sockets / SOCKET)
    until(postgres.answers)
    shutil.rmtree(old)


def moved(words: list[str], old: Path, new: Path) -> list[str]:
    """A server's command for the same cluster in another folder."""
    return [str(new) if word == str(old) else word for word in words]


def at(sockets: Path) -> psycopg.Connection:
    return psycopg.connect(host=str(sockets), user="house", dbname="postgres", autocommit=True)


def answers(sockets: Path) -> bool:
    try:
        at(sockets).close()
    except psycopg.Error:
        return False
    return True
