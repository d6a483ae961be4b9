"""Whole hands through the services: dealt, played, paid, and the next one begun."""

from games.models import Hand, Table
from tests.games.house import House


def test_a_player_can_lose_no_more_than_their_stack(house: House) -> None:
    table = house.table("chinese_poker")
    for number, name in enumerate(("alice", "bob"), 1):
        house.sit(house.player(name), table, number, 10_000 * number)
    house.until(table, lambda table: table.hands_dealt == 1)
    hand = Hand.objects.get()
    assert hand.stakes == [{"seat": 1, "purse": 10_000}, {"seat": 2, "purse": 20_000}]
    assert list(hand.seats.values_list("starting_stack", flat=True)) == [10_000, 20_000]


def test_no_deal_below_the_minimum_number_of_players(house: House) -> None:
    table = house.table("doudizhu")
    house.sit(house.player("alice"), table, 1)
    house.until_due(table)
    assert table.phase == Table.Phase.WAITING
    assert Hand.objects.count() == 0


def test_bots_are_never_out_of_sight_and_leave_a_table_without_people(house: House) -> None:
    """Each of their hands has a shoe of its own, and the button moves on."""
    house.bots(2)
    table = house.table("chinese_poker", bots_max=2, grace_seconds=5)
    alice = house.player("alice")
    house.sit(alice, table, 1)
    house.until(table, lambda table: table.hands_dealt == 4)
    assert table.seats.filter(player__is_bot=True, left_at__isnull=True).count() == 2
    hands = Hand.objects.order_by("number")
    assert len({hand.shoe_id for hand in hands}) == 4
    assert {hand.first_card for hand in hands} == {0}
    assert [hand.context["button"] for hand in hands] == [1, 2, 3, 1]
    house.leave(alice, table)
    house.until(table, lambda table: table.due_at is None)
    assert not table.seats.filter(left_at__isnull=True).exists()
    assert house.total() == 0


def test_bots_stay_away_where_the_table_has_none(house: House) -> None:
    house.bots(5)
    table = house.table("doudizhu", bots_max=1)
    house.sit(house.player("alice"), table, 1)
    house.until_due(table)
    house.until_due(table)
    assert table.seats.filter(left_at__isnull=True, player__is_bot=True).count() == 1


def test_the_first_bet_starts_the_countdown_and_the_next_does_not_stop_it(house: House) -> None:
    table = house.dealt_in("baccarat", "alice", "bob")
    assert table.deadline is None
    house.act(table, "alice", {"do": "bet", "on": "player", "amount": 500})
    table.refresh_from_db()
    ends = table.deadline
    assert ends is not None
    house.pass_time(5)
    house.act(table, "bob", {"do": "bet", "on": "tie", "amount": 500})
    table.refresh_from_db()
    assert table.deadline == ends
    house.until_due(table)
    assert house.now == ends
    assert table.phase == Table.Phase.PAUSE


def test_a_lasting_shoe_serves_for_many_rounds(house: House) -> None:
    table = house.table("baccarat")
    house.sit(house.player("alice"), table, 1)
    house.until(table, lambda table: table.hands_dealt == 4)
    hands = list(Hand.objects.filter(table=table).order_by("number"))
    assert len({hand.shoe_id for hand in hands}) == 1
    dealt = 0
    for number, hand in enumerate(hands, 1):
        assert (hand.first_card, hand.round_number) == (dealt, number)
        dealt += hand.cards_dealt
