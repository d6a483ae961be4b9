"""Play money that the house gives: one place for pages and programs, once, and within limits."""

import re
from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from casino.accounts.models import Player
from games.models import Seat, Table
from games.tables import play_money, seating
from tests.games.house import House
from tests.games.program import PASSWORD, Program
from tests.people import client_of
from wallets.models import Currency, Transaction
from wallets.values.errors import Overdrawn, Refused

pytestmark = pytest.mark.usefixtures("paid_in")

WELCOME = 1_000_000


def grants() -> list[tuple[str, str, str]]:
    grants = Transaction.objects.filter(kind="grant").order_by("pk")
    return list(grants.values_list("kind", "actor", "reason"))


@pytest.fixture
def table(house: House) -> Table:
    return house.table("baccarat")


def test_a_program_sits_down_with_the_welcome_and_never_needs_a_page(
    house: House, table: Table
) -> None:
    newcomer = house.player("alice", 0)
    program = Program("alice")
    answer = program.post(f"tables/{table.pk}/sit/", {"seat": 1, "amount": 20_000})
    assert answer["mine"]["purse"] == 20_000
    assert house.wallet(newcomer).balance == WELCOME - 20_000
    assert grants() == [("grant", "house", "welcome")]
    program.post(f"tables/{table.pk}/leave/")
    program.post(f"tables/{table.pk}/sit/", {"seat": 2, "amount": 20_000})
    assert grants() == [("grant", "house", "welcome")]
    assert house.total() == 0


def test_page_states_the_available_money_and_grants_the_same(house: House, table: Table) -> None:
    alice = house.player("alice", 0)
    client = client_of(alice)
    assert "your wallet holds 10,000" in client.get(f"/tables/{table.pk}/").text
    assert grants() == []
    client.post(f"/tables/{table.pk}/sit/", {"seat": 1, "amount": "200"})
    assert house.wallet(alice).balance == WELCOME - 20_000
    assert grants() == [("grant", "house", "welcome")]


@pytest.mark.always
def test_a_seat_that_is_refused_brings_nothing(house: House, table: Table) -> None:
    house.sit(house.player("bob"), table, 1)
    alice = house.player("alice", 0)
    with pytest.raises(Refused):
        house.sit(alice, table, 1)
    assert grants() == []
    assert play_money.within_reach(alice, table.currency) == WELCOME


def test_only_play_money_is_given(house: House) -> None:
    euro = Currency.objects.create(code="EUR", name="Euro")
    alice = house.player("alice", 0)
    assert play_money.welcome_due(alice, euro) == 0
    with pytest.raises(Refused) as refused:
        play_money.grant(alice, euro, 100, occasion="any", reason="a test")
    assert refused.value.code == "not_play_money"


def test_grants_are_limited_per_player(house: House, settings: Any) -> None:
    settings.PLAY_MONEY_A_PLAYER = 2 * WELCOME + 300
    alice = house.player("alice", 0)
    for number in range(1, 5):
        play = Currency.objects.create(
            code=f"P{number}", name=f"play {number}", kind=Currency.Kind.PLAY
        )
        play_money.welcome(alice, play)
    given = Transaction.objects.filter(kind="grant").order_by("pk")
    amounts = [max(transaction.entries.values_list("amount", flat=True)) for transaction in given]
    assert amounts == [WELCOME, WELCOME, 300]


def newcomer(house: House, name: str, address: str = "192.0.2.1") -> Player:
    """A player who signed up on the page before the house had tables, so with an empty wallet."""
    tables = Table.objects.filter(status=Table.Status.OPEN)
    numbers = list(tables.values_list("pk", flat=True))
    tables.update(status=Table.Status.CLOSED)
    form = {"username": name, "password1": PASSWORD, "password2": PASSWORD}
    sent = Client(REMOTE_ADDR=address).post(reverse("sign-up"), form)
    assert sent.status_code == 302
    Table.objects.filter(pk__in=numbers).update(status=Table.Status.OPEN)
    return Player.objects.get(username=name)


def test_signing_up_brings_the_welcome_and_a_first_hand_in_one_press(
    house: House, table: Table, settings: Any
) -> None:
    form = {"username": "anna", "password1": PASSWORD, "password2": PASSWORD}
    client = Client()
    page = client.post(reverse("sign-up"), form, follow=True)
    assert page.redirect_chain == [(reverse("welcome"), 302)]
    anna = Player.objects.get(username="anna")
    assert house.wallet(anna).balance == WELCOME
    assert grants() == [("grant", "house", "welcome")]
    # It is in the bar already, and the seat brings no second one.
    assert re.search(r'id="balance"[^>]*>10,000 <small>PLAY', page.text)
    assert "Deal my first hand" in page.text
    hand = client.get(reverse("welcome"), {"game": "blackjack"}, follow=True)
    assert hand.redirect_chain == [(reverse("learn", args=["blackjack"]), 302)]
    assert "Blackjack: a first hand" in hand.text
    house.sit(anna, table, 1, 20_000)
    assert house.wallet(anna).balance == WELCOME - 20_000
    # A player who came from a page goes back to it; where the limit is reached, there is no scene.
    form = form | {"username": "berta", "next": f"/tables/{table.pk}/"}
    assert Client().post(reverse("sign-up"), form)["Location"] == form["next"]
    settings.PLAY_MONEY_AN_ADDRESS = 2 * WELCOME
    form = form | {"username": "carla", "next": ""}
    assert Client().post(reverse("sign-up"), form)["Location"] == reverse("lobby")
    assert len(grants()) == 2


@pytest.mark.always
def test_the_welcome_page_is_for_players(house: House, table: Table) -> None:
    assert Client().get(reverse("welcome"))["Location"] == reverse("lobby")
    client = client_of(house.player("alice", 0))
    page = client.get(reverse("welcome"))
    assert "You get the first play money with your first seat." in page.text
    assert client.post(reverse("welcome")).status_code == 405
    assert client.get(reverse("welcome"), {"game": "none"}).status_code == 200


def test_daily_grants_are_limited_per_address(
    house: House, table: Table, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whatever the currency, and however many of them were let in on other days."""
    settings.PLAY_MONEY_AN_ADDRESS = 2 * WELCOME + WELCOME // 2
    anna, berta, carla = (newcomer(house, name) for name in ("anna", "berta", "carla"))
    house.sit(anna, table, 1)
    other = Currency.objects.create(code="P2", name="other", kind=Currency.Kind.PLAY)
    play_money.welcome(anna, other)
    assert play_money.within_reach(berta, table.currency) == 0
    with pytest.raises(Refused) as refused:
        house.sit(berta, table, 2)
    assert refused.value.code == "no_play_money_today"
    assert not Seat.objects.filter(player=berta).exists()
    assert len(grants()) == 2
    # A player who can bring the buy-in sits down; another address has a day of its own.
    house.give(carla, 50_000)
    assert house.sit(carla, table, 2).player == carla
    house.sit(newcomer(house, "dora", "192.0.2.2"), table, 3)
    assert len([reason for _, _, reason in grants() if reason == "welcome"]) == 3
    # A day later the welcomes of before do not count any more.
    later = Transaction.objects.latest("time").time + timedelta(hours=25)
    monkeypatch.setattr("games.tables.play_money.timezone.now", lambda: later)
    house.sit(berta, table, 4)
    assert house.wallet(berta).balance > 0
    assert house.total() == 0


def test_a_page_and_a_program_say_that_there_is_none_today(
    house: House, table: Table, settings: Any
) -> None:
    settings.PLAY_MONEY_AN_ADDRESS = WELCOME - 1
    anna = newcomer(house, "anna")
    shown = client_of(anna).post(f"/tables/{table.pk}/sit/", {"seat": 1, "amount": "200"})
    assert "Try again tomorrow" in shown.text
    program = Program("anna")
    answer = program.post(f"tables/{table.pk}/sit/", {"seat": 1, "amount": 20_000})
    assert program.refused(answer) == (409, "no_play_money_today")


def test_an_account_that_the_house_opened_has_no_address(
    house: House, table: Table, settings: Any
) -> None:
    settings.PLAY_MONEY_AN_ADDRESS = WELCOME
    for number, name in enumerate(("anna", "berta", "carla"), 1):
        house.sit(house.player(name, 0), table, number)
    assert len(grants()) == 3


def test_an_account_keeps_no_address(house: House) -> None:
    """A household has one keyed hash, which means nothing without the house's key."""
    lines = ("2001:db8:1:2::1", "2001:db8:1:2::2", "2001:db8:1:3::1")
    same, again, other = (
        newcomer(house, name, address).signed_up_from
        for name, address in zip(("anna", "berta", "carla"), lines, strict=True)
    )
    assert same == again != other
    assert len(same) == 40
    assert "2001" not in same


# The refill of a day


def spend(house: House, player: Player, left: int) -> None:
    house.give(player, left - house.wallet(player).balance)


def on_day(monkeypatch: pytest.MonkeyPatch, number: int) -> None:
    """The real clock, so many days later."""
    moved = timezone.now() + timedelta(days=number)
    monkeypatch.setattr("games.tables.play_money.timezone.now", lambda: moved)


def test_a_player_who_has_lost_is_refilled_once_a_day(
    house: House, table: Table, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    alice = house.player("alice")
    spend(house, alice, 3_000)
    assert play_money.within_reach(alice, table.currency) == settings.PLAY_MONEY_REFILL
    house.sit(alice, table, 1, 20_000)
    assert grants() == [("grant", "house", "refill of the day")]
    assert house.wallet(alice).balance == settings.PLAY_MONEY_REFILL - 20_000
    seating.leave(alice, table.pk, house.now)
    spend(house, alice, 1_000)
    assert play_money.within_reach(alice, table.currency) == 1_000
    with pytest.raises(Overdrawn):
        house.sit(alice, table, 1, 20_000)
    on_day(monkeypatch, 1)
    house.sit(alice, table, 1, 20_000)
    assert len(grants()) == 2
    assert house.total() == 0


@pytest.mark.always
def test_whoever_has_enough_gets_no_refill(house: House, table: Table, settings: Any) -> None:
    alice = house.player("alice")
    spend(house, alice, settings.PLAY_MONEY_REFILL)
    house.sit(alice, table, 1, 20_000)
    assert grants() == []
    # What lies on a table is hers, too.
    other = house.table("baccarat")
    assert play_money.welcome_due(alice, table.currency) == 0
    house.sit(alice, other, 1, 20_000)
    assert grants() == []


def test_a_refill_keeps_to_the_limits_of_player_and_address(
    house: House, table: Table, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    settings.PLAY_MONEY_A_PLAYER = WELCOME + 30_000
    anna = newcomer(house, "anna")
    house.sit(anna, table, 1)
    seating.leave(anna, table.pk, house.now)
    spend(house, anna, 0)
    assert play_money.welcome_due(anna, table.currency) == 30_000
    settings.PLAY_MONEY_AN_ADDRESS = WELCOME + 29_999
    assert play_money.welcome_due(anna, table.currency) == 0
    settings.PLAY_MONEY_AN_ADDRESS = WELCOME + 30_000
    house.sit(anna, table, 1, 20_000)
    seating.leave(anna, table.pk, house.now)
    spend(house, anna, 0)
    on_day(monkeypatch, 2)
    assert play_money.welcome_due(anna, table.currency) == 0


def test_a_refill_is_seen_once(house: House, table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    anna = newcomer(house, "anna")
    client = client_of(anna)
    play = reverse("play-now", args=["baccarat"])
    # The welcome has a page of its own.
    assert "filled up your wallet" not in client.post(play, follow=True).text
    seating.leave(anna, table.pk, house.now)
    spend(house, anna, 0)
    on_day(monkeypatch, 0)
    assert (
        "The house has filled up your wallet: +2,000 PLAY." in client.post(play, follow=True).text
    )
    later = timezone.now() + timedelta(minutes=1)
    monkeypatch.setattr("games.tables.play_money.timezone.now", lambda: later)
    assert "filled up your wallet" not in client.post(play, follow=True).text


def test_a_refill_counts_for_its_address(
    house: House, table: Table, settings: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    anna, berta = newcomer(house, "anna"), newcomer(house, "berta")
    house.sit(anna, table, 1)
    seating.leave(anna, table.pk, house.now)
    on_day(monkeypatch, 0)
    spend(house, anna, 0)
    house.sit(anna, table, 1)
    settings.PLAY_MONEY_AN_ADDRESS = 2 * WELCOME + settings.PLAY_MONEY_REFILL - 1
    assert play_money.welcome_due(berta, table.currency) == 0
    settings.PLAY_MONEY_AN_ADDRESS += 1
    assert play_money.welcome_due(berta, table.currency) == WELCOME


def test_a_house_may_give_nothing(house: House, table: Table, settings: Any) -> None:
    settings.PLAY_MONEY_WELCOME = settings.PLAY_MONEY_REFILL = 0
    newcomer, poor = house.player("alice", 0), house.player("bob")
    program = Program("alice")
    answer = program.post(f"tables/{table.pk}/sit/", {"seat": 1, "amount": 20_000})
    assert program.refused(answer) == (409, "overdrawn")
    spend(house, poor, 0)
    with pytest.raises(Overdrawn):
        house.sit(poor, table, 1, 20_000)
    assert not Seat.objects.filter(player__in=(newcomer, poor)).exists()
    assert grants() == []
