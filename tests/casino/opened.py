"""A whole house as `make run` opens it, in a folder of its own."""

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

from tests.waiting import until

OPEN_SECONDS_MAX = 90
TOLD_FROM_OUTSIDE = {
    "DATABASE_URL",
    "DEMO",
    "DJANGO_SETTINGS_MODULE",
    "PORT",
    "REDIS_URL",
    "SEALING_KEYS",
    "SECRET_KEY",
}


def environment(folder: Path, **told: str) -> dict[str, str]:
    """What a newcomer's shell knows, which is nothing, and the folder."""
    bare = {name: value for name, value in os.environ.items() if name not in TOLD_FROM_OUTSIDE}
    return {**bare, "DATA_DIR": str(folder), **told}


class Opened:
    def __init__(self, folder: Path, **told: str) -> None:
        self.folder = folder
        self.output = folder.parent / f"{uuid4()}.out"
        with self.output.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "casino.supervisor"],
                env=environment(folder, **told),
                stdout=out,
                stderr=out,
            )

    def text(self) -> str:
        return self.output.read_text()

    def wait_until_open(self) -> str:
        """Its address, once it can be visited and everything of it runs."""
        until(
            lambda: "Ctrl-C closes it" in self.text() or self.process.poll() is not None,
            OPEN_SECONDS_MAX,
        )
        found = [word for word in self.text().split() if word.startswith("http://")]
        assert found, self.text()
        return found[0]

    def family(self) -> dict[int, str]:
        """Every process below this one, with its command."""
        told = subprocess.run(
            ["ps", "-A", "-ww", "-o", "pid=,ppid=,stat=,command="],
            capture_output=True,
            text=True,
            check=True,
        )
        rows = [line.split(maxsplit=3) for line in told.stdout.splitlines()]
        found = {self.process.pid: "supervisor"}
        for pid, parent, state, command in (row for row in rows if len(row) == 4):
            if int(parent) in found and not state.startswith("Z"):
                found[int(pid)] = command
        return found

    def one(self, word: str) -> int:
        return next(pid for pid, command in self.family().items() if word in command)

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(how)
        return self.process.wait(30)

    def manage(self, script: str) -> str:
        """Run a piece of Python that knows this house's models."""
        known = json.loads((self.folder / "keys.json").read_text())
        return manage(
            script,
            environment(
                self.folder, DEMO="1", REDIS_URL=f"unix://{self.folder}/valkey.sock", **known
            ),
        )


def manage(script: str, told: dict[str, str]) -> str:
    """Run a piece of Python with a house's models; what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", "import django; django.setup()\n" + script],
        env={**told, "DJANGO_SETTINGS_MODULE": "casino.settings", "PYTHONPATH": "."},
        stdout=subprocess.PIPE,
        text=True,
        check=True,
    )
    return done.stdout.strip()


NEW_TABLE = """
from games.models import Table
from wallets.models import Currency
currency, _ = Currency.objects.get_or_create(
    code="TEST", defaults={"name": "test", "kind": Currency.Kind.PLAY}
)
table = Table.objects.create(name="opened", game="doudizhu", currency=currency, places=3,
    buy_in_min=1, buy_in_max=2, purse_min=1)
print(table.pk)
"""


@contextmanager
def opened(folder: Path, **told: str) -> Iterator[Opened]:
    house = Opened(folder, **{"PORT": "0", **told})
    try:
        yield house
    finally:
        if house.process.poll() is None:
            house.stop()


def visit(address: str) -> tuple[int, str]:
    """A page's status and text; 0 where nobody answers."""
    try:
        with urllib.request.urlopen(address, timeout=20) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as refused:
        return refused.code, refused.read().decode()
    except OSError:
        return 0, ""
