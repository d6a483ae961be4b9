"""A house without one of its optional apps, and without all: pages, sweeps, audits, migrations."""

import os
import subprocess
import sys
from pathlib import Path

import pytest
from django.conf import settings

TOP = Path(__file__).parents[2]
EACH = [(app,) for app in settings.OPTIONAL_APPS]
CASES = [
    *(pytest.param(left_out, id=left_out[0]) for left_out in EACH),
    pytest.param(tuple(settings.OPTIONAL_APPS), id="all"),
]


@pytest.mark.processes
@pytest.mark.release
@pytest.mark.parametrize("left_out", CASES)
def test_a_house_runs_without(left_out: tuple[str, ...], tmp_path: Path) -> None:
    """A process of its own, since a process has the same apps from its start."""
    tests = ["tests/smaller_house.py", "-o", f"cache_dir={tmp_path}"]
    done = subprocess.run(
        [sys.executable, "-m", "pytest", *tests],
        cwd=TOP,
        env={**os.environ, "LEAVE_OUT": ",".join(left_out)},
        capture_output=True,
        text=True,
        check=False,
    )
    assert done.returncode == 0, done.stdout[-4_000:]
