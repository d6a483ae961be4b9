"""Proposals: what needs a second person is done once, in time, and only if nothing has changed."""

import threading
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import connections
from django.test import override_settings
from django.utils import timezone

from casino.accounts import freezing
from casino.accounts.models import Player
from casino.care import limits as care_limits
from tests.casino.approvals_scene import (
    NOW,
    alice,
    carl,
    code_of,
    euro,
    held,
    large,
    max_,
    mona,
    paid_in,
    person,
)
from wallets import tasks
from wallets.audit.reconciliation import reconcile
from wallets.models import Account, Currency, Transaction
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.money import jackpots
from wallets.money.accounts import account
from wallets.staff import approvals
from wallets.staff.cash_verbs import CashVerb
from wallets.values.days import house_time
from wallets.values.errors import Refused

__all__ = ["alice", "carl", "euro", "large", "max_", "mona"]
pytestmark = pytest.mark.django_db


def test_below_the_threshold_it_is_done_at_once(
    euro: Currency, alice: Player, carl: Player
) -> None:
    key = uuid4()
    for _twice in range(2):
        assert paid_in(carl, alice, 4_999_99, key).proposal is None
    assert held(alice) == 4_999_99
    entry = JournalEntry.objects.get()
    assert (entry.verb, entry.actor, entry.reason) == (
        "deposit",
        f"player:{carl.pk}",
        "at the desk",
    )
    assert (entry.before["balance"], entry.after["balance"]) == (0, 4_999_99)


def test_small_payments_of_one_cashier_to_one_player_add_up(
    euro: Currency, alice: Player, carl: Player, mona: Player
) -> None:
    """Within 24 hours, until a colleague has approved one; each direction apart."""
    bob, cora = person("bob"), person("cora", "cashiers")

    def waits(member: Player, player: Player, amount: int, hours: float = 0, **how: Any) -> bool:
        arguments = {"player": f"player:{player.pk}", "currency": "EUR", "amount": amount}
        submitted = approvals.submit(
            member,
            how.get("verb", "deposit"),
            arguments,
            reason="at the desk",
            key=how.get("key") or uuid4(),
            now=timezone.now() + timedelta(hours=hours),
        )
        return submitted.proposal is not None

    last = uuid4()
    assert not waits(carl, alice, 2_000_00)
    assert not waits(carl, alice, 2_999_99, key=last)
    # The form of the last payment once more is no further payment.
    assert not waits(carl, alice, 2_999_99, key=last)
    assert held(alice) == 4_999_99
    assert waits(carl, alice, 1)
    assert not waits(carl, bob, 4_999_99)
    assert not waits(cora, alice, 4_999_99)
    assert not waits(carl, alice, 1_999_99, verb="withdrawal")
    assert waits(carl, alice, 1, verb="withdrawal")
    assert waits(carl, alice, 1, hours=23.9)
    assert not waits(carl, alice, 1, hours=24.1)
    # What a colleague has approved has been looked at.
    dave = person("dave")
    assert waits(carl, dave, 6_000_00)
    approvals.approve(mona, Proposal.objects.latest("pk").pk, reason="yes", now=timezone.now())
    assert not waits(carl, dave, 4_999_99)


def test_play_money_needs_nobody(alice: Player, carl: Player) -> None:
    Currency.objects.create(code="EUR", name="Play", kind=Currency.Kind.PLAY)
    assert paid_in(carl, alice, 10**9).proposal is None


@override_settings(APPROVAL_DEPOSIT=0)
def test_a_threshold_of_nothing_is_every_amount(
    euro: Currency, alice: Player, carl: Player
) -> None:
    assert paid_in(carl, alice, 1).proposal is not None


def test_from_the_threshold_on_nothing_moves_until_a_second_person_approves(
    large: Proposal, alice: Player, carl: Player, mona: Player
) -> None:
    assert held(alice) == 0
    words = [line.words for line in approvals.describe(large)]
    assert words == ["Amount", "Wallet"]
    assert approvals.describe(large)[0].after == "5,000.00 EUR"
    assert [approvals.waiting_for(player, NOW) for player in (carl, mona)] == [0, 1]
    approved = approvals.approve(mona, large.pk, reason="seen the cash", now=NOW)
    assert (approved.status, approved.checker_name) == ("approved", "mona")
    assert held(alice) == 5_000_00
    posted = Transaction.objects.get()
    assert (posted.key, posted.actor) == (large.key, f"player:{carl.pk}")
    entries = JournalEntry.objects.order_by("position").values_list(
        "verb", "actor_name", "reason", "cause"
    )
    assert list(entries) == [
        ("proposal.propose", "carl", "at the desk", ""),
        ("deposit", "carl", "at the desk", large.reference),
        ("proposal.approve", "mona", "seen the cash", ""),
    ]
    assert not list(reconcile(everything=True))


@pytest.mark.always
def test_a_form_that_arrives_twice_proposes_once(
    euro: Currency, alice: Player, carl: Player, mona: Player
) -> None:
    key = uuid4()
    first, second = (paid_in(carl, alice, 6_000_00, key).proposal for _twice in range(2))
    assert first == second
    assert JournalEntry.objects.count() == 1
    assert code_of(lambda: paid_in(mona, alice, 6_000_00, key)) == "conflict"
    assert code_of(lambda: paid_in(carl, alice, 6_000_01, key)) == "conflict"


def test_rejecting_leaves_all_as_it_was(large: Proposal, alice: Player, mona: Player) -> None:
    approvals.reject(mona, large.pk, reason="who is that?", now=NOW)
    assert held(alice) == 0
    assert JournalEntry.objects.get(verb="proposal.reject").reason == "who is that?"
    for decide in (approvals.approve, approvals.reject):
        work = lambda decide=decide: decide(mona, large.pk, reason="again", now=NOW)  # noqa: E731
        assert code_of(work) == "proposal_decided"


def test_a_proposal_is_approved_once(large: Proposal, alice: Player, mona: Player) -> None:
    approvals.approve(mona, large.pk, reason="yes", now=NOW)
    work = lambda: approvals.approve(mona, large.pk, reason="yes", now=NOW)  # noqa: E731
    assert code_of(work) == "proposal_decided"
    assert held(alice) == 5_000_00


@pytest.mark.always
@pytest.mark.django_db(transaction=True)
def test_two_who_approve_at_once_carry_it_out_once() -> None:
    Currency.objects.create(code="EUR", name="Euro", exponent=2)
    alice, carl = person("alice"), person("carl", "cashiers")
    members = [person("mona", "managers"), person("max", "managers")]
    proposals = [paid_in(carl, alice, 6_000_00).proposal for _each in range(3)]
    start = threading.Barrier(2)

    def work(member: Player) -> list[str]:
        said = []
        try:
            for proposal in proposals:
                assert proposal is not None
                start.wait()
                try:
                    approvals.approve(member, proposal.pk, reason="yes", now=NOW)
                    said.append("approved")
                except Refused as refused:
                    said.append(refused.code)
        finally:
            connections.close_all()
        return said

    with ThreadPoolExecutor(2) as pool:
        first, second = pool.map(work, members)
    for both in zip(first, second, strict=True):
        assert sorted(both) == ["approved", "proposal_decided"]
    assert held(alice) == 3 * 6_000_00
    assert JournalEntry.objects.filter(verb="proposal.approve").count() == 3
    assert not list(reconcile(everything=True))


def test_a_proposal_expires_at_its_deadline_and_is_swept_once(
    large: Proposal, alice: Player, mona: Player
) -> None:
    before, due = large.expires_at - timedelta(seconds=1), large.expires_at
    assert large.expires_at == NOW + timedelta(hours=72)
    work = lambda: approvals.approve(mona, large.pk, reason="late", now=due)  # noqa: E731
    # Though no sweep has come by.
    assert code_of(work) == "proposal_expired"
    assert [approvals.expire_due(at) for at in (before, due, due)] == [0, 1, 0]
    assert code_of(work) == "proposal_expired"
    assert approvals.waiting_for(mona, due) == 0
    assert JournalEntry.objects.filter(verb="proposal.expire", actor="house").count() == 1
    assert held(alice) == 0
    tasks.expire_proposals()


def test_what_has_changed_since_is_not_approved(euro: Currency, mona: Player, max_: Player) -> None:
    pot = jackpots.create("Dragon", "progressive", euro, actor="o", seed=100)
    values = {"jackpot": pot.pk, "share_bp": 700}
    change = approvals.submit(
        mona, "jackpot.change", values, reason="more", key=uuid4(), now=NOW
    ).proposal
    assert change is not None
    jackpots.configure(pot, actor="o", reason="meanwhile", share_bp=300)
    work = lambda: approvals.approve(max_, change.pk, reason="x", now=NOW)  # noqa: E731
    assert code_of(work) == "proposal_stale"
    pot.refresh_from_db()
    assert pot.share_bp == 300
    jackpots.configure(pot, actor="o", reason="as before", share_bp=change.state["share_bp"])
    approvals.approve(max_, change.pk, reason="x", now=NOW)
    pot.refresh_from_db()
    assert pot.share_bp == 700


def set_aside(player: Player) -> int:
    return account(Account.Kind.ESCROW, f"player:{player.pk}", "EUR").balance


def test_more_than_the_wallet_holds_is_no_proposal(
    euro: Currency, alice: Player, carl: Player
) -> None:
    paid_in(carl, alice, 100_00)
    with pytest.raises(Refused) as refusal:
        paid_in(carl, alice, 3_000_00, verb="withdrawal")
    assert refusal.value.code == "overdrawn"
    assert refusal.value.sentence.endswith("it holds 100 EUR.")
    assert not Proposal.objects.exists()
    assert (held(alice), set_aside(alice)) == (100_00, 0)


@pytest.mark.always
@pytest.mark.parametrize("decision", ["approved", "rejected", "expired"])
def test_a_withdrawal_that_waits_is_set_aside(
    euro: Currency, alice: Player, carl: Player, mona: Player, decision: str
) -> None:
    with override_settings(APPROVAL_DEPOSIT=10_000):
        paid_in(carl, alice, 6_000_00)
    key = uuid4()
    for _twice in range(2):
        out = paid_in(carl, alice, 5_000_00, key, verb="withdrawal").proposal
        assert (held(alice), set_aside(alice)) == (1_000_00, 5_000_00)
    assert out is not None
    lines = [(line.words, line.before, line.after) for line in approvals.describe(out)]
    assert lines == [("Amount", "", "5,000.00 EUR"), ("Set aside", "5,000.00 EUR", "0.00 EUR")]
    if decision == "approved":
        approvals.approve(mona, out.pk, reason="seen the passport", now=NOW)
    elif decision == "rejected":
        approvals.reject(mona, out.pk, reason="no passport", now=NOW)
    else:
        assert approvals.expire_due(out.expires_at) == 1
    back = 0 if decision == "approved" else 5_000_00
    assert (held(alice), set_aside(alice)) == (1_000_00 + back, 0)
    last = Transaction.objects.latest("pk")
    assert (last.kind, last.actor, last.reason) == {
        "approved": ("withdrawal", f"player:{carl.pk}", "at the desk"),
        "rejected": ("withdrawal_return", f"player:{mona.pk}", "no passport"),
        "expired": ("withdrawal_return", "house", "nobody approved the withdrawal in time"),
    }[decision]


def test_a_withdrawal_proposed_before_money_was_set_aside_is_paid_from_the_wallet(
    euro: Currency, alice: Player, carl: Player, mona: Player, monkeypatch: pytest.MonkeyPatch
) -> None:
    with override_settings(APPROVAL_DEPOSIT=10_000):
        paid_in(carl, alice, 6_000_00)
    with monkeypatch.context() as before:
        before.setattr(CashVerb, "reserve", lambda self, order: None)
        out = paid_in(carl, alice, 5_000_00, verb="withdrawal").proposal
    assert out is not None
    assert held(alice) == 6_000_00
    approvals.approve(mona, out.pk, reason="seen the passport", now=NOW)
    assert (held(alice), set_aside(alice)) == (1_000_00, 0)


def test_what_cannot_be_carried_out_leaves_the_proposal_waiting(
    euro: Currency, alice: Player, carl: Player, mona: Player
) -> None:
    large = paid_in(carl, alice, 5_000_00).proposal
    assert large is not None
    care_limits.ask(alice, care_limits.Wanted("deposit", "day", euro, 100_00), timezone.now())
    code = code_of(lambda: approvals.approve(mona, large.pk, reason="x", now=NOW))
    assert code == "deposit_limit"
    large.refresh_from_db()
    assert large.status == "proposed"
    assert held(alice) == 0
    # Once it is known, no colleague is asked.
    assert code_of(lambda: paid_in(carl, alice, 5_000_00)) == "deposit_limit"
    assert not JournalEntry.objects.filter(verb="proposal.approve").exists()


def test_an_unfreezing_says_why_and_by_whom_the_player_was_frozen(
    alice: Player, mona: Player, max_: Player
) -> None:
    until = NOW + timedelta(days=3)
    freezing.freeze(mona, alice.pk, "two accounts", until=until)
    wanted = {"player": alice.pk}
    proposal = approvals.submit(
        mona, "player.unfreeze", wanted, reason="a mistake", key=uuid4(), now=NOW
    ).proposal
    assert proposal is not None
    lines = {line.words: line for line in approvals.describe(proposal)}
    assert lines["Frozen by"].after.startswith("mona · ")
    assert lines["Reason of the freeze"].after == "two accounts"
    assert lines["Frozen until"].before == house_time(until)
