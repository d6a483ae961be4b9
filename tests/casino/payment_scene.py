"""A house that takes payments from outside, with the people of the cash desk."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from unittest.mock import patch
from uuid import UUID, uuid4

import pytest
from django.test import Client
from django.utils import timezone

from casino.accounts.models import Player
from casino.office.desk import receipt_audit, whole_audit
from casino.office.payments import advancing, asking, audit
from casino.office.payments.models import Difference, Payment
from casino.office.players.models import Check
from tests.casino.desk_scene import Desk
from tests.casino.payment_provider import SECRET, PaymentProvider, payment_provider
from wallets.models import Account, Entry
from wallets.models.holders import player_reference
from wallets.money.accounts import account
from wallets.payments import cash_of
from wallets.values.errors import Refused

EUR = "EUR"


class Payments:
    """Short names for what is done with payments; the clock is the desk's."""

    def __init__(self, desk: Desk, provider: PaymentProvider) -> None:
        self.desk, self.provider = desk, provider
        # Messages of the provider come by the real clock.
        desk.now = timezone.now()
        self.known(desk.mei)

    def known(self, player: Player) -> None:
        """Somebody at the desk has seen a passport."""
        Check.objects.create(
            player=player, what="identity", document="passport", by="player:1", by_name="tom",
            at=self.desk.now,
        )  # fmt: skip

    def start(
        self, amount: int = 5_000, by: str = "stripe", *, key: UUID | None = None, **given: Any
    ) -> Payment:
        player = given.get("player", self.desk.mei)
        currency = given.get("currency", EUR)
        return asking.start(player, by, currency, amount, key=key or uuid4(), now=self.desk.now)

    def opened(self, amount: int = 5_000) -> Payment:
        """A deposit whose page at the provider is open."""
        payment = self.start(amount)
        self.work(minutes=1)
        return self.fresh(payment)

    def paid_in(self, amount: int = 5_000) -> Payment:
        payment = self.opened(amount)
        self.provider.pay(payment.provider_reference)
        self.work()
        return self.fresh(payment)

    def ask(
        self, amount: int, *, source: Payment | None = None, key: UUID | None = None
    ) -> Payment:
        by = source.provider if source else "transfer"
        return asking.ask(
            self.desk.mei, by, EUR, amount, source=source.pk if source else None,
            destination="" if source else "Mei, DE00 1234", key=key or uuid4(), now=self.desk.now,
        )  # fmt: skip

    def pay(self, payment: Payment, verb: str = "payment.pay") -> Any:
        """Tom decides; the proposal, if a colleague has to approve."""
        return self.desk.submit(self.desk.tom, verb, payment=payment.pk)

    def work(self, times: int = 1, **later: float) -> None:
        """The periodic task, some time later."""
        for _time in range(times):
            self.desk.later(**(later or {"minutes": 31}))
            advancing.advance_due(self.desk.now)

    def send(self, body: bytes, headers: dict[str, str]) -> int:
        """A message of the provider; what the house answers."""
        answer = Client(headers=headers).post(
            "/calls/payments/stripe/", body, content_type="application/json"
        )
        return answer.status_code

    def call(self, payment: Payment, **given: Any) -> int:
        """The provider says that something is new about a deposit, and the task runs."""
        session = self.provider.sessions[payment.provider_reference]
        return self.send(*self.provider.event(session, **given))

    def disputed(self, payment: Payment | None, status: str = "needs_response") -> Payment | None:
        """The provider calls about a dispute of a deposit; the chargeback, if there is one."""
        assert payment is not None
        dispute = self.provider.dispute(payment.provider_reference, status)
        # A call names what it is about, and nothing else of it is read.
        assert self.send(*self.provider.event({"id": dispute["id"], "object": "dispute"})) == 204
        self.work()
        return Payment.objects.filter(way="cb", provider_reference=dispute["id"]).first()

    def fresh(self, payment: Payment) -> Payment:
        return Payment.objects.select_related("currency", "source").get(pk=payment.pk)

    def status(self, payment: Payment) -> str:
        return Payment.objects.values_list("status", flat=True).get(pk=payment.pk)

    def wallet(self, kind: str = "player") -> int:
        return account(kind, player_reference(self.desk.mei.pk), EUR).balance

    def at_provider(self, by: str = "stripe") -> int:
        return -account(Account.Kind.ISSUE, cash_of(by), EUR).balance

    def deposits(self) -> int:
        return Entry.objects.filter(
            transaction__kind="deposit", account__owner=cash_of("stripe")
        ).count()

    def standing(self) -> list[str]:
        return list(Difference.objects.filter(closed_at=None).values_list("what", flat=True))

    def agrees(self) -> None:
        """Payments, desk and ledger say the same."""
        with patch.object(receipt_audit, "APART_MAX", timedelta.max):
            assert [*audit.findings(), *whole_audit.findings()] == []
        assert self.wallet() >= 0
        assert self.wallet("escrow") >= 0


@pytest.fixture(scope="module")
def provider_server() -> Iterator[PaymentProvider]:
    with payment_provider() as running:
        yield running


@pytest.fixture
def provider(provider_server: PaymentProvider, settings: Any) -> PaymentProvider:
    provider_server.clear()
    settings.PAYMENTS = ["stripe", "transfer"]
    settings.STRIPE_API, settings.STRIPE_KEY = provider_server.address, "sk_test"
    settings.STRIPE_WEBHOOK_SECRET = SECRET
    return provider_server


@pytest.fixture
def payments(desk: Desk, provider: PaymentProvider) -> Payments:
    return Payments(desk, provider)


def refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises(Refused) as refusal:
        act()
    assert refusal.value.code == code
