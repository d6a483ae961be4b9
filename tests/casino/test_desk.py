"""The cash desk: payments and the requests of players agree with the ledger."""

from collections.abc import Callable
from datetime import UTC, datetime
from functools import partial
from uuid import uuid4

import pytest
from django.db import transaction
from django.test import override_settings

from casino.accounts.models import Player
from casino.office.desk import receipts, requests
from casino.office.desk.models import Receipt, WithdrawalRequest
from tests.casino.desk_scene import FLOAT, VAULT, Desk, assert_agrees, refused
from wallets.models import Transaction
from wallets.models.staff_models import JournalEntry
from wallets.staff import approvals
from wallets.values.errors import Refused

# Payments


def test_a_shift_takes_money_in_and_pays_it_out(desk: Desk) -> None:
    shift = desk.with_float()
    assert (desk.held(desk.vault), desk.held(desk.first)) == (VAULT - FLOAT, FLOAT)
    paid_in = desk.pay("deposit", 30_000)
    assert paid_in is not None
    assert paid_in.number == "R-260301-0003"
    assert (paid_in.wallet_after, paid_in.till_after) == (30_000, FLOAT + 30_000)
    paid_out = desk.pay("withdrawal", 12_050)
    assert paid_out is not None
    assert (paid_out.amount, paid_out.wallet_after) == (-12_050, 17_950)
    assert Transaction.objects.get(key=paid_out.key).pk == paid_out.posting
    assert desk.wallet() == 17_950
    assert_agrees(desk)
    expected = FLOAT + 30_000 - 12_050
    desk.later(hours=6)
    desk.submit(desk.tom, "shift.close", till=desk.first.pk, counted={"EUR": expected})
    shift.refresh_from_db()
    assert shift.closed_at == desk.now
    assert desk.held(desk.first) == expected
    # The next cashier finds what the last one left.
    desk.open(desk.grace, EUR=expected)
    assert_agrees(desk)


def test_currencies_keep_their_own_minor_units(desk: Desk) -> None:
    desk.open()
    for code, amount, sum_ in (
        ("EUR", 1, 1), ("EUR", 12_345, 12_346), ("JPY", 1, 1), ("JPY", 4_998, 4_999),
    ):  # fmt: skip
        assert desk.pay("deposit", amount, currency=code) is not None
        assert desk.held(desk.first, code) == desk.wallet(code=code) == sum_
        assert_agrees(desk)


@pytest.mark.parametrize("verb", ["deposit", "withdrawal"])
def test_a_payment_that_is_sent_twice_is_one(desk: Desk, verb: str) -> None:
    desk.with_float()
    desk.give(5_000)
    key = uuid4()
    first = desk.pay(verb, 400, key=key)
    held = desk.held(desk.first)
    assert desk.pay(verb, 400, key=key) == first
    assert desk.held(desk.first) == held
    refused("conflict", lambda: desk.pay(verb, 500, key=key))


REFUSED: dict[str, tuple[str, Callable[[Desk], object]]] = {
    "more than the wallet": ("overdrawn", lambda desk: desk.pay("withdrawal", 20_001)),
    "more than the till": (
        "till_short",
        lambda desk: (desk.give(10**6), desk.pay("withdrawal", 199_999)),
    ),
    "nothing": ("amount", lambda desk: desk.pay("deposit", 0)),
    "below nothing": ("amount", lambda desk: desk.pay("deposit", -5)),
    "a fraction": ("amount", lambda desk: desk.pay("deposit", 1.5)),  # type: ignore[arg-type]
    "text": ("amount", lambda desk: desk.pay("deposit", "5")),  # type: ignore[arg-type]
    "no currency": ("no_such_currency", lambda desk: desk.pay("deposit", 5, currency="XXX")),
    "no player": ("no_such_player", lambda desk: desk.pay("deposit", 5, player="player:999999")),
    "odd player": ("no_such_player", lambda desk: desk.pay("deposit", 5, player="table:1")),
    "own money": (
        "own_money",
        lambda desk: desk.pay("deposit", 5, player=f"player:{desk.tom.pk}"),
    ),
    "another's till": ("no_shift", lambda desk: desk.pay("deposit", 5, till=desk.second.pk)),
    "without a shift": ("no_shift", lambda desk: desk.pay("deposit", 5, desk.grace)),
    "the vault": ("no_such_till", lambda desk: desk.pay("deposit", 5, till=desk.vault.pk)),
    "no till": ("no_such_till", lambda desk: desk.pay("deposit", 5, till=10**30)),
    "an auditor": ("not_proposer", lambda desk: desk.pay("deposit", 5, desk.anna)),
}


def test_a_payment_is_refused(desk: Desk) -> None:
    desk.open()
    desk.move(desk.tom, desk.vault, desk.first, 100_000)
    desk.give(20_000)
    for case, (code, act) in REFUSED.items():
        with transaction.atomic():
            with pytest.raises(Refused) as refusal:
                act(desk)
            assert refusal.value.code == code, case
            assert desk.held(desk.first) == 100_000
            transaction.set_rollback(True)
    assert_agrees(desk)


def test_a_frozen_account_moves_no_money(desk: Desk) -> None:
    desk.with_float()
    Player.objects.filter(pk=desk.mei.pk).update(is_active=False)
    refused("player_frozen", lambda: desk.pay("deposit", 500))


@override_settings(APPROVAL_WITHDRAWAL=1_000)
def test_a_large_withdrawal_has_a_second_person(desk: Desk) -> None:
    desk.with_float()
    desk.give(500_000)
    proposal = desk.submit(
        desk.tom, "desk.withdrawal",
        player=desk.reference, currency="EUR", amount=150_000, till=desk.first.pk,
    )  # fmt: skip
    assert not Receipt.objects.filter(player=desk.mei).exists()
    assert (desk.wallet(), desk.wallet("escrow")) == (350_000, 150_000)
    # What the till cannot pay is refused before a colleague is asked.
    desk.give(FLOAT)
    with pytest.raises(Refused, match=r"Till 1 does not hold 5,000\.01 EUR"):
        desk.pay("withdrawal", FLOAT + 1)
    desk.approve(proposal, desk.ruth)
    receipt = Receipt.objects.get(player=desk.mei)
    assert (receipt.cashier_name, receipt.second_name) == ("tom", "ruth")
    assert desk.held(desk.first) == FLOAT - 150_000


@override_settings(APPROVAL_DEPOSIT=1_000)
def test_an_approved_payment_needs_the_shift_that_proposed_it(desk: Desk) -> None:
    desk.with_float()
    proposal = desk.submit(
        desk.tom, "desk.deposit",
        player=desk.reference, currency="EUR", amount=150_000, till=desk.first.pk,
    )  # fmt: skip
    desk.submit(desk.tom, "shift.close", till=desk.first.pk, counted={"EUR": FLOAT})
    refused("no_shift", lambda: desk.approve(proposal))


# Requests


@pytest.mark.always
def test_a_request_sets_money_aside_until_it_is_paid(desk: Desk) -> None:
    desk.with_float()
    desk.give(10_000)
    key = uuid4()
    made = requests.ask(desk.mei, desk.euro, 4_000, key=key, now=desk.now)
    assert requests.ask(desk.mei, desk.euro, 4_000, key=key, now=desk.now) == made
    assert (desk.wallet(), desk.wallet("escrow")) == (6_000, 4_000)
    refused("overdrawn", lambda: desk.pay("withdrawal", 6_001))
    desk.submit(desk.tom, "desk.pay", request=made.pk, till=desk.first.pk)
    made.refresh_from_db()
    assert (made.status, desk.wallet("escrow")) == ("paid", 0)
    assert made.receipt is not None
    assert (made.receipt.amount, made.receipt.wallet_after) == (-4_000, 6_000)
    for again in (
        lambda: desk.submit(desk.tom, "desk.pay", request=made.pk, till=desk.first.pk),
        lambda: requests.refuse(desk.tom, made.pk, "no", desk.now),
        lambda: requests.cancel(desk.mei, made.pk, desk.now),
    ):
        refused("request_decided", again)
    assert_agrees(desk)


@pytest.mark.parametrize("by", ["player", "desk"])
def test_what_is_not_paid_goes_to_the_wallet_again(desk: Desk, by: str) -> None:
    desk.give(10_000)
    made = requests.ask(desk.mei, desk.euro, 4_000, key=uuid4(), now=desk.now)
    if by == "player":
        requests.cancel(desk.mei, made.pk, desk.now)
        requests.cancel(desk.mei, made.pk, desk.now)
    else:
        requests.refuse(desk.tom, made.pk, "come with a passport", desk.now)
    made.refresh_from_db()
    assert made.status == ("cancelled" if by == "player" else "refused")
    assert made.words == ("" if by == "player" else "come with a passport")
    assert (desk.wallet(), desk.wallet("escrow")) == (10_000, 0)


def test_a_request_is_refused(desk: Desk) -> None:
    desk.give(1_000)
    now, key = desk.now, uuid4()
    refused("overdrawn", lambda: requests.ask(desk.mei, desk.euro, 1_001, key=uuid4(), now=now))
    assert not WithdrawalRequest.objects.exists()
    made = requests.ask(desk.mei, desk.euro, 500, key=key, now=now)
    refused("conflict", lambda: requests.ask(desk.mei, desk.euro, 400, key=key, now=now))
    refused("request_waits", lambda: requests.ask(desk.mei, desk.euro, 5, key=uuid4(), now=now))
    refused("no_such_request", lambda: requests.cancel(desk.tom, made.pk, now))
    for number in (0, 999_999, 10**30):
        refused("no_such_request", partial(requests.cancel, desk.mei, number, now))


@pytest.mark.always
@override_settings(APPROVAL_WITHDRAWAL=10)
def test_a_request_counts_towards_the_limit_of_withdrawals(desk: Desk) -> None:
    desk.with_float()
    desk.give(10_000)
    made = requests.ask(desk.mei, desk.euro, 600, key=uuid4(), now=desk.now)
    assert desk.submit(desk.tom, "desk.pay", request=made.pk, till=desk.first.pk) is None
    desk.now = datetime.now(UTC)
    made = requests.ask(desk.mei, desk.euro, 600, key=uuid4(), now=desk.now)
    proposal = desk.submit(desk.tom, "desk.pay", request=made.pk, till=desk.first.pk)
    requests.cancel(desk.mei, made.pk, desk.now)
    refused("proposal_stale", lambda: desk.approve(proposal))


# The journal and the verbs


def test_all_of_it_is_in_the_journal(desk: Desk) -> None:
    desk.with_float()
    receipt = desk.pay("deposit", 1_000)
    assert receipt is not None
    desk.approve(desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=900))
    receipts.print_one(desk.tom, receipt, desk.now)
    made = requests.ask(desk.mei, desk.euro, 400, key=uuid4(), now=desk.now)
    requests.refuse(desk.tom, made.pk, "no", desk.now)
    desk.submit(desk.tom, "shift.close", till=desk.first.pk, counted={"EUR": FLOAT + 900})
    own = JournalEntry.objects.exclude(verb__startswith="proposal.").order_by("position")
    assert list(own.values_list("verb", flat=True)) == [
        "desk.transfer", "shift.open", "desk.transfer", "desk.deposit", "desk.correct",
        "receipt.print", "withdrawal.refuse", "shift.close",
    ]  # fmt: skip


def test_every_verb_of_the_desk_is_registered() -> None:
    names = [name for name in approvals.registered() if name.startswith(("desk.", "shift."))]
    assert names == [
        "desk.correct", "desk.deposit", "desk.pay", "desk.transfer", "desk.withdrawal",
        "shift.close", "shift.open",
    ]  # fmt: skip
