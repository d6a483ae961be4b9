"""Disputes of payments of which two processes hear at once, and about which two people decide."""

from functools import partial
from typing import Any

import pytest

from casino.office.payments import disputes
from casino.office.payments.models import Payment
from casino.office.players.models import Note
from tests.casino.desk_scene import Desk
from tests.casino.payment_provider import SECRET, payment_provider
from tests.casino.payment_scene import Payments
from tests.games.simultaneous import at_once
from wallets.payments import PROVIDERS, Disputing

pytestmark = [pytest.mark.django_db(transaction=True), pytest.mark.postgresql]


def test_a_dispute_is_written_down_once_and_decided_once(settings: Any) -> None:
    settings.PAYMENTS, settings.STRIPE_KEY = ["stripe"], "sk_test"
    settings.STRIPE_WEBHOOK_SECRET = SECRET
    with payment_provider() as provider:
        settings.STRIPE_API = provider.address
        payments = Payments(Desk(), provider)
        payment, stripe = payments.paid_in(), PROVIDERS["stripe"]
        reference = provider.dispute(payment.provider_reference)["id"]
        assert isinstance(stripe, Disputing)
        hear = partial(disputes.hear, "stripe", stripe, reference, payments.desk.now)
        assert at_once(hear, hear) == [None, None]
    chargeback = Payment.objects.get(way="cb")
    assert Note.objects.count() == 1
    desk = payments.desk
    proposals = [payments.pay(chargeback, f"payment.{verb}") for verb in ("take_back", "bear")]
    answers = at_once(
        *(
            partial(desk.approve, *pair)
            for pair in zip(proposals, (desk.max, desk.ruth), strict=True)
        )
    )
    assert len(set(answers) & {"proposal_stale", "payment_decided"}) == 1
    assert answers.count(None) == 1
    assert payments.at_provider() == 0
    payments.agrees()
