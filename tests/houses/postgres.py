"""A PostgreSQL of a house's own, which can be stopped, started, and followed by a replica."""

import os
import shutil
import signal
import subprocess
import tempfile
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Final
from urllib.parse import quote, unquote, urlsplit

import psycopg

from tests import cluster
from tests.waiting import until

IN_STEP: Final = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"


class Postgres:
    """A cluster on this machine; it is known by its number, so that it can be started again."""

    def __init__(self, url: str) -> None:
        self.url = url
        self.folder = Path(unquote(urlsplit(url).netloc.rpartition("@")[2]))
        self.data = self.folder / "data"
        self.log = self.folder / "log"
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

    def freeze(self) -> list[int]:
        """Stop all processes of the server, the first one first, and return their numbers."""
        first = self.again.pid if self.again else self.pid
        os.kill(first, signal.SIGSTOP)
        children = Path(f"/proc/{first}/task/{first}/children").read_text().split()
        for child in children:
            os.kill(int(child), signal.SIGSTOP)
        return [first, *map(int, children)]

    def start(self) -> None:
        self.again = self.spawn(self.words)
        until(self.answers)

    def spawn(self, words: Sequence[str | Path]) -> subprocess.Popen[bytes]:
        """Run a program of PostgreSQL as the owner of the cluster."""
        user, group = self.owner if self.owner[0] != os.geteuid() else (None, None)
        with self.log.open("ab") as out:
            return subprocess.Popen(
                words,
                stdout=out,
                stderr=out,
                cwd=self.folder,
                env={**os.environ, "LC_ALL": "C", "PGTZ": "UTC"},
                start_new_session=True,
                user=user,
                group=group,
            )

    def keep_in_step(self) -> None:
        """From now on a commit is acknowledged when a replica has stored it, too."""
        with self.connect() as database:
            database.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
            database.execute("SELECT pg_reload_conf()")
            until(lambda: database.execute(IN_STEP).fetchone())

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


class Standby(Postgres):
    """A streaming replica of another server, in a folder of its own."""

    def __init__(self, primary: Postgres) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="cards-", dir="/tmp"))
        self.owner = primary.owner
        os.chown(self.folder, *self.owner)
        self.data, self.log = self.folder / "data", self.folder / "log"
        self.url = f"postgres://house@{quote(str(self.folder), safe='')}/postgres"
        self.again: subprocess.Popen[bytes] | None = None
        server, *words = primary.words
        self.words = [
            server,
            *(word.replace(str(primary.folder), str(self.folder)) for word in words),
        ]
        follow = ["-h", str(primary.folder), "-U", "house", "-D", str(self.data)]
        follow += ["-R", "-X", "stream", "-c", "fast", "-d", "application_name=replica"]
        copied = self.spawn([Path(server).parent / "pg_basebackup", *follow]).wait()
        assert not copied, self.log.read_text()
        self.start()

    def promote(self) -> None:
        with self.connect() as database:
            database.execute("SELECT pg_promote(true, 60)")

    def close(self) -> None:
        super().close()
        shutil.rmtree(self.folder, ignore_errors=True)


@contextmanager
def postgres(*, durable: bool) -> Iterator[Postgres]:
    """A cluster that is gone afterwards; a durable one outlives what it has acknowledged."""
    server = cluster.installed() or cluster.fetched()
    with cluster.cluster(server, durable=durable) as (url, _lifeline):
        running = Postgres(url)
        try:
            yield running
        finally:
            running.close()
