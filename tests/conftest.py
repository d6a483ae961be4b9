"""What all tests share."""

from pathlib import Path

import pytest


@pytest.fixture(scope="session")
def repository() -> Path:
    """The top folder of the project."""
    return Path(__file__).resolve().parent.parent
