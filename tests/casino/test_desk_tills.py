"""The tills of the cash desk: shifts, counts and transfers agree with the ledger."""

import re
from functools import partial
from typing import Any
from uuid import uuid4

import pytest
from django.utils import timezone
from django.utils.translation import override

from casino.office.desk import cash, shifts
from casino.office.desk.models import Count, Receipt, Shift
from casino.office.desk.shifts import CloseShift, OpenShift
from casino.office.desk.summary import lately_different, lines, summaries
from tests.casino.desk_scene import FLOAT, VAULT, Desk, assert_agrees, refused
from tests.people import client_of
from wallets.models import Transaction
from wallets.staff import approvals
from wallets.values.errors import Refused

# Shifts and counts


def test_one_cashier_at_one_till(desk: Desk) -> None:
    desk.open()
    refused("till_taken", lambda: desk.open(desk.grace))
    refused("shift_open", lambda: desk.open(desk.tom, desk.second))
    refused(
        "not_your_shift",
        lambda: desk.submit(desk.grace, "shift.close", till=desk.first.pk, counted={}),
    )
    # A manager may close it.
    desk.submit(desk.ruth, "shift.close", till=desk.first.pk, counted={})
    refused(
        "no_shift", lambda: desk.submit(desk.tom, "shift.close", till=desk.first.pk, counted={})
    )


@pytest.mark.parametrize("variance", [-500, 500])
def test_a_small_variance_is_explained(desk: Desk, variance: int) -> None:
    shift = desk.with_float()
    counted = {"EUR": FLOAT + variance}
    key = uuid4()
    for _twice in range(2):
        try:
            proposal = desk.submit(
                desk.tom, "shift.close", key, "paid 85 for 80", till=desk.first.pk, counted=counted
            )
        except Refused:
            proposal = None
        assert proposal is None
    last = Count.objects.get(shift=shift, kind="closing")
    assert (last.variance, last.words) == (variance, "paid 85 for 80")
    receipt = Receipt.objects.get(kind="variance")
    assert (receipt.amount, receipt.shift) == (variance, shift)
    assert desk.held(desk.first) == counted["EUR"]
    assert cash.variance_account(desk.euro).balance == variance
    assert_agrees(desk)


@pytest.mark.always
@pytest.mark.parametrize("language", ["en", "zh-hans", "zh-hant"])
@pytest.mark.parametrize("moment", ["open", "close"])
def test_no_variance_is_posted_with_the_usual_words(desk: Desk, moment: str, language: str) -> None:
    """An empty field stands for these words, in the language of the page."""
    if moment == "close":
        desk.with_float()
    verb = OpenShift() if moment == "open" else CloseShift()
    with override(language):
        usual = str(verb.usual)
    counted = {"EUR": desk.held(desk.first) + 300}
    count = partial(desk.submit, desk.tom, verb.name, till=desk.first.pk, counted=counted)
    with pytest.raises(Refused) as refusal:
        count(reason=usual)
    assert refusal.value.code == "variance_unexplained"
    # Before the shift nothing is counted yet, and counting is blind.
    assert ("3.00 EUR" in refusal.value.sentence) == (moment == "close")
    assert count(reason="found three coins") is None
    assert cash.variance_account(desk.euro).balance == 300


def test_a_later_count_does_not_hide_one_that_differed(desk: Desk) -> None:
    """A cashier who finds too much learns the sum by a count, and could count again without it."""
    shift = desk.with_float()
    shifts.count(desk.tom, {"EUR": FLOAT + 300}, {}, words="", key=uuid4(), now=desk.now)
    desk.submit(desk.tom, "shift.close", till=desk.first.pk, counted={"EUR": FLOAT})
    (line,) = lately_different(desk.now)
    assert (line.shift, [count.variance for count in line.differed]) == (shift, [300])
    ruth = client_of(desk.ruth)
    Shift.objects.update(closed_at=timezone.now())
    for page in ("/admin/desk/tills/", "/admin/"):
        assert re.search(r"count in between.*?\+3", ruth.get(page).text, re.DOTALL), page


@pytest.mark.always
def test_a_large_variance_has_a_second_person(desk: Desk) -> None:
    shift = desk.with_float()
    close: dict[str, Any] = {"till": desk.first.pk, "counted": {"EUR": FLOAT - 1_000}}
    proposal = desk.submit(desk.tom, "shift.close", **close)
    shift.refresh_from_db()
    assert shift.closed_at is None
    desk.approve(proposal)
    shift.refresh_from_db()
    assert shift.closed_at is not None
    assert Receipt.objects.get(kind="variance").second_name == "max"
    assert_agrees(desk)


def test_no_cash_moves_while_a_count_waits_for_its_second_person(desk: Desk) -> None:
    desk.with_float()
    receipt = desk.pay("deposit", 500)
    assert receipt is not None
    ends: dict[str, Any] = {"source": desk.first.pk, "target": desk.vault.pk}
    moved = desk.submit(desk.tom, "desk.transfer", currency="EUR", amount=100, **ends)
    right = desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=400)
    counted: dict[str, Any] = {"till": desk.first.pk, "counted": {"EUR": FLOAT - 1_000}}
    waiting = desk.submit(desk.tom, "shift.close", **counted)
    for attempt in (
        lambda: desk.pay("deposit", 100),
        lambda: desk.pay("withdrawal", 100),
        lambda: desk.approve(moved),
        lambda: desk.approve(right),
        lambda: desk.move(desk.tom, desk.first, desk.vault, 100),
    ):
        refused("till_counted", attempt)
    assert waiting is not None
    approvals.reject(desk.max, waiting.pk, reason="count again", now=desk.now)
    desk.approve(moved)
    assert desk.held(desk.first) == FLOAT + 400
    assert_agrees(desk)


def test_a_count_names_all_that_the_till_holds(desk: Desk) -> None:
    desk.with_float()
    desk.pay("deposit", 700, currency="JPY")
    close: dict[str, Any] = {"till": desk.first.pk}
    refused(
        "not_counted",
        lambda: desk.submit(desk.tom, "shift.close", counted={"EUR": FLOAT}, **close),
    )
    for counted, code in (
        ({"EUR": -1}, "amount_bounds"),
        ({"EUR": True}, "amount_bounds"),
        ({"EUR": 10**16}, "amount_bounds"),
        ({"XXX": 1}, "no_such_currency"),
        ([1], "count"),
    ):
        wrong = partial(desk.submit, desk.tom, "shift.close", counted=counted, **close)
        refused(code, wrong)


def test_a_count_in_between_moves_nothing(desk: Desk) -> None:
    shift = desk.with_float()
    key, before = uuid4(), Transaction.objects.count()
    for _twice in range(2):
        shifts.count(desk.tom, {"EUR": FLOAT - 500}, {}, words="", key=key, now=desk.now)
    assert Transaction.objects.count() == before
    (summary,) = summaries(shift, lines(shift))
    assert (summary.expected, summary.variance) == (FLOAT, -500)
    refused(
        "no_shift",
        lambda: shifts.count(desk.grace, {}, {}, words="", key=uuid4(), now=desk.now),
    )


# Transfers


def test_cash_moves_between_tills_and_the_vault(desk: Desk) -> None:
    shift = desk.with_float()
    other = desk.open(desk.grace, desk.second)
    desk.move(desk.tom, desk.first, desk.second, 70_000)
    desk.move(desk.grace, desk.second, desk.vault, 20_000)
    assert [desk.held(each) for each in (desk.first, desk.second, desk.vault)] == [
        FLOAT - 70_000, 50_000, VAULT - FLOAT + 20_000,
    ]  # fmt: skip
    assert [line.amount for line in lines(shift)] == [-70_000, FLOAT]
    assert [(line.amount, line.left) for line in lines(other)] == [
        (-20_000, 50_000), (70_000, 70_000),
    ]  # fmt: skip
    desk.move(desk.ruth, desk.vault, None, 1_000)
    assert Receipt.objects.latest("pk").way == "Vault → Outside the house"
    desk.move(desk.ruth, None, desk.vault, 1_000)
    assert Receipt.objects.latest("pk").way == "Outside the house → Vault"
    assert_agrees(desk)


def test_a_transfer_is_refused(desk: Desk) -> None:
    desk.with_float()
    for who, source, target, amount, code in (
        (desk.tom, desk.first, desk.vault, FLOAT + 1, "till_short"),
        (desk.ruth, desk.vault, None, VAULT, "till_short"),
        (desk.tom, desk.vault, None, 5, "not_outside"),
        (desk.tom, desk.vault, desk.second, 5, "not_your_till"),
        (desk.grace, desk.vault, desk.first, 5, "not_your_till"),
        (desk.tom, desk.first, desk.first, 5, "same_till"),
        (desk.tom, desk.first, desk.vault, 0, "amount"),
    ):
        refused(code, partial(desk.move, who, source, target, amount))
