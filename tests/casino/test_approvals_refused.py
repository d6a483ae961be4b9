"""Proposals: who may not make or decide them, and what neither a verb nor the database takes."""

from collections.abc import Callable
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.db import DatabaseError, IntegrityError, connection, transaction
from django.urls import reverse

from casino.accounts.models import Player
from casino.accounts.staff import appoint
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
from tests.people import client_of
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.staff import approvals
from wallets.values.errors import Refused

__all__ = ["alice", "carl", "euro", "large", "max_", "mona"]
pytestmark = pytest.mark.django_db


def test_the_maker_never_decides(euro: Currency, alice: Player, mona: Player, max_: Player) -> None:
    """Not by the service, not by the page, and not by the database."""
    proposal = paid_in(mona, alice, 9_000_00).proposal
    assert proposal is not None
    for decide in (approvals.approve, approvals.reject):
        work = lambda decide=decide: decide(mona, proposal.pk, reason="me", now=NOW)  # noqa: E731
        assert code_of(work) == "own_proposal"
    address = reverse("proposal", args=[proposal.pk])
    browser = client_of(mona)
    assert 'name="approve"' not in browser.get(address).text
    answer = browser.post(address, {"approve": "1", "reason": "me"})
    assert "a colleague must decide" in answer.text
    rows = Proposal.objects.filter(pk=proposal.pk)
    own = {"checker": proposal.maker, "checker_name": "mona", "decided_at": NOW}
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(status="approved", **own)
    # Nor by being another maker first.
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(maker=f"player:{max_.pk}")
    assert held(alice) == 0
    assert 'name="approve"' in client_of(max_).get(address).text


def test_the_database_refuses_what_no_verb_writes(large: Proposal, mona: Player) -> None:
    proposals = Proposal.objects.filter(pk=large.pk)
    changes: tuple[dict[str, object], ...] = (
        {"status": "approved"}, {"status": "rejected", "decided_at": NOW}, {"status": "expired"},
        {"arguments": {"amount": 1}}, {"verb": "withdrawal"}, {"expires_at": NOW},
    )  # fmt: skip
    for change in changes:
        with pytest.raises(DatabaseError), transaction.atomic():
            proposals.update(**change)
    approvals.reject(mona, large.pk, reason="no", now=NOW)
    with pytest.raises(DatabaseError), transaction.atomic():
        proposals.update(status="proposed")
    with pytest.raises(DatabaseError), transaction.atomic(), connection.cursor() as cursor:
        cursor.execute("DELETE FROM wallets_proposal")


def test_who_may_not_decide(large: Proposal, alice: Player) -> None:
    for groups in ((), ("floor",), ("cashiers",), ("auditors",), ("technicians",)):
        member = person(f"one-of-{'-'.join(groups) or 'none'}", *groups)
        work = lambda member=member: approvals.approve(member, large.pk, reason="x", now=NOW)  # noqa: E731
        assert code_of(work) == "not_approver", groups
    assert held(alice) == 0


@pytest.mark.always
def test_who_may_not_propose(euro: Currency, alice: Player) -> None:
    for groups in ((), ("floor",), ("auditors",), ("technicians",)):
        member = person(f"one-of-{'-'.join(groups) or 'none'}", *groups)
        assert code_of(lambda member=member: paid_in(member, alice, 1)) == "not_proposer"


def test_a_role_that_was_taken_away_in_between(
    large: Proposal, alice: Player, carl: Player, mona: Player
) -> None:
    """The checker's, though the object in hand still remembers it; then the maker's."""
    assert mona.has_perm(approvals.APPROVE)
    appoint(Player.objects.get(pk=mona.pk))
    work = lambda: approvals.approve(mona, large.pk, reason="x", now=NOW)  # noqa: E731
    assert code_of(work) == "not_approver"
    appoint(Player.objects.get(pk=mona.pk), "managers")
    appoint(carl)
    assert code_of(work) == "maker_lost_role"
    appoint(carl, "cashiers")
    Player.objects.filter(pk=carl.pk).update(is_active=False)
    assert code_of(work) == "maker_lost_role"
    assert held(alice) == 0
    approvals.reject(mona, large.pk, reason="carl has left", now=NOW)


@pytest.mark.always
def test_wrong_arguments_are_refused(euro: Currency, carl: Player) -> None:
    cases: tuple[tuple[str, Any, str], ...] = (
        *(("amount", amount, "amount") for amount in (0, -5, "5", 10**16, True)),
        ("currency", "XXX", "no_such_currency"), ("currency", None, "no_such_currency"),
        ("player", "", "no_such_player"), ("player", "p" * 65, "no_such_player"),
    )  # fmt: skip
    for name, value, code in cases:
        given = {"player": "player:1", "currency": "EUR", "amount": 5} | {name: value}
        work = lambda given=given: approvals.submit(  # noqa: E731
            carl, "deposit", given, reason="x", key=uuid4(), now=NOW
        )
        assert code_of(work) == code, (name, value)
    assert not JournalEntry.objects.exists()


@pytest.mark.always
def test_each_verb_says_that_what_it_is_about_is_gone(db: None) -> None:
    """Three verbs name no row that they would have to read."""
    rows = "hand jackpot message payment player receipt source target template till tournament"
    arguments: dict[str, Any] = dict.fromkeys([*rows.split(), "version"], 999_999)
    arguments |= {"currency": "GONE", "limit": "gone", "counted": {"GONE": 1}}
    arguments |= {"amount": 1, "right": 1, "value": 1}
    arguments |= {"role": "floor"}
    own: dict[str, dict[str, Any]] = {
        "hook.subscribe": {"name": "gone", "address": "https://gone.example", "kinds": []},
        "series.begin": {"name": "gone", "rules": {"best": 1, "events": 1}},
    }
    proposals = [
        Proposal(verb=name, arguments=arguments | own.get(name, {}))
        for name in approvals.registered()
    ]
    said = {
        proposal.verb: [line.words for line in approvals.describe(proposal)]
        for proposal in proposals
    }
    assert said.pop("tournament.unschedule") == []
    assert said.pop("house.confirm_halt") == ["New hands"]
    assert said.pop("hook.subscribe") == ["gone"]
    assert {*map(tuple, said.values())} == {("What this proposal is about no longer exists.",)}


@pytest.mark.always
def test_a_proposal_whose_arguments_no_verb_takes_any_more_can_only_be_rejected(
    mona: Player,
) -> None:
    """An earlier version stored it; superusers may decide whatever it is."""
    owner = Player.objects.create_superuser("olga")
    Player.objects.filter(pk=mona.pk).update(is_superuser=True)
    for name in approvals.registered():
        proposal = Proposal.objects.create(
            key=uuid4(), verb=name, subject="x", arguments={}, state={}, maker=f"player:{mona.pk}",
            maker_name="mona", reason="x", made_at=NOW, expires_at=NOW + timedelta(hours=1),
        )  # fmt: skip
        with pytest.raises(Refused):
            approvals.approve(owner, proposal.pk, reason="yes", now=NOW)
        rejected = approvals.reject(owner, proposal.pk, reason="unreadable", now=NOW)
        assert rejected.status == Proposal.Status.REJECTED, name


def test_missing_things_are_refused(large: Proposal, mona: Player) -> None:
    work: Callable[[], object] = lambda: approvals.approve(mona, 999_999, reason="x", now=NOW)  # noqa: E731
    assert code_of(work) == "no_such_proposal"
    work = lambda: approvals.submit(mona, "fly", {}, reason="x", key=uuid4(), now=NOW)  # noqa: E731
    assert code_of(work) == "no_such_verb"
    for reason in ("", "  ", "x" * 201):
        for decide in (approvals.approve, approvals.reject):
            work = lambda d=decide, r=reason: d(mona, large.pk, reason=r, now=NOW)  # noqa: E731
            assert code_of(work) == "reason"
