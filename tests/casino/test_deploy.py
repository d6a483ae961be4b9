"""The deployment examples start what the house consists of, with variables that it reads."""

import re
import subprocess
import sys
from importlib.util import find_spec
from pathlib import Path

import pytest

from casino.celery import app

pytestmark = pytest.mark.processes

UNITS = ("web", "sweeper", "worker", "simulations", "beat")
VARIABLE = re.compile(r"^([A-Z_]+)=(.*)$", re.MULTILINE)


@pytest.fixture
def deploy(repository: Path) -> Path:
    return repository / "docs" / "deploy"


def test_the_example_of_the_environment_opens_a_house(
    deploy: Path, repository: Path, tmp_path: Path
) -> None:
    variables = dict(VARIABLE.findall((deploy / "environment.example").read_text()))
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


def test_every_variable_of_the_example_is_described(deploy: Path, repository: Path) -> None:
    described = (repository / "docs" / "operations.md").read_text()
    for name, _value in VARIABLE.findall((deploy / "environment.example").read_text()):
        assert f"`{name}`" in described, name


@pytest.mark.parametrize("unit", UNITS)
def test_a_unit_starts_a_program_of_the_house(deploy: Path, unit: str) -> None:
    text = (deploy / "systemd" / f"card-room-{unit}.service").read_text()
    (command,) = re.findall(r"^ExecStart=(.*)$", text, re.MULTILINE)
    program, *arguments = command.split()
    if program.endswith("/python"):
        assert arguments[0] == "-m"
        assert find_spec(arguments[1]) is not None
    else:
        assert program.endswith("/celery")
        assert arguments[arguments.index("-A") + 1] == app.main
        assert {"simulations": "worker"}.get(unit, unit) in arguments
    for needed in ("EnvironmentFile=/etc/card-room/environment", "Restart=always"):
        assert needed in text


def test_every_unit_is_enabled_and_described(deploy: Path, repository: Path) -> None:
    units = {path.stem for path in (deploy / "systemd").glob("*.service")}
    assert units == {f"card-room-{unit}" for unit in UNITS}
    text = (repository / "docs" / "operations.md").read_text()
    (enabled,) = re.findall(r"^systemctl enable --now (.*)$", text, re.MULTILINE)
    assert set(enabled.split()) == units
    described = (deploy / "README.md").read_text()
    assert set(re.findall(r"systemd/([\w-]+)\.service", described)) == units


def test_containers_are_started_by_the_same_commands(deploy: Path) -> None:
    composed = (deploy / "compose.yaml").read_text()
    image = (deploy / "Dockerfile").read_text()
    assert '"-m", "casino.web"' in image
    assert "python -m casino.sweeper" in composed
    for part in ("worker", "simulations", "beat"):
        text = (deploy / "systemd" / f"card-room-{part}.service").read_text()
        (command,) = re.findall(r"^ExecStart=/srv/card-room/.venv/bin/(.*)$", text, re.MULTILINE)
        assert command in composed
