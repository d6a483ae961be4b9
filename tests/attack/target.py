"""The house that is attacked, as its attackers reach it."""

import json
import shutil
import sqlite3
import subprocess
import time
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cached_property
from pathlib import Path
from typing import Any, Final

from casino.accounts.demo import SIGN_INS
from tests.attack.attackers import Answer, Browser, Program, until
from tests.attack.evening import Evening
from tests.houses.folder import Folder
from tests.houses.supervised import Supervised

# One member of staff of each role.
STAFF: Final = tuple(
    {sign_in.group: sign_in.name for sign_in in reversed(SIGN_INS) if sign_in.group}.values()
)
# Staff who were away for ten minutes are asked who they are: until then they sign in anew.
AWAY_SECONDS_MAX: Final = 300
# Commands that are entries of the journal, and who gives them here.
STAFF_COMMANDS = {"export", "anchor", "reseal", "close_books", "--mend-days"}
WHY = ("--why", "an attack")


class Copy(Folder):
    """A copy of the house's folder, in which an attacker may change anything."""

    @contextmanager
    def unguarded(self) -> Iterator[None]:
        """Inside, the triggers that hold the ledger together are gone, as its owner can do."""
        statement = "SELECT name, sql FROM sqlite_master WHERE type = 'trigger'"
        triggers = self.sql(statement)
        for name, _ in triggers:
            self.sql(f'DROP TRIGGER "{name}"')
        yield
        for _, text in triggers:
            self.sql(text)

    def manage(self, *words: str, **given: Any) -> subprocess.CompletedProcess[str]:
        """A command, by a member of staff where it is an entry of the journal."""
        # Auditors alone take all cards out of the house.
        who = "auditor" if "export" in words else "operator"
        by = ("--by", who, *WHY) if STAFF_COMMANDS.intersection(words) else ()
        return super().manage(*words, *by, **given)

    def accept_edits(self) -> None:
        """Have a member of staff answer for the rows that attacks have edited by hand so far."""
        closed = self.manage("close_books")
        assert closed.returncode == 0, closed.stdout + closed.stderr

    def copied(self, folder: Path) -> "Copy":
        folder.mkdir(parents=True)
        for name in ("keys.json", "settings.json", "anchors.jsonl"):
            if (self.folder / name).exists():
                shutil.copy(self.folder / name, folder / name)
        source, target = sqlite3.connect(self.database), sqlite3.connect(folder / "house.sqlite3")
        with source, target:
            source.backup(target)
        source.close()
        target.close()
        return Copy(folder)


class Target(Copy):
    """The open house: its doors, its files, its processes and what it prints."""

    def __init__(self, server: Supervised) -> None:
        super().__init__(server.folder)
        self.server = server
        self.address = server.address.rstrip("/")
        self.scratch = server.folder.parent
        self._browsers: dict[str, Browser] = {}
        self._seen: dict[str, float] = {}
        self._programs: dict[str, Program] = {}

    def browser(self, name: str = "") -> Browser:
        """A browser in which a demonstration player has signed in; or a stranger's."""
        if not name:
            return Browser(self.address)
        away = time.monotonic() - self._seen.get(name, 0) > AWAY_SECONDS_MAX
        if name not in self._browsers or (away and name in STAFF):
            self._browsers[name] = Browser(self.address)
            answer = self._browsers[name].sign_in(name, f"demo-{name}")
            assert answer.status == 302, (name, answer.status)
        self._seen[name] = time.monotonic()
        return self._browsers[name]

    def program(self, name: str = "") -> Program:
        if not name:
            return Program(self.address)
        if name not in self._programs:
            self._programs[name] = Program(self.address)
            answer = self._programs[name].sign_in(name, f"demo-{name}")
            assert answer.status == 201, (name, answer.text)
        return self._programs[name]

    def newcomer(self, name: str, **headers: str) -> Answer:
        """A new player signs up."""
        fields = {"username": name, "password1": f"{name} in the rain"}
        fields["password2"] = fields["password1"]
        return Browser(self.address).post("/players/sign-up/", fields, **headers)

    def visit(self, path: str) -> Answer:
        return Browser(self.address).get(path)

    def log(self) -> str:
        return self.server.text()

    def pid(self, word: str) -> int:
        return until(lambda: self._found(word))

    def _found(self, word: str) -> int:
        return next((pid for pid, command in self.server.family().items() if word in command), 0)

    @property
    def redis(self) -> str:
        settings = json.loads((self.folder / "settings.json").read_text())
        return str(settings["REDIS_URL"])

    @cached_property
    def tables(self) -> dict[str, int]:
        """The demonstration's tables by their games."""
        rows = self.sql("SELECT game, min(id) FROM games_table GROUP BY game")
        return {game: int(number) for game, number in rows}

    @cached_property
    def evening(self) -> Evening:
        """Alice and bob, who sit down at some tables and play."""
        return Evening(self)
