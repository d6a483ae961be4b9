"""Fixtures and marks for all tests."""

import gc
import shutil
from collections import Counter
from pathlib import Path
from typing import Final

import pytest
from django.conf import settings as django_settings
from django.db import connection
from django.utils import translation
from hypothesis import HealthCheck, settings

from tests import scenes
from tests.emptying import emptied_quickly  # noqa: F401 - it works by being seen
from tests.migrated_once import migrated_once
from tests.repeating import repeat_draws

# Whether a machine is slow is no matter of tests.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

settings.register_profile("quick", settings.get_profile("house"), max_examples=10)
settings.register_profile("thorough", settings.get_profile("house"), max_examples=5_000)

# At Python's own pace the search for garbage takes a twelfth of the time of all tests.
gc.set_threshold(50_000)

# Of a module's tests on the database, so many are quick.
IN_QUICK: Final = 1

# Of a test's cases, so many are run where few are asked for: the first, the last, and between them.
FEW_CASES: Final = 4


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--quick", action="store_true", help="a sample for each commit: `make quick`")
    parser.addoption("--few-cases", action="store_true", help="of each test's cases only a few")


def pytest_configure(config: pytest.Config) -> None:
    if config.getoption("--quick"):
        settings.load_profile("quick")


def is_quick(item: pytest.Item) -> bool:
    """Neither many hands, nor processes, nor real transactions, nor what takes long otherwise."""
    database = item.get_closest_marker("django_db")
    return not any(item.get_closest_marker(name) for name in ("long", "processes", "slow")) and (
        database is None or not database.kwargs.get("transaction")
    )


def sampled(items: list[pytest.Item]) -> list[pytest.Item]:
    """The first case of each quick test; of those on the database, one test a module."""
    tests, modules = set[str](), Counter[str]()
    sample = []
    for item in items:
        test, module = item.nodeid.partition("[")[0], item.nodeid.partition("::")[0]
        if test in tests or not is_quick(item):
            continue
        tests.add(test)
        modules[module] += bool(item.get_closest_marker("database"))
        if modules[module] <= IN_QUICK:
            sample.append(item)
    return sample


def with_few_cases(items: list[pytest.Item]) -> list[pytest.Item]:
    """Of each test so many cases as are few, spread over all of them."""
    cases: dict[str, list[pytest.Item]] = {}
    for item in items:
        cases.setdefault(item.nodeid.partition("[")[0], []).append(item)
    chosen = set[str]()
    for of_a_test in cases.values():
        last = len(of_a_test) - 1
        places = {round(last * number / (FEW_CASES - 1)) for number in range(FEW_CASES)}
        chosen |= {of_a_test[place].nodeid for place in places}
    return [item for item in items if item.nodeid in chosen]


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Whatever asks for the database is marked so: PostgreSQL has nothing to say to the others."""
    for item in items:
        database_fixtures = {"db", "transactional_db"}.intersection(
            getattr(item, "fixturenames", ())
        )
        if database_fixtures or item.get_closest_marker("django_db"):
            item.add_marker("database")
    if config.getoption("--quick"):
        items[:] = sampled(items)
    if config.getoption("--few-cases"):
        items[:] = with_few_cases(items)


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """A scene of other tests ends before one that does not ask for it."""
    if "evening" not in getattr(item, "fixturenames", ()):
        scenes.clear()


def pytest_sessionfinish() -> None:
    scenes.clear()


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_keepdb: bool) -> bool:
    """Whether Django migrates what is there: on SQLite a copy, in a folder that goes at the end."""
    return django_db_keepdb or connection.vendor == "sqlite"


@pytest.fixture(scope="session")
def migrated(request: pytest.FixtureRequest) -> Path:
    """A migrated database for whatever begins with a copy of it; it is made once for all runs."""
    return migrated_once(request.config.cache.mkdir("migrated"))


@pytest.fixture(scope="session")
def begun_as_a_copy(request: pytest.FixtureRequest, django_db_modify_db_settings: None) -> None:
    """On SQLite the database of this process is there, migrated, before Django makes it."""
    if connection.vendor == "sqlite":
        migrated = request.getfixturevalue("migrated")
        shutil.copy(migrated, connection.settings_dict["TEST"]["NAME"])


@pytest.fixture(scope="session")
def django_db_setup(begun_as_a_copy: None, django_db_setup: None) -> None:
    """The database of this process; Django adds what has come since it was kept."""


@pytest.fixture
def migrated_folder(migrated: Path, tmp_path: Path) -> Path:
    """The data folder of a house that is migrated already."""
    folder = tmp_path / "house"
    folder.mkdir()
    shutil.copy(migrated, folder / "house.sqlite3")
    return folder


@pytest.fixture(scope="session")
def repository() -> Path:
    """The top folder of the project."""
    return Path(__file__).resolve().parent.parent


@pytest.fixture(autouse=True)
def the_language_of_nobody() -> None:
    """Reset the language that an earlier test's request may have left active."""
    translation.deactivate()


@pytest.fixture(autouse=True)
def deals_that_repeat(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Deal the same cards to a test in a house each time.

    What a page says depends on the cards; a fault that shows once in fifty runs would be met by
    somebody who cannot repeat it. Tests of rules have random hands of their own.
    """
    if request.node.get_closest_marker("database"):
        repeat_draws(monkeypatch, request.node.nodeid)


@pytest.fixture(autouse=True)
def no_hand_of_another_test(request: pytest.FixtureRequest) -> None:
    """Start as a new process does: in an emptied database numbers and seals come again."""
    if request.node.get_closest_marker("database"):
        # Tests of the rules load no models.
        from games.tables.live_hands import REMEMBERED

        REMEMBERED.clear()


@pytest.fixture(autouse=True)
def nothing_anchored(request: pytest.FixtureRequest) -> None:
    """The database forgets the anchors of an earlier test, so the file does."""
    if request.node.get_closest_marker("database"):
        Path(django_settings.ANCHORS_FILE).unlink(missing_ok=True)
