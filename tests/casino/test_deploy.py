"""The deployment check: the example of the environment has all that it asks for."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from casino.ops import databases

EXAMPLE = "docs/deploy/environment.example"
VARIABLE = re.compile(r"^([A-Z_]+)=(.*)$", re.MULTILINE)


@pytest.mark.processes
def test_the_example_of_the_environment_opens_a_house(repository: Path, tmp_path: Path) -> None:
    variables = dict(VARIABLE.findall((repository / EXAMPLE).read_text()))
    variables |= {"DATA_DIR": str(tmp_path), "ANCHORS_FILE": str(tmp_path / "anchors.jsonl")}
    checked = subprocess.run(
        [sys.executable, "manage.py", "check", "--deploy", "--fail-level", "WARNING"],
        cwd=repository,
        env=variables,
        capture_output=True,
        text=True,
        check=False,
    )
    assert checked.returncode == 0, checked.stderr


class Connection:
    """A connection to PostgreSQL through a pooler, and its copies."""

    vendor = "postgresql"

    def __init__(self, sessions: list[int]) -> None:
        self.sessions = iter(sessions)

    def copy(self) -> "Connection":
        return self

    cursor = __enter__ = copy
    execute = close = __exit__ = lambda self, *_given: None

    def fetchone(self) -> tuple[int]:
        return (next(self.sessions),)


@pytest.mark.parametrize(("sessions", "found"), [([7, 8, 9], []), ([7, 8, 7], ["casino.E001"])])
def test_a_pooler_that_shares_sessions_is_an_error(
    monkeypatch: pytest.MonkeyPatch, sessions: list[int], found: list[str]
) -> None:
    monkeypatch.setattr(databases, "connections", {"default": Connection(sessions)})
    assert [message.id for message in databases.sessions_are_their_own(["default"])] == found
    assert databases.sessions_are_their_own() == []
