"""A house for every test, with people in it."""

import pytest
from django.core.cache import caches
from django.utils import timezone

from tests.games.house import House


@pytest.fixture
def house(db: None) -> House:
    return House()


@pytest.fixture
def clock(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    """The house's time is the time of every request."""
    monkeypatch.setattr(timezone, "now", lambda: house.now)


@pytest.fixture(autouse=True)
def nothing_counted() -> None:
    """No request of an earlier test counts against the limits of this one."""
    caches["default"].clear()
