"""Operators read the ledger and set up jackpots; nobody edits money by hand."""

from typing import Any
from uuid import uuid4

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from wallets import jackpots
from wallets.accounts import account
from wallets.ledger import Leg, post
from wallets.models import Account, Currency, Entry, Jackpot, Transaction

pytestmark = pytest.mark.django_db

LEDGER = ("account", "transaction", "entry", "book", "closing")


@pytest.fixture
def olga() -> Client:
    """An operator with every right there is."""
    client = Client()
    client.force_login(
        get_user_model().objects.create_superuser("olga", password="a long password"),
    )
    return client


@pytest.fixture
def stranger() -> Client:
    client = Client()
    client.force_login(
        get_user_model().objects.create_user("stranger", password="a long password"),
    )
    return client


@pytest.fixture
def hand(alice: Account, bob: Account) -> Transaction:
    legs = [Leg(alice.pk, -12_34), Leg(bob.pk, 12_34)]
    posted = post(uuid4(), "hand", legs, book="table:1", reference="hand:7")
    return Transaction.objects.get(pk=posted.transaction)


def page(model: str, what: str = "changelist", *arguments: Any) -> str:
    return reverse(f"admin:wallets_{model}_{what}", args=arguments)


@pytest.mark.parametrize("model", LEDGER)
def test_the_ledger_is_read(model: str, olga: Client, hand: Transaction) -> None:
    assert olga.get(page(model)).status_code == 200
    assert olga.get(page(model, "add")).status_code == 403


@pytest.mark.parametrize("model", [*LEDGER, "currency", "jackpot"])
def test_a_stranger_sees_nothing(model: str, stranger: Client, hand: Transaction) -> None:
    assert stranger.get(page(model)).status_code == 302


def test_a_hand_is_found_with_its_entries(olga: Client, hand: Transaction) -> None:
    listed = olga.get(page("transaction"), {"q": "hand:7"})
    assert "hand:7" in listed.content.decode()
    shown = olga.get(page("transaction", "change", hand.pk)).content.decode()
    assert "\N{MINUS SIGN}12.34 EUR" in shown
    assert "62.34 EUR" in shown


def test_nothing_of_the_ledger_is_changed_or_deleted(olga: Client, hand: Transaction) -> None:
    entry = Entry.objects.filter(transaction=hand).first()
    assert entry is not None
    for model, key in (
        ("account", entry.account_id),
        ("transaction", hand.pk),
        ("entry", entry.pk),
    ):
        assert olga.post(page(model, "change", key), {"balance": 1}).status_code == 403
        assert olga.post(page(model, "delete", key), {"post": "yes"}).status_code == 403
    assert Account.objects.get(pk=entry.account_id).balance == entry.balance_after


def test_a_currency_keeps_its_point(olga: Client, euro: Currency) -> None:
    told = {"name": "The euro", "exponent": 0, "kind": "play"}
    assert olga.post(page("currency", "change", "EUR"), told).status_code == 302
    euro.refresh_from_db()
    assert (euro.name, euro.exponent, euro.kind) == ("The euro", 2, "money")


TOLD: dict[str, Any] = {
    "name": "Dragon",
    "kind": "progressive",
    "currency": "EUR",
    "seed": 1_000,
    "reserve": 0,
    "share_bp": 500,
    "lowest": 1,
    "highest": 2,
    "active": "on",
    "triggers-TOTAL_FORMS": 0,
    "triggers-INITIAL_FORMS": 0,
}


class TestJackpot:
    def test_is_opened_with_its_pool(self, olga: Client, euro: Currency) -> None:
        assert olga.post(page("jackpot", "add"), TOLD).status_code == 302
        jackpot = Jackpot.objects.get()
        assert (jackpot.name, jackpot.share_bp) == ("Dragon", 500)
        assert jackpots.amount(jackpot) == 1_000
        assert Transaction.objects.get(kind="seed").actor.startswith("player:")
        assert "10 EUR" in olga.get(page("jackpot")).content.decode()

    def test_a_bad_setting_is_told(self, olga: Client, euro: Currency) -> None:
        answer = olga.post(page("jackpot", "add"), {**TOLD, "seed": -1})
        assert "Seed and reserve are amounts from 0 on." in answer.content.decode()
        assert not Jackpot.objects.exists()

    def test_is_changed_but_for_its_name(self, olga: Client, euro: Currency) -> None:
        jackpot = jackpots.create("Dragon", "progressive", euro, actor="operator:olga")
        told = {**TOLD, "name": "Tiger", "share_bp": 700}
        assert olga.post(page("jackpot", "change", jackpot.pk), told).status_code == 302
        jackpot.refresh_from_db()
        assert (jackpot.name, jackpot.share_bp) == ("Dragon", 700)
        pool = account(Account.Kind.JACKPOT, "jackpot:Dragon", euro)
        assert pool.balance == 0
