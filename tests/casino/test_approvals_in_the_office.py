"""Proposals in the back office: what its forms propose, and who sees what waits."""

import re

import pytest
from django.db import connection
from django.template.loader import render_to_string
from django.test import Client
from django.test.utils import CaptureQueriesContext
from django.urls import reverse
from django.utils import timezone

from casino.accounts import freezing
from casino.accounts.models import Player
from tests.casino.approvals_scene import alice, carl, euro, large, max_, mona, paid_in, person
from tests.people import client_of
from wallets.models import Account, Currency, Jackpot, Transaction
from wallets.models.staff_models import Proposal
from wallets.money import limits
from wallets.staff import approvals

__all__ = ["alice", "carl", "euro", "large", "max_", "mona"]
pytestmark = pytest.mark.django_db


# What its forms propose


def test_limits_of_the_house_are_changed_by_two(
    euro: Currency, alice: Player, carl: Player, mona: Player, max_: Player
) -> None:
    page = client_of(mona)
    form = {"limit": "deposit", "value": "10", "reason": "a bad week"}
    answer = page.post(reverse("limits"), form)
    proposal = Proposal.objects.get()
    assert answer["Location"] == reverse("proposal", args=[proposal.pk])
    assert limits.value("deposit") == 5_000
    (line,) = approvals.describe(proposal)
    assert (line.before, line.after) == ("5,000", "10")
    approvals.approve(max_, proposal.pk, reason="agreed", now=timezone.now())
    assert limits.value("deposit") == 10
    assert paid_in(carl, alice, 10_00).proposal is not None
    for value in ("-1", "9" * 30, "1.5", "", "many"):
        assert page.post(reverse("limits"), form | {"value": value}).status_code == 200
    assert client_of(carl).post(reverse("limits"), form).status_code == 200
    assert Proposal.objects.filter(verb="limit.change").count() == 1


def test_unfreezing_needs_a_second_person(alice: Player, mona: Player, max_: Player) -> None:
    freezing.freeze(mona, alice.pk, "asked us to")
    address = f"/admin/players/player/{alice.pk}/unfreeze/"
    assert client_of(mona).post(address, {"reason": "asked again"}).status_code == 302
    alice.refresh_from_db()
    assert not alice.is_active
    proposal = Proposal.objects.get()
    page = client_of(max_).get(reverse("proposal", args=[proposal.pk])).text
    assert "frozen" in page
    # The list says what would change, and whose file it is.
    listed = client_of(max_).get(reverse("proposals")).text
    assert reverse("player-file", args=[alice.pk]) in listed
    for line in approvals.describe(proposal):
        assert line.after in listed
    answer = client_of(max_).post(
        reverse("proposal", args=[proposal.pk]), {"approve": "1", "reason": "spoke to her"}
    )
    assert answer.status_code == 302
    alice.refresh_from_db()
    assert alice.is_active
    assert "not frozen" in client_of(mona).post(address, {"reason": "asked again"}).text


@pytest.mark.always
def test_jackpots_wait_for_a_colleague(euro: Currency, mona: Player, max_: Player) -> None:
    form = {
        "name": "Dragon", "kind": "progressive", "currency": "EUR", "seed": "10", "reserve": "0",
        "share_bp": "5", "lowest": 1, "highest": 2, "active": "on", "reason": "for the spring",
    }  # fmt: skip
    client = client_of(person("olga", "managers"))
    assert client.post("/admin/wallets/jackpot/add/", form).status_code == 302
    assert not Transaction.objects.exists()
    proposal = Proposal.objects.get()
    assert "10.00 EUR" in client_of(mona).get(reverse("proposal", args=[proposal.pk])).text
    approvals.approve(mona, proposal.pk, reason="yes", now=timezone.now())
    pot = Jackpot.objects.get()
    address = f"/admin/wallets/jackpot/{pot.pk}/change/"
    assert client.post(address, form | {"active": "", "seed": "20"}).status_code == 302
    pot.refresh_from_db()
    assert (pot.active, pot.seed) == (True, 1_000)
    change = Proposal.objects.latest("pk")
    shown = {line.words: (line.before, line.after) for line in approvals.describe(change)}
    assert shown == {"seed": ("10.00 EUR", "20.00 EUR"), "active": ("yes", "no")}
    approvals.approve(max_, change.pk, reason="yes", now=timezone.now())
    drain = {"amount": "10", "reason": "over"}
    assert client.post(f"/admin/wallets/jackpot/{pot.pk}/drain/", drain).status_code == 302
    assert Account.objects.get(pk=pot.pool_id).balance == 1_000
    approvals.approve(max_, Proposal.objects.latest("pk").pk, reason="yes", now=timezone.now())
    assert Account.objects.get(pk=pot.pool_id).balance == 0


# Who sees what


@pytest.mark.always
def test_the_badge_counts_what_waits_for_the_viewer(large: Proposal, mona: Player) -> None:
    def badge(client: Client) -> str | None:
        sections = client.get("/admin/").context["sidebar_navigation"]
        pages = [page for section in sections for page in section["items"]]
        return next(page.get("badge") for page in pages if page["title"] == "Approvals")

    assert badge(client_of(mona)) == "1"
    assert badge(client_of(Player.objects.get(username="carl"))) is None


def test_pages_show_what_waits_and_what_was_decided(
    large: Proposal, carl: Player, mona: Player
) -> None:
    address = reverse("proposal", args=[large.pk])
    for member in (carl, mona):
        listed = client_of(member).get(reverse("proposals")).text
        assert address in listed
        assert ("waiting for you" in listed) == (member == mona)
    page = client_of(mona).get(address).text
    assert "5,000.00 EUR" in page
    assert "alice" in page
    assert "This field is required." in client_of(mona).post(address, {"approve": "1"}).text
    assert client_of(mona).post(address, {"reject": "1", "reason": "no"}).status_code == 302
    assert "mona" in client_of(carl).get(address).text
    twice = client_of(mona).post(address, {"approve": "1", "reason": "yes"})
    assert "has already decided" in twice.text


def test_the_list_takes_as_many_statements_for_one_proposal_as_for_ten(
    large: Proposal, carl: Player, alice: Player, mona: Player
) -> None:
    client, taken = client_of(mona), []
    for _more in range(2):
        client.get(reverse("proposals"))
        with CaptureQueriesContext(connection) as statements:
            text = client.get(reverse("proposals")).text
        taken.append(len(statements))
        for _number in range(9):
            paid_in(carl, alice, 6_000_00)
    assert text.count("6,000.00 EUR") >= 9
    assert taken[0] == taken[1]


@pytest.mark.parametrize("number", [4, 5])
def test_a_list_shows_the_first_four_changes(large: Proposal, number: int) -> None:
    lines = [approvals.Change(f"change {place}", "", "new") for place in range(1, number + 1)]
    row = {"proposal": large, "verb": "Deposit", "lines": lines}
    listed = render_to_string("backoffice/proposal_rows.html", {"rows": [row], "nothing": ""})
    assert re.findall(r"change \d", listed) == [f"change {place}" for place in range(1, 5)]
    assert ("All changes" in listed) == (number > 4)


@pytest.mark.always
@pytest.mark.parametrize("verb", ["approve", "reject"])
def test_every_decision_keeps_its_words(large: Proposal, mona: Player, verb: str) -> None:
    waiting = approvals.describe(large)
    decide = {"approve": approvals.approve, "reject": approvals.reject}[verb]
    decide(mona, large.pk, reason="x", now=timezone.now())
    large.refresh_from_db()
    assert approvals.describe(large) == waiting
    assert large.lines is not None
    assert set(large.lines) == {"en", "zh-hans", "zh-hant"}


def test_others_see_only_their_own(large: Proposal) -> None:
    address = reverse("proposal", args=[large.pk])
    other = client_of(person("carol", "cashiers"))
    assert other.get(address).status_code == 404
    assert address not in other.get(reverse("proposals")).text
    assert client_of(person("ada", "auditors")).get(address).status_code == 200
    assert client_of(person("bob")).get(address).status_code == 302
    assert Client().post(address, {"approve": "1", "reason": "x"}).status_code == 302
    assert other.get("/admin/approvals/99999999999999999999999/").status_code == 404
