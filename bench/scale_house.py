"""A house as on several machines: a replica that may take over, and a second Redis for tasks.

The address of its database names both servers and asks for the one that can be written to, as
libpq does it; a pooler or proxy in front would do the same.
"""

import subprocess
from contextlib import ExitStack, suppress
from typing import Any, Final
from urllib.parse import quote

from tests.houses.postgres import Postgres, Standby
from tests.houses.programs import ALONE, CELERY, WORKER, Programs
from tests.valkey import valkey
from tests.waiting import until

WEBS: Final = 3
WORKERS: Final = 3
SWEEPERS: Final = 2
STOP_SECONDS_MAX: Final = 30
START_SECONDS_MAX: Final = 240
SERVES: Final = "SELECT 1 FROM pg_stat_activity WHERE application_name = %s"


class ScaleHouse(Programs):
    """The house, its replica, and what an operator does with them."""

    primary: Postgres
    replica: Standby

    def __init__(self, *given: Any, **more: Any) -> None:
        super().__init__(*given, **more)
        # It ends when the programs have.
        self.beside = ExitStack()

    def open(self) -> None:
        self.primary = self.postgres
        self.replica = Standby(self.primary)
        self.beside.callback(self.replica.close)
        self.primary.keep_in_step()
        hosts = ",".join(
            quote(str(postgres.folder), safe="") for postgres in (self.primary, self.replica)
        )
        self.variables |= {
            "DATABASE_URL": f"postgres://house@{hosts}/postgres?target_session_attrs=read-write",
            "REPLICA_URL": self.replica.url,
            "TASKS_REDIS_URL": self.beside.enter_context(valkey()).url,
        }
        # In a house in front of players, pages that have begun are finished before a process ends.
        programs = {
            name: (*words[:-1], str(STOP_SECONDS_MAX))
            for name, words in self.programs.items()
            if "web" in name
        }
        for number in range(1, WORKERS + 1):
            own = ("--hostname", f"worker-{number}@%h")
            programs[f"worker {number}"] = (*CELERY, "worker", *WORKER, *ALONE, *own)
        for number in range(1, SWEEPERS + 1):
            programs[f"sweeper {number}"] = self.programs["sweeper"]
        self.programs = programs | {"beat": self.programs["beat"]}
        super().open()

    def serves(self, name: str) -> bool:
        """Whether the program has begun its work, for which it needs the database."""
        with self.postgres.connect() as database:
            return database.execute(SERVES, [name]).fetchone() is not None

    def redeploy(self, name: str) -> None:
        """Stop a program as an upgrade does it, and start it again; the others run on."""
        process = self.running.pop(name)
        process.terminate()
        with suppress(subprocess.TimeoutExpired):
            process.wait(STOP_SECONDS_MAX)
        if process.poll() is None:
            raise AssertionError(f"{name} did not end within {STOP_SECONDS_MAX} seconds")
        self.start(name)
        if name != "beat":
            until(lambda: self.serves(name), START_SECONDS_MAX)

    def fail_over(self) -> None:
        """The primary is gone at once; its replica becomes the database of the house."""
        self.primary.stop_now()
        self.replica.promote()
        self.postgres = self.replica

    def close(self) -> None:
        super().close()
        self.beside.close()
