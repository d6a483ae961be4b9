"""An event in the house of a test, and the browser of a manager who runs it."""

import pytest
from django.test import Client

from casino.accounts import staff
from tests.games.house import House
from tests.people import client_of
from tests.tournaments.events import Event


@pytest.fixture
def event(house: House) -> Event:
    return Event(house)


@pytest.fixture
def manager(event: Event) -> Client:
    player = event.house.player("manager", money=0)
    staff.appoint(player, "managers")
    return client_of(player)
