"""The folder of a house, and what an operator does beside it: SQL and commands of `manage.py`."""

import sqlite3
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import closing
from pathlib import Path
from typing import Any, Final

from tests.houses.surroundings import REPOSITORY, environment
from tests.waiting import PATIENCE_SECONDS
from wallets.of_record import sql_functions

NEW_TABLE: Final = """
from games.models import Table
from wallets.models import Currency
currency, _ = Currency.objects.get_or_create(
    code="TEST", defaults={"name": "test", "kind": Currency.Kind.PLAY}
)
table = Table.objects.create(name="opened", game="doudizhu", currency=currency, places=3,
    buy_in_min=1, buy_in_max=2, stack_min=1)
print(table.pk)
"""


class Folder:
    """The data of a house, whether its processes run or not."""

    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder
        self.variables = environment(folder, **variables)

    @property
    def database(self) -> Path:
        """The file of a house on SQLite."""
        return self.folder / "house.sqlite3"

    def sql(self, statement: str, *values: Any) -> list[tuple[Any, ...]]:
        """One statement, not through the house, with nothing that guards the tables in its way."""
        with closing(sqlite3.connect(self.database, timeout=PATIENCE_SECONDS)) as base, base:
            base.execute("PRAGMA foreign_keys = OFF")
            # Its triggers ask who writes; the owner of the file answers freely.
            sql_functions.define(base, lambda: ("", "", ""))
            return base.execute(statement, values).fetchall()

    def manage(
        self, *words: str, stdout: int = subprocess.PIPE, **variables: str
    ) -> subprocess.CompletedProcess[str]:
        """A command of `manage.py`, which finds its house by the folder."""
        return subprocess.run(
            [sys.executable, "manage.py", *words],
            env={**self.variables, **variables},
            cwd=REPOSITORY,
            stdout=stdout,
            stderr=subprocess.PIPE,
            text=True,
            check=False,
        )

    def script(self, text: str) -> str:
        """A piece of Python with the models of the house; what it prints."""
        done = self.manage("shell", "-v0", "-c", text)
        assert done.returncode == 0, done.stderr[-2000:]
        return done.stdout.strip()

    def new_table(self) -> str:
        """The number of an empty table of Dou Dizhu."""
        return self.script(NEW_TABLE)


class InProcesses(Folder):
    """A house whose pages are served at an address, with the slash at its end, once it is open."""

    address = ""

    @property
    def port(self) -> int:
        return int(self.address.rstrip("/").rpartition(":")[2])

    def visit(self, path: str = "", seconds_max: float = PATIENCE_SECONDS) -> tuple[int, str]:
        """A page's status and text; 0 without an answer."""
        try:
            with urllib.request.urlopen(self.address + path, timeout=seconds_max) as answer:
                return answer.status, answer.read().decode()
        except urllib.error.HTTPError as error:
            return error.code, error.read().decode()
        except OSError:
            return 0, ""


def family(process: int) -> dict[int, str]:
    """A process and every one below it, each with its command."""
    listing = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,stat=,command="],
        capture_output=True,
        text=True,
        check=True,
    )
    rows = [line.split(maxsplit=3) for line in listing.stdout.splitlines()]
    commands = {process: "supervisor"}
    for pid, parent, state, command in (row for row in rows if len(row) == 4):
        if int(parent) in commands and not state.startswith("Z"):
            commands[int(pid)] = command
    return commands
