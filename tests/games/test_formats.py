"""A format of its own changes all that differs between tables, and nothing else has to know it."""

from datetime import timedelta

import pytest
from django.db import connection, transaction
from django.test.utils import CaptureQueriesContext

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.lobby import listing, private_tables, seat_finder, status_strip
from games.models import Hand, Seat, SharedHand, Table
from games.records import audit, reversals
from games.tables import clock, formats, seating
from games.tables.admission import may_watch
from games.tables.cash_game import CashGame
from games.tables.formats import format_of
from games.tables.lock import lock_tables
from tests.games.club import CHIPS, CODE, HANDS, LEFT, ClubTable, club, enter, open_club
from tests.games.house import House
from tests.games.program import Program
from tests.people import client_of
from wallets.models import Account, Book
from wallets.values.errors import Hidden, Refused

pytestmark = pytest.mark.django_db(transaction=True)


def is_dealt(table: Table) -> bool:
    return table.phase == Table.Phase.PLAY


def has_paused(table: Table) -> bool:
    return table.phase == Table.Phase.PAUSE and table.hands_dealt > 0


@pytest.fixture
def table(house: House) -> Table:
    return open_club(house, "alice", "bob")


def stacks(table: Table) -> int:
    return sum(seat.stack.balance for seat in table.seats.filter(left_at__isnull=True))


# Three hands, then closed.


def test_the_club_plays_three_hands_and_closes(house: House, table: Table) -> None:
    """Chips never touch a wallet, no share is taken, and the hands pass the audit."""
    for number in range(1, HANDS + 1):
        house.until(table, lambda table, due=number: table.hands_dealt == due)
        assert stacks(table) == 2 * CHIPS
    house.until(table, lambda table: table.status == Table.Status.CLOSED)
    points = Hand.objects.order_by("pk").values_list("options__point", flat=True)
    assert list(points) == [10, 20, 30]
    codes = [hand.code for hand in Hand.objects.order_by("pk")]
    assert club().ended == [(code, True, True) for code in codes]
    assert club().followed == codes
    assert Book.objects.filter(name__startswith="club:7 T").count() == HANDS
    assert not Seat.objects.filter(left_at__isnull=True).exists()
    chips = Account.objects.filter(currency="CHIP")
    held = dict(chips.exclude(kind="stack").values_list("kind", "balance"))
    assert held == {"issue": -2 * CHIPS - LEFT, "escrow": 2 * CHIPS + LEFT}
    assert set(chips.filter(kind="stack").values_list("balance", flat=True)) == {0}
    assert not Account.objects.filter(kind="player").exists()
    assert [sentences for _hand, sentences in audit.audit(Hand.objects.all())] == [[]] * HANDS


def test_a_voided_hand_is_reported_without_a_settlement(house: House, table: Table) -> None:
    house.until(table, is_dealt)
    hand = house.void(table, "a spilt drink")
    assert club().ended == [(hand.code, False, True)]
    assert club().followed == [hand.code]


def test_hand_stands_when_its_follow_up_fails(house: House, table: Table) -> None:
    club().fails = True
    house.until(table, lambda table: table.hands_dealt == 2)
    assert Hand.objects.get(number=1).status == Hand.Status.FINISHED
    assert Book.objects.filter(name__startswith="club:7 T").count() == 1


# Players neither sit down nor leave by themselves.


def test_a_player_is_refused_what_the_format_decides(house: House, table: Table) -> None:
    house.until(table, is_dealt)
    alice, carol = house.person("alice"), house.player("carol")
    for verb in (
        lambda: seating.sit(carol, table.pk, 3, 20_000, house.now),
        lambda: seating.leave(alice, table.pk, house.now),
        lambda: seating.top_up(alice, table.pk, 100, "once", house.now),
        lambda: seating.change(alice, table.pk, house.now, sits_out=True),
    ):
        with pytest.raises(Refused) as caught:
            verb()
        assert caught.value.code == CODE
    seat = house.seat(table, "alice")
    assert (seat.sits_out, seat.leaves, seat.top_up, seat.left_at) == (False, False, 0, None)
    assert table.seats.count() == 2


def test_a_page_offers_nothing_that_would_be_refused(house: House, table: Table) -> None:
    cash = house.table("chinese_poker")
    house.sit(house.player("dora"), cash, 1)
    house.player("carol")
    for address, name, there in (
        (f"/tables/{cash.pk}/", "dora", True),
        (f"/tables/{table.pk}/", "alice", False),
        (f"/tables/{cash.pk}/", "carol", True),
        (f"/tables/{table.pk}/", "carol", False),
    ):
        page = client_of(house.person(name)).get(address)
        assert page.status_code == 200
        seated = ("do-leave", "top-up-amount", "do-sit")
        offers = ('id="sit"', "Take a seat") if name == "carol" else seated
        for offer in offers:
            assert (offer in page.text) == there, (address, name, offer)
    assert not Account.objects.filter(kind="player", currency="CHIP").exists()


def test_a_player_seated_by_the_club_keeps_the_seat_until_the_club_takes_it(
    house: House, table: Table
) -> None:
    appoint(house.person("alice"), "auditors")
    assert house.seat(table, "alice").left_at is None


def test_the_lobby_does_not_know_the_table(house: House, table: Table) -> None:
    open_table = house.table("chinese_poker")
    watch = listing.Watch()
    before = watch.number()
    dora = house.player("dora")
    enter(house, table, house.player("carol", money=0), 3, LEFT)
    assert watch.number() == before
    assert list(seat_finder.tables_to_show()) == [open_table]
    assert [row.id for row in listing.rows(dora, house.now)] == [open_table.pk]
    assert private_tables.models_to_copy() == [open_table]
    program = Program("dora")
    assert [entry["id"] for entry in program.get("tables/")["tables"]] == [open_table.pk]
    client = client_of(dora)
    for status in (Table.Status.OPEN, Table.Status.CLOSED):
        Table.objects.filter(pk=table.pk).update(status=status)
        answer = client.post("/play/chinese_poker/", {"table": table.pk})
        assert answer.status_code == 404


def test_the_strip_leads_a_player_to_the_table(house: House, table: Table) -> None:
    (seat,) = status_strip.my_seats(house.person("alice"))
    assert (seat.table_id, seat.stack) == (table.pk, "")


def test_operators_look_at_the_table_and_do_not_set_it_up(house: House, table: Table) -> None:
    sam = house.player("sam")
    appoint(sam, "managers")
    client = client_of(Player.objects.get(pk=sam.pk))
    page = client.get(f"/admin/games/table/{table.pk}/change/")
    assert page.status_code == 200
    assert 'name="_save"' not in page.text
    assert "club:7" in page.text
    answer = client.post(f"/admin/games/table/{table.pk}/change/", {"name": "mine"})
    assert answer.status_code == 403


def test_a_hand_is_not_taken_back_over_the_clubs_head(house: House, table: Table) -> None:
    house.until(table, has_paused)
    sam = house.player("sam")
    appoint(sam, "managers")
    with pytest.raises(Refused) as caught:
        reversals.void(Player.objects.get(pk=sam.pk), Hand.objects.get().pk, "a mistake", house.now)
    assert caught.value.code == CODE


# Those who are away.


def test_the_absent_are_played_for_and_never_lose_the_seat(house: House, table: Table) -> None:
    table.idle_seconds = 1
    table.save(update_fields=["idle_seconds"])
    house.away = {"alice", "bob"}
    house.pass_time(3_600)
    house.until(table, lambda table: table.status == Table.Status.CLOSED)
    assert Hand.objects.filter(status=Hand.Status.FINISHED).count() == HANDS
    assert not Seat.objects.filter(sits_out=True).exists()
    assert set(Seat.objects.values_list("left_why", flat=True)) == {""}


def test_turns_left_to_the_clock_are_not_counted(house: House, table: Table) -> None:
    house.idle = {"alice"}
    house.until(table, lambda table: table.status == Table.Status.CLOSED)
    seat = Seat.objects.get(player__username="alice")
    assert (seat.turns_missed, seat.sits_out) == (0, False)


def test_bots_play_for_one_another_where_the_format_says_so(house: House) -> None:
    house.bots(3)
    table = open_club(house, "bot 1", "bot 2", bots_max=3)
    house.until(table, lambda table: table.status == Table.Status.CLOSED)
    assert table.seats.count() == 2


# The next hand.


def test_the_next_hand_is_held_back_until_it_is_time(house: House, table: Table) -> None:
    house.until(table, has_paused)
    later = house.now + timedelta(minutes=5)
    club().start = later
    house.until(table, lambda table: table.due_at == later)
    for _ in range(3):
        clock.tick(table.pk, house.now)
    table.refresh_from_db()
    assert (table.phase, table.hands_dealt) == (Table.Phase.PAUSE, 1)
    assert table.shoe is not None
    house.until(table, is_dealt)
    assert (table.hands_dealt, house.now) == (2, later)


def test_the_next_hand_is_held_back_until_it_is_released(house: House, table: Table) -> None:
    house.until(table, has_paused)
    club().start = None
    house.until_due(table)
    assert (table.phase, table.due_at) == (Table.Phase.PAUSE, None)
    assert clock.sweep(house.now + timedelta(days=1)) == 0
    club().start = "now"
    clock.release([table.pk], house.now)
    house.until_due(table)
    assert table.phase == Table.Phase.PLAY


def test_a_release_disturbs_no_hand(house: House, table: Table) -> None:
    house.until(table, is_dealt)
    due, version = table.due_at, table.version
    clock.release([table.pk], house.now)
    table.refresh_from_db()
    assert (table.due_at, table.version) == (due, version)


def test_a_shoe_that_was_mixed_elsewhere_is_dealt_as_it_lies(house: House, table: Table) -> None:
    club().dictates = True
    house.until(table, lambda table: table.shoe is not None)
    assert table.shoe is not None
    dictated = table.shoe_id
    assert table.shoe.status == "open"
    house.until(table, is_dealt)
    assert Hand.objects.get().shoe_id == dictated
    house.until(table, lambda table: table.status == Table.Status.CLOSED)
    assert [sentences for _hand, sentences in audit.audit(Hand.objects.all())] == [[]] * HANDS


# Who may look.


def test_nobody_sees_what_the_format_hides(house: House, table: Table) -> None:
    house.until(table, has_paused)
    hand, client = Hand.objects.get(), client_of(house.person("alice"))
    carol = house.player("carol")
    assert may_watch(carol, table)
    assert client.get(f"/history/{hand.pk}/").status_code == 200
    link = client.post(f"/history/{hand.pk}/share/", follow=True)
    assert link.status_code == 200
    shared = SharedHand.objects.get()
    assert client.get(f"/shared/{shared.token}/").status_code == 200
    club().closed_to, club().history = {"carol"}, False
    assert client_of(carol).get(f"/tables/{table.pk}/").status_code == 404
    assert client.get(f"/tables/{table.pk}/").status_code == 200
    assert client.get(f"/history/{hand.pk}/").status_code == 404
    assert client.get(f"/shared/{shared.token}/").status_code == 404
    assert Program("alice").get(f"hands/{hand.pk}/record/")["code"] == "no_such_hand"


# The registry, and the locks.


def test_the_table_of_nobody_known_is_not_there(house: House, table: Table) -> None:
    cash = house.table("baccarat")
    house.sit(house.player("dora"), cash, 1)
    Table.objects.filter(pk=table.pk).update(organiser="nobody:1", due_at=house.now)
    assert client_of(house.person("dora")).get(f"/tables/{table.pk}/").status_code == 404
    with pytest.raises(Hidden):
        format_of(Table.objects.get(pk=table.pk))
    # It holds up no other table.
    house.pass_time(60)
    house.be_seen(cash)
    clock.sweep(house.now)
    cash.refresh_from_db()
    assert cash.shoe is not None


def test_one_kind_has_one_format() -> None:
    formats.FORMATS.add("club", ClubTable)
    with pytest.raises(ValueError, match="club"):
        formats.FORMATS.add("club", CashGame)


def test_tables_are_locked_in_ascending_order(house: House) -> None:
    numbers = [house.table("baccarat").pk for _ in range(3)]
    wanted = [numbers[1], numbers[2], numbers[0], numbers[1]]
    with transaction.atomic(), CaptureQueriesContext(connection) as queries:
        locked = lock_tables(wanted)
    assert [table.pk for table in locked] == sorted(numbers)
    assert len(queries) == 3


def test_a_cash_table_costs_a_settlement_no_statement_more(house: House) -> None:
    """The questions about it are answered from the rows that are there."""
    table = house.dealt_in("doudizhu", "alice", "bob", "carol")
    seats = list(table.seats.select_related("player", "stack"))
    rules = format_of(table)
    with CaptureQueriesContext(connection) as queries:
        rules.dealt_in(seats, house.now)
        rules.wants_bots(seats, house.now)
        for seat in seats:
            rules.funds(seat)
            rules.eviction(seat, seats, house.now)
        rules.may_start(house.now)
        rules.options(house.now)
    assert len(queries) == 0
