"""A cash desk for tests: two tills, cash in the vault, and the people who work there."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from django.db.models import Sum
from django.test import override_settings

from casino.accounts.models import Player
from casino.accounts.staff import appoint
from casino.office.desk import cash, receipt_audit, requests, shifts, verbs
from casino.office.desk import whole_audit as audit
from casino.office.desk.models import Receipt, Shift, Till, WithdrawalRequest
from casino.office.desk.summary import lines, summaries
from wallets.models import Account, Currency, Entry, Transaction
from wallets.models.staff_models import Proposal
from wallets.money import cashier
from wallets.money.accounts import account
from wallets.staff import approvals
from wallets.values.errors import Refused

WHY = "because of a test"
VAULT = 1_000_000
FLOAT = 500_000
START = datetime(2026, 3, 1, 18, tzinfo=UTC)


class Desk:
    """People, tills, and short names for what is done at the desk."""

    def __init__(self, now: datetime = START) -> None:
        self.now = now
        self.euro, _made = Currency.objects.get_or_create(code="EUR", defaults={"name": "Euro"})
        self.yen = Currency.objects.create(code="JPY", name="Yen", exponent=0)
        self.tom, self.grace = self.staff("tom", "cashiers"), self.staff("grace", "cashiers")
        self.ruth, self.max = self.staff("ruth", "managers"), self.staff("max", "managers")
        self.anna = self.staff("anna", "auditors")
        self.mei = Player.objects.create_user("mei", password="a password for tests")
        self.vault = cash.vault()
        self.first, self.second = (Till.objects.create(name=f"Till {n}") for n in (1, 2))
        self.move(self.ruth, None, self.vault, VAULT)

    def staff(self, name: str, group: str) -> Player:
        appoint(Player.objects.create_user(name), group)
        return Player.objects.get(username=name)

    def later(self, **time: float) -> None:
        self.now += timedelta(**time)

    def submit(
        self, member: Any, verb: str, key: UUID | None = None, reason: str = WHY, **arguments: Any
    ) -> Proposal | None:
        """Carried out at once, or proposed."""
        return approvals.submit(
            member, verb, arguments, reason=reason, key=key or uuid4(), now=self.now
        ).proposal

    def approve(self, proposal: Proposal | None, member: Any = None) -> None:
        assert proposal is not None
        approvals.approve(member or self.max, proposal.pk, reason="yes", now=self.now)

    def move(
        self, member: Any, source: Till | None, target: Till | None, amount: int, code: str = "EUR"
    ) -> None:
        ends: dict[str, Any] = {
            "source": source.pk if source else verbs.OUTSIDE,
            "target": target.pk if target else verbs.OUTSIDE,
        }
        self.approve(self.submit(member, "desk.transfer", currency=code, amount=amount, **ends))

    def open(self, member: Any = None, till: Till | None = None, **counted: int) -> Shift:
        till = till or self.first
        proposal = self.submit(member or self.tom, "shift.open", till=till.pk, counted=counted)
        assert proposal is None
        return Shift.objects.get(till=till, closed_at=None)

    def with_float(self) -> Shift:
        """Tom works at the first till, with a float from the vault."""
        shift = self.open()
        self.move(self.tom, self.vault, self.first, FLOAT)
        return shift

    def pay(self, verb: str, amount: int, member: Any = None, **given: Any) -> Receipt | None:
        """A deposit or a withdrawal of Mei; the receipt, unless it waits for a colleague."""
        given = {
            "currency": "EUR",
            "player": self.reference,
            "till": self.first.pk,
            **given,
        }
        key: UUID = given.pop("key", uuid4())
        self.submit(member or self.tom, f"desk.{verb}", key, amount=amount, **given)
        return Receipt.objects.filter(key=key).first()

    def give(self, amount: int, code: str = "EUR") -> None:
        currency = Currency.objects.get(pk=code)
        cashier.grant(self.reference, currency, amount, key=uuid4(), actor="test", reason="test")

    def ask(self, amount: int) -> WithdrawalRequest:
        return requests.ask(self.mei, self.euro, amount, key=uuid4(), now=self.now)

    def evening(self) -> None:
        """One of every document: payments, corrections, requests, counts, a variance."""
        self.with_float()
        paid_in, paid_out = self.pay("deposit", 90_000), self.pay("withdrawal", 8_000)
        assert paid_in is not None
        assert paid_out is not None
        self.approve(self.submit(self.tom, "desk.correct", receipt=paid_in.pk, right=91_000))
        shifts.count(
            self.tom, {"EUR": FLOAT + 83_000}, {}, words="quiet", key=uuid4(), now=self.now
        )
        self.submit(self.tom, "desk.pay", request=self.ask(4_000).pk, till=self.first.pk)
        requests.refuse(self.tom, self.ask(3_000).pk, "come with a passport", self.now)
        requests.cancel(self.mei, self.ask(2_000).pk, self.now)
        self.ask(1_000)
        with override_settings(APPROVAL_WITHDRAWAL=10):
            for decide in (approvals.approve, approvals.reject, None):
                payment: dict[str, Any] = {
                    "player": self.reference,
                    "currency": "EUR",
                    "till": self.first.pk,
                }
                waits = self.submit(self.tom, "desk.withdrawal", **payment, amount=5_000)
                assert waits is not None
                if decide is not None:
                    decide(self.max, waits.pk, reason="seen", now=self.now)
        counted = {"EUR": FLOAT + 83_000 - 4_000 - 5_000 - 500}
        self.submit(
            self.tom, "shift.close", reason="85 for 80", till=self.first.pk, counted=counted
        )
        self.approve(self.submit(self.tom, "desk.correct", receipt=paid_out.pk, right=8_500))

    @property
    def reference(self) -> str:
        return f"player:{self.mei.pk}"

    def wallet(self, kind: str = "player", code: str = "EUR") -> int:
        return account(kind, self.reference, code).balance

    def held(self, till: Till, code: str = "EUR") -> int:
        return cash.cash_in(till, Currency.objects.get(pk=code))


def refused(code: str, act: Callable[[], object]) -> None:
    """It is refused for this reason, and moves nothing."""
    before = Transaction.objects.count(), Receipt.objects.count()
    with pytest.raises(Refused) as refusal:
        act()
    assert refusal.value.code == code
    assert (Transaction.objects.count(), Receipt.objects.count()) == before


def assert_agrees(desk: Desk) -> None:
    """Tills, receipts and ledger say the same, and the ledger sums to nothing."""
    # The clock of a scene is not that of the ledger.
    with patch.object(receipt_audit, "APART_MAX", timedelta.max):
        assert list(audit.findings()) == []
    for till in (desk.first, desk.second, desk.vault):
        for code in ("EUR", "JPY"):
            entries = Entry.objects.filter(
                account__kind="issue", account__owner=till.reference, account__currency=code
            )
            assert desk.held(till, code) == -(entries.aggregate(sum=Sum("amount"))["sum"] or 0) >= 0
    for shift in Shift.objects.filter(closed_at=None):
        for summary in summaries(shift, lines(shift)):
            assert summary.expected == cash.cash_in(shift.till, summary.currency)
    for code in ("EUR", "JPY"):
        held = Account.objects.filter(currency=code)
        assert not held.aggregate(sum=Sum("balance"))["sum"]
