"""Payments from outside: who may pay in, what staff decide, the pages, and the daily list."""

from collections.abc import Callable, Iterator
from datetime import timedelta
from typing import Any
from uuid import uuid4

import pytest
from django.test import Client
from django.utils import timezone

from casino.accounts.models import Player
from casino.office.alarms import condition_checks
from casino.office.alarms.conditions import CONDITIONS, Moment, words_of
from casino.office.alarms.models import Alarm
from casino.office.payments import own_rows, reconciling, verbs
from casino.office.payments.models import Difference, Payment
from casino.office.players.models import Note
from tests.casino.desk_scene import WHY, Desk
from tests.casino.payment_provider import SECRET, PaymentProvider, payment_provider
from tests.casino.payment_scene import Payments
from wallets.models import Currency
from wallets.models.staff_models import JournalEntry, Proposal
from wallets.values.errors import Refused

pytestmark = pytest.mark.django_db


@pytest.fixture(scope="module")
def provider_server() -> Iterator[PaymentProvider]:
    with payment_provider() as running:
        yield running


@pytest.fixture
def payments(desk: Desk, provider_server: PaymentProvider, settings: Any) -> Payments:
    provider_server.clear()
    settings.PAYMENTS = ["stripe", "transfer"]
    settings.STRIPE_API, settings.STRIPE_KEY = provider_server.address, "sk_test"
    settings.STRIPE_WEBHOOK_SECRET = SECRET
    settings.TRANSFER_ACCOUNT = "Card Room, DE99 0000"
    return Payments(desk, provider_server)


def refused(code: str, act: Callable[[], object]) -> None:
    with pytest.raises(Refused) as refusal:
        act()
    assert refusal.value.code == code


def client_of(player: Player) -> Client:
    client = Client()
    client.force_login(player)
    return client


# Before any money moves.


def test_identity_is_asked_for_first(payments: Payments, settings: Any) -> None:
    stranger = Player.objects.create_user("stranger")
    refused("identity_not_checked", lambda: payments.start(player=stranger))
    settings.PAYMENTS_NEED_IDENTITY = False
    assert payments.start(player=stranger).status == "started"


def test_open_deposits_count_against_the_own_limit(payments: Payments) -> None:
    """Two that are open at once cannot both be within it."""
    from casino.care import limits

    wanted = limits.Wanted("deposit", "day", payments.desk.euro, 6_000)
    limits.ask(payments.desk.mei, wanted, payments.desk.now)
    payments.start(4_000)
    refused("deposit_limit", lambda: payments.start(2_001))
    assert payments.start(2_000)


def test_a_few_deposits_may_be_open_at_once(payments: Payments) -> None:
    """Each is asked about for days, so that thousands would keep all others waiting."""
    for _number in range(5):
        payments.start(100)
    refused("payments_open", lambda: payments.start(100))


@pytest.mark.always
@pytest.mark.parametrize(
    ("change", "code"),
    [
        ({"is_active": False}, "player_frozen"),
        ({"is_guest": True, "password": "!"}, "guests_need_account"),
        ({"is_staff": True}, "no_such_player"),
    ],
)
def test_who_may_not_pay_in(payments: Payments, change: dict[str, Any], code: str) -> None:
    Player.objects.filter(pk=payments.desk.mei.pk).update(**change)
    refused(code, payments.start)


def test_play_money_and_other_ways_are_not_for_sale(payments: Payments, settings: Any) -> None:
    Currency.objects.create(code="PLAY", name="Play", kind="play")
    refused("no_such_currency", lambda: payments.start(currency="PLAY"))
    # Its amounts have no decimals at the provider, and two in the house.
    Currency.objects.create(code="KRW", name="Won", exponent=2)
    refused("no_such_currency", lambda: payments.start(currency="KRW"))
    settings.PAYMENTS = ["transfer"]
    refused("no_such_provider", payments.start)


# What staff decide.


def test_a_transfer_is_received_by_staff_from_a_threshold_by_two(payments: Payments) -> None:
    small, large = payments.start(5_000, "transfer"), payments.start(600_000, "transfer")
    payments.work(minutes=1)
    assert payments.pay(payments.fresh(small), "payment.receive") is None
    assert payments.wallet() == 5_000
    proposal = payments.pay(payments.fresh(large), "payment.receive")
    assert payments.wallet() == 5_000
    payments.desk.approve(proposal)
    assert (payments.wallet(), payments.at_provider("transfer")) == (605_000, 605_000)
    payments.agrees()
    assert JournalEntry.objects.filter(verb="payment.receive").count() == 2


@pytest.mark.always
def test_several_small_payouts_of_a_cashier_reach_the_threshold(payments: Payments) -> None:
    payments.desk.give(900_000)
    first = payments.ask(150_000)
    assert payments.pay(first) is None
    assert payments.status(first) == "paid"
    second = payments.ask(60_000)
    proposal = payments.pay(second)
    assert payments.status(second) == "asked"
    payments.desk.approve(proposal)
    assert payments.status(second) == "paid"
    payments.agrees()


def test_a_refusal_is_read_by_the_player(payments: Payments) -> None:
    payments.desk.give(9_000)
    payment = payments.ask(4_000)
    verbs.refuse(payments.desk.tom, payment.pk, "Come with a passport.", payments.desk.now)
    assert payments.wallet() == 9_000
    page = client_of(payments.desk.mei).get("/wallet/pay-out/").text
    assert "Come with a passport." in page
    payments.agrees()


def test_a_payment_that_a_card_paid_is_not_confirmed_by_hand(payments: Payments) -> None:
    payment = payments.opened()
    refused("not_by_hand", lambda: payments.pay(payment, "payment.receive"))


def test_another_amount_is_booked_or_returned_from_a_threshold_by_two(payments: Payments) -> None:
    rows = [payments.opened() for _number in range(4)]
    for payment, amount in zip(rows, (4_000, 500_000, 3_000, 200_000), strict=True):
        payments.provider.pay(payment.provider_reference, amount=amount)
    payments.work()
    booked, large, returned, much = rows
    assert payments.pay(booked, "payment.book") is None
    proposal = payments.pay(large, "payment.book")
    assert payments.wallet() == 4_000
    payments.desk.approve(proposal)
    assert (payments.wallet(), payments.at_provider()) == (504_000, 504_000)
    assert payments.pay(returned, "payment.refund") is None
    payments.desk.approve(payments.pay(much, "payment.refund"))
    payments.work()
    assert [payments.status(row) for row in rows] == [*["confirmed"] * 2, *["refunded"] * 2]
    payments.agrees()
    entries = JournalEntry.objects.filter(verb__in=("payment.book", "payment.refund"))
    assert [entry.reason for entry in entries] == [WHY] * 4
    assert "Paid: 40.00 EUR" in client_of(payments.desk.mei).get("/wallet/pay-in/").text


# The pages.


def test_a_player_pays_in(payments: Payments) -> None:
    client = client_of(payments.desk.mei)
    page = client.get("/wallet/pay-in/")
    assert "Card · EUR" in page.text
    sent = {"way": "stripe:EUR", "amount": "25.50", "key": uuid4()}
    answer = client.post("/wallet/pay-in/", sent)
    payment = Payment.objects.get()
    assert answer["Location"] == f"/wallet/payments/{payment.pk}/"
    assert client.post("/wallet/pay-in/", sent)["Location"] == answer["Location"]
    page = client.get(answer["Location"])
    assert 'href="https://checkout.example/cs_1"' in page.text
    payments.provider.pay("cs_1")
    client.post(answer["Location"])
    assert payments.wallet() == 2_550
    assert "Paid in" in client.get(answer["Location"]).text
    assert client.get("/wallet/").text.count("/wallet/pay-in/") == 1


@pytest.mark.always
def test_a_transfer_says_where_to_and_with_which_word(payments: Payments) -> None:
    client = client_of(payments.desk.mei)
    client.post("/wallet/pay-in/", {"way": "transfer:EUR", "amount": "10"})
    payment = Payment.objects.get()
    page = client.get(f"/wallet/payments/{payment.pk}/").text
    assert "DE99 0000" in page
    assert f"T{payment.pk:06}" in page


@pytest.mark.always
def test_a_player_takes_out_and_cancels(payments: Payments) -> None:
    source = payments.paid_in(5_000)
    client = client_of(payments.desk.mei)
    page = client.get("/wallet/pay-out/").text
    assert f"stripe:EUR:{source.pk}" in page
    client.post("/wallet/pay-out/", {"way": f"stripe:EUR:{source.pk}", "amount": "20"})
    payment = Payment.objects.get(way="out")
    assert payments.wallet() == 3_000
    client.post(f"/wallet/payments/{payment.pk}/cancel/")
    assert payments.wallet() == 5_000
    late = client.post(f"/wallet/payments/{source.pk}/cancel/")
    assert late.status_code == 409
    payments.agrees()


def test_staff_decide_on_the_page_who_bears_a_chargeback(payments: Payments) -> None:
    payment = payments.paid_in()
    chargeback = payments.disputed(payment)
    assert chargeback is not None
    moment = Moment(payments.desk.now, payments.desk.now)
    (state,) = CONDITIONS["payment_disputed"].find(moment)
    assert f"P{chargeback.pk}, 50.00 EUR of mei" in CONDITIONS["payment_disputed"].say(
        state.figures
    )
    tom = client_of(payments.desk.tom)
    address = f"/admin/payments/{chargeback.pk}/"
    assert address in tom.get("/admin/payments/").text
    assert "payment.take_back" in tom.get(address).text
    assert "payment.take_back" not in client_of(payments.desk.anna).get(address).text
    tom.post(address, {"reason": "the bank says so", "payment.take_back": "1"})
    assert payments.wallet() == 5_000
    proposal = Proposal.objects.get(verb="payment.take_back")
    payments.desk.approve(proposal)
    assert payments.wallet() == 0
    assert list(CONDITIONS["payment_disputed"].find(moment)) == []
    note = Note.objects.get(player=payments.desk.mei)
    assert note.text == f"The payer disputes {payment}: 50.00 EUR, at the provider dp_cs_1."
    assert "taken back from the wallet" in client_of(payments.desk.mei).get("/wallet/pay-out/").text


def test_staff_hear_of_an_inquiry_once(payments: Payments) -> None:
    payment = payments.paid_in()
    inquiry = payments.disputed(payment, "warning_needs_response")
    assert inquiry is not None
    for _look in range(2):
        condition_checks.look(payments.desk.now)
        payments.desk.later(minutes=2)
    (alarm,) = Alarm.objects.filter(kind="payment_inquiry")
    assert f"P{inquiry.pk}, 50.00 EUR of mei" in words_of(alarm)[1]
    condition_checks.take(payments.desk.ruth, alarm.pk, "we have answered", payments.desk.now)
    condition_checks.look(payments.desk.now)
    assert not Alarm.objects.filter(kind="payment_inquiry", cleared_at=None).exists()
    page = client_of(payments.desk.tom).get(f"/admin/payments/{payment.pk}/").text
    assert f"/admin/payments/{inquiry.pk}/" in page
    assert "asked about by the payer" in page


def test_another_player_sees_nothing(payments: Payments) -> None:
    payment = payments.opened()
    other = client_of(Player.objects.create_user("other"))
    assert other.get(f"/wallet/payments/{payment.pk}/").status_code == 404
    assert other.post(f"/wallet/payments/{payment.pk}/").status_code == 404
    assert other.post(f"/wallet/payments/{payment.pk}/cancel/").status_code == 409
    assert Client().get(f"/wallet/payments/{payment.pk}/").status_code == 302


def test_a_house_without_a_provider_has_no_such_pages(payments: Payments, settings: Any) -> None:
    payment = payments.opened()
    settings.PAYMENTS = []
    client = client_of(payments.desk.mei)
    assert client.get("/wallet/pay-in/").status_code == 404
    assert client.get("/wallet/pay-out/").status_code == 404
    assert "/wallet/pay-in/" not in client.get("/wallet/").text
    assert payments.call(payment) == 404
    # What was paid on an earlier day stays to be read.
    assert client.get(f"/wallet/payments/{payment.pk}/").status_code == 200


def test_the_office_decides_on_the_page_of_a_payment(payments: Payments) -> None:
    payments.desk.give(9_000)
    payment = payments.ask(4_000)
    tom = client_of(payments.desk.tom)
    assert f"/admin/payments/{payment.pk}/" in tom.get("/admin/payments/").text
    page = tom.get(f"/admin/payments/{payment.pk}/").text
    assert "DE00 1234" in page
    answer = tom.post(f"/admin/payments/{payment.pk}/", {"reason": "sent", "payment.pay": "1"})
    assert answer.status_code == 302
    assert payments.status(payment) == "paid"
    assert "DE00 1234" not in client_of(payments.desk.anna).get(answer["Location"]).text
    assert client_of(payments.desk.mei).get("/admin/payments/").status_code == 302
    payments.agrees()


def test_the_search_of_the_office(payments: Payments) -> None:
    payment = payments.opened()
    tom = client_of(payments.desk.tom)
    for text in ("mei", f"P{payment.pk}", "cs_1"):
        assert f"/admin/payments/{payment.pk}/" in tom.get("/admin/payments/", {"q": text}).text
    assert f"/admin/payments/{payment.pk}/" not in tom.get("/admin/payments/?q=xyz").text


# The provider's list.


def compare(payments: Payments) -> list[str]:
    """The comparison of the next morning."""
    reconciling.reconcile(payments.desk.now + timedelta(hours=8))
    return payments.standing()


def test_a_lost_message_is_no_difference(payments: Payments) -> None:
    """The list finds what was paid and never told."""
    payment = payments.opened()
    payments.provider.pay(payment.provider_reference)
    Payment.objects.filter(pk=payment.pk).update(next_at=None)
    assert compare(payments) == []
    assert payments.wallet() == 5_000


def test_what_the_house_does_not_know_is_an_alarm(payments: Payments) -> None:
    session = {
        "id": "cs_77",
        "object": "checkout.session",
        "client_reference_id": str(uuid4()),
        "amount_total": 700,
        "currency": "eur",
        "payment_status": "paid",
        "created": int(timezone.now().timestamp()),
    }
    payments.provider.sessions["cs_77"] = session
    assert compare(payments) == ["not_here"]
    moment = Moment(payments.desk.now, payments.desk.now)
    (state,) = CONDITIONS["payment_difference"].find(moment)
    said = CONDITIONS["payment_difference"].say(state.figures)
    assert "cs_77" in said
    assert "700 EUR" in said
    # It is not there twice, and it is over once the provider no longer says so.
    assert compare(payments) == ["not_here"]
    ruth = client_of(payments.desk.ruth)
    page = ruth.get("/admin/payments/differences/").text
    assert "cs_77" in page
    difference = Difference.objects.get()
    ruth.post(f"/admin/payments/differences/{difference.pk}/", {"reason": "a test of theirs"})
    assert compare(payments) == []


@pytest.mark.parametrize(
    ("currency", "came"),
    [("eur", "40.00 EUR"), ("usd", "40.00 USD"), ("xyz", "XYZ 4000 minor units")],
)
def test_lists_say_what_came_beside_what_was_asked_for(
    payments: Payments, currency: str, came: str
) -> None:
    Currency.objects.get_or_create(code="USD", defaults={"name": "Dollar", "exponent": 2})
    payment, asked = payments.opened(), "50.00 EUR"
    payments.provider.pay(payment.provider_reference, amount=4_000, currency=currency)
    payments.work()
    for page in (
        client_of(payments.desk.tom).get("/admin/payments/").text,
        client_of(payments.desk.mei).get("/wallet/pay-in/").text,
    ):
        assert f"Paid: {came}" in page
    assert asked in client_of(payments.desk.tom).get("/admin/payments/").text
    (row,) = own_rows.rows(payments.desk.mei)
    assert (row["amount"], row["paid_amount"]) == (5_000, 4_000)
    assert row["paid_currency"] == currency.upper()


def test_staff_hear_of_what_was_paid_otherwise_and_of_what_is_stuck(payments: Payments) -> None:
    otherwise, source = payments.opened(), payments.paid_in()
    payments.provider.pay(otherwise.provider_reference, amount=4_000)
    stuck = payments.ask(1_000, source=source)
    payments.pay(stuck)
    payments.provider.refunds_are = "pending"
    payments.work()
    moment = Moment(payments.desk.now, payments.desk.now)
    names = ("payment_paid_otherwise", "payment_stuck")
    assert [[*CONDITIONS[name].find(moment)] for name in names][1] == []
    later = Moment(payments.desk.now + timedelta(hours=25), payments.desk.now)
    numbers = [state.figures["number"] for name in names for state in CONDITIONS[name].find(later)]
    assert numbers == [otherwise.pk, stuck.pk]


def test_what_only_the_house_has_is_a_difference(payments: Payments) -> None:
    payment = payments.paid_in()
    payments.provider.sessions[payment.provider_reference]["payment_status"] = "unpaid"
    assert compare(payments) == ["not_there"]
    payments.provider.sessions[payment.provider_reference]["payment_status"] = "paid"
    assert compare(payments) == []
    assert Difference.objects.get().closed_at


def test_another_amount_in_the_list_is_a_difference(payments: Payments) -> None:
    payment = payments.paid_in()
    payments.provider.sessions[payment.provider_reference]["amount_total"] = 4_000
    assert compare(payments) == ["amount"]
    assert Difference.objects.get().here == "5000 EUR"


def test_a_provider_that_is_away_raises_no_difference(payments: Payments) -> None:
    payments.paid_in()
    payments.provider.away = True
    assert compare(payments) == []


def test_an_edit_of_a_payment_is_found(payments: Payments) -> None:
    """The audit does without the record of changes: the ledger proves it."""
    payment = payments.paid_in()
    for change in ({"amount": 1}, {"status": "failed"}, {"posting_key": None}):
        before = Payment.objects.values().get(pk=payment.pk)
        Payment.objects.filter(pk=payment.pk).update(**change)
        with pytest.raises(AssertionError):
            payments.agrees()
        Payment.objects.filter(pk=payment.pk).update(**before)
    payments.agrees()
