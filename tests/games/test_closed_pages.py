"""The house plays at once for a player who has closed the page, if others wait."""

from datetime import timedelta

import pytest

from games.models import Move, Seat, Table
from games.rules.catalogue import GAMES
from games.tables import autoplay, clock
from games.tables.autoplay import CLOSED_AFTER, MOMENT, STREAM_COUNTS
from games.tables.cash_game import CashGame
from games.tables.formats import format_of
from games.tables.lock import seats_at
from games.tables.presence import pages_closed, seen, seen_in_house, show_changes
from games.tables.ready_players import say_ready, waited_for
from tests.games.house import House
from tests.games.press_to_card import left_in_mid_hand, let_pass, seconds_to_card
from tests.people import client_of

# Nearly always eight; a hand in which many moves are left takes a little longer.
GOAL_SECONDS = 10


@pytest.fixture
def table(house: House) -> Table:
    """Alice, bob and carol play; it is alice's turn, who has closed the page a moment ago."""
    table = house.dealt_in("doudizhu", "alice", "bob", "carol", decision_seconds=120)
    house.until(table, lambda table: "1" in table.turns)
    house.away.add("alice")
    house.be_seen(table)
    pages_closed([house.person("alice").pk], house.now)
    return table


def played_for(house: House, table: Table) -> bool:
    """Whether the house makes alice's move now, rather than wait for her."""
    made = table.moves_made
    house.be_seen(table)
    show_changes(house.now)
    clock.sweep(house.now)
    table.refresh_from_db()
    return table.moves_made > made


@pytest.mark.parametrize("overflow", [0, 3])
@pytest.mark.parametrize("game", GAMES)
def test_a_newcomer_gets_cards_soon_where_one_has_left(
    house: House, game: str, overflow: int
) -> None:
    left_in_mid_hand(house, game, overflow_max=overflow)
    assert seconds_to_card(house, game) <= GOAL_SECONDS


@pytest.mark.always
def test_the_house_plays_ten_seconds_after_the_last_page_is_closed(
    house: House, table: Table
) -> None:
    house.now += CLOSED_AFTER
    assert not played_for(house, table)
    house.now += MOMENT
    assert played_for(house, table)
    move = Move.objects.filter(hand=table.hand_id, seat=1).latest("number")
    assert move.by == Move.By.BOT
    page = client_of(house.person("bob")).get(f"/tables/{table.pk}/").text
    assert "alice has left the page: auto-play." in page


def test_who_comes_back_takes_over_at_the_next_decision(house: House, table: Table) -> None:
    house.now += CLOSED_AFTER + MOMENT
    assert played_for(house, table)
    house.away.clear()
    house.until(table, lambda table: "1" in table.turns)
    house.pass_time(20)
    assert not played_for(house, table)
    house.act(table, "alice", house.best_action(table, "alice"))
    assert not house.seat(table, "alice").auto_play


def test_the_house_waits_where_nobody_else_does(house: House, table: Table) -> None:
    """All the others have left as well: the grace period holds."""
    house.away.update(("bob", "carol"))
    house.now += STREAM_COUNTS + MOMENT
    assert not played_for(house, table)
    house.now += timedelta(seconds=table.grace_seconds) - STREAM_COUNTS
    assert played_for(house, table)


def test_a_tournament_gives_the_time_of_the_turn(
    house: House, table: Table, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(CashGame, "plays_for_closed_pages", False)
    house.now += CLOSED_AFTER + MOMENT
    assert not played_for(house, table)


@pytest.mark.parametrize("sign", ["another process", "a request", "a reload"])
def test_another_sign_of_the_player_counts(house: House, table: Table, sign: str) -> None:
    alice, closed = house.person("alice").pk, house.now
    if sign == "a reload":
        # The new page is noted before the old one is known to be closed.
        house.now += timedelta(seconds=1)
        seen_in_house(alice, house.now)
        pages_closed([alice], closed)
    else:
        house.now += CLOSED_AFTER - MOMENT
        if sign == "a request":
            seen_in_house(alice, house.now)
        else:
            seen([(0, alice)], house.now)
    house.now = closed + CLOSED_AFTER + MOMENT
    assert not played_for(house, table)


def test_a_program_that_asks_every_five_seconds_is_there(house: House, table: Table) -> None:
    for _ in range(10):
        seen_in_house(house.person("alice").pk, house.now)
        house.pass_time(5)
        assert not played_for(house, table)


def test_a_copy_from_before_does_not_wait_either(house: House, table: Table) -> None:
    """It becomes alice's turn by an act on a copy of the table that still knows her as present."""
    house.away.clear()
    house.until(table, lambda table: "3" in table.turns and table.moves_made > 3)
    house.away.add("alice")
    pages_closed([house.person("alice").pk], house.now)
    house.now += CLOSED_AFTER + MOMENT
    house.be_seen(table)
    show_changes(house.now)
    house.act(table, "carol", house.best_action(table, "carol"))
    table.refresh_from_db()
    assert "1" in table.turns
    assert table.due_at is not None
    assert table.due_at - house.now < timedelta(seconds=3)


def test_the_next_hand_waits_for_nobody_who_has_left(house: House) -> None:
    table = house.dealt_in("chinese_poker", "alice", "bob", pause_seconds=60)
    house.until(table, lambda table: table.hands_dealt == 1 and table.hand_id is None)
    say_ready(house.person("bob"), table.pk, 1, house.now)

    def waited() -> list[int]:
        house.be_seen(table)
        seats = seats_at(table)
        dealt_in = format_of(table).dealt_in(seats, house.now)
        return [seat.number for seat in waited_for(table, seats, dealt_in, house.now)]

    assert waited() == [1]
    house.away.add("alice")
    pages_closed([house.person("alice").pk], house.now)
    house.now += CLOSED_AFTER + MOMENT
    assert waited() == []
    # A newcomer has no result to read.
    house.sit(house.player("carol"), table, 3)
    assert waited() == []


@pytest.mark.always
def test_the_seat_of_one_who_has_left_makes_nobody_wait(house: House) -> None:
    """Two people and a bot: without the third seat no game can begin."""
    house.bots(2)
    table = house.table("doudizhu", bots_max=2)
    for number, name in enumerate(("alice", "bob"), 1):
        house.sit(house.player(name), table, number)
    house.change(table, "alice", sits_out=True)
    house.away.add("alice")
    house.pass_time(STREAM_COUNTS.total_seconds() + 1)
    began = house.now
    while table.hand_id is None:
        let_pass(house, "bob")
        table.refresh_from_db()
        assert house.now - began < timedelta(seconds=20)
    alice = Seat.objects.get(player__username="alice")
    assert alice.left_why == Seat.LeftWhy.ABSENT
    assert house.total() == 0


def test_play_now_prefers_a_table_that_waits_for_nobody(house: House) -> None:
    waits = left_in_mid_hand(house, "chinese_poker")
    deals = house.table("chinese_poker", buy_in_min=20_000, bots_max=3)
    assert seconds_to_card(house, "chinese_poker") <= GOAL_SECONDS
    assert Seat.objects.get(player__username="bob").table_id == deals.pk
    assert autoplay.has_left(house.seat(waits, "alice"), house.now)
