"""A house in front of players, on a PostgreSQL of its own, opened by the document's commands."""

import base64
import os
import re
import secrets
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final, NamedTuple
from urllib.parse import quote, unquote, urlsplit

import pytest

from tests import cluster
from tests.houses.surroundings import environment
from tests.valkey import valkey

BLOCK: Final = re.compile(r"^```sh\n(.*?)^```", re.MULTILINE | re.DOTALL)
# The headings between which the document leads from an empty database to the first hand.
OPENING: Final = ("## In front of players", "### Health checks")


class Founded(NamedTuple):
    folder: Path
    socket: str
    environment: dict[str, str]
    commands: list[str]


def commands(repository: Path, first: str = OPENING[0], behind: str = OPENING[1]) -> list[str]:
    """The commands of the document from one heading to another."""
    text = (repository / "docs" / "operations.md").read_text()
    section = text[text.index(f"\n{first}\n") : text.index(f"\n{behind}\n")]
    return [line for block in BLOCK.findall(section) for line in block.splitlines()]


def key() -> str:
    return base64.urlsafe_b64encode(secrets.token_bytes(32)).decode()


@contextmanager
def founded_house(repository: Path, folder: Path) -> Iterator[Founded]:
    """A cluster, a Redis and an environment, in which the document's commands can run."""
    try:
        server = cluster.installed() or cluster.fetched()
    except cluster.Missing:
        pytest.skip("no PostgreSQL can be had here")
    with cluster.cluster(server) as (url, _held), valkey() as redis:
        socket = unquote(urlsplit(url).netloc.removeprefix("house@"))
        example = (repository / "docs" / "deploy" / "environment.example").read_text()
        given = {
            "SECRET_KEY": secrets.token_urlsafe(50), "SEALING_KEYS": key(), "SIGNING_KEYS": key(),
            "REDIS_URL": redis.url, "DATA_DIR": str(folder / "data"),
            "ANCHORS_FILE": str(folder / "anchors.jsonl"),
        }  # fmt: skip
        for name, value in given.items():
            example = re.sub(rf"^{name}=.*$", f"{name}={value}", example, flags=re.MULTILINE)
        (folder / "environment").write_text(at_home(example, folder, socket))
        surroundings = environment(folder / "data", PGHOST=socket, PGUSER="house")
        surroundings["PATH"] = f"{server.folder}{os.pathsep}{surroundings['PATH']}"
        lines = [at_home(line, folder, socket) for line in commands(repository)]
        yield Founded(folder, socket, surroundings, lines)


def at_home(text: str, folder: Path, socket: str) -> str:
    """A command with this test's places in place of a server's."""
    for there, here in {
        "%2Fvar%2Frun%2Fpostgresql": quote(socket, safe=""),
        "/var/run/postgresql": socket,
        "/etc/card-room/": f"{folder}/",
        "/root/": f"{folder}/",
        "/var/backups/card-room/": f"{folder}/backups/",
        "/var/lib/card-room-anchors/": f"{folder}/",
        ".venv/bin/python": sys.executable,
    }.items():
        text = text.replace(there, here)
    return text


def run(founded: Founded, script: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        ["bash", "-e", "-c", script],
        env=founded.environment,
        capture_output=True,
        text=True,
        check=False,
    )


def go(founded: Founded, repository: Path, name: str, script: str, **more: str) -> str:
    """Run a piece of Python with this house's models; what it prints."""
    file = founded.folder / f"{name}.py"
    file.write_text(script)
    load = f"set -a; . {founded.folder}/environment; set +a"
    given = " ".join(f"{variable}='{value}'" for variable, value in more.items())
    # Programs are found from here, as `manage.py` finds them.
    surroundings = f"DJANGO_SETTINGS_MODULE=casino.settings PYTHONPATH={repository} {given}"
    done = run(founded, f"{load}\n{surroundings} {sys.executable} {file}")
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout
