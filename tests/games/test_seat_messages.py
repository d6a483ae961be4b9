"""Messages for players who cannot sit down at a table, or cannot play on."""

import pytest
from django.utils import timezone

from games.models import Table
from tests.games.house import House
from tests.people import client_of

FULL = "Every seat at this table is taken; choose another one."
CLOSING = "This table is closing: the current hand is the last one."


def page_of(house: House, table: Table, name: str) -> str:
    return client_of(house.person(name)).get(f"/tables/{table.pk}/").text


def test_a_full_table_says_so_and_asks_for_no_buy_in(house: House) -> None:
    house.now = timezone.now()
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    house.player("eve")
    text = page_of(house, table, "eve")
    assert FULL in text
    assert 'id="sit-amount"' not in text
    assert '/lobby/?game=doudizhu">Choose a table</a>' in text
    assert FULL not in page_of(house, table, "alice")
    house.leave(house.person("carol"), table)
    house.void(table, "a test")
    house.until(table, lambda table: table.seats.filter(left_at=None).count() == 2)
    text = page_of(house, table, "eve")
    assert FULL not in text
    assert 'id="sit-amount"' in text


def test_a_bot_gives_its_seat_up_so_that_the_table_is_not_full(house: House) -> None:
    house.now = timezone.now()
    table = house.among_bots("doudizhu", "bob")
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    house.player("eve")
    text = page_of(house, table, "eve")
    assert FULL not in text
    assert "Take seat 2 from bot" in text


def test_a_table_that_closes_tells_those_who_sit_there(house: House) -> None:
    house.now = timezone.now()
    table = house.dealt_in("blackjack", "alice")
    assert CLOSING not in page_of(house, table, "alice")
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSING)
    assert CLOSING in page_of(house, table, "alice")


def test_seat_below_the_minimum_is_invited_to_top_up(house: House) -> None:
    house.now = timezone.now()
    table = house.table("baccarat", buy_in_min=1_000, stack_min=1_000)
    house.sit(house.player("alice"), table, 1, 1_000)
    Table.objects.filter(pk=table.pk).update(stack_min=2_000)
    text = page_of(house, table, "alice")
    assert "Top up to play on" in text
    assert "Waiting for players" not in text
    house.player("eve")
    assert "Top up to play on" not in page_of(house, table, "eve")


@pytest.mark.always
def test_a_refused_seat_remains_chosen(house: House) -> None:
    table = house.table("baccarat")
    client, data = client_of(house.player("bob")), {"seat": "3", "amount": "1"}
    answer = client.post(f"/tables/{table.pk}/sit/", data, headers={"HX-Request": "true"})
    assert '<option value="3" selected>Seat 3, free</option>' in answer.text
    assert answer.text.count("selected>Seat") == 1
