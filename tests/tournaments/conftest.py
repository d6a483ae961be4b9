"""A house for every test, and an event in it."""

import pytest
from django.utils import timezone

from tests.games.house import House
from tests.tournaments.events import Event


@pytest.fixture
def house(db: None, monkeypatch: pytest.MonkeyPatch) -> House:
    """A house whose time is the time of every request."""
    house = House()
    monkeypatch.setattr(timezone, "now", lambda: house.now)
    return house


@pytest.fixture
def event(house: House) -> Event:
    return Event(house)
