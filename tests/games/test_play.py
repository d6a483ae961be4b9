"""Whole hands through the services: dealt, played, paid, and the next one begun."""

import pytest

from games.audit import differences
from games.models import Hand, Table
from games.rules.catalogue import GAMES
from tests.games.house import House

pytestmark = pytest.mark.django_db


@pytest.fixture
def house() -> House:
    return House()


@pytest.mark.parametrize("game", list(GAMES))
def test_a_person_and_bots_play_hands_one_after_another(house: House, game: str) -> None:
    alice = house.player("alice")
    house.bots(3)
    table = house.table(game, bots_max=3)
    house.sit(alice, table, 1)
    house.until(table, lambda table: table.hands_dealt == 3 and table.phase == Table.Phase.PAUSE)
    hands = Hand.objects.filter(table=table)
    assert [hand.status for hand in hands] == [Hand.Status.FINISHED] * 3
    assert house.total() == 0
    for hand in hands:
        assert list(differences(hand)) == []
