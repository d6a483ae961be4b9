"""The people of these tests: alice and bob, who play; a stranger, who has not signed in; staff."""

from collections.abc import Callable, Iterator
from copy import deepcopy
from typing import Any

import pytest
from celery import current_app
from django.core.cache import caches
from django.db import transaction
from django.test import Client

from casino.accounts import staff, tasks  # noqa: F401 - the worker knows its tasks
from casino.accounts.models import Player
from casino.community.push import sending
from casino.office.floor import listing
from tests.casino.desk_scene import Desk
from tests.casino.player_file_scene import PlayedScene
from tests.casino.push_scene import CONTACT, Called
from tests.casino.push_service import PushService, push_service, text_of
from tests.casino.seeded import SeededHouse, seeded_house
from tests.games.house import House
from tests.people import PASSWORD
from tests.scenes import scene_of


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """Requests of earlier tests do not count against this test's rate limits.

    Nor does the floor keep what it has shown to one of them.
    """
    caches["default"].clear()
    listing.forget()


@pytest.fixture(scope="module")
def seeded(django_db_setup: None, django_db_blocker: Any) -> SeededHouse:
    """A house with a history, which lasts while modules that ask for it follow one another."""
    house: SeededHouse = scene_of(
        seeded_house, lambda: seeded_house(django_db_blocker), django_db_blocker
    )
    return house


@pytest.fixture
def alice(db: None) -> Player:
    return Player.objects.create_user("alice", password=PASSWORD)


@pytest.fixture
def bob(db: None) -> Player:
    return Player.objects.create_user("bob", password=PASSWORD)


@pytest.fixture
def stranger(db: None) -> Client:
    return Client()


@pytest.fixture
def letters(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A house that writes to players, and whose worker does so at once."""
    settings.ACCOUNT_EMAILS = True

    def work(task: str, arguments: tuple[object, ...]) -> None:
        current_app.tasks[task](*arguments)

    monkeypatch.setattr(current_app, "send_task", work)


@pytest.fixture
def signed_in() -> Callable[[Player], Client]:
    def client_of(player: Player) -> Client:
        client = Client()
        client.force_login(player)
        return client

    return client_of


@pytest.fixture
def appointed(db: None) -> Callable[[str], Player]:
    def somebody(group: str) -> Player:
        player = Player.objects.create_user(f"one-of-{group}", password=PASSWORD)
        staff.appoint(player, group)
        return player

    return somebody


@pytest.fixture(scope="module")
def equipped_desk(django_db_setup: None, django_db_blocker: Any) -> Iterator[Desk]:
    """The desk as each test of a module finds it."""
    with django_db_blocker.unblock(), transaction.atomic():
        yield Desk()
        transaction.set_rollback(True)


@pytest.fixture
def desk(equipped_desk: Desk, db: None) -> Desk:
    return deepcopy(equipped_desk)


@pytest.fixture(scope="module")
def played_scene(django_db_setup: None, django_db_blocker: Any) -> Iterator[PlayedScene]:
    with django_db_blocker.unblock(), transaction.atomic():
        yield PlayedScene()
        transaction.set_rollback(True)


@pytest.fixture
def scene(played_scene: PlayedScene, db: None) -> PlayedScene:
    return deepcopy(played_scene)


@pytest.fixture(scope="module")
def push_server(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[PushService, str]]:
    folder = tmp_path_factory.mktemp("push")
    with push_service(folder) as running:
        yield running, str(folder / "push_service.pem")


@pytest.fixture
def push(settings: Any) -> Any:
    """A house that calls back."""
    settings.PUSH_CONTACT = CONTACT
    settings.PUSH_KEY = text_of(bytes(range(32))) + "="
    return settings


@pytest.fixture
def service(push: Any, push_server: tuple[PushService, str]) -> Iterator[PushService]:
    running, push.PUSH_TEST_CERTIFICATE = push_server
    running.status, running.drip = 201, b""
    running.received.clear()
    sending.resting.clear()
    yield running
    # What one test had it hang, it lets go before the next.
    running.released.set()
    running.released.clear()


@pytest.fixture
def called(house: House, service: PushService) -> Called:
    return Called(house, service)
