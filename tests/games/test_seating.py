"""Sitting down, bringing money, sitting out, and leaving with it."""

from collections.abc import Callable
from typing import Any
from uuid import uuid4

import pytest

from games.models import Hand, HandSeat, Seat, Table
from games.records.audit import differences
from games.tables import seating
from tests.games.house import MONEY, House
from tests.games.viewers import board_of
from tests.people import BY_TEST, client_of
from wallets.models import Transaction
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post
from wallets.values.errors import Hidden, Overdrawn, Refused


def refusal(work: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        work()
    return refused.value.code


def test_the_buy_in_goes_from_the_wallet_to_the_seat(house: House) -> None:
    alice, table = house.player("alice"), house.table("doudizhu")
    house.sit(alice, table, 2, 50_000)
    assert house.stack(table, "alice") == 50_000
    assert house.wallet(alice).balance == MONEY - 50_000
    assert house.total() == 0


def test_a_buy_in_out_of_bounds_is_refused(house: House) -> None:
    alice, table = house.player("alice"), house.table("doudizhu")
    for amount in (9_999, 100_001, 0, -1, 10**15, 10**30):
        assert refusal(lambda a=amount: house.sit(alice, table, 1, a)) == "buy_in_bounds"
    assert not Seat.objects.exists()
    assert house.wallet(alice).balance == MONEY


def test_buying_in_needs_enough_money(house: House, settings: Any) -> None:
    settings.PLAY_MONEY_REFILL = 0
    alice, table = house.player("alice", 10_000), house.table("doudizhu")
    with pytest.raises(Overdrawn):
        house.sit(alice, table, 1, 10_001)
    assert not Seat.objects.exists()
    assert house.wallet(alice).balance == 10_000


def test_one_seat_a_player_and_one_player_a_seat(house: House) -> None:
    alice, bob, table = house.player("alice"), house.player("bob"), house.table("doudizhu")
    assert house.sit(alice, table, 1) == house.sit(alice, table, 1)
    assert house.stack(table, "alice") == 50_000
    assert refusal(lambda: house.sit(alice, table, 2)) == "one_seat"
    for number, code in ((1, "seat_taken"), (4, "no_such_seat"), (0, "no_such_seat")):
        assert refusal(lambda n=number: house.sit(bob, table, n)) == code
    for status in (Table.Status.CLOSED, Table.Status.CLOSING):
        Table.objects.update(status=status)
        assert refusal(lambda: house.sit(bob, table, 2)) == "table_closed"


def test_a_private_table_is_not_there_without_the_invitation(house: House) -> None:
    alice, table = house.player("alice"), house.table("doudizhu", private=True)
    # In any script, too.
    for invitation in ("", "guess", table.invitation[:-1], "é", "邀请", "\ud800"):
        with pytest.raises(Hidden):
            seating.sit(alice, table.pk, 1, 50_000, house.now, invitation)
    assert seating.sit(alice, table.pk, 1, 50_000, house.now, table.invitation).number == 1


def test_leaving_between_hands_brings_the_money_back(house: House) -> None:
    alice, table = house.player("alice"), house.table("doudizhu")
    house.sit(alice, table, 1)
    house.leave(alice, table)
    assert house.wallet(alice).balance == MONEY
    assert not table.seats.filter(left_at__isnull=True).exists()


def dealt_with_a_bet(house: House) -> Table:
    """Alice has bet at baccarat, and the bets are still open."""
    table = house.dealt_in("baccarat", "alice")
    house.act(table, "alice", {"do": "bet", "on": "player", "amount": 500})
    return table


def test_leaving_during_a_hand_moves_no_money(house: House) -> None:
    table = dealt_with_a_bet(house)
    alice = house.person("alice")
    house.leave(alice, table)
    assert house.stack(table, "alice") == 50_000
    assert house.wallet(alice).balance == MONEY - 50_000
    house.until(table, lambda table: table.hand_id is None)
    result = Hand.objects.get().seats.get(player=alice)
    house.until_due(table)
    assert not table.seats.filter(player=alice, left_at__isnull=True).exists()
    assert house.wallet(alice).balance == MONEY + result.net


@pytest.mark.always
def test_a_top_up_during_a_hand_arrives_after_it(house: House) -> None:
    table = dealt_with_a_bet(house)
    alice = house.person("alice")
    seating.top_up(alice, table.pk, 20_000, "first", house.now)
    assert (house.stack(table, "alice"), house.seat(table, "alice").top_up) == (50_000, 20_000)
    house.act(table, "alice", {"do": "done"})
    house.until_due(table)
    net = HandSeat.objects.get(player=alice, hand__number=1).net
    assert house.stack(table, "alice") == 70_000 + (net or 0)


@pytest.mark.parametrize("game", ["baccarat", "blackjack", "russian_poker", "casino_holdem"])
def test_a_top_up_before_the_first_bet_is_there_at_once(house: House, game: str) -> None:
    """It can be bet in the round that is open, and starts no countdown for others."""
    table = house.table(game, stack_min=10_000, buy_in_min=10_000, options={"max": 50_000})
    alice = house.player("alice")
    house.sit(alice, table, 1, 10_000)
    house.sit(house.player("bob"), table, 2)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    hand, turn = table.hand_id, table.turns["1"]
    for _again in range(2):
        seating.top_up(alice, table.pk, 20_000, "once", house.now)
    table.refresh_from_db()
    assert (house.stack(table, "alice"), house.seat(table, "alice").top_up) == (30_000, 0)
    assert (table.hand_id, table.turns["1"], table.deadline) == (hand, turn, None)
    board = board_of(client_of(alice), table)
    assert "300 to bet with" in board
    assert "after this hand" not in board
    assert "adds 200 to the stack of seat 1" in board
    bet = {"do": "bet", "on": "player"} if game == "baccarat" else {"do": "ante", "box": 1}
    bet |= {"do": "bet"} if game == "blackjack" else {}
    house.act(table, "alice", bet | {"amount": 25_000}, turn)
    # Now it is played for, and what comes later is for the next hand.
    seating.top_up(alice, table.pk, 1_000, "later", house.now)
    assert (house.stack(table, "alice"), house.seat(table, "alice").top_up) == (30_000, 1_000)
    house.until(table, lambda table: table.hand_id is None)
    played = Hand.objects.get()
    seat = played.seats.get(player=alice)
    assert (seat.starting_stack, list(differences(played))) == (10_000, [])
    house.until_due(table)
    assert house.stack(table, "alice") == 31_000 + seat.net
    assert house.total() == 0


def test_a_top_up_of_one_who_has_not_bet_is_there_at_once_during_the_hand(house: House) -> None:
    table = house.dealt_in("casino_holdem", "alice", "bob")
    house.act(table, "bob", {"do": "ante", "box": 1, "amount": 500})
    house.act(table, "bob", {"do": "done"})
    moves = house.state(table)[0].moves.count()
    seating.top_up(house.person("alice"), table.pk, 20_000, "once", house.now)
    assert house.stack(table, "alice") == 70_000
    table.refresh_from_db()
    assert table.moves_made == moves
    house.until(table, lambda table: table.hand_id is None)
    assert list(differences(Hand.objects.get())) == []


def test_a_top_up_sent_twice_is_made_once(house: House) -> None:
    alice, table = house.player("alice"), house.table("doudizhu")
    house.sit(alice, table, 1)
    for _ in range(2):
        seating.top_up(alice, table.pk, 20_000, "first", house.now)
    assert house.stack(table, "alice") == 70_000


def test_a_top_up_is_bounded_by_the_largest_buy_in(house: House) -> None:
    alice, table = house.player("alice"), house.table("doudizhu")
    house.sit(alice, table, 1, 50_000)
    for amount in (50_001, 0, -5):
        work = lambda a=amount: seating.top_up(alice, table.pk, a, "first", house.now)  # noqa: E731
        assert refusal(work) == "top_up_bounds"


def test_sitting_out_seat_is_not_dealt_in(house: House) -> None:
    house.bots(3)
    table = house.table("chinese_poker", bots_max=1)
    for number, name in enumerate(("alice", "bob", "carol"), 1):
        house.sit(house.player(name), table, number)
    house.change(table, "bob", sits_out=True)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    assert [row.number for row in Hand.objects.get().seats.all()] == [1, 3]
    house.change(table, "bob", sits_out=False)
    house.until(table, lambda table: table.hands_dealt == 2)
    assert [row.number for row in Hand.objects.latest("pk").seats.all()] == [1, 2, 3]


@pytest.mark.always
def test_sitting_out_too_long_loses_the_seat(house: House) -> None:
    table = house.table("doudizhu", idle_seconds=60)
    alice = house.player("alice")
    house.sit(alice, table, 1)
    house.change(table, "alice", sits_out=True)
    house.until(table, lambda table: not table.seats.filter(left_at__isnull=True).exists())
    assert house.wallet(alice).balance == MONEY


def test_short_stack_is_not_dealt_in_until_topped_up(house: House) -> None:
    table = house.table("baccarat", stack_min=40_000, buy_in_min=10_000)
    alice = house.player("alice")
    house.sit(alice, table, 1, 10_000)
    house.until_due(table)
    house.until_due(table)
    assert Hand.objects.count() == 0
    # No player but the player buys more chips.
    assert (house.stack(table, "alice"), house.wallet(alice).balance) == (10_000, MONEY - 10_000)
    seating.top_up(alice, table.pk, 30_000, "first", house.now)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)


def test_a_closing_table_plays_its_hand_to_the_end_and_pays_out(house: House) -> None:
    table = dealt_with_a_bet(house)
    house.sit(house.player("bob"), table, 2)
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSING)
    house.until(table, lambda table: table.status == Table.Status.CLOSED)
    assert Hand.objects.get().status == Hand.Status.FINISHED
    assert not table.seats.filter(left_at__isnull=True).exists()
    assert [seat.stack.balance for seat in table.seats.select_related("stack")] == [0, 0]
    assert house.total() == 0


def test_a_top_up_after_the_hand_does_not_lift_a_stack_above_the_largest_buy_in(
    house: House,
) -> None:
    table = dealt_with_a_bet(house)
    seating.top_up(house.person("alice"), table.pk, 50_000, "once", house.now)
    seat = house.seat(table, "alice")
    # What was won in the hand.
    bank = account("house", table.reference, house.currency)
    post(
        uuid4(),
        "hand",
        [Leg(bank.pk, -30_000), Leg(seat.stack_id, 30_000)],
        book="test",
        **BY_TEST,
    )
    house.act(table, "alice", {"do": "done"})
    house.until_due(table)
    assert house.stack(table, "alice") == table.buy_in_max
    assert house.total() == 0


def buy_ins(house: House, table: Table) -> int:
    reference = house.seat(table, "alice").reference
    return Transaction.objects.filter(kind="buy_in", reference=reference).count()


def test_a_top_up_sent_again_in_the_next_hand_comes_once(house: House) -> None:
    table, alice = house.table("baccarat"), house.player("alice")
    house.sit(alice, table, 1)
    seating.top_up(alice, table.pk, 500, "one", house.now)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    seating.top_up(alice, table.pk, 500, "one", house.now)
    house.act(table, "alice", {"do": "bet", "on": "tie", "amount": 500})
    house.until(table, lambda table: table.hands_dealt == 2)
    assert buy_ins(house, table) == 2


def test_a_top_up_sent_in_a_hand_and_again_after_it_comes_once(house: House) -> None:
    table = dealt_with_a_bet(house)
    alice = house.person("alice")
    seating.top_up(alice, table.pk, 500, "one", house.now)
    house.until(table, lambda _table: buy_ins(house, table) == 2)
    seating.top_up(alice, table.pk, 500, "one", house.now)
    house.until(table, lambda table: table.hands_dealt == 3)
    assert buy_ins(house, table) == 2


def test_a_top_up_sent_again_from_an_earlier_stay_brings_nothing(house: House) -> None:
    table, alice = house.table("doudizhu"), house.player("alice")
    house.sit(alice, table, 1, 50_000)
    seating.top_up(alice, table.pk, 500, "one", house.now)
    house.leave(alice, table)
    house.sit(alice, table, 1, 50_000)
    seating.top_up(alice, table.pk, 500, "one", house.now)
    assert house.stack(table, "alice") == 50_000
