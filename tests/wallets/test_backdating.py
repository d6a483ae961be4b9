"""Postings that bear a time of their own: the same checks and chains as those of the ledger."""

from datetime import UTC, datetime, timedelta
from uuid import uuid4

import pytest
from django.db import transaction
from django.utils import timezone

from wallets.audit.reconciliation import reconcile
from wallets.models import Account, Currency, Entry, Transaction
from wallets.money.backdating import RESERVED, BackdatedLedger, Numbers, reserve
from wallets.money.ledger import Leg, post
from wallets.values.errors import Overdrawn, Refused

pytestmark = pytest.mark.django_db
AT = datetime(2026, 1, 5, 20, tzinfo=UTC)
WORDS = {"book": "cashier", "actor": "test", "reason": "a test"}


@pytest.fixture
def ledger() -> BackdatedLedger:
    Currency.objects.create(code="EUR", name="Euro")
    return BackdatedLedger()


def pay_in(ledger: BackdatedLedger, amount: int, at: datetime) -> int:
    """Money for a player; answers with the number of the wallet."""
    source = ledger.account("issue", "house", "EUR").pk
    wallet = ledger.account("player", "player:1", "EUR").pk
    legs = [Leg(source, -amount), Leg(wallet, amount)]
    ledger.post(at, uuid4(), "deposit", legs, **WORDS)
    return wallet


def test_what_is_written_has_its_time_and_reconciles(ledger: BackdatedLedger) -> None:
    wallet = pay_in(ledger, 500, AT)
    pay_in(ledger, 70, AT + timedelta(days=1))
    ledger.write()
    pay_in(ledger, 8, AT + timedelta(days=2))
    ledger.write()
    times = list(Transaction.objects.order_by("position").values_list("time", flat=True))
    assert times == [AT, AT + timedelta(days=1), AT + timedelta(days=2)]
    assert Account.objects.get(pk=wallet).balance == ledger.balance(wallet) == 578
    assert list(Entry.objects.filter(account=wallet).values_list("balance_after", flat=True)) == [
        *(500, 570, 578),
    ]
    assert list(reconcile(everything=True)) == []


def test_the_ledger_goes_on_from_there(ledger: BackdatedLedger) -> None:
    wallet = pay_in(ledger, 500, AT)
    ledger.write()
    source = Account.objects.get(kind="issue").pk
    post(uuid4(), "withdrawal", [Leg(wallet, -100), Leg(source, 100)], **WORDS)
    pay_in(BackdatedLedger(), 5, timezone.now())
    assert Account.objects.get(pk=wallet).balance == 400
    assert list(reconcile(everything=True)) == []


def test_others_may_post_between_two_of_its_transactions(ledger: BackdatedLedger) -> None:
    pay_in(ledger, 500, AT)
    ledger.write()
    source = Account.objects.get(kind="issue")
    bob = Account.objects.create(kind="player", owner="player:2", currency_id="EUR")
    post(uuid4(), "deposit", [Leg(source.pk, -30), Leg(bob.pk, 30)], **WORDS)
    with transaction.atomic():
        ledger.take_up()
        pay_in(ledger, 8, AT + timedelta(days=2))
        ledger.write()
    post(uuid4(), "deposit", [Leg(source.pk, -1), Leg(bob.pk, 1)], **WORDS)
    assert Account.objects.get(pk=source.pk).balance == -539
    assert list(reconcile(everything=True)) == []


def test_numbers_are_given_once(ledger: BackdatedLedger) -> None:
    numbers, given = Numbers(Account), set[int]()
    for _row in range(RESERVED + 1):
        given.add(next(numbers))
    assert len(given) == RESERVED + 1
    opened = Account.objects.create(kind="player", owner="player:2", currency_id="EUR")
    assert opened.pk > max(given)
    numbers.skip()
    assert next(numbers) > opened.pk
    kept = reserve(Account, 2)
    later = Account.objects.create(kind="player", owner="player:3", currency_id="EUR")
    assert kept[-1] < later.pk


@pytest.mark.always
def test_times_of_a_book_run_on_and_end_today(ledger: BackdatedLedger) -> None:
    pay_in(ledger, 500, AT)
    for wrong in (AT - timedelta(microseconds=1), timezone.now() + timedelta(days=1)):
        with pytest.raises(Refused) as refusal:
            pay_in(ledger, 1, wrong)
        assert refusal.value.code == "time"
    ledger.write()
    assert Transaction.objects.count() == 1


@pytest.mark.always
@pytest.mark.parametrize(
    ("amounts", "code"),
    [((-600, 600), "overdrawn"), ((-1, 2), "unbalanced"), ((0, 0), "amount")],
)
def test_what_the_ledger_refuses_is_refused(
    ledger: BackdatedLedger, amounts: tuple[int, int], code: str
) -> None:
    wallet = pay_in(ledger, 500, AT)
    source = ledger.account("issue", "house", "EUR").pk
    legs = [Leg(wallet, amounts[0]), Leg(source, amounts[1])]
    with pytest.raises(Refused) as refusal:
        ledger.post(AT, uuid4(), "withdrawal", legs, **WORDS)
    assert refusal.value.code == code
    assert isinstance(refusal.value, Overdrawn) == (code == "overdrawn")
    assert ledger.balance(wallet) == 500
