"""What all tests share."""

from pathlib import Path

import pytest

from tests.append_only import flushing_sets_triggers_aside  # noqa: F401 - it works by being seen


@pytest.fixture(scope="session")
def repository() -> Path:
    """The top folder of the project."""
    return Path(__file__).resolve().parent.parent
