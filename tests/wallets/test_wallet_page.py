"""The wallet page: what a player holds, what went in and out, and the balance in the bar."""

import re
from functools import partial
from uuid import uuid4

import pytest
from django.test import Client

from games.models import Hand
from tests.games.house import House
from tests.people import client_of
from wallets.models import Currency
from wallets.money import cashier
from wallets.money.accounts import statement
from wallets.money.references import FINDERS, Link, links
from wallets.pages import views


def test_a_wallet_is_its_owners_and_only_looked_at(house: House) -> None:
    alice = house.player("alice", 0)
    assert "/players/sign-in/" in Client().get("/wallet/")["Location"]
    assert client_of(alice).post("/wallet/").status_code == 405
    assert "Your wallet is empty" in client_of(alice).get("/wallet/").text


def test_the_wallet_tells_balances_and_where_money_went(house: House) -> None:
    table = house.table("baccarat", name="Dragon")
    # Too much for the refill of the day.
    alice = house.player("alice", 323_456)
    house.sit(alice, table, 1, 20_000)
    house.player("bob", 777_777)
    text = client_of(alice).get("/wallet/").text
    assert "3,034.56" in text
    assert "Bought in" in text
    assert "Paid in" in text
    assert f'<a href="/tables/{table.pk}/">Dragon</a>' in text
    assert "+3,234.56" in text
    assert "7,777.77" not in text


def test_all_amounts_of_a_list_have_the_same_decimals(house: House) -> None:
    """An amount without minor units is written as exactly as its neighbours."""
    alice = house.player("alice", 0)
    for amount in (100_000, 56, 300):
        house.give(alice, amount)
    text = client_of(alice).get("/wallet/").text
    assert re.findall(r'class="good"\s*>([^<]+)</b>', text) == ["+3.00", "+0.56", "+1,000.00"]
    assert {len(part) for part in re.findall(r"balance\s+[\d,]+\.?(\d*)", text)} == {2}


def test_the_balance_stands_in_the_bar_of_every_page(house: House) -> None:
    alice = house.player("alice", 123_456)
    for address in ("/", "/history/", "/wallet/"):
        page = client_of(alice).get(address).text
        assert '<a id="balance" class="balance number" href="/wallet/"' in page
    assert "balance number" not in Client().get("/").text


def test_each_currency_has_its_own_wallet(house: House) -> None:
    alice = house.player("alice", 5_000)
    euro = Currency.objects.create(code="EUR", name="Euro")
    cashier.deposit(
        f"player:{alice.pk}", euro, 99, key=uuid4(), actor="cashier", reason="at the desk"
    )
    client = client_of(alice)
    assert "0.99" in client.get("/wallet/?currency=EUR").text
    assert client.get("/wallet/?currency=GBP").status_code == 404
    Currency.objects.create(code="GBP", name="Pound")
    assert client.get("/wallet/?currency=GBP").status_code == 404


@pytest.mark.always
def test_a_statement_is_read_page_by_page(house: House, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(views, "statement", partial(statement, limit=2))
    alice = house.player("alice", 0)
    for amount in (100, 200, 300):
        house.give(alice, amount)
    client = client_of(alice)
    first = client.get("/wallet/").text
    assert first.count('class="when"') == 2
    older = first.split("before=")[1].split('"')[0]
    house.give(alice, 1)
    second = client.get(f"/wallet/?currency=PLAY&before={older}").text
    assert second.count('class="when"') == 1
    assert (">Older<" in first, ">Newest<" in first) == (True, False)
    assert ">Older<" not in second
    assert 'href="?currency=PLAY">Newest<' in second
    assert client.get("/wallet/?before=nonsense").text.count('class="when"') == 2
    assert client.get(f"/wallet/?before={'9' * 40}").status_code == 200


def test_references_lead_where_their_room_says(house: House) -> None:
    table = house.dealt_in("baccarat", "alice")
    hand = Hand.objects.get(pk=table.hand_id)
    targets = links([hand.reference, table.reference, "hand:0", "hand:x", "cashier", "nobody:1"])
    assert targets == {
        hand.reference: Link(f"/history/{hand.pk}/", hand.code),
        table.reference: Link(f"/tables/{table.pk}/", table.name),
    }


def test_a_room_registers_what_its_references_lead_to() -> None:
    FINDERS.add(
        "elsewhere", lambda some: {reference: Link("/there/", reference) for reference in some}
    )
    assert links(["elsewhere:1"]) == {"elsewhere:1": Link("/there/", "elsewhere:1")}


@pytest.mark.always
def test_a_statement_is_narrowed_by_kind_and_days(house: House) -> None:
    table = house.table("baccarat", name="Dragon")
    alice = house.player("alice", 323_456)
    seat = house.sit(alice, table, 1, 20_000)
    client = client_of(alice)
    bought = client.get("/wallet/?kind=buy_in").text
    assert bought.count('class="when"') == 1
    assert f'<a href="/history/seats/{seat.code}/">seat 1 at Dragon</a>' in bought
    assert client.get("/wallet/?kind=withdrawal").text.count('class="when"') == 0
    assert client.get("/wallet/?last_day=2020-01-01").text.count('class="when"') == 0
    assert client.get("/wallet/?first_day=2020-01-01").text.count('class="when"') == 2
    odd = client.get("/wallet/?kind=theft&first_day=x&last_day=0001-01-01")
    assert odd.status_code == 200
    assert odd.text.count('class="wrong"') == 2


@pytest.mark.always
def test_the_statement_of_a_seat_leads_to_its_hands(house: House) -> None:
    table = house.table("baccarat", name="Dragon")
    alice = house.player("alice")
    seat = house.sit(alice, table, 1)
    house.until(
        table, lambda _: Hand.objects.exclude(posting=None).filter(status="finished").exists()
    )
    hand = Hand.objects.exclude(posting=None).latest("pk")
    address = f"/history/seats/{seat.code}/"
    text = client_of(alice).get(address).text
    assert f'<a href="/history/{hand.pk}/">{hand.code}</a>' in text
    assert "Bought in" in text
    assert client_of(house.player("eve")).get(address).status_code == 404
    assert client_of(alice).get(f"{address}?before=x").status_code == 200
    assert client_of(alice).post(address).status_code == 405
    assert "/players/sign-in/" in Client().get(address)["Location"]
