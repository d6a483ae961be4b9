"""The house in containers: its environment, its database, and what an operator asks of it."""

import base64
import os
import re
import secrets
import urllib.error
import urllib.request
from pathlib import Path
from typing import Final

import psycopg

from tests.containers.podman import ROOT, Podman
from tests.houses.surroundings import REMOVED
from tests.waiting import until

SITE: Final = "cards.example"
EXAMPLE: Final = ROOT / "docs/deploy/environment.example"
OPERATIONS: Final = ROOT / "docs/operations.md"
BLOCK: Final = re.compile(r"\nTo ([a-z ,]+):\n\n```text\n(.*?)^```", re.MULTILINE | re.DOTALL)
KEYS: Final = ("SEALING_KEYS", "SIGNING_KEYS", "PUSH_KEY")
LIVE: Final = "SELECT id FROM games_hand WHERE status = 'live'"
FINISHED: Final = "SELECT count(*) FROM games_hand WHERE status = 'finished' AND id = ANY(%s)"
# Where a failed sign-in came from, as the house noted it.
CAME_FROM: Final = "SELECT ip_address FROM axes_accessattempt ORDER BY id DESC LIMIT 1"
HEADER: Final = {"Host": SITE, "X-Forwarded-Proto": "https", "X-Forwarded-For": "198.51.100.7"}


def commands(what: str) -> str:
    """The lines of the document's section on containers for what one wants to do."""
    text = OPERATIONS.read_text().partition("\n### Containers\n")[2]
    section = text.partition("\n### ")[0]
    return dict(BLOCK.findall(section))[what]


def environment_file(folder: Path) -> Path:
    """The example of the environment with keys of its own."""
    given = {name: base64.urlsafe_b64encode(secrets.token_bytes(32)).decode() for name in KEYS}
    given["SECRET_KEY"] = secrets.token_urlsafe(50)
    text = EXAMPLE.read_text()
    for name, value in given.items():
        text = re.sub(rf"^{name}=.*$", f"{name}={value}", text, flags=re.MULTILINE)
    file = folder / "environment"
    file.write_text(text)
    return file


class Contained:
    """What runs, as its operator and its players reach it."""

    def __init__(self, podman: Podman, port: int) -> None:
        self.podman, self.port = podman, port
        self.database = "cardroom"

    def connect(self) -> psycopg.Connection:
        address = self.podman.address("database")
        return psycopg.connect(
            f"postgres://cardroom_owner:cardroom@{address}/{self.database}", autocommit=True
        )

    def manage(self, *words: str) -> str:
        return self.podman("exec", self.podman.container("web"), "python", "manage.py", *words)

    def visit(self, path: str, body: bytes | None = None) -> int:
        """The status of a page, as the proxy asks for it; 0 without an answer."""
        header = {**HEADER, "Content-Type": "application/json"} if body else HEADER
        request = urllib.request.Request(f"http://127.0.0.1:{self.port}{path}", body, header)
        try:
            with urllib.request.urlopen(request, timeout=10) as answer:
                return answer.status
        except urllib.error.HTTPError as error:
            return error.code
        except OSError:
            return 0

    def ready(self) -> None:
        """Wait until every part of the house says that it works."""
        until(lambda: self.visit("/ready/") == 200)

    def live_hands(self) -> list[int]:
        with self.connect() as database:
            return [number for (number,) in database.execute(LIVE).fetchall()]

    def finished(self, hands: list[int]) -> bool:
        with self.connect() as database:
            return database.execute(FINISHED, [hands]).fetchone() == (len(hands),)

    def enter(self, file: Path) -> None:
        """Give this process the settings and the models of the house."""
        for name in REMOVED:
            os.environ.pop(name, None)
        pairs = re.findall(r"^([A-Z_]+)=(.*)$", file.read_text(), re.MULTILINE)
        address, redis = self.podman.address("database"), self.podman.address("valkey")
        os.environ |= {
            **dict(pairs),
            "DATABASE_URL": f"postgres://cardroom:cardroom@{address}/cardroom",
            "REDIS_URL": f"redis://{redis}:6379/0",
            "DATA_DIR": str(file.parent / "data"),
            "ANCHORS_FILE": str(file.parent / "anchors.jsonl"),
            "DJANGO_SETTINGS_MODULE": "casino.settings",
        }
        import django

        django.setup()
