"""Proposals: who may make and decide them, once, in time, and only about what is still the same."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta
from typing import Any
from uuid import UUID, uuid4

import pytest
from django.contrib.auth import get_user_model
from django.db import DatabaseError, IntegrityError, connection, connections, transaction
from django.test import Client, override_settings
from django.urls import reverse
from django.utils import timezone

from casino.players import freezing
from casino.players.models import Player
from casino.players.staff import appoint
from tests.people import client_of
from wallets import approvals, jackpots, limits, tasks
from wallets.accounts import account
from wallets.errors import Refused
from wallets.models import Account, Currency, JournalEntry, Proposal, Transaction
from wallets.reconciliation import reconcile

NOW = timezone.now()
pytestmark = pytest.mark.django_db


def person(name: str, *groups: str) -> Player:
    player: Player = get_user_model().objects.create_user(name)
    if groups:
        appoint(player, *groups)
    return Player.objects.get(pk=player.pk)


@pytest.fixture
def euro(db: None) -> Currency:
    return Currency.objects.create(code="EUR", name="Euro", exponent=2)


@pytest.fixture
def alice(db: None) -> Player:
    return person("alice")


@pytest.fixture
def carl(db: None) -> Player:
    return person("carl", "cashiers")


@pytest.fixture
def mona(db: None) -> Player:
    return person("mona", "managers")


@pytest.fixture
def max_(db: None) -> Player:
    return person("max", "managers")


def paid_in(
    member: Player, player: Player, amount: int, key: UUID | None = None, verb: str = "deposit"
) -> approvals.Submitted:
    arguments = {"player": f"player:{player.pk}", "currency": "EUR", "amount": amount}
    return approvals.submit(
        member, verb, arguments, reason="at the desk", key=key or uuid4(), now=NOW
    )


def held(player: Player) -> int:
    return account(Account.Kind.PLAYER, f"player:{player.pk}", "EUR").balance


@pytest.fixture
def large(euro: Currency, alice: Player, carl: Player) -> Proposal:
    """A deposit that needs a second person."""
    proposal = paid_in(carl, alice, 5_000_00).proposal
    assert proposal is not None
    return proposal


def code_of(work: Callable[[], object]) -> str:
    with pytest.raises(Refused) as refused:
        work()
    return refused.value.code


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
    """Within 24 hours, until somebody has approved one; each direction apart."""
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


def test_from_the_threshold_on_nothing_moves_until_a_second_person_approves(
    large: Proposal, alice: Player, carl: Player, mona: Player
) -> None:
    assert held(alice) == 0
    words = [line.words for line in approvals.describe(large)]
    assert words == ["Amount", "Wallet"]
    assert approvals.describe(large)[0].after == "5,000 EUR"
    assert [approvals.waiting_for(one, NOW) for one in (carl, mona)] == [0, 1]
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
    assert "somebody else must decide" in answer.text
    rows = Proposal.objects.filter(pk=proposal.pk)
    own = {"checker": proposal.maker, "checker_name": "mona", "decided_at": NOW}
    with pytest.raises(IntegrityError), transaction.atomic():
        rows.update(status="approved", **own)
    # Nor by being another maker first.
    with pytest.raises(DatabaseError), transaction.atomic():
        rows.update(maker=f"player:{max_.pk}")
    assert held(alice) == 0
    assert 'name="approve"' in client_of(max_).get(address).text


@pytest.mark.parametrize(
    "change",
    [
        {"status": "approved"},
        {"status": "rejected", "decided_at": NOW},
        {"status": "expired"},
        {"arguments": {"amount": 1}},
        {"verb": "withdrawal"},
        {"expires_at": NOW},
    ],
)
def test_the_database_refuses_what_no_verb_writes(
    large: Proposal, change: dict[str, object]
) -> None:
    with pytest.raises(DatabaseError), transaction.atomic():
        Proposal.objects.filter(pk=large.pk).update(**change)


def test_the_database_changes_no_decision_and_deletes_nothing(
    large: Proposal, mona: Player
) -> None:
    approvals.reject(mona, large.pk, reason="no", now=NOW)
    with pytest.raises(DatabaseError), transaction.atomic():
        Proposal.objects.filter(pk=large.pk).update(status="proposed")
    with (
        pytest.raises(DatabaseError),
        transaction.atomic(),
        connection.cursor() as cursor,
    ):
        cursor.execute("DELETE FROM wallets_proposal")


def test_who_may_not_decide(large: Proposal, alice: Player) -> None:
    for groups in ((), ("floor",), ("cashiers",), ("auditors",), ("technicians",)):
        member = person(f"one-of-{'-'.join(groups) or 'none'}", *groups)
        work = lambda member=member: approvals.approve(member, large.pk, reason="x", now=NOW)  # noqa: E731
        assert code_of(work) == "not_approver", groups
    assert held(alice) == 0


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


def test_what_cannot_be_carried_out_leaves_the_proposal_waiting(
    euro: Currency, alice: Player, carl: Player, mona: Player
) -> None:
    paid_in(carl, alice, 100_00)
    out = paid_in(carl, alice, 3_000_00, verb="withdrawal").proposal
    assert out is not None
    assert code_of(lambda: approvals.approve(mona, out.pk, reason="x", now=NOW)) == "overdrawn"
    out.refresh_from_db()
    assert out.status == "proposed"
    assert held(alice) == 100_00
    assert not JournalEntry.objects.filter(verb="proposal.approve").exists()


@pytest.mark.parametrize(
    ("arguments", "code"),
    [
        ({"amount": 0}, "amount"),
        ({"amount": -5}, "amount"),
        ({"amount": "5"}, "amount"),
        ({"amount": 10**16}, "amount"),
        ({"amount": True}, "amount"),
        ({"currency": "XXX"}, "no_such_currency"),
        ({"currency": None}, "no_such_currency"),
        ({"player": ""}, "no_such_player"),
        ({"player": "p" * 65}, "no_such_player"),
    ],
)
def test_wrong_arguments_are_refused(
    euro: Currency, carl: Player, arguments: dict[str, Any], code: str
) -> None:
    given = {"player": "player:1", "currency": "EUR", "amount": 5} | arguments
    work = lambda: approvals.submit(carl, "deposit", given, reason="x", key=uuid4(), now=NOW)  # noqa: E731
    assert code_of(work) == code
    assert not JournalEntry.objects.exists()


def test_missing_things_are_refused(large: Proposal, mona: Player) -> None:
    work = lambda: approvals.approve(mona, 999_999, reason="x", now=NOW)  # noqa: E731
    assert code_of(work) == "no_such_proposal"
    work = lambda: approvals.submit(mona, "fly", {}, reason="x", key=uuid4(), now=NOW)  # noqa: E731
    assert code_of(work) == "no_such_verb"
    for reason in ("", "  ", "x" * 201):
        for decide in (approvals.approve, approvals.reject):
            work = lambda d=decide, r=reason: d(mona, large.pk, reason=r, now=NOW)  # noqa: E731
            assert code_of(work) == "reason"


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
    answer = client_of(max_).post(
        reverse("proposal", args=[proposal.pk]), {"approve": "1", "reason": "spoke to her"}
    )
    assert answer.status_code == 302
    alice.refresh_from_db()
    assert alice.is_active
    assert "not frozen" in client_of(mona).post(address, {"reason": "asked again"}).text


# Pages


def test_the_badge_counts_what_waits_for_the_viewer(large: Proposal, mona: Player) -> None:
    def badge(client: Client) -> str | None:
        sections = client.get("/admin/").context["sidebar_navigation"]
        pages = [page for section in sections for page in section["items"]]
        return next(one.get("badge") for one in pages if one["title"] == "Approvals")

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
    assert "5,000 EUR" in page
    assert "alice" in page
    assert "This field is required." in client_of(mona).post(address, {"approve": "1"}).text
    assert client_of(mona).post(address, {"reject": "1", "reason": "no"}).status_code == 302
    assert "mona" in client_of(carl).get(address).text
    twice = client_of(mona).post(address, {"approve": "1", "reason": "yes"})
    assert "has already decided" in twice.text


def test_others_see_only_their_own(large: Proposal) -> None:
    address = reverse("proposal", args=[large.pk])
    other = client_of(person("carol", "cashiers"))
    assert other.get(address).status_code == 404
    assert address not in other.get(reverse("proposals")).text
    assert client_of(person("ada", "auditors")).get(address).status_code == 200
    assert client_of(person("bob")).get(address).status_code == 302
    assert Client().post(address, {"approve": "1", "reason": "x"}).status_code == 302
    assert other.get("/admin/approvals/99999999999999999999999/").status_code == 404


# At once


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


def test_jackpots_wait_for_a_colleague(euro: Currency, mona: Player, max_: Player) -> None:
    form = {
        "name": "Dragon", "kind": "progressive", "currency": "EUR", "seed": "10", "reserve": "0",
        "share_bp": 500, "lowest": 1, "highest": 2, "active": "on", "reason": "for the spring",
        "triggers-TOTAL_FORMS": 0, "triggers-INITIAL_FORMS": 0,
    }  # fmt: skip
    client = client_of(person("olga", "managers"))
    assert client.post("/admin/wallets/jackpot/add/", form).status_code == 302
    assert not Transaction.objects.exists()
    proposal = Proposal.objects.get()
    assert "10 EUR" in client_of(mona).get(reverse("proposal", args=[proposal.pk])).text
    approvals.approve(mona, proposal.pk, reason="yes", now=timezone.now())
    pot = jackpots.Jackpot.objects.get()
    address = f"/admin/wallets/jackpot/{pot.pk}/change/"
    assert client.post(address, form | {"active": "", "seed": "20"}).status_code == 302
    pot.refresh_from_db()
    assert (pot.active, pot.seed) == (True, 1_000)
    change = Proposal.objects.latest("pk")
    shown = {line.words: (line.before, line.after) for line in approvals.describe(change)}
    assert shown == {"seed": ("10 EUR", "20 EUR"), "active": ("yes", "no")}
    approvals.approve(max_, change.pk, reason="yes", now=timezone.now())
    drain = {"amount": "10", "reason": "over"}
    assert client.post(f"/admin/wallets/jackpot/{pot.pk}/drain/", drain).status_code == 302
    assert Account.objects.get(pk=pot.pool_id).balance == 1_000
    approvals.approve(max_, Proposal.objects.latest("pk").pk, reason="yes", now=timezone.now())
    assert Account.objects.get(pk=pot.pool_id).balance == 0


@override_settings(APPROVAL_DEPOSIT=0)
def test_a_threshold_of_nothing_is_every_amount(
    euro: Currency, alice: Player, carl: Player
) -> None:
    assert paid_in(carl, alice, 1).proposal is not None
