"""Payments in each state about which staff decide."""

from typing import Final
from uuid import uuid4

from django.utils import timezone

from casino.accounts.models import Player
from casino.office.payments.models import Payment
from wallets.models import Account, Currency
from wallets.money import cashier
from wallets.money.accounts import account
from wallets.payments import cash_of

AMOUNT: Final = 500
STATES: Final = (
    *(("in", "started"), ("out", "asked"), ("in", "differs")),
    *(("cb", "disputed"), ("cb", "won")),
)
STATED: Final = {"actor": "test", "reason": "test"}


def payment_of(player: Player, currency: Currency, way: str, status: str) -> Payment:
    """A transfer, with the postings that belong to its state."""
    key, reference = uuid4(), f"player:{player.pk}"
    payment = Payment(
        way=way, provider="transfer", player=player, currency=currency, amount=AMOUNT,
        status=status, made_at=timezone.now(), key=key,
    )  # fmt: skip
    if way == "out":
        cashier.grant(reference, currency, AMOUNT, key=uuid4(), **STATED)
        cashier.set_aside(reference, currency, AMOUNT, key=key, **STATED)
    elif way == "cb":
        cash, posting_key = cash_of("transfer"), uuid4()
        paid_in = cashier.deposit(reference, currency, AMOUNT, cash=cash, key=posting_key, **STATED)
        payment.source = Payment.objects.create(
            way="in", provider="transfer", player=player, currency=currency, amount=AMOUNT,
            status="confirmed", made_at=timezone.now(), key=uuid4(), posting_key=posting_key,
            posting=paid_in.transaction,
        )  # fmt: skip
    elif status == "differs":
        payment.paid_amount, payment.paid_currency = AMOUNT - 100, currency.code
    if status == "won":
        at_provider = account(Account.Kind.ISSUE, cash_of("transfer"), currency)
        posted = cashier.correct(reference, currency, -AMOUNT, at_provider, key=key, **STATED)
        payment.posting, payment.posting_key = posted.transaction, key
    payment.save()
    return payment
