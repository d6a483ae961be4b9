"""A house as on several machines: a replica that may take over, and a second Redis for tasks.

The programs are those of `bench.crowd_house`; what differs is how many there are, and their
addresses. That of the database names both servers and asks for the one that can be written to, as
libpq does it; a pooler or proxy in front would do the same.
"""

import os
import shutil
import subprocess
import tempfile
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from pathlib import Path
from typing import Final
from urllib.parse import quote

from bench.crowd_house import ALONE, CELERY, WORKER, CrowdHouse, Postgres, crowd_house
from tests.valkey import valkey
from tests.waiting import until

WEBS: Final = 3
WORKERS: Final = 3
SWEEPERS: Final = 2
STOP_SECONDS_MAX: Final = 30
START_SECONDS_MAX: Final = 240
SERVES: Final = "SELECT 1 FROM pg_stat_activity WHERE application_name = %s"
IN_STEP: Final = "SELECT 1 FROM pg_stat_replication WHERE sync_state = 'sync'"


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
        before = str(primary.data.parent)
        self.words = [server, *(word.replace(before, str(self.folder)) for word in words)]
        self._copy(Path(server).parent / "pg_basebackup", before)
        self.start()

    def _copy(self, program: Path, host: str) -> None:
        """Copy the primary's data, with the settings to follow it."""
        words = [program, "-h", host, "-U", "house", "-D", self.data, "-R", "-X", "stream"]
        words += ["-c", "fast", "-d", "application_name=replica"]
        user, group = self.owner
        lent = {} if user == os.geteuid() else {"user": user, "group": group}
        subprocess.run(words, cwd=self.folder, check=True, **lent)  # type: ignore[call-overload]

    def promote(self) -> None:
        with self.connect() as database:
            database.execute("SELECT pg_promote(true, 60)")

    def close(self) -> None:
        super().close()
        shutil.rmtree(self.folder, ignore_errors=True)


class ScaleHouse:
    """The house, its replica, and what an operator does with them."""

    def __init__(self, house: CrowdHouse, replica: Standby, broker: str) -> None:
        self.house, self.primary, self.replica = house, house.postgres, replica
        hosts = ",".join(quote(str(one.data.parent), safe="") for one in (self.primary, replica))
        house.variables |= {
            "DATABASE_URL": f"postgres://house@{hosts}/postgres?target_session_attrs=read-write",
            "REPLICA_URL": replica.url,
            "TASKS_REDIS_URL": broker,
        }
        # In a house in front of players, pages that have begun are finished before a process ends.
        programs = {
            name: (*words[:-1], str(STOP_SECONDS_MAX))
            for name, words in house.programs.items()
            if "web" in name
        }
        for number in range(1, WORKERS + 1):
            own = ("--hostname", f"worker-{number}@%h")
            programs[f"worker {number}"] = (*CELERY, "worker", *WORKER, *ALONE, *own)
        for number in range(1, SWEEPERS + 1):
            programs[f"sweeper {number}"] = house.programs["sweeper"]
        house.programs = programs | {"beat": house.programs["beat"]}

    def open(self) -> None:
        for name in self.house.programs:
            self.start(name)
        until(self.house.answers)

    def start(self, name: str) -> None:
        """Start a program under a name by which the database knows its connections."""
        self.house.variables["PGAPPNAME"] = name
        self.house.start(name)

    def serves(self, name: str) -> bool:
        """Whether the program has begun its work, for which it needs the database."""
        with self.house.postgres.connect() as database:
            return database.execute(SERVES, [name]).fetchone() is not None

    def redeploy(self, name: str) -> None:
        """Stop a program as an upgrade does it, and start it again; the others go on meanwhile."""
        process = self.house.running.pop(name)
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS_MAX)
        if process.poll() is None:
            raise AssertionError(f"{name} did not end within {STOP_SECONDS_MAX} seconds")
        self.start(name)
        if name != "beat":
            until(lambda: self.serves(name), START_SECONDS_MAX)

    def last_words(self, name: str) -> str:
        """What a program wrote last."""
        return (self.house.folder / f"{name}.log").read_text()[-1500:]

    def fail_over(self) -> None:
        """The primary is gone at once; its replica becomes the database of the house."""
        self.primary.stop_now()
        self.replica.promote()
        self.house.postgres = self.replica


def keep_in_step(primary: Postgres) -> None:
    """From now on a commit is acknowledged when the replica has stored it, too."""
    with primary.connect() as database:
        database.execute("ALTER SYSTEM SET synchronous_standby_names = '*'")
        database.execute("SELECT pg_reload_conf()")
        until(lambda: database.execute(IN_STEP).fetchone())


@contextmanager
def scale_house() -> Iterator[ScaleHouse]:
    with ExitStack() as stack:
        broker = stack.enter_context(valkey())
        house = stack.enter_context(crowd_house(WEBS, CrowdHouse))
        # The programs end before the replica does.
        replica = Standby(house.postgres)
        stack.callback(replica.close)
        stack.callback(house.close)
        keep_in_step(house.postgres)
        yield ScaleHouse(house, replica, broker.url)
