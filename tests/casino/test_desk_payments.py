"""The page of a payment: what it would do, what is checked, and the wait for a second person."""

from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from casino.accounts.models import Player
from casino.care import limits
from casino.office.desk import shifts
from casino.office.desk.models import Receipt
from casino.office.players.models import Check
from tests.casino.desk_scene import FLOAT, Desk
from tests.people import client_of
from wallets.models import Transaction
from wallets.models.staff_models import Proposal
from wallets.values.days import day_of

DEPOSIT, WITHDRAWAL = "/admin/desk/deposit/", "/admin/desk/withdrawal/"


def outlook(client: Client, address: str, player: Player, **typed: str) -> Any:
    """The part of the page that follows the typed amount."""
    asked = {"player": str(player.pk), "part": "outlook", "currency": "EUR"}
    return client.get(address, {**asked, **typed})


@pytest.mark.always
def test_a_payment_says_what_it_does_and_does_nothing(desk: Desk) -> None:
    desk.with_float()
    desk.give(231_000)
    tom, before = client_of(desk.tom), Transaction.objects.count()
    page = outlook(tom, WITHDRAWAL, desk.mei, amount="1,500.00")
    shown = page.context["outlook"]
    assert (shown.wallet_now, shown.wallet_after) == (231_000, 81_000)
    assert (shown.till_now, shown.till_after) == (FLOAT, FLOAT - 150_000)
    assert shown.notes == [("200", 7), ("100", 1)]
    assert "7 × 200" in page.text
    assert "All 2,310" in page.text
    assert Transaction.objects.count() == before


def test_notes_are_those_of_the_last_count(desk: Desk) -> None:
    desk.with_float()
    desk.give(231_000)
    pieces = {"20000": 4, "10000": 18, "500": 23}
    shifts.count(desk.tom, {"EUR": FLOAT}, {"EUR": pieces}, words="", key=uuid4(), now=desk.now)
    tom = client_of(desk.tom)
    notes = outlook(tom, WITHDRAWAL, desk.mei, amount="1500").context["outlook"].notes
    assert notes == [("200", 4), ("100", 7)]
    # What was counted does not come to it, so other notes have come in since.
    notes = outlook(tom, WITHDRAWAL, desk.mei, amount="0.50").context["outlook"].notes
    assert notes == [("0.50", 1)]


@pytest.mark.always
def test_a_payment_that_would_be_refused_says_so_before(desk: Desk) -> None:
    desk.with_float()
    desk.pay("deposit", 10_000)
    tom = client_of(desk.tom)
    assert outlook(tom, WITHDRAWAL, desk.mei, amount="100.01").context["outlook"].refused
    wanted = limits.Wanted("deposit", "week", desk.euro, 50_000)
    limits.ask(desk.mei, wanted, timezone.now())
    page = outlook(tom, DEPOSIT, desk.mei, amount="400")
    # What was paid in before counts.
    assert "500.00 of 500.00" in page.text
    assert not page.context["outlook"].refused
    page = outlook(tom, DEPOSIT, desk.mei, amount="600")
    assert page.context["outlook"].refused
    Player.objects.filter(pk=desk.mei.pk).update(is_active=False)
    assert "frozen" in tom.get(DEPOSIT, {"player": desk.mei.pk}).text
    assert outlook(tom, DEPOSIT, desk.mei, amount="1").context["outlook"].refused


@override_settings(APPROVAL_WITHDRAWAL=1_000)
def test_a_second_person_is_announced_from_the_limit_on(desk: Desk) -> None:
    desk.with_float()
    desk.give(231_000)
    tom = client_of(desk.tom)
    for amount, needed in (("999.99", False), ("1000", True)):
        page = outlook(tom, WITHDRAWAL, desk.mei, amount=amount)
        assert page.context["outlook"].needs_second == needed, amount
        assert ("Ask a colleague" in page.text) == needed, amount


@pytest.mark.always
def test_the_identity_is_checked_before_money_moves(desk: Desk) -> None:
    desk.with_float()
    tom, today = client_of(desk.tom), day_of(timezone.now())
    assert "Identity not checked" in tom.get(DEPOSIT, {"player": desk.mei.pk}).text
    for days, words in ((1, "not expired"), (-1, "has expired")):
        Check.objects.create(
            player=desk.mei, what="identity", document="passport", at=timezone.now(),
            valid_until=today + timedelta(days=days), by="player:1", by_name="tom",
        )  # fmt: skip
        assert words in tom.get(DEPOSIT, {"player": desk.mei.pk}).text


def test_the_only_match_is_picked(desk: Desk) -> None:
    desk.with_float()
    tom = client_of(desk.tom)
    assert tom.get(f"{DEPOSIT}?q=MEI")["Location"] == f"{DEPOSIT}?player={desk.mei.pk}"
    Player.objects.create_user("meike")
    page = tom.get(f"{DEPOSIT}?q=mei")
    assert page.status_code == 200
    assert "meike" in page.text
    receipt = desk.pay("deposit", 100)
    assert receipt is not None
    answer = tom.get("/admin/desk/find/", {"q": receipt.number})
    assert answer["Location"] == reverse("desk-receipt", args=[receipt.number])


@override_settings(APPROVAL_WITHDRAWAL=1_000)
@pytest.mark.always
def test_money_that_waits_is_taken_back_at_the_desk(desk: Desk) -> None:
    desk.with_float()
    desk.give(200_000)
    desk.now = timezone.now()
    desk.pay("withdrawal", 150_000)
    address = reverse("desk-waiting", args=[Proposal.objects.latest("pk").pk])
    tom = client_of(desk.tom)
    page = tom.get(address).text
    for words in ("Waiting for a colleague", "max, ruth", "set aside", "1,500.00 EUR"):
        assert words in page, words
    assert tom.get(address, {"part": "1"}).status_code == 204
    assert client_of(desk.grace).get(address).status_code == 404
    assert (desk.wallet(), desk.wallet("escrow")) == (50_000, 150_000)
    for _twice in range(2):
        tom.post(address, {"reason": "the customer went home"})
    assert (desk.wallet(), desk.wallet("escrow")) == (200_000, 0)
    page = tom.get(address).text
    assert "withdrawn" in page
    assert "the customer went home" in page
    assert tom.get(address, {"part": "1"})["HX-Refresh"] == "true"


@override_settings(APPROVAL_WITHDRAWAL=1_000)
def test_the_desk_hears_of_a_decision(desk: Desk) -> None:
    desk.with_float()
    desk.give(200_000)
    desk.now = timezone.now()
    desk.pay("withdrawal", 150_000)
    proposal = Proposal.objects.latest("pk")
    tom, address = client_of(desk.tom), reverse("desk-waiting", args=[proposal.pk])
    what = tom.get(address).context["what"]
    desk.approve(proposal)
    page = tom.get(address)
    receipt = Receipt.objects.get(kind="withdrawal")
    assert receipt.number in page.text
    # It reads the same after its decision.
    assert page.context["what"] == what
    tom.post(address, {"reason": "too late"})
    assert desk.wallet("escrow") == 0
    assert desk.wallet() == 50_000
