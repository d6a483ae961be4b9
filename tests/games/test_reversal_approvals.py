"""Large reversals of paid hands wait for a second person, who has not played the hand."""

from typing import Any
from uuid import uuid4

import pytest
from django.db import connection
from django.test import override_settings
from django.test.utils import CaptureQueriesContext

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from games.models import Hand, Table
from games.records import reversals
from games.records.audit import differences
from tests.games.evenings import played_once
from tests.games.house import House
from tests.games.test_reversals import NAMES, REASON, paid, play_paid_hand, void, winner_of
from tests.people import client_of
from wallets.models import Currency, Transaction
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.staff import approvals
from wallets.values.errors import Refused


@pytest.fixture
def operator(house: House) -> Player:
    return member_of(house, "olga", "managers")


evening = played_once(play_paid_hand)


@pytest.fixture
def of_money(house: House, table: Table) -> Hand:
    """The hand that was paid, in a house whose currency is money."""
    Currency.objects.filter(pk=house.currency.pk).update(kind=Currency.Kind.MONEY)
    return Hand.objects.get(pk=paid().get().pk)


def member_of(house: House, name: str, group: str) -> Player:
    member = house.player(name, 0)
    appoint(member, group)
    return Player.objects.get(pk=member.pk)


def take_back(operator: Player, hand: Hand) -> Any:
    fields = {"reason": REASON, "house_pays": "on", "typed": "VOID"}
    return client_of(operator).post(f"/admin/games/hand/{hand.pk}/take-back/", fields)


def test_a_large_reversal_waits_for_a_colleague(
    house: House, of_money: Hand, table: Table, operator: Player
) -> None:
    mona = member_of(house, "mona", "managers")
    stacks = [house.stack(table, name) for name in NAMES]
    with override_settings(APPROVAL_REVERSAL=0):
        answer = take_back(operator, of_money)
    proposal = Proposal.objects.get()
    assert answer["Location"] == f"/admin/approvals/{proposal.pk}/"
    assert [house.stack(table, name) for name in NAMES] == stacks
    shown = client_of(mona).get(answer["Location"]).text
    won = winner_of(of_money)
    assert won.player.username in shown
    assert of_money.code in shown
    assert client_of(mona).post(
        answer["Location"], {"approve": "1", "reason": "seen it"}
    ).status_code == 302  # fmt: skip
    assert [house.stack(table, name) for name in NAMES] == [50_000] * 3
    posted = Transaction.objects.get(kind="hand_void")
    assert (posted.actor, posted.reason) == (f"player:{operator.pk}", REASON)
    entry = JournalEntry.objects.get(verb="hand.reverse")
    assert (entry.cause, entry.actor_name) == (proposal.reference, "olga")
    assert list(differences(Hand.objects.get(pk=of_money.pk))) == []


@pytest.mark.always
def test_a_small_reversal_is_done_at_once(house: House, of_money: Hand, operator: Player) -> None:
    assert take_back(operator, of_money).status_code == 302
    assert not Proposal.objects.exists()
    assert Hand.objects.get(pk=of_money.pk).status == Hand.Status.VOID


@pytest.mark.always
def test_nobody_approves_the_reversal_of_a_hand_of_their_own_or_a_second_one(
    house: House, of_money: Hand, table: Table, operator: Player
) -> None:
    with override_settings(APPROVAL_REVERSAL=0):
        take_back(operator, of_money)
    proposal = Proposal.objects.get()
    house.leave(house.person("alice"), table)
    appoint(house.person("alice"), "managers")
    codes = []
    for member in (house.person("alice"), member_of(house, "mona", "managers")):
        void(house, operator, of_money)
        with pytest.raises(Refused) as refused:
            approvals.approve(member, proposal.pk, reason="x", now=house.now)
        codes.append(refused.value.code)
    assert codes == ["not_approver", "proposal_stale"]
    assert Transaction.objects.filter(kind="hand_void").count() == 1


@pytest.mark.always
@override_settings(APPROVAL_REVERSAL=0)
def test_nobody_proposes_the_reversal_of_a_hand_of_their_own(
    house: House, of_money: Hand, table: Table
) -> None:
    alice = house.person("alice")
    house.leave(alice, table)
    appoint(alice, "managers")
    answer = take_back(Player.objects.get(pk=alice.pk), of_money)
    assert "a colleague must reverse it" in answer.text
    assert not Proposal.objects.exists()
    assert not JournalEntry.objects.exists()


@override_settings(APPROVAL_REVERSAL=0)
def test_the_badge_asks_once_about_all_hands(
    house: House, of_money: Hand, table: Table, operator: Player
) -> None:
    """For any number of waiting reversals, and for hands of any players."""
    mona = member_of(house, "mona", "managers")
    alice = house.person("alice")
    house.leave(alice, table)
    appoint(alice, "managers")
    counted = []
    for many in (1, 11):
        for _each in range(many):
            arguments = {"hand": of_money.pk, "house_pays": False}
            approvals.submit(
                operator, reversals.VERB, arguments, reason=REASON, key=uuid4(), now=house.now
            )
        for member, waits in ((mona, Proposal.objects.count()), (alice, 0)):
            fresh = Player.objects.get(pk=member.pk)
            with CaptureQueriesContext(connection) as queries:
                assert approvals.waiting_for(fresh, house.now) == waits
            counted.append(len(queries))
    # Permissions, proposals, and the seats of all their hands.
    assert len(set(counted)) == 1, counted
