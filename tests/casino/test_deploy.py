"""The example of the environment has all that the deployment check of Django asks for."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.processes

EXAMPLE = "docs/deploy/environment.example"
VARIABLE = re.compile(r"^([A-Z_]+)=(.*)$", re.MULTILINE)


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
