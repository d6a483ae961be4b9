"""The receipts of the cash desk: their numbers, their corrections, and the reports of a day."""

from datetime import UTC, date, datetime, timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.test import override_settings

from casino.office.desk import cash, receipts, requests
from casino.office.desk.models import Count, Shift
from casino.office.reports.facts import Span
from casino.office.reports.office_pages import opened
from casino.office.reports.report import REPORTS, Query
from casino.ops import environment
from tests.casino.desk_scene import FLOAT, Desk, assert_agrees, refused
from tests.people import client_of
from wallets.values.days import day_of, end_of
from wallets.values.errors import Refused

# Numbers and gaming days


def test_receipts_are_numbered_by_day_of(desk: Desk) -> None:
    desk.open()
    first = desk.pay("deposit", 100)
    desk.later(hours=12)
    second = desk.pay("deposit", 100)
    assert first is not None
    assert second is not None
    assert (first.number, second.number) == ("R-260301-0002", "R-260302-0001")


def test_receipts_are_found(desk: Desk) -> None:
    desk.with_float()
    desk.pay("deposit", 1_250)
    desk.pay("withdrawal", 700)
    for text, count in (
        ("mei", 2), ("MEI", 2), ("r-260301-0003", 1), ("12.50", 1), ("7", 1), ("8", 0), ("=1", 0),
    ):  # fmt: skip
        assert len(receipts.search(desk.tom, text)) == count, text
        # Another cashier sees none of them; who sees every till, all.
        assert receipts.search(desk.grace, text) == []
        assert len(receipts.search(desk.anna, text)) == count, text


@pytest.mark.parametrize(
    ("hour", "at", "day"),
    [
        (6, datetime(2026, 3, 2, 5, 59, tzinfo=UTC), date(2026, 3, 1)),
        (6, datetime(2026, 3, 2, 6, tzinfo=UTC), date(2026, 3, 2)),
        (0, datetime(2026, 3, 2, tzinfo=UTC), date(2026, 3, 2)),
    ],
)
def test_the_gaming_day_is_cut_at_an_hour(hour: int, at: datetime, day: date) -> None:
    with override_settings(GAMING_DAY_HOUR=hour):
        assert day_of(at) == day
        assert day_of(end_of(day)) > day


@pytest.mark.parametrize("value", ["24", "-1", "noon", "6.5"])
def test_a_day_begins_at_an_hour_of_the_clock(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("GAMING_DAY_HOUR", value)
    with pytest.raises(ImproperlyConfigured, match="GAMING_DAY_HOUR must be a"):
        environment.number("GAMING_DAY_HOUR", 6, among=range(24))


# Corrections


@pytest.mark.parametrize("right", [800, 0, 1_200])
def test_a_receipt_is_corrected(desk: Desk, right: int) -> None:
    desk.with_float()
    receipt = desk.pay("deposit", 1_000)
    assert receipt is not None
    proposal = desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=right)
    assert desk.wallet() == 1_000
    desk.approve(proposal)
    assert desk.wallet() == right
    assert desk.held(desk.first) == FLOAT + right
    correction = receipt.corrections.get()
    assert correction.number.startswith("C-260301-")
    assert receipts.effective(receipt) == right
    refused(
        "nothing_to_correct",
        lambda: desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=right),
    )
    assert_agrees(desk)


def test_a_correction_after_the_shift_settles_its_variance(desk: Desk) -> None:
    desk.with_float()
    desk.give(50_000)
    receipt = desk.pay("withdrawal", 8_000)
    assert receipt is not None
    # 85 were paid instead of 80, as the count shows.
    desk.submit(desk.tom, "shift.close", till=desk.first.pk, counted={"EUR": FLOAT - 8_500})
    assert cash.variance_account(desk.euro).balance == -500
    desk.approve(desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=8_500))
    assert cash.variance_account(desk.euro).balance == 0
    assert desk.wallet() == 50_000 - 8_500
    assert desk.held(desk.first) == FLOAT - 8_500
    assert_agrees(desk)


def test_a_correction_takes_no_wallet_below_zero(desk: Desk) -> None:
    desk.with_float()
    receipt = desk.pay("deposit", 1_000)
    assert receipt is not None
    desk.pay("withdrawal", 900)
    with pytest.raises(Refused, match="it holds 1 EUR"):
        desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=0)
    proposal = desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=900)
    # Meanwhile the player has taken the rest.
    desk.pay("withdrawal", 100)
    refused("overdrawn", lambda: desk.approve(proposal))
    refused("no_such_receipt", lambda: desk.submit(desk.tom, "desk.correct", receipt=0, right=5))
    refused(
        "no_such_receipt",
        lambda: desk.submit(desk.grace, "desk.correct", receipt=receipt.pk, right=5),
    )
    for wrong in (-1, True, "5", 10**16):
        correct = partial(desk.submit, desk.tom, "desk.correct", receipt=receipt.pk, right=wrong)
        refused("amount_bounds", correct)


def test_nobody_approves_their_own_correction(desk: Desk) -> None:
    desk.open(desk.ruth)
    receipt = desk.pay("deposit", 1_000, desk.ruth)
    assert receipt is not None
    proposal = desk.submit(desk.ruth, "desk.correct", receipt=receipt.pk, right=5)
    refused("own_proposal", lambda: desk.approve(proposal, desk.ruth))
    refused("not_approver", lambda: desk.approve(proposal, desk.tom))
    desk.approve(proposal, desk.max)


# Reports


def test_the_report_of_the_desk_has_what_crossed_it(desk: Desk) -> None:
    desk.with_float()
    receipt = desk.pay("deposit", 50_000)
    desk.pay("withdrawal", 5_000)
    assert receipt is not None
    desk.approve(desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=49_000))
    made = requests.ask(desk.mei, desk.euro, 2_000, key=uuid4(), now=desk.now)
    desk.submit(desk.tom, "desk.pay", request=made.pk, till=desk.first.pk)
    requests.ask(desk.mei, desk.euro, 700, key=uuid4(), now=desk.now)
    today = day_of(datetime.now(UTC))
    (row,) = list(Query(REPORTS["desk"], Span(today, today), "day").rows())
    figures = {"deposits": 50_000, "withdrawals": 7_000, "corrections": -1_000, "net": 42_000}
    assert {name: row[name] for name in figures} == figures
    assert row["cashier"] == "tom"
    assert_agrees(desk)


def test_the_report_of_tills_opens_all_that_moved_their_cash(desk: Desk) -> None:
    desk.with_float()
    receipt = desk.pay("deposit", 50_000)
    desk.pay("withdrawal", 5_000)
    assert receipt is not None
    desk.approve(desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=49_000))
    desk.move(desk.tom, desk.first, desk.vault, 20_000)
    held = desk.held(desk.first)
    desk.submit(desk.tom, "shift.close", till=desk.first.pk, counted={"EUR": held - 100})
    # The ledger has the real time, tills the time of the scene.
    today = day_of(datetime.now(UTC))
    now = datetime.now(UTC)
    Shift.objects.update(opened_at=now, closed_at=now)
    Count.objects.update(at=now)
    query = Query(REPORTS["desk"], Span(today, today), "till")
    (row,) = [row for row in query.rows() if row["till"] == "Till 1"]
    assert {name: row[name] for name in ("opening", "deposits", "withdrawals", "corrections")} == {
        "opening": 0, "deposits": 50_000, "withdrawals": 5_000, "corrections": -1_000,
    }  # fmt: skip
    assert (row["brought"], row["taken"], row["variances"]) == (FLOAT, 20_000, -100)
    assert row["closing"] == desk.held(desk.first) == held - 100
    assert (row["shifts"], row["counts"]) == (1, 1)
    reader = client_of(desk.anna)
    for column in query.report.columns("till"):
        if column.opens and row[column.name]:
            context = reader.get(opened(row, column, query)).context_data
            assert context is not None
            due = column.shown(row[column.name], desk.euro)
            is_number = column.unit == "count"
            assert str(context["number"] if is_number else context["total"]) == due, column.name


def test_the_desk_reports_the_gaming_day_of_its_receipts(desk: Desk) -> None:
    desk.open()
    receipt = desk.pay("deposit", 700)
    assert receipt is not None
    now = datetime.now(UTC)
    with override_settings(GAMING_DAY_HOUR=(now.hour + 1) % 24):
        day = day_of(now)
        assert day == now.date() - timedelta(days=1) or now.hour == 23
        (row,) = list(Query(REPORTS["desk"], Span(day, day), "day").rows())
        assert (row["day"], row["deposits"]) == (day, 700)
