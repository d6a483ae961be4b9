"""When a table is full of people, the house opens another like it, up to a limit."""

import pytest
from django.test import Client

from casino.accounts.models import Player
from games.models import Table
from games.tasks import close_deserted
from tests.games.evenings import Evening, played_once
from tests.games.house import House
from tests.people import client_of
from wallets.money import jackpots


def press(house: House, name: str, **fields: object) -> int | None:
    """Press "Play now", and answer at which table one sits then."""
    client = client_of(house.player(name))
    answer = client.post("/play/doudizhu/", fields)
    return int(answer["Location"].split("/")[2]) if answer.status_code == 302 else None


def full(house: House, table: Table) -> None:
    for number in range(1, 4):
        house.sit(house.player(f"{table.name} {number}".replace(" ", "")), table, number)


def play(house: House) -> Table:
    """A table that people have filled, and that may be doubled."""
    table = house.table(
        "doudizhu", name="Yard", options={"point": 200}, bots_max=2, overflow_max=2, pause_seconds=7
    )
    full(house, table)
    return table


evening = played_once(play)


@pytest.fixture
def yard(tonight: Evening[Table]) -> Table:
    return tonight.made


def test_a_further_table_is_like_the_one_that_is_full(house: House, yard: Table) -> None:
    pots = [
        jackpots.create(kind, kind, house.currency, actor="test")
        for kind in ("progressive", "mystery")
    ]
    yard.jackpots.set(pots)
    overflow = Table.objects.get(pk=press(house, "alice"))
    assert (overflow.name, overflow.overflow_of) == ("Yard 2", yard)
    assert (overflow.options, overflow.pause_seconds, overflow.bots_max) == ({"point": 200}, 7, 2)
    assert list(overflow.jackpots.all()) == [pots[0]]
    assert press(house, "bert") == overflow.pk
    assert "Yard 2" in Client().get("/lobby/").text


def test_the_operator_says_how_many(house: House, yard: Table) -> None:
    tables = {press(house, f"player{number}") for number in range(6)}
    assert tables == set(Table.objects.filter(overflow_of=yard).values_list("pk", flat=True))
    assert len(tables) == 2
    assert press(house, "late") is None
    Table.objects.filter(pk=yard.pk).update(overflow_max=3)
    assert press(house, "later") not in tables | {None}


def test_player_who_chose_a_table_is_seated_at_no_other(house: House, yard: Table) -> None:
    assert press(house, "alice", table=yard.pk) is None
    assert Table.objects.count() == 1


def test_no_overflow_table_opens_for_a_player_who_cannot_pay(house: House, yard: Table) -> None:
    Table.objects.update(buy_in_min=2_000_000, buy_in_max=3_000_000)
    client = client_of(house.player("alice", 0))
    answer = client.post("/play/doudizhu/")
    assert 'data-code="wallet_short"' in answer.text
    assert Table.objects.count() == 1


def test_a_deserted_overflow_table_closes_and_opens_again(house: House, yard: Table) -> None:
    overflow = Table.objects.get(pk=press(house, "alice"))
    house.leave(Player.objects.get(username="alice"), overflow)
    house.pass_time(29 * 60)
    assert close_deserted() == 0
    house.pass_time(2 * 60)
    assert close_deserted() == 1
    house.until(overflow, lambda table: table.status == Table.Status.CLOSED)
    Table.objects.filter(pk=yard.pk).update(decision_seconds=33)
    assert press(house, "bert") == overflow.pk
    overflow.refresh_from_db()
    assert (overflow.status, overflow.decision_seconds) == (Table.Status.OPEN, 33)
    assert Table.objects.count() == 2


def test_an_overflow_table_with_other_settings_is_passed_over(house: House, yard: Table) -> None:
    first = Table.objects.get(pk=press(house, "alice"))
    Table.objects.filter(pk=yard.pk).update(options={"point": 500})
    # It is a table as any other, and those who look for a seat fill it first.
    assert {press(house, "bert"), press(house, "carl")} == {first.pk}
    second = Table.objects.get(pk=press(house, "dora"))
    assert (second.overflow_of, second.options) == (yard, {"point": 500})


def test_a_name_that_is_taken_is_passed_over(house: House, yard: Table) -> None:
    house.table("baccarat", name="Yard 2")
    assert Table.objects.get(pk=press(house, "alice")).name == "Yard 3"


def test_no_table_is_opened_where_none_may_be(house: House) -> None:
    full(house, house.table("doudizhu", name="Single"))
    assert press(house, "alice") is None
    assert Table.objects.count() == 1
