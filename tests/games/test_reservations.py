"""A bot that plays gives its seat up after the hand; until then it is kept for one person."""

from typing import Any
from uuid import uuid4

import pytest

from games.models import HandSeat, Seat, Table
from games.tables import seating
from games.tables.seating import seat_reserved
from games.words.refusals import sentence_of
from tests.games.evenings import played_once
from tests.games.house import MONEY, House
from tests.games.program import Program
from tests.people import BY_TEST, client_of
from wallets.money.accounts import account
from wallets.money.ledger import Leg, post
from wallets.values.errors import Refused

SENTENCE = "your seat is ready in a moment"


def sits(table: Table, name: str) -> bool:
    return table.seats.filter(player__username=name, left_at__isnull=True).exists()


def play(house: House) -> Table:
    """Bob plays with two bots at a table of three."""
    house.bots(3)
    table = house.table("doudizhu", name="Yard", bots_max=2)
    house.sit(house.player("bob"), table, 1)
    house.until(table, lambda table: table.phase == Table.Phase.PLAY)
    return table


evening = played_once(play)


def until_the_hand_is_over(house: House, table: Table) -> None:
    house.until(table, lambda table: table.hand_id is None)
    house.until_due(table)


def end_the_hand(house: House, table: Table) -> None:
    """At once, as if it had been played: a place is handed over however a hand ends."""
    house.void(table, "a test")
    house.until_due(table)


def test_the_place_is_taken_when_the_hand_ends_for_the_buy_in_agreed_to(
    house: House, table: Table
) -> None:
    alice = house.player("alice")
    kept = house.sit(alice, table, 2, 30_000)
    assert kept.player.is_bot
    assert not sits(table, "alice")
    assert house.wallet(alice).balance == MONEY
    until_the_hand_is_over(house, table)
    assert house.seat(table, "alice").number == 2
    assert house.stack(table, "alice") == 30_000
    assert house.wallet(alice).balance == MONEY - 30_000
    house.until(table, lambda table: table.hands_dealt == 2)
    assert HandSeat.objects.filter(hand=table.hand, player=alice).exists()
    assert house.total() == 0


def test_repeated_requests_reserve_one_seat(house: House, table: Table) -> None:
    alice = house.player("alice")
    for number in (2, 2, 3):
        house.sit(alice, table, number)
    (kept,) = Seat.objects.filter(reserved_for=alice)
    assert kept.number == 3
    end_the_hand(house, table)
    assert house.seat(table, "alice").number == 3
    assert house.wallet(alice).balance == MONEY - 50_000


def test_a_kept_place_is_nobody_elses(house: House, table: Table) -> None:
    house.sit(house.player("alice"), table, 2)
    carol = house.player("carol")
    with pytest.raises(Refused) as refused:
        house.sit(carol, table, 2)
    assert refused.value.code == "seat_kept"
    house.sit(carol, table, 3)
    with pytest.raises(Refused) as refused:
        house.sit(house.player("dave"), table, 3)
    assert refused.value.code == "seat_kept"
    end_the_hand(house, table)
    assert sits(table, "alice")
    assert sits(table, "carol")


def test_leaving_the_page_gives_up_the_reservation(house: House, table: Table) -> None:
    alice = house.player("alice")
    house.sit(alice, table, 2)
    house.away.add("alice")
    house.pass_time(table.grace_seconds + 1)
    # Another player may have it now.
    house.sit(house.player("carol"), table, 2)
    assert client_of(alice).get(f"/tables/{table.pk}/").text.count(SENTENCE) == 0
    end_the_hand(house, table)
    assert sits(table, "carol")
    assert not sits(table, "alice")


def test_the_bot_keeps_its_seat_when_a_reservation_lapses(house: House, table: Table) -> None:
    alice = house.player("alice")
    kept = house.sit(alice, table, 2)
    house.away.add("alice")
    house.pass_time(table.grace_seconds + 1)
    end_the_hand(house, table)
    kept.refresh_from_db()
    assert (kept.reserved_for, kept.left_at) == (None, None)
    assert house.wallet(alice).balance == MONEY


def test_a_place_can_be_given_up(house: House, table: Table) -> None:
    alice = house.player("alice")
    house.sit(alice, table, 2)
    client = client_of(alice)
    assert "Give up the reservation" in client.get(f"/tables/{table.pk}/").text
    client.post(f"/tables/{table.pk}/leave/")
    assert not Seat.objects.filter(reserved_for=alice).exists()
    end_the_hand(house, table)
    assert not sits(table, "alice")


def test_reserved_seat_lapses_if_the_player_cannot_pay(
    house: House, table: Table, settings: Any
) -> None:
    settings.PLAY_MONEY_REFILL = 0
    alice, poor = house.player("alice"), house.player("poor", 20_000)
    with pytest.raises(Refused) as refused:
        house.sit(poor, table, 2, 30_000)
    assert refused.value.code == "wallet_short"
    assert "Your wallet holds 200, less than" in sentence_of(refused.value)
    house.sit(alice, table, 2)
    issue = account("issue", "house", house.currency)
    post(
        uuid4(),
        "withdrawal",
        [Leg(house.wallet(alice).pk, -MONEY), Leg(issue.pk, MONEY)],
        book="cashier",
        **BY_TEST,
    )
    end_the_hand(house, table)
    assert not sits(table, "alice")
    assert table.seats.filter(left_at__isnull=True).count() == 3
    assert house.total() == 0


@pytest.mark.always
def test_a_place_is_not_kept_for_any_amount(house: House, table: Table) -> None:
    alice = house.player("alice")
    for amount in (9_999, 100_001):
        with pytest.raises(Refused) as refused:
            house.sit(alice, table, 2, amount)
        assert refused.value.code == "buy_in_bounds"


def test_nobody_is_seated_at_a_table_that_closes(house: House, table: Table) -> None:
    alice = house.player("alice")
    house.sit(alice, table, 2)
    Table.objects.filter(pk=table.pk).update(status=Table.Status.CLOSING)
    house.until(table, lambda table: table.status == Table.Status.CLOSED)
    assert house.wallet(alice).balance == MONEY
    assert house.total() == 0


def test_the_page_says_that_a_place_is_kept(house: House, table: Table) -> None:
    alice, carol = house.player("alice"), house.player("carol")
    client = client_of(alice)
    page = client.get(f"/tables/{table.pk}/").text
    assert page.count("Take seat") == 2
    answer = client.post(f"/tables/{table.pk}/sit/", {"seat": 2, "amount": "300"})
    assert answer.status_code == 302
    page = client.get(f"/tables/{table.pk}/").text
    assert SENTENCE in page
    assert "with 300" in page
    # It is in sight on every page, and others are offered the other bot's seat alone.
    wallet = client.get("/wallet/").text
    assert "Yard" in wallet
    assert "your seat is reserved" in wallet
    others = client_of(carol).get(f"/tables/{table.pk}/").text
    assert SENTENCE not in others
    assert others.count("Take seat") == 1
    # Looking at the page is being there.
    house.pass_time(30)
    client.get(f"/tables/{table.pk}/")
    assert Seat.objects.get(reserved_for=alice).seen_at == house.now
    end_the_hand(house, table)
    assert SENTENCE not in client.get(f"/tables/{table.pk}/").text
    # The strip, which has changed, brings what the wallet holds now.
    assert 'class="balance number" hx-swap-oob="true"' in client.get("/running/").text


def test_a_player_who_takes_a_seat_does_not_see_what_the_bot_has_won(
    house: House, table: Table
) -> None:
    alice = house.player("alice")
    house.sit(alice, table, 2)
    house.until(table, lambda table: table.hand_id is None)
    seat_reserved(table.pk, house.now)
    text = client_of(alice).get(f"/tables/{table.pk}/").text
    plates = {
        number: text.split(f'<li id="seat-{number}"')[1].split("</li>")[0] for number in (1, 2, 3)
    }
    assert "alice" in plates[2]
    assert "badge net" not in plates[2]
    # A player who has not won has cards left.
    assert "left-cards" not in plates[2]
    assert "left-cards" in plates[1] + plates[3]


def test_the_api_says_which_seat_is_reserved(house: House, table: Table) -> None:
    house.player("alice")
    alice = Program("alice")
    shown = alice.post(f"tables/{table.pk}/sit/", {"seat": 2, "amount": 20_000})
    assert alice.status == 200
    assert (shown["mine"], shown["kept"]) == (None, 2)
    assert [seat["leaves"] for seat in shown["seats"]] == [False, True, False]
    end_the_hand(house, table)
    shown = alice.get(f"tables/{table.pk}/")
    assert (shown["mine"]["number"], shown["kept"]) == (2, None)


def test_a_seat_is_better_than_a_place_and_a_place_than_waiting(house: House, table: Table) -> None:
    """Play begins soonest with bots that come at once, then after the hand, then with people."""
    house.table("doudizhu", name="Lonely", buy_in_min=5_000)
    client_of(house.player("alice")).post("/play/doudizhu/")
    assert Seat.objects.get(reserved_for__username="alice").table == table
    at_once = house.table("doudizhu", name="At once", buy_in_min=20_000, bots_max=2)
    client_of(house.player("carol")).post("/play/doudizhu/")
    assert sits(at_once, "carol")
    # A further table comes before a seat that a bot gives up after the hand.
    Table.objects.filter(pk=table.pk).update(overflow_max=1)
    for name in ("dave", "erin", "frank"):
        client_of(house.player(name)).post("/play/doudizhu/")
    assert Seat.objects.get(player__username="frank").table.overflow_of == table


def test_a_private_tables_bots_make_room_for_guests(house: House, table: Table) -> None:
    Table.objects.filter(pk=table.pk).update(private=True)
    table.refresh_from_db()
    alice = house.player("alice")
    seating.sit(alice, table.pk, 2, 50_000, house.now, table.invitation)
    end_the_hand(house, table)
    assert sits(table, "alice")
