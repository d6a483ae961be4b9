"""The floor for tests: a house with a table in mid-hand, and the staff who run it."""

from datetime import timedelta
from typing import Final

import pytest

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.models import Table
from tests.games.house import House

WHY: Final = "because of a test"


def member(house: House, group: str, name: str = "") -> Player:
    player = house.player(name or f"one-of-{group}", 0)
    appoint(player, group)
    return Player.objects.get(pk=player.pk)


@pytest.fixture
def flo(house: House) -> Player:
    return member(house, "floor", "flo")


@pytest.fixture
def mona(house: House) -> Player:
    return member(house, "managers", "mona")


@pytest.fixture
def table(house: House) -> Table:
    """A table in the middle of a hand."""
    return house.dealt_in("doudizhu", "alice", "bob", "carol")


def is_over(table: Table) -> bool:
    return table.status == Table.Status.CLOSED


def stick(house: House, table: Table) -> None:
    table.refresh_from_db()
    assert table.due_at is not None
    house.now = table.due_at + timedelta(seconds=9)
