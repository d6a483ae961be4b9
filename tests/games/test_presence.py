"""A player anywhere on the site counts as present; an absent one is sat out, and sees a
notice of a lost seat.
"""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from games.models import Move, Seat, Table
from games.tables import clock
from games.tables.autoplay import STREAM_COUNTS
from games.tables.presence import NOTES, offline_at, seen, show_changes
from tests.games.house import House
from tests.games.program import Program
from tests.games.simultaneous import at_once
from tests.people import HTMX, client_of
from wallets.storage import batched_writes

LOST = "You were offline too long and lost your seat."


@pytest.fixture
def table(house: House) -> Table:
    """Alice and bob play; alice is about to look at something else."""
    table = house.table("chinese_poker", name="Pagoda")
    house.sit(house.player("alice"), table, 1)
    house.sit(house.player("bob"), table, 2)
    return table


def away(house: House, *names: str, seconds: float = 61) -> None:
    """These are not there for a while, and all others are."""
    house.away.update(names)
    house.pass_time(seconds)


# Beside a transaction that has locked one seat and will want another


@pytest.mark.postgresql
@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("store", ["seen", "show_changes"])
def test_presence_waits_for_no_seat_that_a_transaction_holds(
    house: House, table: Table, store: str
) -> None:
    now = house.now + 2 * STREAM_COUNTS
    everybody = [(table.pk, player) for player in Seat.objects.values_list("player", flat=True)]
    first, second = Seat.objects.order_by("pk")

    def beside() -> None:
        with connection.cursor() as cursor:
            if connection.vendor == "postgresql":
                cursor.execute("SET lock_timeout = '1s'")
        if store == "seen":
            seen(everybody, now)
        else:
            show_changes(now)

    def stored() -> list[bool]:
        rows = Seat.objects.order_by("pk").values_list("seen_at", "shown_offline")
        return [seen_at == now or offline for seen_at, offline in rows]

    with transaction.atomic():
        Seat.objects.filter(pk=second.pk).update(turns_missed=1)
        # SQLite has one writer at a time, who is never in another's way.
        if connection.vendor == "postgresql":
            at_once(beside)
            assert stored() == [True, False]
        Seat.objects.filter(pk=first.pk).update(turns_missed=1)
    at_once(beside)
    assert stored() == [True, True]


# Where one is seen


def test_any_page_of_the_house_is_a_sign_of_being_there(house: House, table: Table) -> None:
    client = client_of(house.person("alice"))
    for page in ("/lobby/", "/wallet/", "/history/", "/rules/", "/running/"):
        away(house, "alice", seconds=50)
        assert client.get(page).status_code in (200, 204)
        house.be_seen(table)
        clock.sweep(house.now)
        seat = house.seat(table, "alice")
        assert (seat.seen_at, seat.sits_out) == (house.now, False), page


def test_a_program_is_there_whatever_it_asks(house: House, table: Table) -> None:
    program = Program("alice")
    away(house, "alice", seconds=50)
    program.get("wallet/")
    assert program.status == 200
    assert house.seat(table, "alice").seen_at == house.now


def test_the_stream_of_another_table_counts_for_every_seat(house: House, table: Table) -> None:
    other = house.table("baccarat")
    alice = house.person("alice")
    house.sit(alice, other, 1)
    house.pass_time(50)
    seen([(other.pk, alice.pk)], house.now)
    assert house.seat(table, "alice").seen_at == house.now


@pytest.mark.django_db(transaction=True)
def test_requests_only_note_a_player_and_all_are_stored_together(
    house: House, table: Table
) -> None:
    clients = [client_of(house.person(name)) for name in ("alice", "bob")]
    batched_writes.start()
    try:
        for _ in range(3):
            house.pass_time(6)
            for client in clients:
                with CaptureQueriesContext(connection) as statements:
                    assert client.get("/rules/").status_code == 200
                assert not [
                    statement for statement in statements if 'SET "seen_at"' in statement["sql"]
                ]
    finally:
        batched_writes.stop()
    assert {house.seat(table, name).seen_at for name in ("alice", "bob")} == {house.now}


@pytest.mark.django_db(transaction=True)
def test_a_player_with_an_open_stream_was_not_away(house: House, table: Table) -> None:
    alice = client_of(house.person("alice"))
    batched_writes.start()
    try:
        alice.get("/rules/")
        NOTES.write()
        for _report in range(4):
            house.pass_time(10)
            seen([(table.pk, house.person("alice").pk)], house.now)
        alice.get("/rules/")
        assert not NOTES.is_wanted
    finally:
        batched_writes.stop()


def test_a_stranger_is_nobody(house: House, table: Table) -> None:
    before = house.seat(table, "alice").seen_at
    house.pass_time(50)
    client_of(house.player("eve")).get("/lobby/")
    assert house.seat(table, "alice").seen_at == before


# Offline


def test_absent_player_is_auto_played_sat_out_and_can_return(house: House, table: Table) -> None:
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    away(house, "alice")
    hand = table.hand_id
    house.until(table, lambda table: table.hand_id != hand)
    assert Move.objects.get(hand=hand, seat=1).by == Move.By.TIMEOUT
    house.until_due(table)
    seat = house.seat(table, "alice")
    assert (seat.sits_out, seat.sat_out_why) == (True, Seat.SatOutWhy.ABSENT)
    away(house, seconds=table.idle_seconds - 120)
    house.until_due(table)
    house.away.clear()
    client = client_of(house.person("alice"))
    assert "You were offline, so you now sit out." in client.get(f"/tables/{table.pk}/").text
    shown = Program("alice").get(f"tables/{table.pk}/")
    assert shown["mine"]["sat_out_by_house"]
    assert shown["sat_out"].startswith("You were offline")
    client.post(f"/tables/{table.pk}/sit-in/")
    seat.refresh_from_db()
    assert (seat.sits_out, seat.sat_out_why) == (False, "")
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)


# What pages say


def lose_the_seat(house: House, table: Table) -> None:
    """It is kept for minutes, and then given up with all that lay there."""
    house.away.add("alice")
    gone = Seat.objects.filter(player__username="alice", left_at__isnull=False)
    began = house.now
    house.until(table, lambda _table: gone.exists())
    assert house.now - began > timedelta(seconds=table.idle_seconds)
    assert gone.get().left_why == Seat.LeftWhy.ABSENT
    assert gone.get().stack.balance == 0
    assert house.total() == 0


def test_every_page_shows_a_lost_seat_until_the_message_is_dismissed(
    house: House, table: Table
) -> None:
    lose_the_seat(house, table)
    client = client_of(house.person("alice"))
    for page in ("/lobby/", "/wallet/", "/rules/"):
        text = client.get(page).text
        assert LOST in text
        assert "<b>Pagoda</b>" in text
    assert LOST in client.get("/running/", headers=HTMX).text
    # The table itself says it beside the seats, and not twice.
    assert client.get(f"/tables/{table.pk}/").text.count(LOST) == 1
    assert LOST not in client_of(house.person("bob")).get("/lobby/").text
    (seat,) = Seat.objects.filter(player__username="alice")
    address = f"/running/lost/{seat.pk}/"
    assert f'action="{address}"' in client.get("/lobby/").text
    client_of(house.person("bob")).post(address)
    assert LOST in client.get("/lobby/").text
    assert LOST not in client.post(address, headers=HTMX).text
    assert LOST not in client.get("/lobby/").text
    assert client.post(address).status_code == 302
    assert client.get(address).status_code == 405


def test_a_lost_seat_is_old_news_after_a_day_or_when_one_has_sat_there_again(
    house: House, table: Table
) -> None:
    lose_the_seat(house, table)
    alice, later = house.person("alice"), house.now + timedelta(hours=25)
    client = client_of(alice)
    house.now, before = later, house.now
    assert LOST not in client.get("/lobby/").text
    house.now = before
    house.sit(alice, table, 3)
    house.leave(alice, table)
    assert LOST not in client.get("/lobby/").text


def test_a_player_who_left_sees_no_lost_seat(house: House, table: Table) -> None:
    house.leave(house.person("alice"), table)
    assert "lost-seats" not in client_of(house.person("alice")).get("/lobby/").text


# What the others see


@pytest.mark.always
def test_the_others_see_that_a_neighbour_went_offline_and_came_back(
    house: House, table: Table
) -> None:
    bob = client_of(house.person("bob"))
    program = Program("bob")

    def offline() -> tuple[bool, bool]:
        house.be_seen(table)
        (seat,) = [seat for seat in program.get(f"tables/{table.pk}/")["seats"] if not seat["mine"]]
        text = bob.get(f"/tables/{table.pk}/").text
        place = text.partition('id="seat-1"')[2].partition("</li>")[0]
        mark = place.partition('class="badge away"')[2].partition("</small>")[0]
        assert mark.endswith(">left: auto-play")
        return seat["offline"], not mark.startswith(" hidden")

    house.be_seen(table)
    assert show_changes(house.now) == 0
    assert offline() == (False, False)
    version = Table.objects.get(pk=table.pk).version
    away(house, "alice", seconds=STREAM_COUNTS.total_seconds() + 1)
    house.be_seen(table)
    assert [show_changes(house.now) for _ in range(3)] == [1, 0, 0]
    assert offline() == (True, True)
    assert offline_at([table.pk]) == {table.pk: [1]}
    house.away.clear()
    house.be_seen(table)
    assert [show_changes(house.now) for _ in range(3)] == [1, 0, 0]
    assert offline() == (False, False)
    assert offline_at([table.pk]) == {table.pk: []}
    # No board is fetched for it.
    assert Table.objects.get(pk=table.pk).version == version


def test_a_bot_is_never_offline(house: House) -> None:
    table = house.among_bots("doudizhu", "alice")
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    house.pass_time(3_600)
    house.be_seen(table)
    assert show_changes(house.now) == 0


# Auto-play


def test_auto_play_ends_with_the_hand(house: House, table: Table) -> None:
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    hand = table.hand_id
    assert "Auto-play" in client_of(house.person("alice")).get(f"/tables/{table.pk}/").text
    house.change(table, "alice", auto_play=True)
    house.until(table, lambda table: table.hand_id != hand)
    assert Move.objects.get(hand=hand, seat=1).by == Move.By.BOT
    assert not house.seat(table, "alice").auto_play
    house.until(table, lambda table: table.hands_dealt == 2 and table.hand_id is None)
    assert Move.objects.filter(hand__table=table, seat=1).latest("pk").by == Move.By.PLAYER


def test_auto_play_between_two_hands_counts_for_the_next_hand(house: House, table: Table) -> None:
    house.until(table, lambda table: table.hands_dealt == 1 and table.hand_id is None)
    house.change(table, "alice", auto_play=True)
    house.until(table, lambda table: table.hands_dealt == 2 and table.hand_id is None)
    assert Move.objects.filter(hand__table=table, seat=1).latest("pk").by == Move.By.BOT
    assert not house.seat(table, "alice").auto_play
