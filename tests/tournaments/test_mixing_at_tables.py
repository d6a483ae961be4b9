"""The players of an event help to mix the shoes of its tables, however busy the house is."""

import pytest

from games.models import Table
from games.rules.shoe import ShoeProtocol
from games.tables import commit_reveal
from tests.tournaments.events import Event, sit_and_go

pytestmark = pytest.mark.django_db(transaction=True)


def test_commits_that_come_after_the_pause_between_hands_count(event: Event) -> None:
    """A busy house shows a table so late that the pause is over: every commit was refused then."""
    house = event.house
    players = event.open(sit_and_go("chinese_poker", 2), 2)
    house.away.clear()
    event.until(event.is_running)
    table = Table.objects.get(organiser=event.row.reference)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    lying = table.next_shoe
    assert lying is not None
    house.pass_time(table.pause_seconds + 2)
    given = {}
    for player in players:
        seat = house.seat(table, player.username)
        given[player] = player.username.encode().ljust(32)
        own = ShoeProtocol(lying.code).commitment(seat.number, given[player]).hex()
        assert commit_reveal.commit(player, table.pk, lying.code, own, house.now) == own
    for player in players:
        commit_reveal.reveal(player, table.pk, lying.code, given[player].hex(), house.now)
    house.until(table, lambda table: table.shoe_id == lying.pk)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert table.shoe_id == lying.pk
    assert not lying.seats.filter(by_house=True).exists()


def test_a_player_whom_the_event_moves_has_withheld_nothing(event: Event) -> None:
    """No player leaves a table of an event by choice, so no choice between two deals is left."""
    house = event.house
    players = event.open(sit_and_go("chinese_poker", 3), 3)
    house.away.clear()
    event.until(event.is_running)
    table = Table.objects.get(organiser=event.row.reference)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    lying = table.next_shoe
    assert lying is not None
    house.pass_time(2)
    for player in players:
        seat = house.seat(table, player.username)
        own = ShoeProtocol(lying.code).commitment(seat.number, bytes(32)).hex()
        commit_reveal.commit(player, table.pk, lying.code, own, house.now)
    for player in players:
        commit_reveal.reveal(player, table.pk, lying.code, bytes(32).hex(), house.now)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    gone = house.seat(table, players[0].username)
    gone.left_at = house.now
    gone.save(update_fields=["left_at"])
    house.until(table, lambda table: table.shoe_id != lying.pk)
    gone.refresh_from_db()
    assert (gone.reveals, gone.house_shoes) == ("", 0)
