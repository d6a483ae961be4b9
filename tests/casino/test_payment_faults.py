"""What may go wrong with payments: in each case nothing is lost, and nothing is moved twice."""

import json
from collections.abc import Callable
from datetime import timedelta
from unittest.mock import patch
from uuid import uuid4

import pytest
from django.utils import timezone

from casino.accounts import freezing
from casino.care import exclusions, limits
from casino.office.payments import advancing, asking, reconciling
from casino.office.payments.models import Payment
from tests.casino.payment_scene import (
    Payments,
    payments,
    provider,
    provider_server,
    refused,
)
from wallets.money import cashier
from wallets.values.errors import Conflict

__all__ = ["payments", "provider", "provider_server"]
pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def signature_wrong(payments: Payments) -> int:
    payment = payments.opened()
    assert payments.call(payment, secret="whsec_of_somebody_else") == 400
    return 0


def message_changed(payments: Payments) -> int:
    payment = payments.opened()
    body, headers = payments.provider.event(payments.provider.sessions[payment.provider_reference])
    assert payments.send(body.replace(b"5000", b"9000"), headers) == 400
    return 0


def message_old(payments: Payments) -> int:
    """A message that was taken down, and is sent again an hour later."""
    payment = payments.opened()
    assert payments.call(payment, age=3_600) == 400
    return 0


def no_signature(payments: Payments) -> int:
    payment = payments.opened()
    body, _headers = payments.provider.event({"id": payment.provider_reference})
    assert payments.send(body, {}) == 400
    return 0


def message_is_a_lie(payments: Payments) -> int:
    """Even a signed message is not believed: the provider is asked."""
    payment = payments.opened()
    session = payments.provider.sessions[payment.provider_reference]
    lie = json.loads(json.dumps(session)) | {"payment_status": "paid"}
    assert payments.send(*payments.provider.event(lie)) == 204
    payments.work()
    assert payments.status(payment) == "started"
    return 0


def message_of_nothing(payments: Payments) -> int:
    for thing in ({"object": "customer"}, {"object": "checkout.session", "id": "cs_99"}, {}):
        assert payments.send(*payments.provider.event(thing)) == 204
    return 0


def message_twice(payments: Payments) -> int:
    payment = payments.opened()
    payments.provider.pay(payment.provider_reference)
    for _time in range(3):
        assert payments.call(payment) == 204
        payments.work()
    return 5_000


def out_of_order(payments: Payments) -> int:
    """That it is paid arrives before that it was opened, and before the house has a name for it."""
    payment = payments.start()
    payments.provider.loses_answers = True
    payments.work(minutes=1)
    payments.provider.loses_answers = False
    session = payments.provider.sessions["cs_1"]
    payments.provider.pay("cs_1")
    assert payments.send(*payments.provider.event(session)) == 204
    assert payments.fresh(payment).provider_reference == "cs_1"
    payments.work()
    return 5_000


def browser_never_returns(payments: Payments) -> int:
    """No message comes either: the periodic question finds it."""
    payments.paid_in()
    return 5_000


def start_is_sent_twice(payments: Payments) -> int:
    key = uuid4()
    first, second = payments.start(key=key), payments.start(key=key)
    assert first.pk == second.pk
    with pytest.raises(Conflict):
        payments.start(6_000, key=key)
    payments.work(2, minutes=1)
    assert len(payments.provider.sessions) == 1
    return 0


def answer_is_lost(payments: Payments) -> int:
    """The provider has opened it, and the house has not heard: asked again it is the same one."""
    payment = payments.start()
    payments.provider.loses_answers = True
    payments.work(2, minutes=1)
    payments.provider.loses_answers = False
    payments.work(minutes=5)
    assert len(payments.provider.sessions) == 1
    payments.provider.pay(payments.fresh(payment).provider_reference)
    payments.work()
    return 5_000


def away_for_an_hour(payments: Payments) -> int:
    payment = payments.opened()
    payments.provider.pay(payment.provider_reference)
    payments.provider.away = True
    payments.call(payment)
    payments.work(4, minutes=15)
    assert payments.fresh(payment).last_error
    payments.provider.away = False
    payments.work()
    return 5_000


def away_before_it_opens(payments: Payments) -> int:
    """A page that was never opened is given up, and nobody can pay there."""
    payments.provider.away = True
    payment = payments.start()
    payments.work(4, minutes=15)
    payments.provider.away = False
    payments.work()
    assert payments.status(payment) == "failed"
    assert payments.provider.sessions == {}
    return 0


def two_processes_at_once(payments: Payments) -> int:
    """Both have read that it is due; one of them asks."""
    payment = payments.opened()
    payments.provider.pay(payment.provider_reference)
    first, other = payments.fresh(payment), payments.fresh(payment)
    assert advancing.advance(first, payments.desk.now)
    assert not advancing.advance(other, payments.desk.now)
    return 5_000


def process_dies_before_it_posts(payments: Payments) -> int:
    payment = payments.opened()
    payments.provider.pay(payment.provider_reference)
    with patch.object(cashier, "deposit", side_effect=OSError("gone")):
        payments.work()
    assert payments.status(payment) == "started"
    payments.work()
    return 5_000


def another_amount(payments: Payments) -> int:
    payment = payments.opened()
    payments.provider.pay(payment.provider_reference, amount=4_999)
    payments.work()
    assert payments.status(payment) == "differs"
    assert payments.pay(payment, "payment.refund") is None
    payments.work()
    assert payments.status(payment) == "refunded"
    assert [refund["amount"] for refund in payments.provider.refunds.values()] == [4_999]
    return 0


def another_currency(payments: Payments) -> int:
    payment = payments.opened()
    payments.provider.pay(payment.provider_reference, currency="usd")
    payments.work()
    assert payments.status(payment) == "differs"
    refused("other_currency", lambda: payments.pay(payment, "payment.book"))
    # The house has no such currency, so that no bound says when one person is enough.
    payments.desk.approve(payments.pay(payment, "payment.refund"))
    payments.work()
    assert payments.status(payment) == "refunded"
    return 0


def another_amount_is_booked(payments: Payments) -> int:
    payment = payments.opened()
    payments.provider.pay(payment.provider_reference, amount=4_999)
    payments.work()
    assert payments.pay(payment, "payment.book") is None
    refused("payment_decided", lambda: payments.pay(payment, "payment.book"))
    refused("payment_decided", lambda: payments.pay(payment, "payment.refund"))
    assert [rest for _source, rest in asking.sources(payments.desk.mei)] == [4_999]
    refused("source_short", lambda: payments.ask(5_000, source=payment))
    assert not reconciling.reconcile(payments.desk.now + timedelta(hours=2))
    return 4_999


def another_amount_beyond_the_own_limit(payments: Payments) -> int:
    payment = payments.opened()
    wanted = limits.Wanted("deposit", "day", payments.desk.euro, 6_000)
    limits.ask(payments.desk.mei, wanted, payments.desk.now)
    payments.provider.pay(payment.provider_reference, amount=6_001)
    payments.work()
    refused("deposit_limit", lambda: payments.pay(payment, "payment.book"))
    return 0


def limit_lowered_meanwhile(payments: Payments) -> int:
    """It is paid when the own limit no longer allows it: it goes back, and to no wallet."""
    payment = payments.opened()
    wanted = limits.Wanted("deposit", "day", payments.desk.euro, 100)
    limits.ask(payments.desk.mei, wanted, payments.desk.now)
    payments.provider.pay(payment.provider_reference)
    payments.work(2)
    assert payments.status(payment) == "refunded"
    return 0


def excluded_meanwhile(payments: Payments) -> int:
    payment = payments.opened()
    exclusions.begin(payments.desk.mei, "self_exclusion", 0, payments.desk.now)
    payments.provider.pay(payment.provider_reference)
    payments.work(2)
    assert payments.status(payment) == "refunded"
    return 0


def frozen_meanwhile(payments: Payments) -> int:
    payment = payments.opened()
    freezing.freeze(payments.desk.max, payments.desk.mei.pk, "a test")
    payments.provider.pay(payment.provider_reference)
    payments.work(2)
    assert payments.status(payment) == "refunded"
    return 0


def paid_after_it_expired(payments: Payments) -> int:
    """A bank that took its time: the message about it finds the payment."""
    payment = payments.opened()
    payments.provider.expire(payment.provider_reference)
    payments.work()
    assert payments.status(payment) == "failed"
    payments.provider.pay(payment.provider_reference)
    assert payments.call(payment) == 204
    payments.work()
    return 5_000


def withdrawal_twice(payments: Payments) -> int:
    """Two clicks of the player, and two of the cashier."""
    source, key = payments.paid_in(), uuid4()
    payment = payments.ask(2_000, source=source, key=key)
    assert payments.ask(2_000, source=source, key=key).pk == payment.pk
    refused("request_waits", lambda: payments.ask(1_000, source=source))
    payments.pay(payment)
    refused("payment_decided", lambda: payments.pay(payment))
    payments.work(2)
    assert payments.status(payment) == "paid"
    assert [refund["amount"] for refund in payments.provider.refunds.values()] == [2_000]
    return 3_000


def withdrawal_of_more_than_came(payments: Payments) -> int:
    source = payments.paid_in()
    payments.desk.give(9_000)
    refused("source_short", lambda: payments.ask(5_001, source=source))
    payments.pay(payments.ask(3_000, source=source))
    refused("source_short", lambda: payments.ask(2_001, source=source))
    payments.work()
    return 5_000 + 9_000 - 3_000


def withdrawal_declined(payments: Payments) -> int:
    """The provider refuses for good: the money is in the wallet again."""
    source = payments.paid_in()
    payment = payments.ask(2_000, source=source)
    payments.pay(payment)
    payments.provider.declines = "the card is closed"
    payments.work()
    assert payments.status(payment) == "returned"
    payments.provider.declines = ""
    assert [rest for _source, rest in asking.sources(payments.desk.mei)] == [5_000]
    return 5_000


def withdrawal_while_it_is_away(payments: Payments) -> int:
    """It is sent again under the same key, and paid once, whichever answer was lost."""
    payment = payments.ask(2_000, source=payments.paid_in())
    payments.pay(payment)
    payments.provider.away = True
    payments.work(3)
    payments.provider.away, payments.provider.loses_answers = False, True
    payments.work(2)
    payments.provider.loses_answers = False
    payments.work()
    assert payments.status(payment) == "paid"
    assert len(payments.provider.refunds) == 1
    return 3_000


def withdrawal_after_its_key_is_forgotten(payments: Payments) -> int:
    """An answer is lost, and days later the provider no longer knows the key: paid once."""
    payment = payments.ask(2_000, source=payments.paid_in())
    payments.pay(payment)
    payments.provider.loses_answers = True
    payments.work()
    payments.provider.loses_answers = False
    payments.provider.answers.clear()
    payments.work(days=3)
    assert payments.status(payment) == "paid"
    assert len(payments.provider.refunds) == 1
    return 3_000


def provider_knows_nothing_of_us(payments: Payments) -> int:
    """As with the key of another account: what is on its way is not taken back."""
    payment = payments.ask(2_000, source=payments.paid_in())
    payments.pay(payment)
    payments.provider.refunds_are = "pending"
    payments.work()
    sessions, payments.provider.sessions = payments.provider.sessions, {}
    refunds, payments.provider.refunds = payments.provider.refunds, {}
    payments.work(2)
    assert payments.status(payment) == "sending"
    payments.provider.sessions, payments.provider.refunds = sessions, refunds
    refunds["re_1"]["status"] = "succeeded"
    payments.work()
    assert payments.status(payment) == "paid"
    return 3_000


def withdrawal_waits_at_the_provider(payments: Payments) -> int:
    payment = payments.ask(2_000, source=payments.paid_in())
    payments.pay(payment)
    payments.provider.refunds_are = "pending"
    payments.work(2)
    assert payments.status(payment) == "sending"
    payments.provider.refunds["re_1"]["status"] = "failed"
    payments.work()
    assert payments.status(payment) == "returned"
    return 5_000


def cancelled_while_it_is_paid(payments: Payments) -> int:
    payment = payments.ask(2_000, source=payments.paid_in())
    payments.pay(payment)
    now = payments.desk.now
    refused("payment_decided", lambda: asking.cancel(payments.desk.mei, payment.pk, now))
    payments.work()
    return 3_000


CASES: tuple[Callable[[Payments], int], ...] = (
    signature_wrong,
    message_changed,
    message_old,
    no_signature,
    message_is_a_lie,
    message_of_nothing,
    message_twice,
    out_of_order,
    browser_never_returns,
    start_is_sent_twice,
    answer_is_lost,
    away_for_an_hour,
    away_before_it_opens,
    two_processes_at_once,
    process_dies_before_it_posts,
    another_amount,
    another_currency,
    another_amount_is_booked,
    another_amount_beyond_the_own_limit,
    limit_lowered_meanwhile,
    excluded_meanwhile,
    frozen_meanwhile,
    paid_after_it_expired,
    withdrawal_twice,
    withdrawal_of_more_than_came,
    withdrawal_declined,
    withdrawal_while_it_is_away,
    withdrawal_after_its_key_is_forgotten,
    provider_knows_nothing_of_us,
    withdrawal_waits_at_the_provider,
    cancelled_while_it_is_paid,
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_nothing_is_lost_or_doubled(payments: Payments, case: Callable[[Payments], int]) -> None:
    """Each case says what the wallet holds in the end."""
    due = case(payments)
    assert payments.wallet() == due
    assert payments.wallet("escrow") == 0
    payments.agrees()
    # And once more: nothing is left that would move.
    payments.work(3)
    assert payments.wallet() == due
    assert payments.deposits() <= 1


def test_what_the_provider_holds_is_what_the_ledger_says(payments: Payments) -> None:
    payments.paid_in(5_000)
    payment = payments.ask(2_000, source=payments.paid_in(3_000))
    payments.pay(payment)
    payments.work()
    assert payments.at_provider() == 6_000
    assert not reconciling.reconcile(timezone.now() + timedelta(hours=2))
    assert Payment.objects.filter(status="paid").count() == 1
