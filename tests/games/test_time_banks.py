"""Time banks among players, and auto-play that finishes the hand of one whose time is up."""

from datetime import timedelta

import pytest

from games.models import Move, Table
from games.models.tables import TIME_BANK
from games.tables import clock
from games.tables.time_bank import REFILL, is_running
from tests.games.house import House
from tests.games.viewers import board_of
from tests.people import client_of

NAMES = ("alice", "bob", "carol")


@pytest.fixture
def table(house: House) -> Table:
    return house.dealt_in("doudizhu", *NAMES)


def caller(house: House, table: Table) -> str:
    table.refresh_from_db()
    (number,) = table.turns
    return NAMES[int(number) - 1]


def at_the_deadline(house: House, table: Table, seconds: float = 0) -> None:
    """So long after the usual time of the turn."""
    table.refresh_from_db()
    assert table.turn_began_at is not None
    house.now = table.turn_began_at + timedelta(seconds=table.decision_seconds + seconds)
    house.be_seen(table)
    clock.tick(table.pk, house.now)
    table.refresh_from_db()


@pytest.mark.always
def test_a_turn_goes_on_with_the_bank_and_a_move_takes_off_what_was_used(
    house: House, table: Table
) -> None:
    name, began = caller(house, table), table.deadline
    assert began is not None
    page = board_of(client_of(house.person(name)), table)
    assert f"+ {TIME_BANK} s time bank" in page
    version = table.version
    at_the_deadline(house, table)
    assert table.deadline == began + timedelta(seconds=TIME_BANK)
    assert is_running(table)
    # Every page is told.
    assert table.version > version
    assert not Move.objects.exists()
    house.pass_time(12)
    house.act(table, name, {"do": "call", "points": 0})
    assert house.seat(table, name).time_bank == TIME_BANK - 12
    table.refresh_from_db()
    assert not is_running(table)
    assert table.deadline == house.now + timedelta(seconds=table.decision_seconds)


def test_auto_play_takes_over_for_the_hand_and_one_press_ends_it(
    house: House, table: Table
) -> None:
    name = caller(house, table)
    at_the_deadline(house, table)
    at_the_deadline(house, table, TIME_BANK)
    move = Move.objects.get()
    # It calls nothing for one who is not there.
    assert (move.by, move.action) == (Move.By.TIMEOUT, {"do": "call", "points": 0})
    seat = house.seat(table, name)
    assert (seat.auto_play, seat.time_bank) == (True, 0)
    client = client_of(seat.player)
    page = board_of(client, table)
    assert "Your time was up: auto-play finishes this hand." in page
    assert 'id="cancel-auto-play"' in page
    client.post(f"/tables/{table.pk}/take-over/")
    assert not house.seat(table, name).auto_play
    assert 'id="cancel-auto-play"' not in board_of(client, table)


def test_auto_play_ends_with_the_hand_and_the_missed_turn_counts(house: House) -> None:
    table = house.dealt_in("chinese_poker", "alice", "bob")
    house.idle.add("alice")
    house.until(table, lambda table: table.hand_id is None)
    alice, bob = house.seat(table, "alice"), house.seat(table, "bob")
    assert (alice.auto_play, alice.turns_missed, alice.time_bank) == (False, 1, 0)
    assert (bob.turns_missed, bob.time_bank) == (0, TIME_BANK)
    # Hands that one plays oneself fill the bank up.
    house.idle.clear()
    dealt = table.hands_dealt
    house.until(table, lambda table: table.hands_dealt == dealt + 1 and table.hand_id is None)
    assert house.seat(table, "alice").time_bank == REFILL


def test_whose_bank_is_empty_is_not_waited_for_while_another_thinks(house: House) -> None:
    table = house.dealt_in("chinese_poker", "alice", "bob")
    table.seats.filter(player__username="alice").update(time_bank=4)
    at_the_deadline(house, table)
    assert table.deadline == house.now + timedelta(seconds=4)
    at_the_deadline(house, table, 4)
    assert [move.seat for move in Move.objects.all()] == [1]
    assert table.deadline == house.now + timedelta(seconds=TIME_BANK - 4)


def test_against_the_house_there_is_no_bank(house: House) -> None:
    table = house.dealt_in("blackjack", "alice", options={"shuffle_every_round": True})
    house.act(table, "alice", {"do": "bet", "box": 1, "amount": 500})
    assert "time bank" not in board_of(client_of(house.person("alice")), table)
    house.act(table, "alice", {"do": "done"})
    house.until(table, lambda table: table.hand_id is None)
    assert not house.seat(table, "alice").auto_play
