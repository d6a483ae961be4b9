"""What all tests share."""

import gc
from pathlib import Path

import pytest
from django.utils import translation

from tests.append_only import flushing_sets_triggers_aside  # noqa: F401 - it works by being seen

# At Python's own pace the search for garbage takes a twelfth of the time of all tests.
gc.set_threshold(50_000)


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Whatever asks for the database is marked so: PostgreSQL has nothing to say to the others."""
    for item in items:
        asked = {"db", "transactional_db"}.intersection(getattr(item, "fixturenames", ()))
        if asked or item.get_closest_marker("django_db"):
            item.add_marker("database")


@pytest.fixture(scope="session")
def repository() -> Path:
    """The top folder of the project."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def the_language_of_nobody() -> None:
    """No request of an earlier test has left its reader's language behind."""
    translation.deactivate()
