"""Between hands: seats are cleared by themselves and not by their players, and bots make room."""

import logging
from functools import partial

import pytest

from games.live.announcing import announce
from games.models import Hand, Seat, Table
from games.rules.catalogue import GAMES, game_type
from games.tables import clock, demo, lock
from games.tables.between_hands import clear_and_fill
from tests.games.house import MONEY, House
from tests.games.simultaneous import at_once

LONG = 10_000


def sits(table: Table) -> list[str]:
    here = table.seats.filter(left_at__isnull=True).order_by("number")
    return list(here.values_list("player__username", flat=True))


def kept_too_long(house: House, table: Table, *names: str) -> None:
    """They sat out for so long that the house will give their seats up."""
    for name in names:
        house.change(table, name, sits_out=True)
    house.until_due(table)
    house.pass_time(table.idle_seconds + 1)


@pytest.mark.django_db(transaction=True)
def test_player_who_sits_down_again_keeps_the_new_seat(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Both are to go; while the first seat is cleared the second player leaves and comes back."""
    table = house.table("chinese_poker")
    alice, bob = house.player("alice"), house.player("bob")
    house.sit(alice, table, 1)
    house.sit(bob, table, 2)
    kept_too_long(house, table, "alice", "bob")
    announced = announce

    def meanwhile(table_id: int, version: int) -> None:
        monkeypatch.setattr(lock, "announce", announced)
        house.leave(bob, table)
        house.sit(bob, table, 3)

    monkeypatch.setattr(lock, "announce", meanwhile)
    clock.tick(table.pk, house.now)
    assert sits(table) == ["bob"]
    assert house.seat(table, "bob").number == 3
    assert house.wallet(bob).balance == MONEY - 50_000
    assert house.total() == 0


@pytest.mark.django_db(transaction=True)
def test_two_workers_clear_a_seat_together_and_neither_complains(
    house: House, caplog: pytest.LogCaptureFixture
) -> None:
    table = house.table("doudizhu")
    players = [house.player(f"player {number}") for number in range(6)]
    with caplog.at_level(logging.ERROR):
        for first in range(0, 6, 2):
            pair = players[first : first + 2]
            for number, player in enumerate(pair, 1):
                house.sit(player, table, number)
            kept_too_long(house, table, *(player.username for player in pair))
            at_once(*[partial(clock.sweep, house.now) for _worker in range(4)])
            assert sits(table) == []
    assert [
        record.getMessage() for record in caplog.records if record.levelno >= logging.ERROR
    ] == []
    assert [house.wallet(player).balance for player in players] == [MONEY] * 6
    assert house.total() == 0


def test_a_seat_that_was_dealt_in_meanwhile_is_left_alone(house: House) -> None:
    """A seat that was idle a moment ago is checked again before it is cleared."""
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    Seat.objects.filter(table=table).update(idle_since=house.now)
    house.pass_time(LONG)
    house.be_seen(table)
    clear_and_fill(table.pk, house.now)
    assert sits(table) == ["alice", "bob", "carol"]


# Bots


def bots_at(table: Table) -> int:
    return table.seats.filter(left_at__isnull=True, player__is_bot=True).count()


@pytest.mark.parametrize("game", ["chinese_poker", "doudizhu"])
def test_bots_fill_the_table_and_leave_as_people_arrive(house: House, game: str) -> None:
    places = game_type(game).seats[-1]
    house.bots(places + 2)
    table = house.table(game, bots_max=places - 1)
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert (bots_at(table), len(sits(table))) == (places - 1, places)
    for number, name in enumerate(("bob", "carol", "dave")[: places - 1], 2):
        taken = table.seats.get(number=number, left_at__isnull=True)
        assert taken.player.is_bot
        house.sit(house.player(name), table, number)
        house.until(table, lambda table: table.hand_id is None)
        house.until(table, lambda table: table.phase == Table.Phase.PLAY)
        assert bots_at(table) == places - number
        assert name in sits(table)
    assert house.total() == 0


def test_bot_leaves_when_a_person_takes_a_free_seat(house: House) -> None:
    house.bots(4)
    table = house.table("chinese_poker", bots_max=2)
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert bots_at(table) == 2
    house.sit(house.player("bob"), table, 4)
    house.until(table, lambda table: table.hands_dealt == 2)
    assert (bots_at(table), len(sits(table))) == (1, 3)


def test_bots_never_play_alone(house: House) -> None:
    house.bots(4)
    table = house.table("chinese_poker", bots_max=3)
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    house.away.add("alice")
    house.until(table, lambda table: table.due_at is None)
    assert sits(table) == []
    assert all(hand.seats.filter(player__is_bot=False).exists() for hand in Hand.objects.all())


def test_bots_do_not_come_to_tables_against_the_house(house: House) -> None:
    table = house.among_bots("blackjack", "alice", 3)
    house.until(table, lambda table: table.hands_dealt == 1)
    assert bots_at(table) == 0


def test_the_demonstration_tables_are_filled(house: House) -> None:
    demo.seed()
    for table in Table.objects.all():
        company = table.places - 1 if GAMES[table.game].family in ("thirteen", "doudizhu") else 0
        assert (table.game, table.bots_max) == (table.game, company)
