"""The cash desk: tills, shifts, payments, corrections and transfers agree with the ledger."""

from collections.abc import Callable
from datetime import UTC, date, datetime, timedelta
from functools import partial
from uuid import uuid4

import pytest
from django.core.exceptions import ImproperlyConfigured
from django.db.models import Sum
from django.test import override_settings

from casino import environment
from casino.desk import cash, receipts, requests, shifts
from casino.desk.gaming_day import ends_at, gaming_day
from casino.desk.models import Count, Receipt, Shift, WithdrawalRequest
from casino.desk.summary import lines, summaries
from casino.players.models import Player
from casino.reports.behind_links import opened
from casino.reports.page_parts import shown
from casino.reports.registry import REPORTS, Query
from casino.reports.spans import Span
from tests.casino.desk_scene import FLOAT, VAULT, Desk
from tests.people import client_of
from wallets import approvals
from wallets.errors import Refused
from wallets.models import Account, Entry, JournalEntry, Transaction


@pytest.fixture
def desk(db: None) -> Desk:
    return Desk()


def refused(code: str, act: Callable[[], object]) -> None:
    """It is refused for this reason, and moves nothing."""
    before = Transaction.objects.count(), Receipt.objects.count()
    with pytest.raises(Refused) as refusal:
        act()
    assert refusal.value.code == code
    assert (Transaction.objects.count(), Receipt.objects.count()) == before


def assert_agrees(desk: Desk) -> None:
    """Tills, receipts and ledger say the same, and the ledger sums to nothing."""
    for till in (desk.first, desk.second, desk.vault):
        for code in ("EUR", "JPY"):
            entries = Entry.objects.filter(
                account__kind="issue", account__owner=till.reference, account__currency=code
            )
            assert desk.held(till, code) == -(entries.aggregate(sum=Sum("amount"))["sum"] or 0) >= 0
    for shift in Shift.objects.filter(closed_at=None):
        for one in summaries(shift, lines(shift)):
            assert one.expected == cash.held(shift.till, one.currency)
    for code in ("EUR", "JPY"):
        held = Account.objects.filter(currency=code)
        assert not held.aggregate(sum=Sum("balance"))["sum"]


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


def test_the_report_of_the_desk_has_what_crossed_it(desk: Desk) -> None:
    desk.with_float()
    receipt = desk.pay("deposit", 50_000)
    desk.pay("withdrawal", 5_000)
    assert receipt is not None
    desk.approve(desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=49_000))
    made = requests.ask(desk.mei, desk.euro, 2_000, key=uuid4(), now=desk.now)
    desk.submit(desk.tom, "desk.pay", request=made.pk, till=desk.first.pk)
    requests.ask(desk.mei, desk.euro, 700, key=uuid4(), now=desk.now)
    today = gaming_day(datetime.now(UTC))
    (row,) = list(REPORTS["desk"].rows(Span(today, today), "day"))
    figures = {"deposits": 50_000, "withdrawals": 7_000, "corrections": -1_000, "net": 42_000}
    assert {name: row[name] for name in figures} == figures
    assert row["cashier"] == "tom"
    assert_agrees(desk)


def test_the_report_of_tills_opens_all_that_moved_their_cash(
    desk: Desk,
) -> None:
    desk.with_float()
    receipt = desk.pay("deposit", 50_000)
    desk.pay("withdrawal", 5_000)
    assert receipt is not None
    desk.approve(desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=49_000))
    desk.move(desk.tom, desk.first, desk.vault, 20_000)
    held = desk.held(desk.first)
    desk.submit(desk.tom, "shift.close", till=desk.first.pk, counted={"EUR": held - 100})
    # The ledger has the real time, tills the time of the scene.
    today = gaming_day(datetime.now(UTC))
    now = datetime.now(UTC)
    Shift.objects.update(opened_at=now, closed_at=now)
    Count.objects.update(at=now)
    query = Query(REPORTS["desk"], Span(today, today), "till")
    (row,) = [one for one in query.report.rows(query.span, "till") if one["till"] == "Till 1"]
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
            due = shown(row[column.name], column, desk.euro)
            is_number = column.unit == "count"
            assert str(context["number"] if is_number else context["total"]) == due, column.name


@pytest.mark.parametrize("value", ["24", "-1", "noon", "6.5"])
def test_a_day_begins_at_an_hour_of_the_clock(monkeypatch: pytest.MonkeyPatch, value: str) -> None:
    monkeypatch.setenv("GAMING_DAY_HOUR", value)
    with pytest.raises(ImproperlyConfigured, match="GAMING_DAY_HOUR must be a"):
        environment.number("GAMING_DAY_HOUR", 6, among=range(24))


def test_the_desk_reports_the_gaming_day_of_its_receipts(desk: Desk) -> None:
    desk.open()
    receipt = desk.pay("deposit", 700)
    assert receipt is not None
    now = datetime.now(UTC)
    with override_settings(GAMING_DAY_HOUR=(now.hour + 1) % 24):
        day = gaming_day(now)
        assert day == now.date() - timedelta(days=1) or now.hour == 23
        (row,) = list(REPORTS["desk"].rows(Span(day, day), "day"))
        assert (row["day"], row["deposits"]) == (day, 700)


@pytest.mark.parametrize(
    ("code", "amount"), [("EUR", 1), ("EUR", 12_345), ("JPY", 1), ("JPY", 4_999)]
)
def test_currencies_keep_their_own_minor_units(desk: Desk, code: str, amount: int) -> None:
    desk.open()
    receipt = desk.pay("deposit", amount, currency=code)
    assert receipt is not None
    assert desk.held(desk.first, code) == desk.wallet(code=code) == amount
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


@pytest.mark.parametrize("case", REFUSED)
def test_a_payment_is_refused(desk: Desk, case: str) -> None:
    desk.open()
    desk.move(desk.tom, desk.vault, desk.first, 100_000)
    desk.give(20_000)
    code, act = REFUSED[case]
    with pytest.raises(Refused) as refusal:
        act(desk)
    assert refusal.value.code == code
    assert desk.held(desk.first) == 100_000
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


# --- shifts


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


def test_a_large_variance_has_a_second_person(desk: Desk) -> None:
    shift = desk.with_float()
    close = {"till": desk.first.pk, "counted": {"EUR": FLOAT - 1_000}}
    proposal = desk.submit(desk.tom, "shift.close", **close)
    shift.refresh_from_db()
    assert shift.closed_at is None
    # Meanwhile the till moved, so the count says nothing any more.
    desk.pay("deposit", 100)
    refused("proposal_stale", lambda: desk.approve(proposal))
    close["counted"] = {"EUR": FLOAT - 900}
    desk.approve(desk.submit(desk.tom, "shift.close", **close))
    shift.refresh_from_db()
    assert shift.closed_at is not None
    assert Receipt.objects.get(kind="variance").second_name == "max"
    assert_agrees(desk)


def test_a_count_names_all_that_the_till_holds(desk: Desk) -> None:
    desk.with_float()
    desk.pay("deposit", 700, currency="JPY")
    close = {"till": desk.first.pk}
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
    (one,) = summaries(shift, lines(shift))
    assert (one.expected, one.variance) == (FLOAT, -500)
    refused(
        "no_shift",
        lambda: shifts.count(desk.grace, {}, {}, words="", key=uuid4(), now=desk.now),
    )


# --- corrections


@pytest.mark.parametrize(
    ("verb", "right", "wallet"),
    [("deposit", 800, 800), ("deposit", 0, 0), ("deposit", 1_200, 1_200)],
)
def test_a_receipt_is_corrected(desk: Desk, verb: str, right: int, wallet: int) -> None:
    desk.with_float()
    receipt = desk.pay(verb, 1_000)
    assert receipt is not None
    proposal = desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=right)
    assert desk.wallet() == 1_000
    desk.approve(proposal)
    assert desk.wallet() == wallet
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
    proposal = desk.submit(desk.tom, "desk.correct", receipt=receipt.pk, right=0)
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


# --- transfers


def test_cash_moves_between_tills_and_the_vault(desk: Desk) -> None:
    one = desk.with_float()
    other = desk.open(desk.grace, desk.second)
    desk.move(desk.tom, desk.first, desk.second, 70_000)
    desk.move(desk.grace, desk.second, desk.vault, 20_000)
    assert [desk.held(each) for each in (desk.first, desk.second, desk.vault)] == [
        FLOAT - 70_000, 50_000, VAULT - FLOAT + 20_000,
    ]  # fmt: skip
    assert [line.amount for line in lines(one)] == [-70_000, FLOAT]
    assert [(line.amount, line.left) for line in lines(other)] == [
        (-20_000, 50_000), (70_000, 70_000),
    ]  # fmt: skip
    desk.move(desk.ruth, desk.vault, None, 1_000)
    assert Receipt.objects.latest("pk").way == "Vault → Outside the house"
    desk.move(desk.ruth, None, desk.vault, 1_000)
    assert Receipt.objects.latest("pk").way == "Outside the house → Vault"
    assert_agrees(desk)


@pytest.mark.parametrize(
    ("who", "source", "target", "amount", "code"),
    [
        ("tom", "first", "vault", FLOAT + 1, "till_short"),
        ("ruth", "vault", None, VAULT, "till_short"),
        ("tom", "vault", None, 5, "not_outside"),
        ("tom", "vault", "second", 5, "not_your_till"),
        ("grace", "vault", "first", 5, "not_your_till"),
        ("tom", "first", "first", 5, "same_till"),
        ("tom", "first", "vault", 0, "amount"),
    ],
)
def test_a_transfer_is_refused(
    desk: Desk, who: str, source: str, target: str | None, amount: int, code: str
) -> None:
    desk.with_float()

    def act() -> None:
        ends = (getattr(desk, source), getattr(desk, target) if target else None)
        desk.move(getattr(desk, who), *ends, amount)

    refused(code, act)


# --- requests


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


# --- gaming days, receipts, journal


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
        assert gaming_day(at) == day
        assert gaming_day(ends_at(day)) > day


def test_receipts_are_numbered_by_gaming_day(desk: Desk) -> None:
    desk.open()
    first = desk.pay("deposit", 100)
    desk.later(hours=12)
    second = desk.pay("deposit", 100)
    assert first is not None
    assert second is not None
    assert (first.number, second.number) == ("R-260301-0002", "R-260302-0001")


@pytest.mark.parametrize(
    ("text", "found"),
    [("mei", 2), ("MEI", 2), ("r-260301-0003", 1), ("12.50", 1), ("7", 1), ("8", 0), ("=1", 0)],
)
def test_receipts_are_found(desk: Desk, text: str, found: int) -> None:
    desk.with_float()
    desk.pay("deposit", 1_250)
    desk.pay("withdrawal", 700)
    assert len(receipts.search(desk.tom, text)) == found
    # Another cashier sees none of them; who sees every till, all.
    assert receipts.search(desk.grace, text) == []
    assert len(receipts.search(desk.anna, text)) == found


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
