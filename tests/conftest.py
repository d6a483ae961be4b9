"""Fixtures and marks for all tests."""

import shutil
import sys
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from django.conf import settings as django_settings
from django.core import signing
from django.utils import timezone, translation
from hypothesis import HealthCheck, settings
from pytest_django.plugin import DjangoDbBlocker, blocking_manager_key

from tests import changes_of_record, commits, sampling, scenes
from tests.commits import commits_are_checked  # noqa: F401 - it works by being seen
from tests.emptying import emptied_quickly  # noqa: F401 - it works by being seen
from tests.migrated_once import migrated_once, own_database, prepare
from tests.repeating import repeat_draws
from tests.valkey import Valkey, valkey
from tests.waiting import PATIENCE_SECONDS
from tests.workers import taken_together
from wallets.values.house import AS_BUILT, keep

if TYPE_CHECKING:
    from tests.games.house import House

# Whether a machine is slow is no matter of tests.
settings.register_profile("house", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("house")

settings.register_profile("quick", settings.get_profile("house"), max_examples=10)
settings.register_profile("thorough", settings.get_profile("house"), max_examples=5_000)

# Scenes make rows of record by hand.
changes_of_record.allow_tests()


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption("--sample", type=int, metavar="SEED", help="a part of the tests: `make test`")
    parser.addoption("--quick", action="store_true", help="a smaller part: `make quick`")
    parser.addoption(
        "--on-postgresql", action="store_true", help="what PostgreSQL may do otherwise"
    )


def pytest_configure(config: pytest.Config) -> None:
    # Modules are collected before there is a database.
    keep(AS_BUILT)
    if config.getoption("--quick"):
        settings.load_profile("quick")


@pytest.hookimpl(tryfirst=True)
def pytest_collection_modifyitems(config: pytest.Config, items: list[Any]) -> None:
    """Mark what asks for the database, and leave what this run does not take."""
    for item in items:
        database_fixtures = {"db", "transactional_db"}.intersection(
            getattr(item, "fixturenames", ())
        )
        if database_fixtures or item.get_closest_marker("django_db"):
            item.add_marker("database")
    seed = config.getoption("--sample")
    if config.getoption("--on-postgresql"):
        items[:] = sampling.on_postgresql(items, seed)
    elif seed is not None:
        items[:] = sampling.sampled(items, seed)
    if config.getoption("--quick"):
        items[:] = sampling.quick(items)
    # Modules that say the same `SCENE` follow one another, so that it is built once.
    places = dict[object, int]()
    items.sort(key=lambda item: places.setdefault(taken_together(item), len(places)))


@pytest.hookimpl(tryfirst=True)
def pytest_runtest_setup(item: pytest.Item) -> None:
    """End a scene of other tests before one that does not ask for it, and what they remembered."""
    if not scenes.FIXTURES.intersection(getattr(item, "fixturenames", ())):
        scenes.clear()
    forget_tables()


def forget_tables() -> None:
    """Start as a new process does: in another test's database numbers and seals come again.

    It comes before all fixtures, because those of a module build their houses before those of a
    test. Tests of the rules load no models.
    """
    if "games.tables.table_cache" in sys.modules:
        sys.modules["games.tables.table_cache"].TABLE_CACHE.clear()
    if "games.boards.table_version" in sys.modules:
        sys.modules["games.boards.table_version"].VERSIONS.clear()
    # Nor has a house of another test published anything.
    keep(AS_BUILT)
    # A test of clocks that are apart leaves statements of the next test too late to be done.
    if "wallets.storage.database_time" in sys.modules:
        sys.modules["wallets.storage.database_time"].CORRECTION.forget()


def migrated_folder_of(config: pytest.Config) -> Path:
    """Migrated databases are kept beside pytest's own cache."""
    return config.cache.mkdir("migrated")


def pytest_workers_starting(session: pytest.Session) -> None:
    """Migrate once, before the workers ask for copies."""
    if any(item.get_closest_marker("database") for item in session.items):
        with session.config.stash[blocking_manager_key].unblock():
            prepare(migrated_folder_of(session.config))


def pytest_worker_started(number: int) -> None:
    """Each process of the tests writes anchors of its own, and notes a release of its own."""
    django_settings.ANCHORS_FILE = Path(f"{django_settings.ANCHORS_FILE}-{number}")
    django_settings.RELEASE_FILE = Path(f"{django_settings.RELEASE_FILE}-{number}")


def pytest_sessionfinish() -> None:
    scenes.clear()


@pytest.fixture(scope="session")
def migrated(request: pytest.FixtureRequest) -> Path:
    """A migrated SQLite database for whatever begins with a copy of it."""
    return migrated_once(migrated_folder_of(request.config))


@pytest.fixture(scope="session")
def django_db_setup(
    request: pytest.FixtureRequest, django_db_blocker: DjangoDbBlocker
) -> Iterator[None]:
    """The database of this process: a copy of the migrated one."""
    folder = migrated_folder_of(request.config)
    with django_db_blocker.unblock(), own_database(folder), django_db_blocker.block():
        yield


@pytest.fixture
def migrated_folder(migrated: Path, tmp_path: Path) -> Path:
    """The data folder of a house that is migrated already."""
    folder = tmp_path / "house"
    folder.mkdir()
    shutil.copy(migrated, folder / "house.sqlite3")
    return folder


@pytest.fixture
def house(request: pytest.FixtureRequest, db: None, monkeypatch: pytest.MonkeyPatch) -> "House":
    """Players with money, tables, and a clock that stands until the test moves it.

    It is the clock of every request and of every signature, so that two answers made in different
    seconds are equal. Where the module has played an evening, the house is that of the evening.
    """
    from tests.games.house import House

    played = "evening" in request.fixturenames
    house: House = request.getfixturevalue("tonight").house if played else House()
    monkeypatch.setattr(timezone, "now", lambda: house.now)
    monkeypatch.setattr(signing, "time", SimpleNamespace(time=lambda: timezone.now().timestamp()))
    return house


@pytest.fixture(scope="module")
def server() -> Iterator[Valkey]:
    with valkey() as running:
        yield running


@pytest.fixture
def redis(server: Valkey, settings: Any, monkeypatch: pytest.MonkeyPatch) -> Iterator[Valkey]:
    """A Redis that the house knows of, and waits for however busy the machine is."""
    from games.live import announcing

    settings.REDIS_URL = server.url
    monkeypatch.setattr(announcing, "ANSWER_SECONDS_MAX", PATIENCE_SECONDS)
    announcing.client.cache_clear()
    announcing.breaker.worked()
    announcing.client().flushall()
    yield server
    if not server.process:
        server.start()
    announcing.client.cache_clear()
    announcing.breaker.worked()


@pytest.fixture
def versions_watched(house: "House") -> Iterator[None]:
    """Every transaction of the test that changes a table raises its version."""
    from tests.versions import watched

    with watched():
        yield


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
    a developer who cannot repeat it. Tests of rules have random hands of their own.
    """
    if request.node.get_closest_marker("database"):
        repeat_draws(monkeypatch, request.node.nodeid)


@pytest.fixture(autouse=True)
def changes_have_verbs() -> Iterator[None]:
    """Fail a test in which the house changes a row of record without a verb or its proof."""
    changes_of_record.found.clear()
    commits.refused.clear()
    yield
    assert changes_of_record.missing() == []
    assert commits.refused == []


@pytest.fixture(autouse=True)
def no_files_of_another_test(request: pytest.FixtureRequest) -> None:
    """The database forgets the anchors and the release of an earlier test, so the files do."""
    if "seeded" not in request.fixturenames and request.node.get_closest_marker("database"):
        Path(django_settings.ANCHORS_FILE).unlink(missing_ok=True)
        Path(django_settings.RELEASE_FILE).unlink(missing_ok=True)
