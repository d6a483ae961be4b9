"""An event in the house of a test."""

import pytest

from tests.games.house import House
from tests.tournaments.events import Event


@pytest.fixture
def event(house: House) -> Event:
    return Event(house)
