"""The players of an event help to mix the shoes of its tables, however busy the house is."""

import pytest

from games.models import Table
from tests.games.commit_reveal import Device
from tests.tournaments.events import Event, sit_and_go

pytestmark = pytest.mark.django_db(transaction=True)


def running(event: Event, seats: int) -> tuple[Table, list[Device]]:
    """A table of the event after its first hand, and its players' devices."""
    house = event.house
    players = event.open(sit_and_go("chinese_poker", seats), seats)
    house.away.clear()
    event.until(event.is_running)
    table = Table.objects.get(organiser=event.row.reference)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    devices = [Device(house, table, player.username) for player in players]
    for device in devices:
        device.start()
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    for device in devices:
        device.answer()
    table.refresh_from_db()
    return table, devices


def test_links_that_come_when_the_hand_is_over_count(event: Event) -> None:
    """A busy house shows a table so late that its players could not send them with their acts."""
    table, devices = running(event, 2)
    lying = table.next_shoe
    assert lying is not None
    event.house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    for device in devices:
        device.answer()
    assert (table.phase, table.shoe_id) == (Table.Phase.PLAY, lying.pk)
    assert not lying.seats.filter(by_house=True).exists()


def test_a_player_whom_the_event_moves_has_withheld_nothing(event: Event) -> None:
    """No player leaves a table of an event by choice, so no choice between two deals is left."""
    house = event.house
    table, devices = running(event, 3)
    lying = table.next_shoe
    house.until(table, lambda table: table.phase == Table.Phase.REVEAL)
    devices[0].answer()
    gone = house.seat(table, devices[0].name)
    gone.left_at = house.now
    gone.save(update_fields=["left_at"])
    for device in devices[1:]:
        device.answer()
    assert lying is not None
    house.until(table, lambda table: table.shoe_id != lying.pk)
    gone.refresh_from_db()
    assert gone.reveals.count("-") == gone.house_shoes == 0
