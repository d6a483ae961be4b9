"""What all tests share."""

from pathlib import Path

import pytest
from django.utils import translation

from tests.append_only import flushing_sets_triggers_aside  # noqa: F401 - it works by being seen


@pytest.fixture(scope="session")
def repository() -> Path:
    """The top folder of the project."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def the_language_of_nobody() -> None:
    """No request of an earlier test has left its reader's language behind."""
    translation.deactivate()
