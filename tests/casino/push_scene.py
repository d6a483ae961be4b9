"""A player whose turn it is, and the browser in which they want to be called back."""

from typing import Final

from django.test import Client

from casino.community.push import calling
from tests.casino.push_service import Browser, PushService
from tests.games.house import House
from tests.people import client_of

ADDRESS: Final = "/players/push/"
CONTACT: Final = "mailto:house@club.example"
NOBODY: Final[dict[int, frozenset[int]]] = {}


def subscribed(house: House, name: str, service: PushService) -> tuple[Client, Browser]:
    client, browser = client_of(house.person(name)), service.browser(name)
    assert client.post(ADDRESS, browser.fields).status_code == 204
    return client, browser


class Called:
    """Alice's turn at a table of three, in a browser in which she has asked to be called."""

    def __init__(self, house: House, service: PushService) -> None:
        self.house, self.service = house, service
        self.table = house.dealt_in("doudizhu", "alice", "bob", "carol", grace_seconds=600)
        self.client, self.browser = subscribed(house, "alice", service)
        self.number = house.seat(self.table, "alice").number
        house.until(self.table, lambda table: str(self.number) in table.turns)

    def call(self, watching: dict[int, frozenset[int]] | None = None) -> list[dict[str, str]]:
        """Let the house call, and return all that has come."""
        calling.call_players(NOBODY if watching is None else watching, self.house.now)
        return self.service.read_by(self.browser)

    def play(self) -> None:
        self.house.act(self.table, "alice", self.house.best_action(self.table, "alice"))
