"""Many at once, on both engines: of those who want the same thing exactly one gets it."""

from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from threading import Thread
from typing import Any

import pytest
from django.db import connection, transaction

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.chat import chat_verbs
from games.lobby import private_tables
from games.lobby.seat_finder import find_or_open, tables_to_show
from games.models import ChainEntry, DayResult, Hand, Move, Seat, SharedHand, Shoe, Table
from games.records import audit_house, closed_days, reversals, sharing
from games.records.audit import differences
from games.shoes import chain, custody
from games.tables import clock, hand_verbs, seating
from games.tables.lock import lock_table, seats_at, store_table
from tests.games.commit_reveal import sealed_table
from tests.games.house import MONEY, House
from tests.games.simultaneous import at_once
from tests.waiting import until
from wallets.models import Transaction

pytestmark = [
    pytest.mark.django_db(transaction=True),
    pytest.mark.postgresql,
    pytest.mark.usefixtures("paid_in"),
]
# More than there are seats at a table and at those that it may overflow to.
MANY = 18


def test_many_players_want_one_seat(house: House) -> None:
    table = house.table("doudizhu")
    players = [house.player(f"player {number}") for number in range(1, MANY + 1)]
    answers = at_once(*[partial(house.sit, player, table, 1) for player in players])
    (seat,) = Seat.objects.filter(table=table)
    assert [answer for answer in answers if answer != "seat_taken"] == [seat]
    assert sorted(house.wallet(player).balance for player in players) == (
        [MONEY - 50_000] + (MANY - 1) * [MONEY]
    )
    assert house.total() == 0


def test_linkers_link_each_entry_of_the_chain_once(house: House) -> None:
    chain.add("seal", {"shoe": "first"}, house.now)
    chain.link()

    def add_and_link(name: str) -> None:
        for number in range(6):
            chain.add("seal", {"shoe": f"{name} {number}"}, house.now)
            chain.link()

    at_once(*[partial(add_and_link, name) for name in "abcd"])
    assert chain.end()[0] == ChainEntry.objects.count() - 1 >= 24
    assert chain.walk().broken == []


def a_transaction_waits() -> bool:
    """Whether one waits for a row; on SQLite none does, since it has one writer at a time."""
    if connection.vendor != "postgresql":
        return True
    with connection.cursor() as cursor:
        cursor.execute("SELECT count(*) FROM pg_locks WHERE NOT granted")
        return bool(cursor.fetchone()[0])


def test_a_request_that_waited_for_a_table_reads_its_newest_shoe(house: House) -> None:
    """Otherwise several players who commit at once would each lock the shoe."""
    table = sealed_table(house)

    def status_after_the_wait() -> str:
        try:
            with transaction.atomic():
                shoe = lock_table(table.pk).shoe
                assert shoe is not None
                return shoe.status
        finally:
            connection.close()

    with ThreadPoolExecutor(1) as pool:
        with transaction.atomic():
            held = lock_table(table.pk)
            assert held.shoe is not None
            assert held.shoe.status == Shoe.Status.SEALED
            waiting = pool.submit(status_after_the_wait)
            until(a_transaction_waits)
            custody.lock(held.shoe, seats_at(held), house.now)
            store_table(held)
        assert waiting.result() == Shoe.Status.LOCKED


def test_many_simultaneous_clicks_take_one_seat(house: House) -> None:
    table, alice = house.table("chinese_poker"), house.player("alice")
    at_once(*[partial(house.sit, alice, table, number) for number in (1, 2, 3, 4)])
    assert Seat.objects.count() == 1
    assert house.wallet(alice).balance == MONEY - 50_000


def test_simultaneous_buy_ins_cannot_overdraw_a_wallet(house: House, settings: Any) -> None:
    settings.PLAY_MONEY_REFILL = 0
    alice = house.player("alice", 120_000)
    tables = [house.table("baccarat") for _ in range(12)]
    answers = at_once(*[partial(house.sit, alice, table, 1) for table in tables])
    assert answers.count("overdrawn") == 10
    assert house.wallet(alice).balance == 20_000
    assert Seat.objects.count() == 2


def test_simultaneous_buy_ins_are_refilled_once(house: House) -> None:
    """The refill of the day brings 120,000 up to 200,000, which are four seats."""
    alice = house.player("alice", 120_000)
    tables = [house.table("baccarat") for _ in range(12)]
    answers = at_once(*[partial(house.sit, alice, table, 1) for table in tables])
    assert answers.count("overdrawn") == 8
    assert Transaction.objects.filter(kind="grant").count() == 1
    assert house.wallet(alice).balance == 0
    assert Seat.objects.count() == 4


def test_welcomes_are_limited_per_address(house: House, settings: Any) -> None:
    settings.PLAY_MONEY_AN_ADDRESS = 3 * settings.PLAY_MONEY_WELCOME
    players = [house.player(f"player {number}", 0) for number in range(1, 9)]
    Player.objects.update(signed_up_from="one place")
    tables = [house.table("baccarat") for _ in players]
    for player in players:
        player.refresh_from_db()
    answers = at_once(
        *[
            partial(house.sit, player, table, 1)
            for player, table in zip(players, tables, strict=True)
        ]
    )
    assert answers.count("no_play_money_today") == 5
    assert Seat.objects.count() == 3
    assert house.total() == 0


def caller(house: House, table: Table, names: Sequence[str]) -> tuple[str, int]:
    table.refresh_from_db()
    (number,) = table.turns
    return names[int(number) - 1], table.turns[number]


def test_either_player_or_clock_makes_the_move(house: House) -> None:
    names = ("alice", "bob", "carol")
    table = house.dealt_in("doudizhu", *names)
    for _ in range(12):
        # Whom the clock was before three times in a row is made to sit out.
        for name in names:
            house.change(table, name, sits_out=False)
        house.until(table, lambda table: table.phase == Table.Phase.PLAY)
        name, turn = caller(house, table, names)
        hand, made = table.hand_id, table.moves_made
        action = house.best_action(table, name)
        assert hand is not None
        assert table.deadline is not None
        house.now = table.deadline
        player = house.person(name)
        at_once(
            partial(hand_verbs.act, player, table.pk, hand, turn, action, house.now),
            partial(clock.tick, table.pk, house.now),
        )
        by = Move.objects.filter(hand_id=hand, number=made).values_list("by", flat=True)
        assert list(by) in (["player"], ["timeout"])
        assert (
            Move.objects.filter(hand_id=hand, turn=turn, by__in=("player", "timeout")).count() == 1
        )


def test_twenty_clocks_have_one_effect(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    house.act(table, "alice", {"do": "bet", "on": "player", "amount": 500})
    table.refresh_from_db()
    assert table.deadline is not None
    house.now = table.deadline
    at_once(*[lambda: clock.tick(table.pk, house.now) for _ in range(10)])
    at_once(*[lambda: clock.sweep(house.now) for _ in range(10)])
    hand = Hand.objects.get()
    assert hand.status == Hand.Status.FINISHED
    assert list(differences(hand)) == []
    assert house.total() == 0


def test_twenty_clocks_deal_one_hand(house: House) -> None:
    table = house.table("baccarat")
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PAUSE)
    assert table.due_at is not None
    house.now = table.due_at
    at_once(*[lambda: clock.tick(table.pk, house.now) for _ in range(20)])
    assert Hand.objects.count() == 1


def test_all_who_arrange_at_once_are_heard(house: House) -> None:
    names = ("alice", "bob", "carol", "dave")
    table = house.dealt_in("chinese_poker", *names)
    hand = table.hand_id
    assert hand is not None
    sent = [(house.person(name), house.best_action(table, name)) for name in names]
    at_once(
        *[
            partial(hand_verbs.act, player, table.pk, hand, 0, action, house.now)
            for player, action in sent
        ]
    )
    assert Hand.objects.get().status == Hand.Status.FINISHED
    assert list(differences(Hand.objects.get())) == []


def test_the_same_move_at_once_is_made_once(house: House) -> None:
    names = ("alice", "bob", "carol")
    table = house.dealt_in("doudizhu", *names)
    name, turn = caller(house, table, names)
    player, hand, action = house.person(name), table.hand_id, {"do": "call", "points": 1}
    assert hand is not None
    answers = at_once(
        *[
            lambda: hand_verbs.act(player, table.pk, hand, turn, action, house.now)
            for _ in range(10)
        ]
    )
    assert all(isinstance(answer, Table) for answer in answers)
    assert Move.objects.count() == 1


def test_leaving_while_the_hand_ends_loses_no_money(house: House) -> None:
    table = house.dealt_in("baccarat", "alice", "bob")
    house.act(table, "alice", {"do": "bet", "on": "player", "amount": 500})
    table.refresh_from_db()
    assert table.deadline is not None
    house.now = table.deadline
    alice, bob = house.person("alice"), house.person("bob")
    at_once(
        lambda: clock.tick(table.pk, house.now),
        lambda: seating.leave(alice, table.pk, house.now),
        lambda: seating.leave(bob, table.pk, house.now),
        lambda: seating.top_up(bob, table.pk, 5_000, "first", house.now),
    )
    house.until(table, lambda table: table.due_at is None)
    assert not Seat.objects.filter(left_at__isnull=True).exists()
    result = Hand.objects.first()
    assert result is not None
    nets = dict(result.seats.values_list("player__username", "net"))
    assert house.wallet(alice).balance == MONEY + nets["alice"]
    assert house.wallet(bob).balance == MONEY + nets["bob"]
    assert house.total() == 0


def test_a_player_opens_no_table_too_many_at_once(house: House) -> None:
    model, alice = house.table("doudizhu"), house.player("alice")
    calls = [
        partial(private_tables.open_table, alice, model.pk, "usual", False, house.now)
        for _ in range(8)
    ]
    answers = at_once(*calls)
    assert answers.count("too_many_tables") == 8 - private_tables.OPEN_MAX
    assert Table.objects.filter(opened_by=alice).count() == private_tables.OPEN_MAX


def test_a_private_table_closes_while_others_sit_down_and_no_money_is_lost(house: House) -> None:
    model, alice = house.table("doudizhu"), house.player("alice")
    table = private_tables.open_table(alice, model.pk, "usual", False, house.now)
    guests = [house.player(name) for name in ("bob", "carol", "dave")]
    least, link = table.buy_in_min, table.invitation
    sits = [
        partial(seating.sit, guest, table.pk, number, least, house.now, link)
        for number, guest in enumerate(guests, 1)
    ]
    close = partial(private_tables.close_table, alice, table.pk, house.now)
    anew = partial(private_tables.invite_anew, alice, table.pk)
    at_once(*sits, close, anew)
    house.until(table, lambda table: table.status == Table.Status.CLOSED)
    assert not Seat.objects.filter(left_at__isnull=True).exists()
    assert [house.wallet(guest).balance for guest in guests] == [MONEY] * 3
    assert house.total() == 0


def test_many_lines_at_once_at_several_tables_are_noise(house: House) -> None:
    alice = house.player("alice")
    tables = [house.table("baccarat") for _ in range(3)]
    for table in tables:
        house.sit(alice, table, 1)
    calls = [partial(chat_verbs.say, alice, tables[n % 3].pk, "hi", house.now) for n in range(12)]
    assert at_once(*calls).count("too_many_lines") == 12 - chat_verbs.LINES_MAX


def test_many_simultaneous_clicks_make_one_link(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    hand: Any = table.hand_id
    house.until(table, lambda table: table.hand_id != hand)
    alice = house.person("alice")
    links = at_once(*[partial(sharing.share, alice, hand, house.now, named=False)] * 6)
    assert len({link.token for link in links}) == SharedHand.objects.count() == 1


def yard(house: House, **settings: Any) -> Table:
    """Bob plays with two bots at the only table of a game."""
    table = house.among_bots("doudizhu", "bob", name="Yard", **settings)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    return table


def press(house: House, players: Sequence[Player]) -> list[Any]:
    """All press "Play now" at the same moment."""
    tables = list(tables_to_show())
    return at_once(*[partial(find_or_open, player, tables, house.now) for player in players])


def test_many_players_want_the_places_of_two_bots_that_play(house: House) -> None:
    table = yard(house)
    players = [house.player(f"player {number}") for number in range(1, MANY + 1)]
    answers = press(house, players)
    assert answers.count("no_seat") == MANY - 2
    kept = Seat.objects.filter(reserved_for__isnull=False).values_list("reserved_for", flat=True)
    assert len(set(kept)) == 2
    house.until(table, lambda table: table.hand_id is None)
    # They sit there as soon as the hand is over, and not a moment later.
    people = table.seats.filter(left_at__isnull=True, player__is_bot=False)
    assert set(people.values_list("player", flat=True)) == {*kept, house.person("bob").pk}
    spent = [MONEY - house.wallet(player).balance for player in players]
    assert sorted(spent) == [0] * (MANY - 2) + [table.buy_in_min] * 2
    assert house.total() == 0


def test_many_players_get_overflow_tables_up_to_the_limit(house: House) -> None:
    table = yard(house, overflow_max=4)
    players = [house.player(f"player {number}") for number in range(1, MANY + 1)]
    answers = press(house, players)
    # Two places beside bob, and four further tables of three.
    assert answers.count("no_seat") == MANY - 2 - 4 * 3
    assert Table.objects.filter(overflow_of=table).count() == 4
    for overflow in Table.objects.filter(overflow_of=table):
        assert overflow.seats.filter(left_at__isnull=True, player__is_bot=False).count() == 3
    assert house.total() == 0


def test_many_simultaneous_clicks_seat_a_player_once(house: House) -> None:
    table, alice = yard(house), house.player("alice")
    answers = press(house, [alice] * 8)
    assert all(isinstance(answer, Seat) for answer in answers)
    assert Seat.objects.filter(reserved_for=alice).count() == 1
    house.until(table, lambda table: table.hand_id is None)
    assert Seat.objects.filter(player=alice, left_at__isnull=True).count() == 1
    assert house.wallet(alice).balance == MONEY - table.buy_in_min


def test_a_place_is_given_up_while_it_is_handed_over(house: House) -> None:
    table, alice = yard(house), house.player("alice")
    house.sit(alice, table, 2)
    house.void(table, "a test")
    house.pass_time(1)
    at_once(
        *[lambda: clock.tick(table.pk, house.now)] * 4,
        lambda: seating.leave(alice, table.pk, house.now),
        lambda: seating.leave(alice, table.pk, house.now),
    )
    seats = table.seats.filter(left_at__isnull=True)
    assert not seats.filter(reserved_for__isnull=False).exists()
    assert len(set(seats.values_list("number", flat=True))) == len(seats)
    sits = seats.filter(player=alice).exists()
    assert house.wallet(alice).balance == (MONEY - 50_000 if sits else MONEY)
    assert house.total() == 0


def test_a_hand_taken_back_while_its_day_is_closed_is_known_to_the_day(
    house: House, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, operator = house.dealt_in("doudizhu", "alice", "bob", "carol"), house.player("olga", 0)
    appoint(operator, "managers")
    paid = Hand.objects.filter(rake__gt=0)
    house.until(table, lambda table: paid.exists() and table.hand_id is None)
    house.pass_time(24 * 3600)
    taking_back = Thread(
        target=partial(
            at_once, partial(reversals.void, operator, paid.get().pk, "a test", house.now)
        )
    )
    write = DayResult.objects.bulk_create

    def write_late(results: Any) -> Any:
        """The day's hands have been read: now try to reverse the hand."""
        read = list(results)
        taking_back.start()
        taking_back.join(0.3)
        return write(read)

    monkeypatch.setattr(DayResult.objects, "bulk_create", write_late)
    closed_days.close_days(house.now)
    taking_back.join()
    assert not paid.filter(status=Hand.Status.FINISHED).exists()
    assert sum(result.voids for result in DayResult.objects.all()) == 3
    assert list(audit_house.days()) == []
