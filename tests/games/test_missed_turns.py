"""A player who misses too many turns is sat out and does not block the table."""

import pytest

from games.models import Move, Seat, Table
from games.models.tables import MISSED_MAX
from tests.games.house import House
from tests.games.program import Program
from tests.people import client_of


def missed_hands(house: House, table: Table, name: str, hands: int) -> None:
    """A spectator watches while others play."""
    house.idle.add(name)
    dealt = table.hands_dealt
    house.until(table, lambda table: table.hands_dealt == dealt + hands and table.hand_id is None)


def test_three_missed_turns_in_a_row_sit_a_player_out(house: House) -> None:
    table = house.dealt_in("chinese_poker", "alice", "bob")
    table.hands_dealt = 0
    missed_hands(house, table, "alice", MISSED_MAX - 1)
    # A move of one's own ends the row.
    house.idle.clear()
    house.until(table, lambda table: table.hands_dealt == MISSED_MAX and table.hand_id is None)
    assert house.seat(table, "alice").turns_missed == 0
    missed_hands(house, table, "alice", MISSED_MAX - 1)
    assert not house.seat(table, "alice").sits_out
    missed_hands(house, table, "alice", 1)
    seat = house.seat(table, "alice")
    assert seat.sits_out
    assert seat.sat_out_by_house
    assert not house.seat(table, "bob").sits_out
    client = client_of(seat.player)
    page = client.get(f"/tables/{table.pk}/").text
    assert "so you now sit out" in page
    # The way back is next to it, not only in the menu.
    assert '<button id="sit-in"' in page
    program = Program("alice")
    assert program.get(f"tables/{table.pk}/")["mine"]["sat_out_by_house"]
    program.post(f"tables/{table.pk}/sit-in/")
    seat.refresh_from_db()
    assert (seat.sits_out, seat.turns_missed) == (False, 0)
    page = client.get(f"/tables/{table.pk}/").text
    assert "so you now sit out" not in page
    assert '<button id="sit-in"' not in page


def test_a_player_on_auto_play_misses_no_turn(house: House) -> None:
    table = house.dealt_in("chinese_poker", "alice", "bob")
    house.change(table, "alice", auto_play=True)
    house.until(table, lambda table: table.hands_dealt == 5)
    assert not house.seat(table, "alice").sits_out
    assert not Move.objects.filter(by=Move.By.TIMEOUT).exists()


def test_one_idle_player_does_not_block_a_table_of_three(house: House) -> None:
    """The player is present all the time, and still the table continues with another one."""
    table = house.dealt_in("chinese_poker", "alice", "bob", "carol", idle_seconds=60)
    house.idle.add("alice")
    gone = Seat.objects.filter(table=table, player__username="alice", left_at__isnull=False)
    house.until(table, lambda _table: gone.exists())
    assert gone.get().left_why == Seat.LeftWhy.IDLE
    assert gone.get().stack.balance == 0
    client = client_of(house.person("alice"))
    assert "You were not dealt in for too long" in client.get(f"/tables/{table.pk}/").text
    assert "not dealt in" in Program("alice").get(f"tables/{table.pk}/")["stood_up"]
    client.force_login(house.person("bob"))
    assert "lost your seat" not in client.get(f"/tables/{table.pk}/").text
    dealt = table.hands_dealt
    house.sit(house.player("dave"), table, 1)
    house.until(table, lambda table: table.hands_dealt == dealt + 1)
    assert house.total() == 0


@pytest.mark.parametrize(
    ("why", "words"), [("absent", "You were offline too long"), ("closed", "The table was closed")]
)
def test_the_table_says_why_a_seat_was_given_up(house: House, why: str, words: str) -> None:
    table = house.table("doudizhu", grace_seconds=5)
    alice = house.player("alice")
    house.sit(alice, table, 1)
    if why == "absent":
        house.away.add("alice")
        house.pass_time(6)
    else:
        Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSING)
    house.until(table, lambda table: not table.seats.filter(left_at__isnull=True).exists())
    client = client_of(alice)
    assert words in client.get(f"/tables/{table.pk}/").text
    house.pass_time(3_700)
    assert words not in client.get(f"/tables/{table.pk}/").text


def test_a_player_who_leaves_gets_no_message(house: House) -> None:
    table = house.table("doudizhu")
    alice = house.player("alice")
    house.sit(alice, table, 1)
    house.leave(alice, table)
    client = client_of(alice)
    assert 'id="stood-up"' not in client.get(f"/tables/{table.pk}/").text
