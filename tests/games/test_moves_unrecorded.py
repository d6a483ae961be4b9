"""A move in a hand does not wait for the record of changes."""

import pytest

from tests.games.house import MONEY, House
from wallets.models.record_models import RecordedChange


@pytest.mark.parametrize("game", ["baccarat", "blackjack", "doudizhu", "chinese_poker"])
def test_no_move_writes_to_the_record(db: None, game: str) -> None:
    """From the first deal to the end of the next hand."""
    house = House()
    house.bots(4)
    alice = house.player("alice", 100 * MONEY)
    table = house.table(game, bots_max=3, buy_in_max=MONEY)
    house.sit(alice, table, 1, MONEY)
    house.until(table, lambda table: table.hand_id is not None)
    before = RecordedChange.objects.count()
    house.until(table, lambda table: table.hands_dealt > 1, steps=4_000)
    assert RecordedChange.objects.count() == before
