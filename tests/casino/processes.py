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

from tests.waiting import PATIENCE_SECONDS, until

REMOVED_VARIABLES = {
    "DATABASE_URL",
    "DEMO",
    "DJANGO_SETTINGS_MODULE",
    "PORT",
    "REDIS_URL",
    "REPLICA_URL",
    "SEALING_KEYS",
    "SIGNING_KEYS",
    "SECRET_KEY",
    "TASKS_REDIS_URL",
}

# Keys for processes that open no house, but need its models.
KEYS = {
    "SECRET_KEY": "a key for tests alone",
    "SEALING_KEYS": "dGVzdHMgYWxvbmUgdXNlIHRoaXMga2V5LCBub2JvZHk=",
    "SIGNING_KEYS": "dGVzdHMgYWxvbmUgc2lnbiB3aXRoIHRoaXMga2V5ISE=",
}


def environment(folder: Path, **variables: str) -> dict[str, str]:
    """The environment of a fresh shell, plus the folder of the house."""
    bare = {name: value for name, value in os.environ.items() if name not in REMOVED_VARIABLES}
    return {**bare, "DATA_DIR": str(folder), **variables}


class DemoServer:
    def __init__(self, folder: Path, **variables: str) -> None:
        self.folder = folder
        self.output = folder.parent / f"{uuid4()}.out"
        with self.output.open("wb") as out:
            self.process = subprocess.Popen(
                [sys.executable, "-m", "casino.supervisor"],
                env=environment(folder, **variables),
                stdout=out,
                stderr=out,
            )

    def text(self) -> str:
        return self.output.read_text()

    def wait_until_open(self) -> str:
        """Its address, once it can be visited and everything of it runs."""
        until(lambda: "Ctrl-C closes it" in self.text() or self.process.poll() is not None)
        found = [word for word in self.text().split() if word.startswith("http://")]
        assert found, self.text()
        return found[0]

    def family(self) -> dict[int, str]:
        """Every process below this one, with its command."""
        listing = subprocess.run(
            ["ps", "-A", "-ww", "-o", "pid=,ppid=,stat=,command="],
            capture_output=True,
            text=True,
            check=True,
        )
        rows = [line.split(maxsplit=3) for line in listing.stdout.splitlines()]
        found = {self.process.pid: "supervisor"}
        for pid, parent, state, command in (row for row in rows if len(row) == 4):
            if int(parent) in found and not state.startswith("Z"):
                found[int(pid)] = command
        return found

    def one(self, word: str) -> int:
        return next(pid for pid, command in self.family().items() if word in command)

    def stop(self, how: signal.Signals = signal.SIGINT) -> int:
        self.process.send_signal(how)
        return self.process.wait(PATIENCE_SECONDS)

    def manage(self, script: str, **variables: str) -> str:
        """Run a piece of Python that knows this house's models."""
        known = json.loads((self.folder / "keys.json").read_text())
        known |= {"DEMO": "1", "REDIS_URL": f"unix://{self.folder}/valkey.sock", **variables}
        return manage(script, environment(self.folder, **known))


def manage(script: str, variables: dict[str, str]) -> str:
    """Run a piece of Python with a house's models; what it prints."""
    done = subprocess.run(
        [sys.executable, "-c", "import django; django.setup()\n" + script],
        env={**variables, "DJANGO_SETTINGS_MODULE": "casino.settings", "PYTHONPATH": "."},
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
    buy_in_min=1, buy_in_max=2, stack_min=1)
print(table.pk)
"""


@contextmanager
def demo_server(folder: Path, **variables: str) -> Iterator[DemoServer]:
    house = DemoServer(folder, **{"PORT": "0", **variables})
    try:
        yield house
    finally:
        if house.process.poll() is None:
            house.stop()


def visit(address: str) -> tuple[int, str]:
    """A page's status and text; 0 where nobody answers."""
    try:
        with urllib.request.urlopen(address, timeout=PATIENCE_SECONDS) as answer:
            return answer.status, answer.read().decode()
    except urllib.error.HTTPError as error:
        return error.code, error.read().decode()
    except OSError:
        return 0, ""
