"""Disputes of payments: each is written down once, and moves nothing until two people say so."""

from collections.abc import Callable
from uuid import uuid4

import pytest
from django.utils import timezone

from casino.office.payments import asking, reconciling
from casino.office.payments.models import Payment
from casino.office.players.models import Note
from tests.casino.payment_scene import (
    Payments,
    payments,
    provider,
    provider_server,
    refused,
)

__all__ = ["payments", "provider", "provider_server"]
pytestmark = [pytest.mark.django_db, pytest.mark.postgresql]


def disputed(payments: Payments) -> Payment:
    """A chargeback of the only deposit, of 5,000."""
    chargeback = payments.disputed(payments.paid_in())
    assert chargeback is not None
    return chargeback


def dispute_moves_nothing(payments: Payments) -> int:
    """However often it is heard of, it is one chargeback and one note, and no money goes back."""
    payment = payments.paid_in()
    for _time in range(3):
        assert payments.disputed(payment)
        assert not reconciling.reconcile(payments.desk.now)
    assert Payment.objects.filter(way="cb").count() == Note.objects.count() == 1
    refused("no_source", lambda: payments.ask(1, source=payment))
    return 5_000


def dispute_of_which_no_call_came(payments: Payments) -> int:
    payment = payments.paid_in()
    payments.provider.dispute(payment.provider_reference)
    reconciling.reconcile(timezone.now())
    assert [row.status for row in Payment.objects.filter(way="cb")] == ["disputed"]
    return 5_000


def dispute_while_it_is_away(payments: Payments) -> int:
    """The provider is asked first, and sends its call again where it did not answer."""
    payment = payments.paid_in()
    call = payments.provider.event(payments.provider.dispute(payment.provider_reference))
    payments.provider.away = True
    assert payments.send(*call) == 503
    payments.provider.away = False
    assert payments.send(*call) == 204
    assert Payment.objects.get(way="cb").amount == 5_000
    return 5_000


def dispute_is_taken_back(payments: Payments) -> int:
    chargeback = disputed(payments)
    payments.desk.approve(payments.pay(chargeback, "payment.take_back"))
    assert payments.at_provider() == 0
    refused("payment_decided", lambda: payments.pay(chargeback, "payment.bear"))
    payments.disputed(chargeback.source, "lost")
    assert payments.fresh(chargeback).words
    return 0


def dispute_is_won_after_it_was_taken_back(payments: Payments) -> int:
    chargeback = disputed(payments)
    payments.desk.approve(payments.pay(chargeback, "payment.take_back"))
    payments.disputed(chargeback.source, "won")
    assert (payments.status(chargeback), payments.wallet()) == ("won", 0)
    payments.desk.approve(payments.pay(chargeback, "payment.give_back"))
    refused("payment_decided", lambda: payments.pay(chargeback, "payment.give_back"))
    assert payments.at_provider() == 5_000
    return 5_000


def dispute_is_borne_and_won(payments: Payments) -> int:
    chargeback = disputed(payments)
    payments.desk.approve(payments.pay(chargeback, "payment.bear"))
    assert (payments.wallet(), payments.at_provider()) == (5_000, 0)
    payments.agrees()
    payments.disputed(chargeback.source, "won")
    payments.desk.approve(payments.pay(chargeback, "payment.give_back"))
    assert payments.at_provider() == 5_000
    return 5_000


def dispute_is_won_at_once(payments: Payments) -> int:
    chargeback = disputed(payments)
    payments.disputed(chargeback.source, "won")
    assert payments.status(chargeback) == "won"
    refused("payment_decided", lambda: payments.pay(chargeback, "payment.give_back"))
    assert [rest for _source, rest in asking.sources(payments.desk.mei)] == [5_000]
    return 5_000


def dispute_of_money_that_is_gone(payments: Payments) -> int:
    payment = payments.paid_in()
    payments.pay(payments.ask(2_000, source=payment))
    payments.work()
    chargeback = payments.disputed(payment)
    assert chargeback is not None
    refused("overdrawn", lambda: payments.pay(chargeback, "payment.take_back"))
    return 3_000


def dispute_of_money_in_no_wallet(payments: Payments) -> int:
    payment = payments.opened()
    payments.provider.pay(payment.provider_reference, amount=4_999)
    payments.work()
    chargeback = payments.disputed(payment)
    assert chargeback is not None
    refused("never_booked", lambda: payments.pay(chargeback, "payment.take_back"))
    return 0


def inquired(payments: Payments) -> Payment:
    """A bank has a question about the only deposit."""
    inquiry = payments.disputed(payments.paid_in(), "warning_needs_response")
    assert inquiry is not None
    assert inquiry.status == "inquired"
    return inquiry


def inquiry_moves_nothing(payments: Payments) -> int:
    """However often it is heard of, it is one row and one note, and money may still go back."""
    inquiry = inquired(payments)
    assert payments.disputed(inquiry.source, "warning_under_review") == inquiry
    assert not reconciling.reconcile(payments.desk.now)
    refused("payment_decided", lambda: payments.pay(inquiry, "payment.bear"))
    (note,) = Note.objects.all()
    assert note.text.startswith(f"The payer's bank asks about {inquiry.source}: 50.00 EUR")
    payments.ask(1_000, source=inquiry.source)
    return 4_000


def inquiry_of_which_no_call_came(payments: Payments) -> int:
    payment = payments.paid_in()
    payments.provider.dispute(payment.provider_reference, "warning_needs_response")
    reconciling.reconcile(timezone.now())
    assert [row.status for row in Payment.objects.filter(way="cb")] == ["inquired"]
    return 5_000


def inquiry_becomes_a_dispute(payments: Payments) -> int:
    inquiry = inquired(payments)
    payments.provider.sessions["cs_1"]["amount_total"] = 2_000
    chargeback = payments.disputed(inquiry.source)
    assert chargeback is not None
    assert (chargeback.pk, chargeback.status) == (inquiry.pk, "disputed")
    assert Note.objects.count() == 2
    payments.desk.approve(payments.pay(chargeback, "payment.take_back"))
    return 3_000


def inquiry_is_closed(payments: Payments) -> int:
    inquiry = inquired(payments)
    payments.disputed(inquiry.source, "warning_closed")
    assert payments.status(inquiry) == "won"
    refused("payment_decided", lambda: payments.pay(inquiry, "payment.give_back"))
    return 5_000


def inquiry_that_was_closed_before_it_was_heard_of(payments: Payments) -> int:
    assert payments.disputed(payments.paid_in(), "warning_closed") is None
    assert not Note.objects.exists()
    return 5_000


def dispute_of_a_stranger(payments: Payments) -> int:
    """Another shop has the same account at the provider."""
    payment = payments.paid_in()
    payments.provider.sessions["cs_1"]["client_reference_id"] = str(uuid4())
    assert payments.disputed(payment) is None
    reconciling.reconcile(timezone.now())
    assert payments.standing() == ["not_here"]
    return 5_000


CASES: tuple[Callable[[Payments], int], ...] = (
    dispute_moves_nothing,
    dispute_of_which_no_call_came,
    dispute_while_it_is_away,
    dispute_is_taken_back,
    dispute_is_won_after_it_was_taken_back,
    dispute_is_borne_and_won,
    dispute_is_won_at_once,
    dispute_of_money_that_is_gone,
    dispute_of_money_in_no_wallet,
    inquiry_moves_nothing,
    inquiry_of_which_no_call_came,
    inquiry_becomes_a_dispute,
    inquiry_is_closed,
    inquiry_that_was_closed_before_it_was_heard_of,
    dispute_of_a_stranger,
)


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.__name__)
def test_a_dispute_moves_only_what_two_people_decide(
    payments: Payments, case: Callable[[Payments], int]
) -> None:
    """Each case says what the wallet holds in the end."""
    due = case(payments)
    for _look in range(2):
        assert payments.wallet() == due
        payments.agrees()
        payments.work(3)
